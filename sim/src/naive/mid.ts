// Reference prices: the prices shown for a market, how they changed, and the mid of an outcome.
import { at, clampPips, displayedPrices, halfEven, marginalPips, type NaivePool } from './pool.ts';
import { facing } from './sketch.ts';
import { type NaiveMarket, ordersOf, type World } from './world.ts';

export function midPips(world: World, market: NaiveMarket, outcome: number): number {
  if (market.pool !== null) return marginalPips(market.pool.q, market.pool.b, outcome);
  return clampPips(halfEven(at(shownPrices(world, market), outcome), 100n));
}

/** Displayed prices in µ; they sum to one. */
export function shownPrices(world: World, market: NaiveMarket): readonly bigint[] {
  return market.pool === null ? bookPrices(world, market) : poolPrices(market.pool);
}

const remembered = new WeakMap<readonly bigint[], readonly bigint[]>();

/** Remembered by the vector, which every trade replaces: time passes far more often than prices change. */
function poolPrices(pool: NaivePool): readonly bigint[] {
  const known = remembered.get(pool.q);
  if (known !== undefined) return known;
  const prices = displayedPrices(pool.q, pool.b);
  remembered.set(pool.q, prices);
  return prices;
}

export function openingPrices(market: NaiveMarket): readonly bigint[] {
  const { pool } = market;
  return pool === null
    ? market.outcomes.map(() => 500_000n)
    : displayedPrices(pool.initial, pool.b);
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

/** Writes down what a pool shows once an order is done with it. */
export function noteChange(world: World, market: NaiveMarket): void {
  if (market.pool === null) return;
  market.changes.push({ atMs: world.nowMs, prices: shownPrices(world, market) });
  const { band, quality } = world.parameters;
  const horizonMs = world.nowMs - 2 * Math.max(band.delayMs + band.stepMs, quality.sampleMs);
  while ((market.changes[1]?.atMs ?? Infinity) < horizonMs) market.changes.shift();
}

/** What a pool showed when a moment came, before anything of that moment. */
export function pricesBefore(market: NaiveMarket, momentMs: number): readonly bigint[] {
  const earlier = market.changes.filter((change) => change.atMs < momentMs);
  return earlier[earlier.length - 1]?.prices ?? openingPrices(market);
}

/** Prices at the last whole minute; null where a market without a pool has seen none yet. */
export function minutePrices(world: World, market: NaiveMarket): readonly bigint[] | null {
  if (market.pool === null) return market.noted;
  return pricesBefore(market, world.nowMs - (world.nowMs % world.parameters.quality.sampleMs));
}
