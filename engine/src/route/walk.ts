// The walk of RT1: at every point the better of pool and book, planned without touching either.
import { complement, type Lots, type Pips } from '@sibyl/money';
import { takerFeeAtPrice } from '../fee/taker.ts';
import { isSameFamily } from '../state/account.ts';
import { isMirrored, oppositeSide } from '../state/book.ts';
import type { Level } from '../state/level.ts';
import type { Order } from '../state/order.ts';
import type { PriceSide } from '../state/side.ts';
import { largestFitting } from './budget.ts';
import { CrossRoute } from './cross-route.ts';
import { Cursor } from './cursor.ts';
import {
  addTrade,
  builderFeeOf,
  createPlan,
  endAtBand,
  type Intent,
  isWorse,
  NO_LEGS,
  type Plan,
  preventSelfTrade,
  spend,
  UNBOUNDED,
} from './plan.ts';
import { PoolRoute } from './pool-route.ts';

export function planWalk(intent: Intent): Plan {
  const plan = createPlan(intent);
  const { market, outcome, side, bound } = intent;
  const { pool } = market;
  const opposite = oppositeSide(market, outcome, side);
  const mirrored = isMirrored(market, outcome);
  if (pool === null) {
    walkBook(plan, opposite, mirrored);
    return plan;
  }
  const cursor = new Cursor(opposite);
  const route = market.hasOneBook ? new PoolRoute(plan, pool) : new CrossRoute(plan, pool);
  while (plan.remaining > 0 && plan.stopReason === null) {
    const price = cursor.order === null ? NO_LEVEL : priceWithin(cursor.price, mirrored, plan);
    if (route.advance(price === NO_LEVEL ? bound : price, price !== NO_LEVEL)) continue;
    if (price === NO_LEVEL) break;
    const taken = meet(plan, cursor.order!, cursor.left, price);
    if (taken === PASSED) cursor.advance();
    else if (taken > 0) cursor.take(taken);
  }
  endAtBand(plan);
  return plan;
}

/** What a cursor would do, without one: most walks of a book end at its first level. */
function walkBook(plan: Plan, opposite: PriceSide, mirrored: boolean): void {
  const { best, bestPrice } = opposite;
  if (best === null || priceWithin(bestPrice, mirrored, plan) === NO_LEVEL) return;
  for (let level: Level | null = best; level !== null; level = opposite.after(level)) {
    const price = priceWithin(level.price, mirrored, plan);
    if (price === NO_LEVEL) return;
    if (isBeyondFirst(plan, price)) {
      plan.stopReason = 'band';
      return;
    }
    for (let order = level.first; order !== null; order = order.next) {
      meet(plan, order, order.lots - order.filledLots, price);
      if (plan.remaining === 0 || plan.stopReason !== null) return;
    }
  }
}

/** Whether a price is further from that of the first fill than the band of a market order without a pool allows. */
function isBeyondFirst(plan: Plan, price: Pips): boolean {
  const { bandFromFill, side } = plan.intent;
  if (bandFromFill === 0 || plan.cost === 0) return false;
  const first = firstPrice(plan);
  return side === 'buy' ? price > first + bandFromFill : price < first - bandFromFill;
}

function firstPrice(plan: Plan): number {
  let step = plan.first;
  while (step !== null && step.kind === 'cancel') step = step.next;
  return step === null ? 0 : step.cost / step.lots; // exact: whole lots at a whole price
}

/** A level's price in the taker's coordinate, or none when it lies beyond where the order may trade. */
function priceWithin(level: Pips, mirrored: boolean, plan: Plan): Pips {
  const price = mirrored ? complement(level) : level;
  return isWorse(price, plan.intent.bound, plan.intent.side) ? NO_LEVEL : price;
}

const NO_LEVEL = 0 as Pips;

/** The order will be gone without trading. */
const PASSED = -1;

/** The front order would trade now: with the taker, or not at all when it is of the same family. Gives the lots taken. */
function meet(plan: Plan, order: Order, left: number, price: Pips): number {
  const { intent } = plan;
  const most = plan.remaining < left ? plan.remaining : left;
  const size = plan.budget === UNBOUNDED ? most : affordable(plan, most, price);
  if (size === 0) {
    plan.stopReason = 'budget';
    return 0;
  }
  if (isSameFamily(intent.account, order.holding.account)) {
    return preventSelfTrade(plan, order, 1) ? PASSED : 0;
  }
  if (!spend(plan, 1)) return 0;
  if (size < most) plan.stopReason = 'budget';
  const cost = size * price;
  const { market, fees } = intent;
  const peakBps = market.template.definition.feeSchedule.takerBps;
  addTrade(plan, {
    kind: 'book',
    order,
    lots: size,
    cost,
    fee: takerFeeAtPrice(size as Lots, price, peakBps, fees),
    builderFee: builderFeeOf(plan, cost),
    legs: NO_LEGS,
    sets: 0,
    next: null,
  });
  plan.usesBook = true;
  return size;
}

function affordable(plan: Plan, most: number, price: Pips): number {
  if (totalAt(plan, most, price) <= plan.budget) return most;
  return largestFitting(most, (smaller) => totalAt(plan, smaller, price) <= plan.budget);
}

/** What a buyer pays in all for a size at a whole price. */
function totalAt(plan: Plan, size: number, price: Pips): number {
  const { market, fees } = plan.intent;
  const peakBps = market.template.definition.feeSchedule.takerBps;
  const cost = size * price;
  const fee = takerFeeAtPrice(size as Lots, price, peakBps, fees);
  return cost + fee + builderFeeOf(plan, cost);
}
