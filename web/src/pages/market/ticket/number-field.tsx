// A field for a number: large digits, the keyboard of a phone for numbers, and a name that keys can reach.
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ticksOf } from '../../../format/price-steps.ts';
import { withoutGroups } from '../../../format/typed-number.ts';
import { useLocale } from '../../../texts/use-texts.ts';

interface Props {
  readonly id?: string;
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly fault: string | null;
  readonly suffix?: ReactNode;
  readonly steps?: Steps;
}

/** Buttons beside the field, and the arrow keys in it. */
interface Steps {
  readonly onStep: (ticks: number) => void;
  readonly up: string;
  readonly down: string;
}

export function NumberField({ id, label, value, onType, fault, suffix, steps }: Props) {
  const locale = useLocale();
  const own = useId();
  const noteId = `${own}-note`;
  const press = (event: KeyboardEvent): void => {
    const ticks = ticksOf(event.key, event.shiftKey);
    if (steps === undefined || ticks === null) return;
    event.preventDefault();
    steps.onStep(ticks);
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id ?? own} className="text-xs text-muted">
        {label}
      </label>
      <div
        className={`flex h-11 items-center gap-2 rounded-md border bg-surface px-3 focus-within:outline-2 focus-within:outline-accent ${fault === null ? 'border-line' : 'border-loss'}`}
      >
        <input
          id={id ?? own}
          value={value}
          inputMode="decimal"
          autoComplete="off"
          maxLength={24}
          onChange={(event) => onType(withoutGroups(locale, event.target.value))}
          onKeyDown={press}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : noteId}
          className="w-full min-w-0 bg-transparent text-base font-semibold outline-none"
        />
        {suffix !== undefined && <span className="shrink-0 text-muted">{suffix}</span>}
        {steps !== undefined && (
          <span className="-mr-2 flex shrink-0">
            <IconButton label={steps.down} onClick={() => steps.onStep(-1)}>
              <Icon name="minus" />
            </IconButton>
            <IconButton label={steps.up} onClick={() => steps.onStep(1)}>
              <Icon name="plus" />
            </IconButton>
          </span>
        )}
      </div>
      {fault !== null && (
        <p id={noteId} className="text-xs text-loss">
          {fault}
        </p>
      )}
    </div>
  );
}
