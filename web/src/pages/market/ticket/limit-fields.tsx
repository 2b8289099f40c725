// What only a limit order has: its price, its time in force, and whether it may take.
import type { Market } from '@sibyl/sdk';
import { Field } from '../../../components/field.tsx';
import { Select } from '../../../components/select.tsx';
import { cents } from '../../../format/amounts.ts';
import { problemText } from '../../../format/order-problem.ts';
import { steppedPrice } from '../../../format/price-steps.ts';
import { typedTime } from '../../../format/times.ts';
import { readCents } from '../../../format/typed-number.ts';
import type { Tickers } from '../../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import type { Draft, DraftChange, Reading, TimeInForce } from '../draft.ts';
import { NumberField } from './number-field.tsx';
import { ticketTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly tickers: Tickers;
  readonly draft: Draft;
  readonly change: (change: DraftChange) => void;
  readonly reading: Reading;
}

const lives = ['gtc', 'day', 'time', 'ioc', 'fok'] as const;
/** How far ahead an expiry begins that has not been chosen yet. */
const FIRST_EXPIRY_MS = 3_600_000;

export function LimitFields(props: Props) {
  const t = useTexts(ticketTexts);
  const { draft, change } = props;
  const canRest = draft.timeInForce !== 'ioc' && draft.timeInForce !== 'fok';
  const choose = (timeInForce: TimeInForce): void => {
    const isFirst = timeInForce === 'time' && draft.expiry === '';
    change({ timeInForce, ...(isFirst && { expiry: typedTime(Date.now() + FIRST_EXPIRY_MS) }) });
  };
  return (
    <>
      <PriceField {...props} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Select
          label={t('timeInForce')}
          value={draft.timeInForce}
          choices={lives.map((value) => ({ value, label: t(`life_${value}`) }))}
          onChoose={choose}
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
      {draft.timeInForce === 'time' && <ExpiryField {...props} />}
    </>
  );
}

function PriceField({ market, tickers, draft, change, reading }: Props) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const problem =
    !reading.ok && 'problem' in reading && reading.problem.field === 'price'
      ? reading.problem
      : null;
  const step = (ticks: number): void => {
    const outcome = market.outcomes.find(({ id }) => id === draft.outcomeId);
    const now = tickers.get(draft.outcomeId)?.price ?? outcome?.price ?? market.tick_size;
    change({ price: steppedPrice(market, readCents(locale, draft.cents) ?? now, ticks) });
  };
  const tick = cents(locale, market.tick_size, 2);
  return (
    <NumberField
      label={t('price')}
      value={draft.cents}
      onType={(text) => change({ cents: text })}
      fault={problem === null ? null : problemText(locale, problem)}
      suffix="¢"
      steps={{ onStep: step, up: t('raise', { tick }), down: t('lower', { tick }) }}
    />
  );
}

function ExpiryField({ draft, change, reading }: Props) {
  const t = useTexts(ticketTexts);
  const isPast = !reading.ok && 'missing' in reading && reading.missing === 'laterExpiry';
  return (
    <Field
      label={t('expiry')}
      type="datetime-local"
      value={draft.expiry}
      fault={isPast ? t('missing_laterExpiry') : null}
      onChange={(event) => change({ expiry: event.target.value })}
    />
  );
}
