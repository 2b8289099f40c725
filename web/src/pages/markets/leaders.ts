// Which outcomes of a market stand for it where there is room for few.
import { compareAmounts, type Market } from '@sibyl/sdk';

type Outcomes = Market['outcomes'];

/** Answers by their price, the dearest first; yes and no, higher and lower stay as they are. */
export function leadersOf(market: Market): Outcomes {
  if (market.outcome_schema !== 'multi') return market.outcomes;
  return [...market.outcomes].sort((a, b) => compareAmounts(b.price, a.price));
}

export function twoOf(market: Market): Outcomes {
  return leadersOf(market).slice(0, 2);
}
