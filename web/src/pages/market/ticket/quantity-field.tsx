// How much: in shares or in money, by hand or as a part of what is there.

import type { Market } from '@sibyl/sdk';
import { Button } from '../../../components/button.tsx';
import { money, shares } from '../../../format/amounts.ts';
import { problemText } from '../../../format/order-problem.ts';
import { asTyped } from '../../../format/typed-number.ts';
import { useAccount } from '../../../live/account-provider.tsx';
import { positionKey } from '../../../live/account-view.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { type Draft, type DraftChange, partOf, type Reading, spendable } from '../draft.ts';
import { NumberField } from './number-field.tsx';
import { ticketTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly draft: Draft;
  readonly change: (change: DraftChange) => void;
  readonly reading: Reading;
}

const parts = [
  { percent: 25n, label: '25 %' },
  { percent: 50n, label: '50 %' },
] as const;

export function QuantityField({ market, draft, change, reading }: Props) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const { asset } = market;
  const isBuy = draft.side === 'buy';
  const problem =
    !reading.ok && 'problem' in reading && reading.problem.field === 'size'
      ? reading.problem
      : null;
  return (
    <div className="flex flex-col gap-2">
      <NumberField
        id="ticket-quantity"
        label={draft.unit === 'amount' ? t('amount', { asset }) : t('shares')}
        value={draft.quantity}
        onType={(quantity) => change({ quantity })}
        fault={problem === null ? null : problemText(locale, problem)}
        suffix={
          isBuy && !draft.isNo ? (
            <button
              type="button"
              className="rounded-sm px-1 text-xs font-semibold text-accent hover:underline"
              onClick={() => change({ unit: draft.unit === 'amount' ? 'shares' : 'amount' })}
            >
              {draft.unit === 'amount' ? t('inShares') : t('inAmount', { asset })}
            </button>
          ) : undefined
        }
      />
      <Parts market={market} draft={draft} change={change} />
    </div>
  );
}

/** For somebody who has something to take a part of. */
function Parts({ market, draft, change }: Omit<Props, 'reading'>) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const account = useAccount();
  if (account === null) return null;
  const isBuy = draft.side === 'buy';
  const key = positionKey({ market_id: market.market_id, outcome_id: draft.outcomeId });
  const held = account.positions.get(key)?.size ?? '0';
  const take = (percent: bigint): void => {
    const part = isBuy ? spendable(account.free, percent) : partOf(market, held, percent);
    change({ ...(isBuy && { unit: 'amount' }), quantity: asTyped(locale, part) });
  };
  return (
    <div className="flex items-center gap-1">
      {parts.map(({ percent, label }) => (
        <Button key={label} size="small" onClick={() => take(percent)}>
          {label}
        </Button>
      ))}
      <Button size="small" onClick={() => take(100n)}>
        {t('most')}
      </Button>
      <span className="ml-auto truncate text-xs text-muted">
        {isBuy
          ? t('free', { amount: money(locale, account.free) })
          : t('held', { size: shares(locale, held) })}
      </span>
    </div>
  );
}
