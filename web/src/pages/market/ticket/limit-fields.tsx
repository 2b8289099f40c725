// What only a limit order has: its price, how long it waits, and whether it may take.
import type { Market } from '@sibyl/sdk';
import { Select } from '../../../components/select.tsx';
import { problemText } from '../../../format/order-problem.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import type { Draft, DraftChange, Reading } from '../draft.ts';
import { NumberField } from './number-field.tsx';
import { ticketTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly draft: Draft;
  readonly change: (change: DraftChange) => void;
  readonly reading: Reading;
}

const lives = ['gtc', 'day', 'ioc', 'fok'] as const;

export function LimitFields({ draft, change, reading }: Props) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const problem =
    !reading.ok && 'problem' in reading && reading.problem.field === 'price'
      ? reading.problem
      : null;
  const canRest = draft.timeInForce === 'gtc' || draft.timeInForce === 'day';
  return (
    <>
      <NumberField
        label={t('price')}
        value={draft.cents}
        onType={(cents) => change({ cents })}
        fault={problem === null ? null : problemText(locale, problem)}
        suffix="¢"
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Select
          label={t('timeInForce')}
          value={draft.timeInForce}
          choices={lives.map((value) => ({ value, label: t(`life_${value}`) }))}
          onChoose={(timeInForce) => change({ timeInForce })}
        />
        {canRest && (
          <label className="flex items-center gap-2 text-muted">
            <input
              type="checkbox"
              className="size-4 accent-[var(--accent)]"
              checked={draft.isPostOnly}
              onChange={(event) => change({ isPostOnly: event.target.checked })}
            />
            {t('postOnly')}
          </label>
        )}
      </div>
    </>
  );
}
