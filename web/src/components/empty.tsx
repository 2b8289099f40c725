// A list without entries: what would be here, and the one next step.
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, children, action }: Props) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <p className="font-semibold">{title}</p>
      {children !== undefined && <p className="max-w-sm text-muted">{children}</p>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  );
}
