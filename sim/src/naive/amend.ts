// Amending an order: smaller keeps its position in the queue, anything else is walked again under the same id.
import { actingOn, isLots, isWhole, type PlainActor } from './authority.ts';
import { checkCaps, checkExpiry, checkTermFields, recordUse, scopesOf } from './caps.ts';
import { checkFunds, checkMaxBet, checkMinBet, checkTradable, isOnTick } from './order-checks.ts';
import { rememberClosed, reserve, viewOf } from './order-state.ts';
import { checkExcluded } from './own-limits.ts';
import {
  carryOut,
  filledFor,
  higher,
  isMid,
  sellOf,
  settleState,
  tooSmall,
  venueOf,
  worstPrice,
} from './place.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { accepted, Refusals } from './refusal.ts';
import { checkRisk } from './risk.ts';
import { bandsOf, cutReason, planRoute, type Route } from './route.ts';
import type { Plan } from './walk.ts';
import {
  isFrozen,
  type NaiveMarket,
  type NaiveOrder,
  needMarket,
  notionalOf,
  sharesOf,
  type World,
} from './world.ts';
import { checkDistance, givenAway } from './worth.ts';

export type AmendFields = Omit<CommandOf<'amend_order'>, 'seq' | 'atMs' | 'actor' | 'key'>;

interface Change {
  readonly order: NaiveOrder;
  readonly market: NaiveMarket;
  readonly price: number;
  readonly lots: number;
}

export function amendOrder(
  world: World,
  actor: PlainActor,
  fields: AmendFields,
  dryRun = false,
): PlainAnswer {
  const refusals = new Refusals(world);
  const change = checkAmendment(world, actor, fields, refusals);
  if (refusals.any || change === null) return refusals.answer();
  const { order, market, price, lots } = change;
  if (price === order.price && lots <= order.lots) {
    const isBid = order.side === 'buy' && market.outcomes.length > 2;
    const least = world.parameters.risk.bidReserveMin;
    if (isBid && notionalOf(lots - order.filledLots, price) < least) {
      refusals.field('size', 'a bid worth its place');
      return refusals.answer();
    }
    return dryRun ? accepted({ kind: 'done' }) : shrink(world, order, lots);
  }
  const route = routeOf(world, change, fields);
  const plan = planRoute(world, market, route);
  const cut =
    cutReason(plan, route) ?? tooSmall(world, market, { ...order, price }, plan, refusals);
  const restLots = cut === null ? plan.remainingLots : 0;
  const given = givenAway(world, market, sellOf(order.side, order.outcome, price, plan, restLots));
  checkReroute(world, change, fields, plan, { restLots, given }, refusals);
  if (refusals.any) return refusals.answer();
  if (dryRun) return accepted({ kind: 'done' });
  const oldRest = order.lots - order.filledLots;
  const oldPrice = order.price;
  world.orders = world.orders.filter((each) => each.id !== order.id);
  order.price = price;
  order.lots = lots;
  order.scopes = scopesOf(world, order.accountId, fields);
  order.grantId = fields.grant?.grantId ?? null;
  settleState(order, plan, cut, restLots);
  const view = viewOf(world, order);
  world.events.push({ type: 'order_amended', order: view, keptPlace: false });
  if (order.status === 'filled' || order.status === 'cancelled') rememberClosed(world, order);
  reserve(world, order, oldPrice, -oldRest);
  recordUse(world, order.scopes, given);
  carryOut(world, market, order, plan, restLots);
  return accepted({ kind: 'order', order: view, fillVenue: venueOf(plan) });
}

function routeOf(world: World, { order, market, price, lots }: Change, fields: AmendFields): Route {
  return {
    accountId: order.accountId,
    outcome: order.outcome,
    side: order.side,
    price,
    lots: lots - order.filledLots,
    postOnly: order.postOnly,
    execution: order.execution,
    stpMode: order.stpMode,
    grantId: fields.grant?.grantId ?? null,
    maxCost: null,
    isWhole: order.timeInForce === 'fok',
    builderBps: order.builder?.feeBps ?? 0,
    exceptOrderId: order.id,
    ...bandsOf(world, market, order.outcome, { ...order, price }),
  };
}

