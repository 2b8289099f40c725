// A button that opens a list of things to do or places to go.
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';

export interface MenuItem {
  readonly id: string;
  readonly label: ReactNode;
  readonly onSelect: () => void;
}

interface Props {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly items: readonly MenuItem[];
  /** Stands above the items and is no item itself. */
  readonly head?: ReactNode;
}

export function Menu({ label, trigger, items, head }: Props) {
  return (
    <Base.Root>
      <Base.Trigger className="inline-flex h-9 items-center gap-2 rounded-md px-2 hover:bg-accent-soft">
        {/* Beside what is seen and not instead of it: people say what they see. */}
        <span className="sr-only">{label}</span>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-40">
          <Base.Popup className="min-w-48 rounded-md border border-line bg-raised p-1 shadow-raised outline-none">
            {head !== undefined && <div className="border-b border-line px-2 py-2">{head}</div>}
            {items.map((item) => (
              <Base.Item
                key={item.id}
                onClick={item.onSelect}
                className="flex cursor-default items-center gap-2 rounded-sm px-2 py-1.5 data-highlighted:bg-accent-soft"
              >
                {item.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
