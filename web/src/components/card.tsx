// A surface that holds one thing, with a heading if it has one.
import type { ReactNode } from 'react';

interface Props {
  /** What a link to this very card ends with, behind #. */
  readonly id?: string;
  readonly title?: ReactNode;
  readonly aside?: ReactNode;
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

export function Card({ id, title, aside, isFlush = false, children }: Props) {
  return (
    <section id={id} className="min-w-0 scroll-mt-20 rounded-lg border border-line bg-surface">
      {title !== undefined && (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-2 border-b border-line px-4 py-2">
          <h2 className="font-semibold">{title}</h2>
          {aside}
        </header>
      )}
      <div className={isFlush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}
