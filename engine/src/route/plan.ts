// The plan of a walk: what an order would do, step by step, before anything is done.
import { type Lots, PIPS_ONE, type Pips } from '@sibyl/money';
import type { PoolView } from '../amm/view.ts';
import { builderFeeSafe } from '../fee/taker.ts';
import type { Side } from '../kit/identity.ts';
import type { OtherBands } from '../market/band.ts';
import type { Account } from '../state/account.ts';
import type { StpMode, TimeInForce } from '../state/command.ts';
import type { FillVenue } from '../state/event.ts';
import type { Holding } from '../state/holding.ts';
import type { Market } from '../state/market.ts';
import { grantIdOf, type Order } from '../state/order.ts';
import type { FeeParameters } from '../state/parameters.ts';

/** What walks: an order being placed, or the rest of one being amended. */
export interface Intent {
  readonly market: Market;
  readonly account: Account;
  /** What the account has in the market, if anything. */
  readonly holding: Holding | undefined;
  readonly outcome: number;
  readonly side: Side;
  /** The worst price it asks for; the end of the range for a market order. */
  readonly limit: Pips;
  /** The worst price it may trade at: the limit, or where its band ends (PB1). */
  readonly bound: Pips;
  /** How far it may trade from its first fill where there is no pool; 0 without such a bound. */
  readonly bandFromFill: number;
  /** Null without bands (PB5). */
  readonly otherBands: OtherBands | null;
  /** What a unit of its walk takes of the command's, in quarters. */
  readonly quarters: number;
  readonly lots: Lots;
  readonly stpMode: StpMode;
  /** Under which it is placed; null without one. */
  readonly grantId: string | null;
  /** Most that cost and fees may come to, in µUSDT. */
  readonly budget: number;
  readonly builderBps: number;
  readonly fees: FeeParameters;
}

/** No budget: an order's money is at most 10¹⁵ µUSDT and its fees, so safe integers are exact throughout a plan. */
export const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** A resting order of another outcome that absorbs part of a pool step at its own limit. */
export interface Leg {
  readonly order: Order;
  readonly lots: number;
}

export const NO_LEGS: readonly Leg[] = [];

export interface Step {
  /** `cancel` withdraws a resting order of the taker's own family. */
  readonly kind: 'book' | 'pool' | 'house' | 'cancel';
  /** The maker of a book step, or the order withdrawn. */
  readonly order: Order | null;
  readonly lots: number;
  /** What the taker pays (buy) or receives (sell), in µUSDT, fees apart. */
  readonly cost: number;
  readonly fee: number;
  readonly builderFee: number;
  readonly legs: readonly Leg[];
  /** Money, and so sets, that a pool step puts into the market (buy) or takes out (sell): cost and legs. */
  readonly sets: number;
  /** The step after this one: a plan is a list of few. */
  next: Step | null;
}

export class Plan {
  intent!: Intent;
  first: Step | null = null;
  last: Step | null = null;
  remaining = 0;
  budget = 0;
  /** Sums over the steps; fees include the builder's. */
  cost = 0;
  fees = 0;
  /** The pool as the plan leaves it; null while untouched. */
  view: PoolView | null = null;
  /** Net money into the pool. */
  received = 0;
  /** Why the walk stopped early; null when size or liquidity ended it. */
  stopReason: 'self_trade' | 'budget' | 'steps' | 'band' | 'too_small' | null = null;
  usesPool = false;
  usesBook = false;
  usesBoth = false;

  begin(intent: Intent): void {
    this.intent = intent;
    this.first = null;
    this.last = null;
    this.remaining = intent.lots;
    this.budget = intent.budget;
    this.cost = 0;
    this.fees = 0;
    this.view = null;
    this.received = 0;
    this.stopReason = null;
    this.usesPool = false;
    this.usesBook = false;
    this.usesBoth = false;
  }
}

/**
 * An order is planned, judged and carried out or dropped before the next one comes, so there is one plan for all of
 * them: whoever wants to keep something of it copies that.
 */
