// Simulated fills at the mid against the house, which moves neither pool nor book.
import { builderFee, takerFee } from './fees.ts';
import { ceilDiv } from './fixed.ts';
import { minutePrices, shownPrices } from './mid.ts';
import { at, clampPips, lotsToPrice } from './pool.ts';
import { facing, isWorse, type Walker } from './sketch.ts';
import type { Plan } from './walk.ts';
import { type NaiveMarket, notionalOf, ordersOf, sharesOf, type World } from './world.ts';

export function planHouse(world: World, market: NaiveMarket, walker: Walker): Plan {
  const price = housePrice(world, market, walker);
  if (price === null || isWorse(walker.side, price, walker.limit)) {
    return { ...nothing(walker), stopReason: wouldTake(world, market, walker) ? 'band' : null };
  }
  const lots = affordableLots(world, market, walker, price);
  if (lots === 0) return nothing(walker);
  const cost = notionalOf(lots, price);
  return {
    steps: [{ kind: 'house', lots, price, cost }],
    filledLots: lots,
    remainingLots: walker.lots - lots,
    cost,
    fees: takerFee(cost, sharesOf(lots), market, world.parameters),
    builderFees: builderFee(cost, walker.builderBps),
    stopReason: null,
  };
}

/** Would it trade if it walked? */
function wouldTake(world: World, market: NaiveMarket, walker: Walker): boolean {
  const { outcome, side, limit } = walker;
  const { pool } = market;
  if (pool !== null && lotsToPrice(pool.q, pool.b, outcome, BigInt(limit), side) > 0n) return true;
  const best = facing(market, ordersOf(world, market.id), outcome, side)[0];
  return best !== undefined && !isWorse(side, best.price, limit);
}

function nothing(walker: Walker): Plan {
  const remainingLots = walker.lots;
  return {
    steps: [],
    filledLots: 0,
    remainingLots,
    cost: 0n,
    fees: 0n,
    builderFees: 0n,
    stopReason: null,
  };
}

/** The worse for the user of the mid now and at the last whole minute, or the best opposite order where that is better. */
function housePrice(world: World, market: NaiveMarket, walker: Walker): number | null {
  const { outcome, side } = walker;
  const before = minutePrices(world, market);
  if (before === null) return null;
  const mids = [at(shownPrices(world, market), outcome), at(before, outcome)].sort((x, y) =>
    x < y ? -1 : 1,
  );
  const rounded = clampPips(side === 'buy' ? ceilDiv(at(mids, 1), 100n) : at(mids, 0) / 100n);
  const best = facing(market, ordersOf(world, market.id), outcome, side)[0];
  return best !== undefined && isWorse(side, rounded, best.price) ? best.price : rounded;
}

function affordableLots(world: World, market: NaiveMarket, walker: Walker, price: number): number {
  const budget = walker.maxCost;
  if (budget === null) return walker.lots;
  const total = (lots: number): bigint => {
    const cost = notionalOf(lots, price);
    return (
      cost +
      takerFee(cost, sharesOf(lots), market, world.parameters) +
      builderFee(cost, walker.builderBps)
    );
  };
  if (total(walker.lots) <= budget) return walker.lots;
  let low = 0;
  let high = walker.lots;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (total(middle) <= budget) low = middle;
    else high = middle;
  }
  return low;
}
