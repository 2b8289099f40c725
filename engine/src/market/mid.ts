// The price a market shows: the pool's, else that of its book, else the last trade's.
import { divide, PIPS_ONE, type Pips } from '@sibyl/money';
import { displayedPrices, marginalPips } from '../amm/price.ts';
import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';

/** The mid of an outcome in micro-USDT. */
export function referenceMid(_state: State, market: Market, outcome: number): bigint {
  return shownPrices(market)[outcome]!;
}

/** One price per outcome in micro-USDT, together exactly 1000000. */
export function shownPrices(market: Market): readonly bigint[] {
  if (market.pool !== null) return displayedPrices(market.pool.view);
  const mid = bookMid(market);
  return mid === null ? pricesWithoutBook(market) : [mid, ONE - mid];
}

/** What a market without a pool shows while its book has nothing on one side. */
export function pricesWithoutBook(market: Market): readonly bigint[] {
  const first = lastMid(market) ?? HALF;
  return [first, ONE - first];
}

/** What it showed when it was made, before anybody traded. */
export function openingPrices(market: Market): readonly bigint[] {
  if (market.pool === null) return [HALF, ONE - HALF];
  return displayedPrices(market.pool.opening);
}

/** The mid of an outcome to the nearest pip, ties to even, inside 1 to 9999. */
export function midPips(market: Market, outcome: number): Pips {
  if (market.pool !== null) return marginalPips(market.pool.view, outcome);
  // exact: a price below 10^6 fits any number
  const nearest = Number(divide(shownPrices(market)[outcome]!, MICRO_PER_PIP, 'half_even'));
  return (nearest < 1 ? 1 : nearest >= PIPS_ONE ? PIPS_ONE - 1 : nearest) as Pips;
}

export const ONE = 1_000_000n;
const HALF = 500_000n;
const MICRO_PER_PIP = 100n;

/** Half the sum of best bid and ask is exact in micro-USDT. */
function bookMid(market: Market): bigint | null {
  const bid = market.bids.best;
  const ask = market.asks.best;
  return bid === null || ask === null ? null : BigInt((bid.price + ask.price) * 50);
}

/** What the last trade says of the first outcome. */
export function lastMid(market: Market): bigint | null {
  const own = market.outcomes[0]!.lastPrice;
  if (own !== null) return own;
  const other = market.outcomes[1]!.lastPrice;
  return other === null ? null : ONE - other;
}
