// Simulated fills at the mid against the house, which moves neither pool nor book.
import { builderFee, takerFee } from './fees.ts';
import { ceilDiv } from './fixed.ts';
import { midMicro } from './mid.ts';
import { clampPips } from './pool.ts';
import { facing, isWorse, type Walker } from './sketch.ts';
import type { Plan } from './walk.ts';
import { type NaiveMarket, notionalOf, ordersOf, sharesOf, type World } from './world.ts';

export function planHouse(world: World, market: NaiveMarket, walker: Walker): Plan {
  const price = housePrice(world, market, walker);
  const lots = isWorse(walker.side, price, walker.limit)
    ? 0
    : affordableLots(world, market, walker, price);
  const cost = notionalOf(lots, price);
  return {
    steps: lots === 0 ? [] : [{ kind: 'house', lots, price, cost }],
    filledLots: lots,
    remainingLots: walker.lots - lots,
    cost,
    fees: lots === 0 ? 0n : takerFee(cost, sharesOf(lots), market, world.parameters),
    builderFees: builderFee(cost, walker.builderBps),
    incomingCancelled: false,
  };
}

/** The mid rounded to a pip against the user, or the best opposite order where that is better. */
function housePrice(world: World, market: NaiveMarket, walker: Walker): number {
  const mid = midMicro(world, market, walker.outcome);
  const rounded = clampPips(walker.side === 'buy' ? ceilDiv(mid, 100n) : mid / 100n);
  const best = facing(market, ordersOf(world, market.id), walker.outcome, walker.side)[0];
  return best !== undefined && isWorse(walker.side, rounded, best.price) ? best.price : rounded;
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
