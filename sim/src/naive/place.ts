// Placing an order: checks, plan, and the plan carried out.
import type { PlainActor } from './authority.ts';
import { hitBand } from './band.ts';
import { checkCaps, recordUse, scopesOf } from './caps.ts';
import { applyStep, countedFor } from './fill.ts';
import { noteChange } from './mid.ts';
import {
  checkFields,
  checkFunds,
  checkGates,
  checkMaxBet,
  checkMinBet,
  closableLots,
  closesAll,
  type PlaceFields,
} from './order-checks.ts';
import { rememberClosed, reserve, viewOf } from './order-state.ts';
import type { CancelReason, PlainAnswer, PlainOrderView } from './plain.ts';
import { accepted, Refusals } from './refusal.ts';
import { checkRisk } from './risk.ts';
import { bandsOf, cutReason, planRoute, type Route } from './route.ts';
import type { Plan } from './walk.ts';
import { type NaiveMarket, type NaiveOrder, notionalOf, sharesOf, type World } from './world.ts';
import { checkDistance, givenAway, type SellFacts } from './worth.ts';

export type FillVenue = 'amm' | 'clob' | 'hybrid' | null;

/**
 * With `dryRun` only the refusal matters: all_or_none asks before anything is done. What is sold out of sets that `mint`
 * makes need not be there before.
 */
export function placeOrder(
  world: World,
  actor: PlainActor,
  fields: PlaceFields,
  dryRun = false,
  mint: (() => PlainAnswer) | null = null,
): PlainAnswer {
  const refusals = new Refusals(world);
  checkFields(world, fields, refusals);
  const { market, outcome } = checkGates(world, actor, fields, refusals);
  if (refusals.any || market === undefined) return refusals.answer();
  if (fields.validUntilMs !== null && world.nowMs > fields.validUntilMs) {
    return rejectOrder(world, actor, outcome, fields, 'late', dryRun);
  }
  let lots = fields.lots;
  if (fields.reduceOnly) {
    lots = Math.min(lots, closableLots(world, market, outcome, fields));
    if (lots === 0) return rejectOrder(world, actor, outcome, fields, 'nothing_to_reduce', dryRun);
  }
  const route = routeOf(world, market, outcome, fields, lots);
  const plan = planRoute(world, market, route);
  const cut = cutReason(plan, route) ?? tooSmall(world, market, fields, plan, refusals);
  const restLots = restsAfter(fields.timeInForce, cut) ? plan.remainingLots : 0;
  const given = givenAway(
    world,
    market,
    sellOf(fields.side, outcome, fields.price, plan, restLots),
  );
  checkPlan(world, market, outcome, fields, plan, { restLots, given }, refusals);
  if (refusals.any) return refusals.answer();
  const sized = { ...fields, lots };
  if (fields.postOnly && plan.filledLots > 0) {
    return rejectOrder(world, actor, outcome, sized, 'post_only_would_take', dryRun);
  }
  if (fields.timeInForce === 'fok' && plan.remainingLots > 0) {
    return rejectOrder(world, actor, outcome, sized, 'fok_unfilled', dryRun);
  }
  const required =
    fields.side === 'sell'
      ? sharesOf(lots)
      : plan.cost + plan.fees + plan.builderFees + notionalOf(restLots, fields.price ?? 0);
  if (mint === null) checkFunds(world, { ...fields, outcome }, required, 0n, refusals);
  if (refusals.any) return refusals.answer();
  const minted = mint?.() ?? null;
  if (minted !== null && !minted.ok) return minted;
  if (dryRun) return accepted({ kind: 'done' });
  const order = newOrder(world, actor, outcome, sized);
  settleState(order, plan, cut, restLots);
  world.events.push({
    type: 'order_placed',
    order: viewOf(world, order),
    fillVenue: venueOf(plan),
  });
  const answer = accepted({ kind: 'order', order: viewOf(world, order), fillVenue: venueOf(plan) });
  if (order.status === 'filled' || order.status === 'cancelled') rememberClosed(world, order);
  recordUse(world, order.scopes, given);
  carryOut(world, market, order, plan, restLots);
  return answer;
}

