// Reference prices: the mid of an outcome and the prices shown for a market.
import { at, clampPips, displayedPrices, halfEven, marginalPips } from './pool.ts';
import { facing } from './sketch.ts';
import { type NaiveMarket, ordersOf, type World } from './world.ts';

/** The mid of an outcome in µ: the price shown, which is the pool's, or the book's without one. */
export function midMicro(world: World, market: NaiveMarket, outcome: number): bigint {
  return at(shownPrices(world, market), outcome);
}

export function midPips(world: World, market: NaiveMarket, outcome: number): number {
  if (market.pool !== null) return marginalPips(market.pool.q, market.pool.b, outcome);
  return clampPips(halfEven(midMicro(world, market, outcome), 100n));
}

/** Displayed prices in µ; they sum to one. */
export function shownPrices(world: World, market: NaiveMarket): bigint[] {
  if (market.pool !== null) return displayedPrices(market.pool.q, market.pool.b);
  return bookPrices(world, market);
}

function bookPrices(world: World, market: NaiveMarket): bigint[] {
  const orders = ordersOf(world, market.id);
  const ask = facing(market, orders, 0, 'buy')[0];
  const bid = facing(market, orders, 0, 'sell')[0];
  let first = 500_000n;
  const lastFirst = at(market.lastPrices, 0);
  const lastSecond = at(market.lastPrices, 1);
  if (ask !== undefined && bid !== undefined) first = BigInt(ask.price + bid.price) * 50n;
  else if (lastFirst !== null) first = lastFirst;
  else if (lastSecond !== null) first = 1_000_000n - lastSecond;
  return [first, 1_000_000n - first];
}
