// Which outcomes stand for a market, and their colours.
import type { MarketKind } from '@sibyl/contract/names';
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

/** Which of the six colours of outcomes it has: of two sides each its own, answers take turns. */
export function outcomeColour(market: MarketKind, index: number): 1 | 2 | 3 | 4 | 5 | 6 {
  if (market.outcome_schema !== 'multi') return index === 0 ? 1 : 2;
  return ((index % 6) + 1) as 1 | 2 | 3 | 4 | 5 | 6;
}