/** What a sell would trade and rest. */
export function sellOf(
  side: SellFacts['side'],
  outcome: number,
  price: number | null,
  plan: Plan,
  restLots: number,
): SellFacts {
  const rest = notionalOf(restLots, price ?? 0);
  return { side, outcome, lots: plan.filledLots + restLots, proceeds: plan.cost, rest };
}

/** What caps count of the fills of a plan. */
export function filledFor(plan: Plan): bigint {
  let sum = 0n;
  for (const step of plan.steps) if (step.kind !== 'self_trade') sum += countedFor(step);
  return sum;
}

export const isMid = (plan: Plan): boolean => plan.steps.some((step) => step.kind === 'house');

export const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** The worst price that a plan trades at, or the limit that its rest waits for. */
export function worstPrice(plan: Plan, restLots: number, limit: number | null): number | null {
  if (restLots > 0) return limit;
  const trades = plan.steps.filter((step) => step.kind === 'book' || step.kind === 'house');
  return trades[trades.length - 1]?.price ?? null;
}

function routeOf(
  world: World,
  market: NaiveMarket,
  outcome: number,
  fields: PlaceFields,
  lots: number,
): Route {
  return {
    accountId: fields.accountId,
    outcome,
    side: fields.side,
    price: fields.price,
    lots,
    postOnly: fields.postOnly,
    execution: fields.execution,
    stpMode: fields.stpMode,
    grantId: fields.grant?.grantId ?? null,
    maxCost: fields.maxCost,
    isWhole: fields.timeInForce === 'fok',
    builderBps: fields.builder?.feeBps ?? 0,
    exceptOrderId: null,
    ...bandsOf(world, market, outcome, fields),
  };
}

/** A bid that would rest for too little is cut short like an ioc, or refused where it filled nothing. */
export function tooSmall(
  world: World,
  market: NaiveMarket,
  order: {
    readonly side: 'buy' | 'sell';
    readonly price: number | null;
    readonly timeInForce: PlaceFields['timeInForce'];
  },
  plan: Plan,
  refusals: Refusals,
): CancelReason | null {
  if (order.side === 'sell' || market.outcomes.length === 2 || order.price === null) return null;
  if (plan.remainingLots === 0 || !restsAfter(order.timeInForce, null)) return null;
  const least = world.parameters.risk.bidReserveMin;
  if (notionalOf(plan.remainingLots, order.price) >= least) return null;
  if (plan.cost === 0n) refusals.field('size', 'a bid worth its place');
  return 'ioc_remainder';
}

const restsAfter = (timeInForce: PlaceFields['timeInForce'], cut: CancelReason | null): boolean =>
  (timeInForce === 'gtc' || timeInForce === 'gtd') && cut === null;

function checkPlan(
  world: World,
  market: NaiveMarket,
  outcome: number,
  fields: PlaceFields,
  plan: Plan,
  { restLots, given }: { readonly restLots: number; readonly given: bigint },
  refusals: Refusals,
): void {
  const { accountId, side, price } = fields;
  const exempt =
    fields.reduceOnly || plan.filledLots === 0 || closesAll(world, market, outcome, fields);
  if (price === null && !exempt) checkMinBet(market, plan.cost, refusals);
  const notional =
    side === 'sell'
      ? plan.cost + notionalOf(restLots, price ?? 0)
      : price === null
        ? plan.cost
        : notionalOf(fields.lots, price);
  checkMaxBet(market, notional, refusals);
  const counted = side === 'sell' ? notional - plan.cost + filledFor(plan) : notional;
  const forDay = higher(counted, filledFor(plan)) + given;
  const isSimulated = isMid(plan);
  const facts = {
    accountId,
    notional: forDay,
    forDay,
    given,
    side,
    isSimulated,
    exceptOrderId: null,
  };
  checkCaps(world, fields, facts, refusals);
  const isAccepted = fields.acceptPrice && fields.caps === null && fields.grant === null;
  const worst = worstPrice(plan, restLots, price);
  checkDistance(world, market, { outcome, side, price: worst, isAccepted }, refusals);
  checkRisk(
    world,
    {
      accountId,
      market,
      outcome,
      side,
      boughtLots: plan.filledLots,
      restLots,
      price: price ?? 0,
      exceptOrderId: null,
      atStake: plan.cost + plan.fees + plan.builderFees + notionalOf(restLots, price ?? 0),
    },
    refusals,
  );
}

