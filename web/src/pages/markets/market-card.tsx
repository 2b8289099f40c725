// A market as a card; the whole of it leads to the market.

import { marketTitle } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { memo } from 'react';
import { MarketArt } from '../../components/market-art.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { TimeLeft } from '../../components/time-left.tsx';
import { WatchButton } from '../../components/watch-button.tsx';
import { roughly } from '../../format/amounts.ts';
import { twoOf } from '../../format/outcomes.ts';
import { useSeen } from '../../live/use-seen.ts';
import { useTickers } from '../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { OutcomeLink } from './outcome-link.tsx';
import { Outlook } from './outlook.tsx';
import { marketsTexts } from './texts.ts';
import { Winner } from './winner.tsx';

export const MarketCard = memo(function MarketCard({ market }: { readonly market: Market }) {
  const locale = useLocale();
  const [card, isSeen] = useSeen<HTMLElement>();
  const tickers = useTickers(isSeen && market.status === 'active' ? market.market_id : null);
  return (
    <article
      ref={card}
      className="relative flex min-w-0 flex-col gap-2 rounded-lg border border-line bg-surface p-4 transition-colors duration-100 hover:border-muted"
    >
      <div className="flex items-start gap-3">
        <MarketArt marketId={market.market_id} />
        <h2 dir="auto" className="line-clamp-2 min-h-10 min-w-0 flex-1 font-semibold">
          <PageLink
            to={`/m/${market.market_id}`}
            className="after:absolute after:inset-0 after:rounded-lg"
          >
            {marketTitle(locale, market)}
          </PageLink>
        </h2>
        <span className="relative z-10 -mt-2 -mr-2">
          <WatchButton marketId={market.market_id} />
        </span>
      </div>
      <Outlook market={market} tickers={tickers} />
      <div className="flex h-9 items-center gap-2">
        {market.status === 'active' && !market.halted ? (
          twoOf(market).map((outcome) => (
            <OutcomeLink key={outcome.id} market={market} outcome={outcome} tickers={tickers} />
          ))
        ) : (
          <>
            <StateBadge market={market} />
            <Winner market={market} />
          </>
        )}
      </div>
      <Foot market={market} />
    </article>
  );
});

function Foot({ market }: { readonly market: Market }) {
  const t = useTexts(marketsTexts);
  const locale = useLocale();
  return (
    <div className="flex justify-between gap-2 text-xs text-muted">
      <span>{t('volume', { amount: roughly(locale, market.total_volume) })}</span>
      {market.status === 'scheduled' && <TimeLeft kind="opens" atMs={market.opens_at_ms} />}
      {market.status === 'active' && <TimeLeft kind="closes" atMs={market.closes_at_ms} />}
    </div>
  );
}

export function CardSkeleton() {
  return (
    <div className="flex h-[206px] flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex gap-3">
        <Skeleton className="size-10" />
        <Skeleton className="h-5 flex-1" />
      </div>
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-4 w-1/2" />
    </div>
  );
}
