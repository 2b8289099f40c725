// Pool segments on one outcome: how many lots up to a price or within a budget, and what exactly they cost.

import { type Lots, lots, PIPS_ONE, type Pips, sharesOf } from '@sibyl/money';
import type { Side } from '../kit/identity.ts';
import { largest } from './cost.ts';
import { banded, lotsWithin, targetAtPrice, targetOfDifference, wholeLots } from './target.ts';
import type { PoolView } from './view.ts';

export interface Quote {
  /** What the taker pays (buy, never below one pip a share) or receives (sell). */
  readonly amount: bigint;
  /** Signed change of the cost function; what a buyer pays above it is the pool's surplus. */
  readonly delta: bigint;
  /** The quantity of the outcome afterwards. */
  readonly q: bigint;
}

/** Lots whose ending marginal price still lies inside `price`, which is taken inside 1 to 9999. */
export function lotsToPrice(view: PoolView, outcome: number, price: Pips, side: Side): Lots {
  return lotsWithin(view.q(outcome), targetAtPrice(view, outcome, banded(price)), side);
}

export function quote(view: PoolView, outcome: number, size: Lots, side: Side): Quote {
  const shares = sharesOf(size);
  const q = side === 'buy' ? view.q(outcome) + shares : view.q(outcome) - shares;
  const delta = view.costAfter([{ outcome, q }]) - view.cost();
  if (side === 'sell') return { amount: -delta, delta, q };
  const least = floorCost(size);
  return { amount: largest([delta, least]), delta, q };
}

/** One pip a share, which is one µUSDT a lot. */
function floorCost(size: Lots): bigint {
  return BigInt(size);
}

/** What a buyer pays in all for a size that costs `cost` at the pool. */
export type Total = (cost: bigint, size: Lots) => bigint;

/**
 * A size up to sizeMax whose total is within the budget while one more lot's is not. Where fees step down, totals
 * may come back within the budget further on; the search is the same on every machine, so the answer is too.
 */
export function lotsForBudget(
  view: PoolView,
  outcome: number,
  budget: bigint,
  sizeMax: Lots,
  total: Total,
): Lots {
  if (budget <= 0n || sizeMax < 1) return lots(0);
  const fits = (size: number): boolean => {
    const whole = lots(size);
    return total(quote(view, outcome, whole, 'buy').amount, whole) <= budget;
  };
  const start = seedForBudget(view, outcome, budget, sizeMax, total);
  let within = 0;
  let beyond = sizeMax + 1;
  let step = 1;
  if (fits(start)) {
    within = start;
    for (; within + step < beyond && fits(within + step); step *= 2) within += step;
    if (within + step < beyond) beyond = within + step;
  } else {
    beyond = start;
    for (; beyond - step > 0 && !fits(beyond - step); step *= 2) beyond -= step;
    if (beyond - step > 0) within = beyond - step;
  }
  while (beyond - within > 1) {
    // exact: the odd one was taken off
    const middle = within + (beyond - within - ((beyond - within) % 2)) / 2;
    if (fits(middle)) within = middle;
    else beyond = middle;
  }
  return lots(within);
}

/** By the closed form for the whole budget, and once more for what the fees at that size leave of it. */
function seedForBudget(
  view: PoolView,
  outcome: number,
  budget: bigint,
  sizeMax: Lots,
  total: Total,
): Lots {
  const first = sizeForCost(view, outcome, budget, sizeMax);
  const cost = quote(view, outcome, first, 'buy').amount;
  const fees = total(cost, first) - cost;
  return sizeForCost(view, outcome, budget - fees, sizeMax);
}

/** Lots bought for `cost`: the quantity at which the cost function has risen by it. At least 1, at most sizeMax. */
function sizeForCost(view: PoolView, outcome: number, cost: bigint, sizeMax: Lots): Lots {
  const one = BigInt(PIPS_ONE);
  const target = targetOfDifference(view, view.cost() + cost, one, one, view.rest(outcome));
  const size = target === undefined ? 0 : wholeLots(target - view.q(outcome));
  if (size < 1) return lots(1);
  return size > sizeMax ? sizeMax : lots(size);
}
