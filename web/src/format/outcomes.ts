// The colours of outcomes.
import type { MarketKind } from '@sibyl/contract/names';

/** Which of the six colours of outcomes it has: of two sides each its own, answers take turns. */
export function outcomeColour(market: MarketKind, index: number): 1 | 2 | 3 | 4 | 5 | 6 {
  if (market.outcome_schema !== 'multi') return index === 0 ? 1 : 2;
  return ((index % 6) + 1) as 1 | 2 | 3 | 4 | 5 | 6;
}
