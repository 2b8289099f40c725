// A button that leads to the market with an outcome chosen, at the price it can be had for.
import { outcomeName } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { PageLink } from '../../components/page-link.tsx';
import { cents } from '../../format/amounts.ts';
import type { Tickers } from '../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { marketsTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly outcome: Market['outcomes'][number];
  readonly tickers: Tickers;
  readonly isSmall?: boolean;
}

export function OutcomeLink({ market, outcome, tickers, isSmall = false }: Props) {
  const t = useTexts(marketsTexts);
  const locale = useLocale();
  const ticker = tickers.get(outcome.id);
  const price = ticker === undefined ? outcome.price : ticker.best_ask;
  const colour = colourOf(market, outcome.id);
  return (
    <PageLink
      to={`/m/${market.market_id}`}
      search={{ outcome: outcome.id }}
      className={`relative z-10 flex min-w-0 flex-1 items-center justify-center gap-1.5 rounded-md px-3 font-semibold transition-colors duration-100 ${isSmall ? 'h-7 text-xs' : 'h-9'} ${colour}`}
    >
      <bdi className="truncate">{outcomeName(locale, market, outcome)}</bdi>
      <span className="shrink-0">{price === null ? t('noPrice') : `${cents(locale, price)}¢`}</span>
    </PageLink>
  );
}

/** For and against have their colours; of many answers none is better than another. */
function colourOf(market: Market, outcomeId: string): string {
  if (market.outcome_schema === 'multi') {
    return 'bg-accent-soft text-accent hover:bg-accent hover:text-on-accent';
  }
  return market.outcomes[0]?.id === outcomeId
    ? 'bg-gain-soft text-gain hover:bg-gain hover:text-surface'
    : 'bg-loss-soft text-loss hover:bg-loss hover:text-surface';
}
