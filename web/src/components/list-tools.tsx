// What stands above a list: its filter at the left, the file at the right.
import type { ReactNode } from 'react';

export function ListTools({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-end gap-2 border-b border-line px-4 py-2">
      {children}
    </div>
  );
}
