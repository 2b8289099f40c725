// One choice of a few, as a button that opens a list.
import { Select as Base } from '@base-ui/react/select';
import { Icon } from './icon.tsx';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface Props<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChoose: (value: Value) => void;
}

export function Select<Value extends string>({ label, value, choices, onChoose }: Props<Value>) {
  return (
    <Base.Root<Value>
      items={[...choices]}
      value={value}
      onValueChange={(next) => {
        if (next !== null) onChoose(next);
      }}
    >
      <Base.Trigger
        aria-label={label}
        className="inline-flex h-9 max-w-full shrink-0 items-center gap-2 rounded-md border border-line bg-surface px-3 hover:border-muted"
      >
        <Base.Value className="truncate" />
        <Base.Icon className="text-muted">
          <Icon name="down" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-40">
          <Base.Popup className="max-h-80 max-w-80 min-w-40 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-raised">
            {choices.map((choice) => (
              <Base.Item
                key={choice.value}
                value={choice.value}
                className="flex cursor-default items-center justify-between gap-4 rounded-sm px-2 py-1.5 data-highlighted:bg-accent-soft"
              >
                <Base.ItemText className="line-clamp-2 wrap-anywhere">{choice.label}</Base.ItemText>
                <Base.ItemIndicator>
                  <Icon name="check" />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