/** The steps in order, then the reserve of the rest; shared with amendments. */
export function carryOut(
  world: World,
  market: NaiveMarket,
  order: NaiveOrder,
  plan: Plan,
  restLots: number,
): void {
  for (const step of plan.steps) applyStep(world, order, step);
  if (plan.steps.some((step) => step.kind === 'pool')) noteChange(world, market);
  if (restLots > 0) {
    world.priorityCount += 1;
    order.priority = world.priorityCount;
    order.restingSinceMs = world.nowMs;
    world.orders.push(order);
    reserve(world, order, order.price, restLots);
    if (order.expiresAtMs !== null) {
      world.timers.push({ dueMs: order.expiresAtMs, kind: 'order_expiry', subject: order.id });
    }
  }
  if (plan.filledLots > 0 && order.cancelReason === 'price_band') hitBand(world, market);
}

/** What the order has become once the plan is done. */
export function settleState(
  order: NaiveOrder,
  plan: Plan,
  cut: CancelReason | null,
  restLots: number,
): void {
  order.filledLots += plan.filledLots;
  order.filledCost += plan.cost;
  order.feesPaid += plan.fees + plan.builderFees;
  if (order.filledLots === order.lots) order.status = 'filled';
  else if (restLots > 0) order.status = order.filledLots > 0 ? 'partially_filled' : 'pending';
  else {
    order.status = 'cancelled';
    order.cancelReason = cut ?? 'ioc_remainder';
  }
}

export function venueOf(plan: Plan): FillVenue {
  let pool = false;
  let book = false;
  let both = false;
  for (const step of plan.steps) {
    if (step.kind === 'house') pool = true;
    else if (step.kind === 'book') book = true;
    else if (step.kind === 'pool') {
      if (step.legs.length === 0) pool = true;
      else if (step.allPinned) book = true;
      else both = true;
    }
  }
  if (both || (pool && book)) return 'hybrid';
  if (pool) return 'amm';
  return book ? 'clob' : null;
}

function newOrder(
  world: World,
  actor: PlainActor,
  outcome: number,
  fields: PlaceFields,
): NaiveOrder {
  world.orderCount += 1;
  if (fields.clientOrderId !== null) {
    world.clientOrders.set(`${fields.accountId}|${fields.clientOrderId}`, {
      atMs: world.nowMs,
      orderId: world.orderCount,
    });
  }
  return {
    id: world.orderCount,
    accountId: fields.accountId,
    marketId: fields.marketId,
    outcome,
    side: fields.side,
    orderType: fields.orderType,
    price: fields.price ?? 0,
    lots: fields.lots,
    filledLots: 0,
    filledCost: 0n,
    feesPaid: 0n,
    status: 'pending',
    timeInForce: fields.timeInForce,
    postOnly: fields.postOnly,
    reduceOnly: fields.reduceOnly,
    stpMode: fields.stpMode,
    maxCost: fields.maxCost,
    validUntilMs: fields.validUntilMs,
    expiresAtMs: fields.expiresAtMs,
    clientOrderId: fields.clientOrderId,
    keyId: actor.kind === 'account' ? actor.keyId : null,
    builder: fields.builder,
    execution: fields.execution,
    scopes: scopesOf(world, fields.accountId, fields),
    grantId: fields.grant?.grantId ?? null,
    createdAtMs: world.nowMs,
    restingSinceMs: world.nowMs,
    priority: 0,
    rejectReason: null,
    cancelReason: null,
  };
}

function rejectOrder(
  world: World,
  actor: PlainActor,
  outcome: number,
  fields: PlaceFields,
  reason: NonNullable<PlainOrderView['rejectReason']>,
  dryRun: boolean,
): PlainAnswer {
  if (dryRun) return accepted({ kind: 'done' });
  const order = newOrder(world, actor, outcome, fields);
  order.status = 'rejected';
  order.rejectReason = reason;
  rememberClosed(world, order);
  const view = viewOf(world, order);
  world.events.push({ type: 'order_placed', order: view, fillVenue: null });
  return accepted({ kind: 'order', order: view, fillVenue: null });
}
