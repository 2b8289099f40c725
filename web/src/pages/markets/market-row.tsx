// A market as one line of a dense list.

import { marketTitle, outcomeName } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { memo } from 'react';
import { Change } from '../../components/change.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Probability } from '../../components/probability.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { TimeLeft } from '../../components/time-left.tsx';
import { WatchButton } from '../../components/watch-button.tsx';
import { roughly } from '../../format/amounts.ts';
import { leadersOf, twoOf } from '../../format/outcomes.ts';
import { rangeOf, rangeValue, valueAt } from '../../format/range.ts';
import { useSeen } from '../../live/use-seen.ts';
import { type Tickers, useTickers } from '../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { OutcomeLink } from './outcome-link.tsx';
import { marketsTexts } from './texts.ts';
import { Winner } from './winner.tsx';

export const MarketRow = memo(function MarketRow({ market }: { readonly market: Market }) {
  const t = useTexts(marketsTexts);
  const locale = useLocale();
  const [row, isSeen] = useSeen<HTMLElement>();
  const tickers = useTickers(isSeen && market.status === 'active' ? market.market_id : null);
  return (
    <article
      ref={row}
      className="relative flex min-h-12 items-center gap-3 border-t border-line px-2 py-1.5 first:border-t-0 hover:bg-accent-soft sm:px-3"
    >
      <span className="relative z-10">
        <WatchButton marketId={market.market_id} />
      </span>
      <h2 dir="auto" className="line-clamp-2 min-w-0 flex-1 sm:line-clamp-1">
        <PageLink to={`/m/${market.market_id}`} className="after:absolute after:inset-0">
          {marketTitle(locale, market)}
        </PageLink>
      </h2>
      <Leading market={market} tickers={tickers} />
      <span className="hidden w-20 shrink-0 text-right text-xs text-muted lg:block">
        {t('volume', { amount: roughly(locale, market.total_volume) })}
      </span>
      <span className="hidden w-28 shrink-0 text-right text-xs text-muted md:block">
        {market.status === 'scheduled' && <TimeLeft kind="opens" atMs={market.opens_at_ms} />}
        {market.status === 'active' && <TimeLeft kind="closes" atMs={market.closes_at_ms} />}
      </span>
      <span className="hidden w-64 shrink-0 items-center gap-2 xl:flex">
        {market.status === 'active' && !market.halted ? (
          twoOf(market).map((outcome) => (
            <OutcomeLink
              key={outcome.id}
              market={market}
              outcome={outcome}
              tickers={tickers}
              isSmall
            />
          ))
        ) : (
          <>
            <StateBadge market={market} />
            <Winner market={market} />
          </>
        )}
      </span>
    </article>
  );
});

interface LeadingProps {
  readonly market: Market;
  readonly tickers: Tickers;
}

/** The figure that counts, with its way over the day. */
function Leading({ market, tickers }: LeadingProps) {
  const locale = useLocale();
  const [outcome] = leadersOf(market);
  if (outcome === undefined) return null;
  const ticker = tickers.get(outcome.id);
  const price = ticker?.price ?? outcome.price;
  const change = ticker?.change_24h ?? outcome.change_24h;
  const range = rangeOf(market);
  return (
    <>
      {market.outcome_schema === 'multi' && (
        <bdi className="hidden max-w-32 truncate text-muted sm:block">
          {outcomeName(locale, market, outcome)}
        </bdi>
      )}
      <span className="hidden sm:block">
        <Sparkline prices={outcome.history ?? []} change={change ?? '0'} />
      </span>
      <span className="hidden w-14 shrink-0 justify-end sm:flex">
        {change !== undefined && range === null && <Change change={change} />}
      </span>
      <span className="w-20 shrink-0 truncate text-right">
        {range === null ? (
          <Probability price={price} size="small" />
        ) : (
          <span className="text-base font-semibold">
            {rangeValue(locale, range, valueAt(range, price))}
          </span>
        )}
      </span>
    </>
  );
}
