// The book of an outcome: a ladder whose prices go into the ticket, or the depth on either side.
import type { Market } from '@sibyl/sdk';
import { memo, useMemo, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { cents, gridCents, shares } from '../../../format/amounts.ts';
import { useAccount } from '../../../live/account-provider.tsx';
import { type BookView, useBook } from '../../../live/use-live.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { marketTexts } from '../texts.ts';
import { Depth } from './depth.tsx';
import { ladderOf, type Rung } from './ladder.ts';

interface Props {
  readonly market: Market;
  readonly outcome: Market['outcomes'][number];
  /** The same function each time, so that rows stay as they are while their price and size do. */
  readonly onPrice: (price: string) => void;
}

/** Levels a side. */
const DEPTH = 7;
const outlines = Array.from({ length: DEPTH * 2 }, (_, index) => index);

export const Book = memo(function Book({ market, outcome, onPrice }: Props) {
  const t = useTexts(marketTexts);
  const [view, setView] = useState<'ladder' | 'depth'>('ladder');
  const book = useBook(market.market_id, outcome.id);
  return (
    <Card
      title={t('book')}
      isFlush
      aside={
        <Segmented
          label={t('bookView')}
          value={view}
          onChoose={setView}
          choices={[
            { value: 'ladder', label: t('ladder') },
            { value: 'depth', label: t('depth') },
          ]}
        />
      }
    >
      <div className="h-[28.75rem] pointer-coarse:h-[32.75rem]">
        {book === null && <Outline />}
        {book !== null && view === 'ladder' && (
          <Steps market={market} outcome={outcome} book={book} onPrice={onPrice} />
        )}
        {book !== null && view === 'depth' && <Depth book={book} />}
      </div>
    </Card>
  );
});

function Outline() {
  return (
    <div className="flex flex-col gap-2 p-4">
      {outlines.map((line) => (
        <Skeleton key={line} className="h-5 w-full" />
      ))}
    </div>
  );
}

interface StepsProps extends Props {
  readonly book: BookView;
}

function Steps({ market, outcome, book, onPrice }: StepsProps) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const ladder = useMemo(() => ladderOf(book, DEPTH), [book]);
  const own = useOwnPrices(market.market_id, outcome.id);
  if (ladder.asks.length === 0 && ladder.bids.length === 0) return <Empty title={t('emptyBook')} />;
  const row = (side: 'ask' | 'bid') => (rung: Rung) => (
    <Step
      key={rung.price}
      side={side}
      tickSize={market.tick_size}
      price={rung.price}
      size={rung.size}
      share={rung.share}
      isOwn={own.has(rung.price)}
      onPrice={onPrice}
    />
  );
  return (
    <div className="flex h-full flex-col">
      <div className="flex justify-between px-4 py-1.5 text-xs text-muted">
        <span>{t('price')}</span>
        <span>{t('shares')}</span>
      </div>
      <ul aria-label={t('asks')} className="flex flex-1 flex-col justify-end">
        {ladder.asks.map(row('ask'))}
      </ul>
      <p className="flex justify-between border-y border-line bg-page px-4 py-1.5 text-xs text-muted">
        {ladder.spread === null || ladder.midpoint === null ? (
          t('oneSided')
        ) : (
          <>
            <span>{t('spread', { value: cents(locale, ladder.spread, 2) })}</span>
            <span>{t('midpoint', { value: cents(locale, ladder.midpoint, 2) })}</span>
          </>
        )}
      </p>
      <ul aria-label={t('bids')} className="flex flex-1 flex-col">
        {ladder.bids.map(row('bid'))}
      </ul>
    </div>
  );
}

interface StepProps extends Rung {
  readonly tickSize: string;
  readonly side: 'ask' | 'bid';
  readonly isOwn: boolean;
  readonly onPrice: (price: string) => void;
}

const Step = memo(function Step(props: StepProps) {
  const { side, tickSize, price, size, share, isOwn, onPrice } = props;
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const isAsk = side === 'ask';
  const shown = { price: gridCents(locale, price, tickSize), size: shares(locale, size) };
  return (
    <li>
      <button
        type="button"
        onClick={() => onPrice(price)}
        className="relative flex h-6 w-full pointer-coarse:h-7 items-center justify-between px-4 hover:bg-accent-soft"
      >
        <span
          aria-hidden="true"
          className={`absolute inset-y-px right-0 ${isAsk ? 'bg-loss-soft' : 'bg-gain-soft'}`}
          style={{ width: `${share * 70}%` }}
        />
        <span className={`relative font-semibold ${isAsk ? 'text-loss' : 'text-gain'}`}>
          <span className="sr-only">
            {t(isOwn ? 'ownLevel' : isAsk ? 'askLevel' : 'bidLevel')}{' '}
          </span>
          {shown.price}
          <span className="sr-only">¢,</span>
          {isOwn && (
            <span aria-hidden="true" className="ml-1.5 text-accent">
              ●
            </span>
          )}
        </span>
        <span className="relative">
          {shown.size}
          <span className="sr-only"> {t('shares')}</span>
        </span>
      </button>
    </li>
  );
});

function useOwnPrices(marketId: string, outcomeId: string): ReadonlySet<string> {
  const account = useAccount();
  return useMemo(() => {
    const own = [...(account?.orders.values() ?? [])].filter(
      (order) => order.market_id === marketId && order.outcome_id === outcomeId,
    );
    return new Set(own.flatMap(({ price }) => (price === null ? [] : [price])));
  }, [account?.orders, marketId, outcomeId]);
}
