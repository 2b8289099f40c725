// Parts of one page of which one is shown.
import { Tabs as Base } from '@base-ui/react/tabs';
import { type ReactNode, Suspense } from 'react';

interface Props {
  readonly label: string;
  readonly tabs: readonly {
    readonly id: string;
    readonly label: ReactNode;
    readonly content: ReactNode;
  }[];
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
}

export function Tabs({ label, tabs, selected, onSelect }: Props) {
  return (
    <Base.Root
      defaultValue={tabs[0]?.id}
      {...(selected !== undefined && { value: selected })}
      onValueChange={(id) => onSelect?.(String(id))}
    >
      <Base.List
        aria-label={label}
        className="flex gap-4 overflow-x-auto border-b border-line px-4"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.id}
            value={tab.id}
            className="-mb-px h-11 border-b-2 border-transparent whitespace-nowrap text-muted hover:text-text data-active:border-accent data-active:font-semibold data-active:text-text"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} className="outline-offset-[-2px]">
          <Suspense>{tab.content}</Suspense>
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