function checkAmendment(
  world: World,
  actor: PlainActor,
  fields: AmendFields,
  refusals: Refusals,
): Change | null {
  if (fields.price === null && fields.lots === null) refusals.field('size', 'a price or a size');
  if (
    fields.price !== null &&
    !(isWhole(fields.price) && fields.price >= 1 && fields.price <= 9999)
  ) {
    refusals.field('price', 'a price');
  }
  if (fields.lots !== null && !isLots(fields.lots)) refusals.field('size', 'whole lots');
  checkTermFields(fields, refusals);
  const malformed = refusals.any;
  checkExpiry(world, fields, refusals);
  const account = actingOn(world, actor, fields.accountId);
  const order = world.orders.find(
    (each) => each.id === fields.orderId && each.accountId === fields.accountId,
  );
  const closed = world.closed.get(fields.orderId);
  if (account === undefined) refusals.add('NOT_FOUND');
  else if (isFrozen(world, account)) refusals.add('SUBACCOUNT_FROZEN');
  if (order === undefined) {
    if (closed !== undefined && closed.accountId === fields.accountId) {
      refusals.add('STATE_CONFLICT', { status: closed.status });
    } else refusals.add('NOT_FOUND');
    return null;
  }
  if (fields.grant !== null && order.grantId !== fields.grant.grantId) {
    refusals.add('NOT_FOUND');
    return null;
  }
  if (order.side === 'buy') checkExcluded(world, order.accountId, refusals);
  const market = needMarket(world, order.marketId);
  const price = fields.price ?? order.price;
  const lots = fields.lots ?? order.lots;
  if (!malformed) {
    if (!isOnTick(market, price)) refusals.field('price', 'a whole tick');
    if (lots <= order.filledLots) refusals.field('size', 'more than has filled');
    if (lots < market.template.minLots) refusals.field('size', 'the minimum');
    checkMinBet(market, notionalOf(lots, price), refusals);
  }
  checkTradable(market, refusals);
  return { order, market, price, lots };
}

/** As a new order of the same id, whose own rest counts for nothing. */
function checkReroute(
  world: World,
  change: Change,
  terms: AmendFields,
  plan: Plan,
  { restLots, given }: { readonly restLots: number; readonly given: bigint },
  refusals: Refusals,
): void {
  const { order, market, price, lots } = change;
  const { accountId, outcome, side, id: exceptOrderId } = order;
  const oldRest = order.lots - order.filledLots;
  const rest = notionalOf(restLots, price);
  const notional = side === 'buy' ? notionalOf(lots, price) : order.filledCost + plan.cost + rest;
  const forDay = side === 'buy' ? notionalOf(lots - order.filledLots, price) : plan.cost + rest;
  checkMaxBet(market, notional, refusals);
  if (order.postOnly && plan.filledLots > 0) {
    refusals.add('STATE_CONFLICT', { reason: 'post_only_would_take' });
  }
  const filled = filledFor(plan);
  const more = (sum: bigint): bigint =>
    (side === 'buy' ? higher(sum, filled) : sum - plan.cost + filled) + given;
  const counted = { notional: more(notional), forDay: more(forDay), given };
  const isSimulated = isMid(plan);
  checkCaps(world, terms, { accountId, ...counted, side, isSimulated, exceptOrderId }, refusals);
  const isAccepted = terms.acceptPrice === true && terms.caps === null && terms.grant === null;
  const worst = worstPrice(plan, restLots, price);
  checkDistance(world, market, { outcome, side, price: worst, isAccepted }, refusals);
  const boughtLots = plan.filledLots;
  const atStake =
    plan.cost + plan.fees + plan.builderFees + rest - notionalOf(oldRest, order.price);
  const facts = { accountId, market, outcome, side, boughtLots, restLots, price, exceptOrderId };
  checkRisk(world, { ...facts, atStake }, refusals);
  const [required, back] =
    side === 'sell'
      ? [sharesOf(lots - order.filledLots), sharesOf(oldRest)]
      : [plan.cost + plan.fees + plan.builderFees + rest, notionalOf(oldRest, order.price)];
  checkFunds(world, { ...order, marketId: market.id }, required, back, refusals);
}

function shrink(world: World, order: NaiveOrder, lots: number): PlainAnswer {
  const less = order.lots - lots;
  order.lots = lots;
  const view = viewOf(world, order);
  world.events.push({ type: 'order_amended', order: view, keptPlace: true });
  if (less > 0) reserve(world, order, order.price, -less);
  return accepted({ kind: 'order', order: view, fillVenue: null });
}
