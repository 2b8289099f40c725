// Amending an open order: smaller in place, or re-routed as a new order of the same id (OR12).
import type { Lots } from '@sibyl/money';
import { frozen } from '../account/money.ts';
import { checkExcluded } from '../compliance/own-limits.ts';
import { viewOrder } from '../generated/order-forms.ts';
import { micro } from '../kit/micro.ts';
import { boundedLimit, NO_BAND, otherBands } from '../market/band.ts';
import { checkDistance, givenAway } from '../risk/given.ts';
import { checkExpiry, checkGrantCap } from '../risk/grant.ts';
import { checkLimits } from '../risk/limits.ts';
import { checkTier } from '../risk/tier.ts';
import {
  countedCost,
  type Intent,
  type Plan,
  quartersOf,
  UNBOUNDED,
  venueOf,
} from '../route/plan.ts';
import { actingAccount, isRejection } from '../state/authority.ts';
import { leave, shrink } from '../state/book.ts';
import { type Credential, countUse } from '../state/cap-use.ts';
import type { Actor, AmendOrder } from '../state/command.ts';
import {
  filledCostOf,
  isOpen,
  noteResting,
  type Order,
  remainingLots,
  reserveOf,
  take,
} from '../state/order.ts';
import { forgetOpen, release } from '../state/orders/close.ts';
import type { Answer } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { findOpen, isOf } from './cancel.ts';
import { checkMoney } from './funds.ts';
import { finishOrder, settleStatus } from './place.ts';
import { checkOpen, dayDemand, endTooSmall, larger, planOf, tooSmall } from './placement.ts';
import {
  checkLargestBet,
  checkLeastBet,
  checkMinimum,
  checkPrice,
  checkSize,
  checkTerms,
  checkTick,
} from './validate.ts';

interface Amendment {
  readonly order: Order;
  readonly price: Order['price'];
  readonly lots: Lots;
  /** Null when the order keeps its place. */
  readonly plan: Plan | null;
  readonly credential: Credential | null;
  /** What a sell gives away, if anything counts it. */
  readonly given: number;
}

export function amendOrder(turn: Turn, actor: Actor, command: AmendOrder): Answer {
  const amendment = prepareAmendment(turn.state, actor, command);
  if (isRejection(amendment)) return refuse(amendment);
  const { plan } = amendment;
  if (plan === null) return reduceInPlace(turn, amendment);
  return reroute(turn, amendment, plan);
}

export function prepareAmendment(
  state: State,
  actor: Actor,
  command: AmendOrder,
): Amendment | Rejection {
  const fault = checkShape(command);
  if (fault !== null) return fault;
  const known = state.orders.get(command.orderId);
  const grantId = command.grant?.grantId;
  if (known?.holding.account.id === command.accountId && isOf(known, grantId)) {
    const unfit = checkAgainstOrder(command, known);
    if (unfit !== null) return unfit;
  }
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return account;
  const order = findOpen(state, account, command.orderId, grantId);
  if (isRejection(order) && order.code === 'NOT_FOUND') return order;
  const expired = checkExpiry(state, command.grant);
  if (expired !== null) return expired;
  if (account.frozen) return frozen(account);
  if (isRejection(order)) return order;
  const excluded = order.side === 'buy' ? checkExcluded(state, account) : null;
  if (excluded !== null) return excluded;
  const closed = checkOpen(order.holding.market);
  if (closed !== null) return closed;
  const price = command.price ?? order.price;
  const lots = command.lots ?? order.lots;
  if (price === order.price && lots <= order.lots) {
    const { risk } = state.parameters;
    const isBid = order.side === 'buy' && !order.holding.market.hasOneBook;
    const left = micro((lots - order.filledLots) * price);
    if (isBid && left < risk.bidReserveMin) return tooSmall(risk.bidReserveMin);
    return { order, price, lots, plan: null, credential: null, given: 0 };
  }
  return walk(state, command, order, price, lots);
}

function checkShape(command: AmendOrder): Rejection | null {
  const { price, lots } = command;
  if (price === null && lots === null) return invalid('size', 'a new size or a new price');
  if (lots !== null) {
    const fault = checkSize(lots);
    if (fault !== null) return fault;
  }
  if (price !== null) {
    const fault = checkPrice(price);
    if (fault !== null) return fault;
  }
  return checkTerms(command);
}

