// Placing an order: decided as a whole, then carried out without a way back.
import type { Pips } from '@sibyl/money';
import { viewOrder } from '../generated/order-forms.ts';
import type { OrderId } from '../kit/identity.ts';
import { noteHit } from '../market/band.ts';
import { applyPlan } from '../route/apply.ts';
import { filledBy, type Plan, venueOf } from '../route/plan.ts';
import { isRejection } from '../state/authority.ts';
import { rest } from '../state/book.ts';
import { countUse } from '../state/cap-use.ts';
import type { Actor, PlaceOrder } from '../state/command.ts';
import type { CancelReason } from '../state/event.ts';
import {
  createOrder,
  isOpen,
  noteResting,
  type Order,
  registerOpen,
  restsSince,
  take,
} from '../state/order.ts';
import { orderKind } from '../state/order-kind.ts';
import { rememberClosed, reserve } from '../state/orders/close.ts';
import type { Answer } from '../state/outcome.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { type Placement, preparePlacement } from './placement.ts';
import { rests } from './validate.ts';

export function placeOrder(turn: Turn, actor: Actor, command: PlaceOrder): Answer {
  const placement = preparePlacement(turn.state, actor, command);
  return isRejection(placement) ? refuse(placement) : carryOut(turn, actor, placement);
}

/** Applies a plan to an order whose state already shows the result, then rests what is left. */
export function finishOrder(turn: Turn, order: Order, plan: Plan): void {
  const { state } = turn;
  if (plan.first !== null) applyPlan(turn, order, plan);
  if (isOpen(order)) {
    restsSince(order, state.nowMs);
    order.priority = state.nextPriority;
    state.nextPriority += 1;
    reserve(turn, order);
    rest(order);
    noteResting(order, plan.remaining);
  }
  if (plan.stopReason === 'band' && plan.cost > 0) noteHit(turn, order.holding.market);
}

/** What a plan makes of an order: its fills, and its status once the rest rests or is withdrawn, which has a reason. */
export function settleStatus(order: Order, plan: Plan): CancelReason | null {
  if (plan.first !== null) take(order, filledBy(plan), plan.cost, plan.fees);
  if (plan.remaining === 0) {
    order.status = 'filled';
    return null;
  }
  const early = cancelReasonOf(plan);
  if (early !== null) {
    order.status = 'cancelled';
    return early;
  }
  if (rests(order.kind.timeInForce)) {
    order.status = order.filledLots === 0 ? 'pending' : 'partially_filled';
    return null;
  }
  order.status = 'cancelled';
  return 'ioc_remainder';
}

/** Why what is left is withdrawn whatever its time in force, if it is. */
export function cancelReasonOf({ stopReason }: Plan): CancelReason | null {
  if (stopReason === 'self_trade') return 'self_trade_prevented';
  if (stopReason === 'steps') return 'too_many_steps';
  if (stopReason === 'too_small') return 'ioc_remainder';
  return stopReason === 'band' ? 'price_band' : null;
}

export function carryOut(turn: Turn, actor: Actor, placement: Placement): Answer {
  const { state, events } = turn;
  const { plan, rejectReason } = placement;
  const { maxCost } = placement.command;
  const order = orderFor(state, actor, placement);
  remember(state, order);
  if (rejectReason !== null || plan === null) {
    order.status = 'rejected';
    const view = viewOrder(order, rejectReason, null, maxCost);
    events.push({ type: 'order_placed', order: view, fillVenue: null });
    rememberClosed(state, order);
    return accept({ kind: 'order', order: view, fillVenue: null });
  }
  const cancelReason = settleStatus(order, plan);
  const view = viewOrder(order, null, cancelReason, maxCost);
  const fillVenue = venueOf(plan);
  events.push({ type: 'order_placed', order: view, fillVenue });
  if (isOpen(order)) open(state, order);
  else rememberClosed(state, order);
  if (placement.given > 0) countUse(state, order.credential, placement.given);
  finishOrder(turn, order, plan);
  return accept({ kind: 'order', order: view, fillVenue });
}

function orderFor(state: State, actor: Actor, placement: Placement): Order {
  const { command, account, market, outcome, lots } = placement;
  const id = state.nextOrderId;
  state.nextOrderId = (id + 1) as OrderId;
  return createOrder({
    id,
    holding: placement.holding ?? state.holdings.open(account, market),
    outcome,
    side: command.side,
    kind: orderKind(command),
    price: command.price ?? (0 as Pips),
    lots,
    validUntilMs: command.validUntilMs,
    expiresAtMs: command.expiresAtMs,
    clientOrderId: command.clientOrderId,
    keyId: actor.kind === 'account' ? actor.keyId : null,
    credential: placement.credential,
    builder: command.builder,
    createdAtMs: state.nowMs,
  });
}

function remember(state: State, order: Order): void {
  if (order.clientOrderId === null) return;
  state.clientOrderIds.put(order.holding.account, order.clientOrderId, order.id, state.nowMs);
}

function open(state: State, order: Order): void {
  registerOpen(state, order);
  if (order.expiresAtMs === null) return;
  state.timers.set({ dueMs: order.expiresAtMs, kind: 'order_expiry', subject: order.id });
}
