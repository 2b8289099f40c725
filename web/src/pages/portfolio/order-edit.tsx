// The fields and buttons of an order that is being changed; enter saves, escape leaves it as it is.
import type { OrderProblem } from '@sibyl/sdk';
import { useId } from 'react';
import { Button } from '../../components/button.tsx';
import { ticksOf } from '../../format/price-steps.ts';
import { errorSentence } from '../../texts/errors.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { portfolioTexts } from './texts.ts';
import type { OrderChange } from './use-order-change.ts';

interface FieldProps {
  readonly change: OrderChange;
  readonly name: OrderProblem['field'];
}

export function EditField({ change, name }: FieldProps) {
  const t = useTexts(portfolioTexts);
  const noteId = useId();
  const fault = change.faults[name];
  return (
    <span className="inline-flex w-20 flex-col max-sm:w-14 gap-1 py-2 whitespace-normal">
      <input
        aria-label={t(name === 'price' ? 'priceInCents' : 'shares')}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : noteId}
        inputMode="decimal"
        autoComplete="off"
        value={change.typed[name]}
        // Whoever presses Edit wants to type.
        ref={name === 'price' ? focusOnce : undefined}
        onChange={(event) => change.type(name, event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') change.save();
          if (event.key === 'Escape') change.leave();
          const ticks = ticksOf(event.key, event.shiftKey);
          if (name !== 'price' || ticks === null) return;
          event.preventDefault();
          change.step(ticks);
        }}
        className={`h-8 w-full rounded-md border bg-surface px-2 text-right ${fault === null ? 'border-line' : 'border-loss'}`}
      />
      {fault !== null && (
        <span id={noteId} className="text-left text-xs text-loss">
          {fault}
        </span>
      )}
    </span>
  );
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.select();
}

export function EditActions({ change }: { readonly change: OrderChange }) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const isRight = change.faults.price === null && change.faults.size === null;
  return (
    <span className="inline-flex flex-col items-end gap-1 py-2 whitespace-normal">
      <span className="inline-flex gap-1 max-sm:flex-col">
        <Button
          size="small"
          kind="primary"
          isBusy={change.isBusy}
          refusal={isRight ? null : ''}
          onClick={change.save}
        >
          {t('save')}
        </Button>
        <Button size="small" onClick={change.leave}>
          {t('back')}
        </Button>
      </span>
      {change.error !== null && (
        <span role="alert" className="max-w-56 text-xs text-loss">
          {errorSentence(locale, change.error)}
        </span>
      )}
    </span>
  );
}