function checkAgainstOrder(command: AmendOrder, order: Order): Rejection | null {
  const { market } = order.holding;
  const price = command.price ?? order.price;
  const lots = command.lots ?? order.lots;
  const untidy = checkTick(market, price);
  if (untidy !== null) return untidy;
  if (lots <= order.filledLots) return invalid('size', 'above what has filled');
  return checkMinimum(market, lots) ?? checkLeastBet(market, price * lots);
}

function walk(
  state: State,
  command: AmendOrder,
  order: Order,
  price: Order['price'],
  lots: Lots,
): Amendment | Rejection {
  const { outcome, side, builder } = order;
  const { market, account } = order.holding;
  const intent: Intent = {
    market,
    account,
    holding: order.holding,
    outcome,
    side,
    limit: price,
    bound: boundedLimit(state, market, outcome, side, price),
    bandFromFill: NO_BAND,
    otherBands: otherBands(state, market),
    quarters: quartersOf(order.kind.timeInForce),
    lots: (lots - order.filledLots) as Lots,
    stpMode: order.kind.stpMode,
    grantId: command.grant === null ? null : command.grant.grantId,
    budget: UNBOUNDED,
    builderBps: builder === null ? 0 : builder.feeBps,
    fees: state.parameters.fee,
  };
  const plan = planOf(state, intent, order.kind.execution, order.kind.postOnly);
  const small = endTooSmall(state, plan);
  if (small !== null) return small;
  const resting = plan.stopReason === null ? plan.remaining : 0;
  const notional =
    side === 'buy' ? price * lots : filledCostOf(order) + plan.cost + resting * price;
  const large = checkLargestBet(market, notional);
  if (large !== null) return large;
  if (order.kind.postOnly && plan.remaining < intent.lots) {
    return reject('STATE_CONFLICT', { reason: 'post_only_would_take' });
  }
  const { caps, grant } = command;
  const credential = state.capUses.credentialOf(account, caps, grant);
  const given = credential === null ? 0 : givenAway(state, plan, resting);
  const filled = countedCost(plan);
  const isBuy = side === 'buy';
  const asked = isBuy ? larger(price * intent.lots, filled) : filled + resting * price;
  const more = micro(asked + given);
  const whole = isBuy ? larger(notional, filled) : notional - plan.cost + filled;
  const demand = {
    notional: micro(whole + given),
    day: dayDemand(plan, more, micro(given)),
    more,
    given: micro(given),
  };
  const refused =
    checkTier(state, caps, credential, demand, order) ??
    checkGrantCap(state, grant, credential, demand, order) ??
    checkDistance(state, plan, resting, command) ??
    checkLimits(state, plan, resting, order) ??
    checkMoney(state, plan, resting, order);
  return refused ?? { order, price, lots, plan, credential, given };
}

function reduceInPlace(turn: Turn, amendment: Amendment): Answer {
  const { order, lots } = amendment;
  const before = reserveOf(order);
  const less = (order.lots - lots) as Lots;
  order.lots = lots;
  noteResting(order, -less);
  if (less > 0) shrink(order, less);
  const view = viewOrder(order);
  turn.events.push({ type: 'order_amended', order: view, keptPlace: true });
  release(turn, order, before - reserveOf(order));
  return accept({ kind: 'order', order: view, fillVenue: null });
}

function reroute(turn: Turn, amendment: Amendment, plan: Plan): Answer {
  const { order, price, lots, credential, given } = amendment;
  const { state, events } = turn;
  const held = reserveOf(order);
  noteResting(order, -remainingLots(order));
  order.credential = credential;
  leave(order, remainingLots(order));
  // What it has filled so far was at the price before.
  take(order, 0 as Lots, 0, 0);
  order.price = price;
  order.lots = lots;
  const cancelReason = settleStatus(order, plan);
  const view = viewOrder(order, null, cancelReason);
  events.push({ type: 'order_amended', order: view, keptPlace: false });
  release(turn, order, held);
  if (!isOpen(order)) forgetOpen(state, order);
  if (given > 0) countUse(state, credential, given);
  finishOrder(turn, order, plan);
  return accept({ kind: 'order', order: view, fillVenue: venueOf(plan) });
}
