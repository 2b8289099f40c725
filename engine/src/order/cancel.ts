// Cancels by their owner: one order, or all that match a filter.

import { present } from '../kit/assert.ts';
import type { OrderId } from '../kit/identity.ts';
import type { Account } from '../state/account.ts';
import { actingAccount, isRejection, mayAct } from '../state/authority.ts';
import type { Actor, CancelOrder, CancelOrders } from '../state/command.ts';
import { outcomeIndex } from '../state/market.ts';
import { grantIdOf, type Order } from '../state/order.ts';
import { cancelOpenOrder } from '../state/orders/close.ts';
import type { Answer } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { isName } from './validate.ts';

export function cancelOrder(turn: Turn, actor: Actor, command: CancelOrder): Answer {
  const { state } = turn;
  const known = state.orders.get(command.orderId);
  if (known === undefined || !isCancellable(state, actor, command, known)) {
    const found = findCancellable(state, actor, command);
    if (isRejection(found)) return refuse(found);
  }
  const order = present(known, 'order to cancel');
  cancelOpenOrder(turn, order, reasonOf(actor));
  return accept({ kind: 'cancelled', cancelled: [order.id], notCancelled: NONE });
}

/** The open order that a cancel names, or why it cannot be cancelled. */
export function findCancellable(
  state: State,
  actor: Actor,
  command: CancelOrder,
): Order | Rejection {
  const fault = checkGrant(command);
  if (fault !== null) return fault;
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return account;
  const order = findOpen(state, account, command.orderId, command.grantId);
  if (isRejection(order)) return order;
  return order.holding.market.closing === null ? order : isClosed(order.id, order.status);
}

/** An open order of the account; with a grant, of that grant too. A closed order has another rejection than an unknown one. */
export function findOpen(
  state: State,
  account: Account,
  orderId: OrderId,
  grantId?: string,
): Order | Rejection {
  const order = state.orders.get(orderId);
  if (order !== undefined && order.holding.account === account) {
    return isOf(order, grantId) ? order : reject('NOT_FOUND', { order_id: orderId });
  }
  const status = state.orders.statusClosed(orderId, account);
  return status === undefined
    ? reject('NOT_FOUND', { order_id: orderId })
    : isClosed(orderId, status);
}

export function cancelOrders(turn: Turn, actor: Actor, command: CancelOrders): Answer {
  const { state } = turn;
  const fault = checkFilter(state, command);
  if (fault !== null) return refuse(fault);
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (command.marketId !== null && !state.markets.has(command.marketId)) {
    return refuse(reject('MARKET_NOT_FOUND', { market_id: command.marketId }));
  }
  const cancelled: OrderId[] = [];
  const reason = command.reason ?? reasonOf(actor);
  for (const order of matching(state, account, command)) {
    cancelOpenOrder(turn, order, reason);
    cancelled.push(order.id);
  }
  const notCancelled = missing(state, account, command, cancelled);
  return accept({ kind: 'cancelled', cancelled, notCancelled });
}

/** The operator's cancels are told from the owner's. */
function reasonOf(actor: Actor): 'user' | 'admin' {
  return actor.kind === 'operator' ? 'admin' : 'user';
}

/** The short way for an order as it should be; whatever is wrong is said by findCancellable. */
function isCancellable(state: State, actor: Actor, command: CancelOrder, order: Order): boolean {
  if (order.holding.account.id !== command.accountId || order.holding.market.closing !== null)
    return false;
  if (!isOf(order, command.grantId)) return false;
  return mayAct(state, actor, command.accountId);
}

const NONE: readonly never[] = [];
const NAMED_MAX = 1000;

function isClosed(orderId: OrderId, status: string): Rejection {
  return reject('STATE_CONFLICT', { order_id: orderId, status });
}

function checkFilter(state: State, command: CancelOrders): Rejection | null {
  const { marketId, outcomeId, side, orderIds } = command;
  if (side !== null && side !== 'buy' && side !== 'sell') return invalid('side', 'buy or sell');
  if (orderIds !== null) {
    if (!Array.isArray(orderIds) || orderIds.length > NAMED_MAX) {
      return invalid('order_ids', `at most ${NAMED_MAX} orders`);
    }
  }
  const fault = checkGrant(command) ?? checkEnd(command);
  if (fault !== null || outcomeId === null) return fault;
  if (marketId === null) return invalid('outcome_id', 'only together with a market');
  const market = state.markets.get(marketId);
  if (market === undefined || outcomeIndex(market, outcomeId) >= 0) return null;
  return invalid('outcome_id', 'an outcome of the market');
}

function checkGrant({ grantId }: Pick<CancelOrder, 'grantId'>): Rejection | null {
  if (grantId === undefined || isName(grantId)) return null;
  return invalid('grant_id', '1 to 64 characters');
}

/** Why they are withdrawn, where the command says it: a grant that has ended takes its own orders alone. */
function checkEnd({ grantId, reason }: CancelOrders): Rejection | null {
  if (reason === undefined || reason === 'disconnect') return null;
  return reason === 'grant_ended' && grantId !== undefined
    ? null
    : invalid('reason', 'disconnect, or grant_ended with a grant');
}

function matching(state: State, account: Account, command: CancelOrders): readonly Order[] {
  const { marketId, outcomeId, side, orderIds, grantId } = command;
  const named = orderIds === null ? null : new Set(orderIds);
  return state.orderLists.of(account).filter((order) => {
    const { market } = order.holding;
    if (market.closing !== null) return false;
    if (marketId !== null && market.id !== marketId) return false;
    if (outcomeId !== null && market.template.outcomeIds[order.outcome] !== outcomeId) return false;
    if (side !== null && order.side !== side) return false;
    if (!isOf(order, grantId)) return false;
    return named === null || named.has(order.id);
  });
}

/** Whether a command that a grant may be named in reaches the order. */
export function isOf(order: Order, grantId: string | undefined): boolean {
  return grantId === undefined || grantIdOf(order) === grantId;
}

type NotCancelled = { readonly orderId: OrderId; readonly code: 'NOT_FOUND' | 'STATE_CONFLICT' };

/** Named orders that were not open; each is listed once. */
function missing(
  state: State,
  account: Account,
  command: CancelOrders,
  cancelled: readonly OrderId[],
): readonly NotCancelled[] {
  if (command.orderIds === null) return NONE;
  const listed: NotCancelled[] = [];
  const seen = new Set<OrderId>(cancelled);
  for (const orderId of command.orderIds) {
    if (seen.has(orderId)) continue;
    seen.add(orderId);
    const found = findOpen(state, account, orderId, command.grantId);
    if (!isRejection(found)) {
      if (found.holding.market.closing !== null) listed.push({ orderId, code: 'STATE_CONFLICT' });
    } else {
      const isEnded = isRejection(found) && found.code !== 'NOT_FOUND';
      listed.push({ orderId, code: isEnded ? 'STATE_CONFLICT' : 'NOT_FOUND' });
    }
  }
  return listed;
}