const PLAN = new Plan();

export function createPlan(intent: Intent): Plan {
  PLAN.begin(intent);
  return PLAN;
}

export function filledBy(plan: Plan): Lots {
  return (plan.intent.lots - plan.remaining) as Lots;
}

/** Orders of the same family that are taken out of the way are steps too, but no trades. */
export function lastTrade(plan: Plan): Step | null {
  let last: Step | null = null;
  for (let step = plan.first; step !== null; step = step.next) {
    if (step.kind !== 'cancel') last = step;
  }
  return last;
}

/** What caps count of its fills: of simulated ones what they may bring, if that is more than their cost (RK8). */
export function countedCost(plan: Plan): number {
  const { first, cost } = plan;
  if (first === null || first.kind !== 'house') return cost;
  const most = first.lots * PIPS_ONE - cost;
  return cost > most ? cost : most;
}

/** RT7. */
export function venueOf(plan: Plan): FillVenue | null {
  if (plan.usesBoth || (plan.usesPool && plan.usesBook)) return 'hybrid';
  if (plan.usesPool) return 'amm';
  return plan.usesBook ? 'clob' : null;
}

/** Whether a price lies beyond the bound for the side that trades. */
export function isWorse(price: number, bound: number, side: Side): boolean {
  return side === 'buy' ? price > bound : price < bound;
}

/** Whether a cost is worse than so many lots at the bound: lots times pips are µUSDT. */
export function isDearer(cost: number, size: number, bound: number, side: Side): boolean {
  return side === 'buy' ? cost > size * bound : cost < size * bound;
}

/** Quarters of units that the walks of the command at hand may still use together; one, as there is one plan. */
let quartersLeft = 0;

const QUARTERS = 4;

/** A fok order has four times the units: it fills as a whole or not at all. */
export function quartersOf(timeInForce: TimeInForce): number {
  return timeInForce === 'fok' ? 1 : QUARTERS;
}

/** Called before the first walk of a command, of a preview, and of the check of a batch. */
export function allowWalks(units: number): void {
  quartersLeft = units * QUARTERS;
}

/** Takes units of work; without enough the walk ends (RT10). */
export function spend(plan: Plan, units: number): boolean {
  const quarters = units * plan.intent.quarters;
  if (quartersLeft < quarters) {
    plan.stopReason = 'steps';
    return false;
  }
  quartersLeft -= quarters;
  return true;
}

/** The walk is over: what is left lies beyond the band, if the limit does (PB3). */
export function endAtBand(plan: Plan): void {
  const { limit, bound } = plan.intent;
  if (plan.remaining > 0 && plan.stopReason === null && limit !== bound) plan.stopReason = 'band';
}

/** Adds a step that trades. */
export function addTrade(plan: Plan, step: Step): void {
  append(plan, step);
  plan.remaining -= step.lots;
  plan.cost += step.cost;
  plan.fees += step.fee + step.builderFee;
  plan.budget -= step.cost + step.fee + step.builderFee;
}

/** Deals with an order of the taker's own family that would trade now; RT6. True when the walk goes on without it. */
export function preventSelfTrade(plan: Plan, order: Order, units: number): boolean {
  const { stpMode, grantId } = plan.intent;
  const isForeign = grantId !== null && grantIdOf(order) !== grantId;
  if (stpMode === 'cancel_incoming' || isForeign) {
    plan.stopReason = 'self_trade';
    return false;
  }
  if (!spend(plan, units)) return false;
  append(plan, {
    kind: 'cancel',
    order,
    lots: 0,
    cost: 0,
    fee: 0,
    builderFee: 0,
    legs: NO_LEGS,
    sets: 0,
    next: null,
  });
  return true;
}

export function builderFeeOf(plan: Plan, cost: number): number {
  return builderFeeSafe(cost, plan.intent.builderBps);
}

function append(plan: Plan, step: Step): void {
  if (plan.last === null) plan.first = step;
  else plan.last.next = step;
  plan.last = step;
}
