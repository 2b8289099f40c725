// The answers of a market with many: one row each; choosing one chooses chart, book and ticket.
import { outcomeName } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { memo } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Change } from '../../components/change.tsx';
import { cents } from '../../format/amounts.ts';
import { outcomeColour } from '../../format/outcomes.ts';
import { shareOf } from '../../format/range.ts';
import { useAccount } from '../../live/account-provider.tsx';
import { positionKey } from '../../live/account-view.ts';
import type { Ticker } from '../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import type { DraftChange } from './draft.ts';
import { noTexts } from './no-texts.ts';
import { marketTexts } from './texts.ts';
import { noPrice } from './ticket/order-figures.ts';
import type { TicketProps } from './ticket/ticket.tsx';

interface Props extends TicketProps {
  readonly onChoose: (change: DraftChange) => void;
}

export function Outcomes({ market, tickers, draft, change, refusal, onChoose }: Props) {
  const t = useTexts(marketTexts);
  return (
    <Card title={t('answers')} isFlush>
      <ul>
        {market.outcomes.map((outcome, index) => (
          <OutcomeRow
            key={outcome.id}
            market={market}
            outcome={outcome}
            index={index}
            ticker={tickers.get(outcome.id) ?? null}
            isChosen={draft.outcomeId === outcome.id}
            canTrade={refusal === null}
            onShow={() => change({ outcomeId: outcome.id })}
            onTrade={(deal) => onChoose({ outcomeId: outcome.id, type: 'market', ...deals[deal] })}
          />
        ))}
      </ul>
    </Card>
  );
}

interface RowProps {
  readonly market: Market;
  readonly outcome: Market['outcomes'][number];
  readonly index: number;
  readonly ticker: Ticker | null;
  readonly isChosen: boolean;
  readonly canTrade: boolean;
  readonly onShow: () => void;
  readonly onTrade: (deal: Deal) => void;
}

/** For the answer, against it, or out of it. */
type Deal = keyof typeof deals;

const deals = {
  yes: { side: 'buy', isNo: false },
  no: { side: 'buy', isNo: true },
  sell: { side: 'sell', isNo: false },
} as const;

const kinds = { yes: 'gain', no: 'loss', sell: 'plain' } as const;

const fills = [
  'bg-outcome-1',
  'bg-outcome-2',
  'bg-outcome-3',
  'bg-outcome-4',
  'bg-outcome-5',
  'bg-outcome-6',
] as const;

const OutcomeRow = memo(function OutcomeRow(props: RowProps) {
  const { market, outcome, index, ticker, isChosen, canTrade, onShow, onTrade } = props;
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const price = ticker?.price ?? outcome.price;
  const say = useTexts(noTexts);
  const account = useAccount();
  const key = positionKey({ market_id: market.market_id, outcome_id: outcome.id });
  const isHeld = account?.positions.has(key) ?? false;
  const offer = (deal: Deal, at: string | null | undefined) => (
    <Button size="small" kind={kinds[deal]} isWide onClick={() => onTrade(deal)}>
      {deal === 'sell' ? t('sell') : say(deal)}
      {at !== null && at !== undefined && <span>{cents(locale, at)}¢</span>}
    </Button>
  );
  return (
    <li
      className={`relative flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-2 first:border-t-0 last:rounded-b-lg sm:flex-nowrap ${isChosen ? 'bg-accent-soft' : 'hover:bg-accent-soft'}`}
    >
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onShow}
        className="min-w-0 flex-1 text-left after:absolute after:inset-0"
      >
        <span className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className={`size-2.5 shrink-0 rounded-full ${fills[outcomeColour(market, index) - 1]}`}
          />
          <bdi className="line-clamp-2 font-semibold wrap-anywhere">
            {outcomeName(locale, market, outcome)}
          </bdi>
        </span>
        <span className="mt-1 block h-1.5 overflow-hidden rounded-sm bg-line">
          <span
            className={`block h-full ${fills[outcomeColour(market, index) - 1]}`}
            style={{ width: `${shareOf(price) * 100}%` }}
          />
        </span>
      </button>
      <span className="w-14 shrink-0 text-right">
        {ticker !== null && <Change change={ticker.change_24h} />}
      </span>
      <span className="w-16 shrink-0 text-right text-lg font-semibold">
        {cents(locale, price)}
        <span className="text-xs text-muted">¢</span>
      </span>
      {canTrade && (
        <span className="relative z-10 flex w-full shrink-0 gap-2 sm:w-64">
          {offer('yes', ticker?.best_ask)}
          {offer('no', noPrice(ticker?.best_bid ?? null))}
          {isHeld && offer('sell', ticker?.best_bid)}
        </span>
      )}
    </li>
  );
});
