// Lays out several examples of one component beside each other.
import type { ReactNode } from 'react';

export function Row({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-start gap-3">{children}</div>;
}
