// The walk of RT1: at every point the better of pool and book, planned without touching either.
import { complement, type Lots, type Pips } from '@sibyl/money';
import { isMirrored, oppositeSide } from '../book/book.ts';
import { takerFeeAtPrice } from '../fee/taker.ts';
import { largestFitting } from './budget.ts';
import { CrossRoute } from './cross-route.ts';
import { Cursor } from './cursor.ts';
import {
  addTrade,
  builderFeeOf,
  createPlan,
  type Intent,
  isWorse,
  NO_LEGS,
  type Plan,
  preventSelfTrade,
  UNBOUNDED,
} from './plan.ts';
import { PoolRoute } from './pool-route.ts';

export function planWalk(intent: Intent): Plan {
  const plan = createPlan(intent);
  const { market, outcome, side, limit } = intent;
  const { books, pool } = market;
  const cursor = new Cursor(oppositeSide(books, outcome, side));
  const mirrored = isMirrored(books, outcome);
  if (pool === null) {
    walkBook(plan, cursor, mirrored);
    return plan;
  }
  const route = books.length > 1 ? new CrossRoute(plan, pool) : new PoolRoute(plan, pool);
  while (plan.remaining > 0 && plan.ending === null) {
    const level = levelWithin(cursor, mirrored, plan);
    if (route.advance(level === 0 ? limit : level, level !== 0)) continue;
    if (level === 0) break;
    meet(plan, cursor, level);
  }
  return plan;
}

function walkBook(plan: Plan, cursor: Cursor, mirrored: boolean): void {
  while (plan.remaining > 0 && plan.ending === null) {
    const level = levelWithin(cursor, mirrored, plan);
    if (level === 0) return;
    meet(plan, cursor, level);
  }
}

/** The next level's price in the taker's coordinate, or 0 when there is none within the limit. */
function levelWithin(cursor: Cursor, mirrored: boolean, plan: Plan): Pips {
  if (cursor.order === null) return NO_LEVEL;
  const price = mirrored ? complement(cursor.price) : cursor.price;
  return isWorse(price, plan.intent.limit, plan.intent.side) ? NO_LEVEL : price;
}

const NO_LEVEL = 0 as Pips;

/** The front order would trade now: with the taker, or not at all when it is of the same family. */
function meet(plan: Plan, cursor: Cursor, price: Pips): void {
  const order = cursor.order!;
  const { intent } = plan;
  const most = plan.remaining < cursor.left ? plan.remaining : cursor.left;
  const size = plan.budget === UNBOUNDED ? most : affordable(plan, most, price);
  if (size === 0) {
    plan.ending = 'budget';
    return;
  }
  if (order.account.familyId === intent.account.familyId) {
    if (preventSelfTrade(plan, order)) cursor.advance();
    return;
  }
  if (size < most) plan.ending = 'budget';
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
  cursor.take(size);
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
