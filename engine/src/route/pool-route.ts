// The pool's part of a walk on one outcome, without cross legs.
import { type Lots, type Pips, sharesOf } from '@sibyl/money';
import type { Pool } from '../amm/pool.ts';
import { lotsForBudget, lotsToPrice, quote } from '../amm/quote.ts';
import type { PoolView } from '../amm/view.ts';
import { takerFee } from '../fee/taker.ts';
import { addTrade, builderFeeOf, isDearer, NO_LEGS, type Plan, spend, UNBOUNDED } from './plan.ts';

export class PoolRoute {
  readonly #plan: Plan;
  readonly #view: PoolView;
  /** The bound up to which the pool has nothing more to give; it has not moved since. */
  #settledAt = 0;

  constructor(plan: Plan, pool: Pool) {
    this.#plan = plan;
    this.#view = pool.view.copy();
  }

  /** Trades with the pool up to a price; false when there is nothing to trade there. */
  advance(bound: Pips, _isLevel: boolean): boolean {
    if (bound === this.#settledAt) return false;
    this.#settledAt = bound;
    const plan = this.#plan;
    const { outcome, side } = plan.intent;
    const within = lotsToPrice(this.#view, outcome, bound, side);
    return takeSegment(plan, this.#view, within, bound);
  }
}

/** A step with the pool alone, capped by what remains and by the budget. */
function takeSegment(plan: Plan, view: PoolView, within: Lots, bound: Pips): boolean {
  const { outcome, side } = plan.intent;
  let size = (within < plan.remaining ? within : plan.remaining) as Lots;
  if (size === 0) return false;
  let quoted = quote(view, outcome, size, side);
  if (isDearer(toSafe(quoted.amount), size, bound, side)) return false;
  if (plan.budget !== UNBOUNDED && poolTotal(plan, quoted.amount, size) > BigInt(plan.budget)) {
    plan.stopReason = 'budget';
    const total = (cost: bigint, lots: Lots): bigint => poolTotal(plan, cost, lots);
    size = lotsForBudget(view, outcome, BigInt(plan.budget), size, total);
    if (size === 0) return true;
    quoted = quote(view, outcome, size, side);
    if (isDearer(toSafe(quoted.amount), size, bound, side)) return true;
  }
  if (!spend(plan, view.outcomes)) return true;
  view.move(outcome, quoted.q);
  addPoolTrade(plan, view, size, toSafe(quoted.amount));
  return true;
}

/** The taker's fee on a pool step, by its exact average price. */
export function poolFee(plan: Plan, cost: bigint, size: Lots): bigint {
  const { market, fees } = plan.intent;
  return takerFee(cost, sharesOf(size), market.template.definition.feeSchedule.takerBps, fees);
}

function addPoolTrade(plan: Plan, view: PoolView, size: Lots, cost: number): void {
  addTrade(plan, {
    kind: 'pool',
    order: null,
    lots: size,
    cost,
    fee: toSafe(poolFee(plan, BigInt(cost), size)),
    builderFee: builderFeeOf(plan, cost),
    legs: NO_LEGS,
    sets: cost,
    next: null,
  });
  plan.view = view;
  plan.received += plan.intent.side === 'buy' ? cost : -cost;
  plan.usesPool = true;
}

function poolTotal(plan: Plan, cost: bigint, size: Lots): bigint {
  return cost + poolFee(plan, cost, size) + BigInt(builderFeeOf(plan, toSafe(cost)));
}

/** Amounts of one order are at most 10¹⁵ µUSDT. */
export function toSafe(amount: bigint): number {
  return Number(amount); // exact: far below 2⁵³
}
