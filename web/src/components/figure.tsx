// A figure with its name above it.
import type { ReactNode } from 'react';

export function Figure({
  label,
  children,
  isWhole = false,
}: {
  readonly label: string;
  readonly children: ReactNode;
  /** Ids and dates are of no use cut off. */
  readonly isWhole?: boolean;
}) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className={`text-base font-semibold ${isWhole ? 'wrap-anywhere' : 'truncate'}`}>
        {children}
      </dd>
    </div>
  );
}
