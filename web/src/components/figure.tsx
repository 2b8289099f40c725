// A figure with its name above it.
import type { ReactNode } from 'react';

export function Figure({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="truncate text-base font-semibold">{children}</dd>
    </div>
  );
}
