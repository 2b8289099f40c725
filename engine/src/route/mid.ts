// Simulated fills at the mid: the whole size against the house, moving neither pool nor book (SF1).
import { type Lots, PIPS_ONE, type Pips } from '@sibyl/money';
import { lotsToPrice } from '../amm/quote.ts';
import { takerFeeAtPrice } from '../fee/taker.ts';
import { referenceMid } from '../market/mid.ts';
import { markPrices } from '../market/price-memory.ts';
import { mirror, oppositeSide } from '../state/book.ts';
import type { State } from '../state/state.ts';
import { largestFitting } from './budget.ts';
import {
  addTrade,
  builderFeeOf,
  createPlan,
  type Intent,
  isWorse,
  NO_LEGS,
  type Plan,
} from './plan.ts';

export function planMid(state: State, intent: Intent): Plan {
  const plan = createPlan(intent);
  const price = midPrice(state, intent);
  if (price === null || isWorse(price, intent.limit, intent.side)) {
    if (wouldTake(intent)) plan.stopReason = 'band';
    return plan;
  }
  const total = (size: number): number => {
    const cost = size * price;
    return cost + feeAt(intent, size, price) + builderFeeOf(plan, cost);
  };
  let size: number = intent.lots;
  if (total(size) > plan.budget) {
    plan.stopReason = 'budget';
    size = largestFitting(size, (smaller) => total(smaller) <= intent.budget);
  }
  if (size === 0) return plan;
  const cost = size * price;
  addTrade(plan, {
    kind: 'house',
    order: null,
    lots: size,
    cost,
    fee: feeAt(intent, size, price),
    builderFee: builderFeeOf(plan, cost),
    legs: NO_LEGS,
    sets: 0,
    next: null,
  });
  plan.usesPool = true;
  return plan;
}

/**
 * The worse of the mid now and at the last minute, rounded to a pip against the user, or the best opposite level where
 * that is better; null where no minute has shown what the market is worth. A mid that was just moved fills nobody.
 */
function midPrice(state: State, intent: Intent): Pips | null {
  const { market, outcome, side } = intent;
  const marks = markPrices(state, market);
  if (marks === null) return null;
  const shown = referenceMid(state, market, outcome);
  const mark = marks[outcome]!;
  const mid = (side === 'buy') === shown > mark ? shown : mark;
  const rounded = Number(side === 'buy' ? (mid + 99n) / 100n : mid / 100n); // exact: µ to whole pips
  const clamped = (rounded < 1 ? 1 : rounded >= PIPS_ONE ? PIPS_ONE - 1 : rounded) as Pips;
  const level = oppositeSide(market, outcome, side).best;
  if (level === null) return clamped;
  const best = mirror(market, outcome, level.price);
  return isWorse(best, clamped, side) ? clamped : best;
}

/** Whether it would stand crossed: what does not fill simulated must not rest where pool or book would trade with it. */
function wouldTake({ market, outcome, side, limit }: Intent): boolean {
  const { pool } = market;
  if (pool !== null && lotsToPrice(pool.view, outcome, limit, side) > 0) return true;
  const level = oppositeSide(market, outcome, side).best;
  return level !== null && !isWorse(mirror(market, outcome, level.price), limit, side);
}

function feeAt(intent: Intent, size: number, price: Pips): number {
  const { takerBps } = intent.market.template.definition.feeSchedule;
  return takerFeeAtPrice(size as Lots, price, takerBps, intent.fees);
}
