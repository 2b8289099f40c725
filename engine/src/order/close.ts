// The end of a resting order: withdrawn with its reserve released, or filled.
import type { Lots } from '@sibyl/money';
import { present } from '../assert.ts';
import { leave } from '../book/book.ts';
import type { CancelReason } from '../event.ts';
import { freeSharesAccount, reservedSharesAccount } from '../position/holdings.ts';
import { orderReference } from '../reference.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import { type Order, remainingLots, reserveOf } from './order.ts';

/** Withdraws an open order: `order_cancelled`, then the entry that frees its reserve. */
export function cancelOpenOrder(turn: Turn, order: Order, reason: CancelReason): void {
  const left = remainingLots(order);
  leave(order, left);
  order.status = 'cancelled';
  order.cancelReason = reason;
  turn.events.push({
    type: 'order_cancelled',
    orderId: order.id,
    accountId: order.account.id,
    marketId: order.market.id,
    filledLots: order.filledLots,
    remainingLots: left,
    reason,
  });
  release(turn, order, reserveOf(order));
  forgetOpen(turn.state, order);
}

/** Books a fill of a resting order; it leaves when nothing is left. */
export function fillResting(state: State, order: Order, size: Lots, cost: bigint): void {
  order.filledLots = (order.filledLots + size) as Lots;
  order.filledCost += cost;
  if (order.filledLots < order.lots) {
    order.level!.lots -= size;
    order.status = 'partially_filled';
    return;
  }
  leave(order, size);
  order.status = 'filled';
  forgetOpen(state, order);
}

/** Gives back part of what a resting order holds. */
export function release(turn: Turn, order: Order, amount: bigint): void {
  const { ledger } = turn.state;
  const { holding, outcome } = order;
  if (order.side === 'buy') {
    ledger.post(order.account.reserved, -amount);
    ledger.post(order.account.free, amount);
  } else {
    ledger.post(holding.reserved[outcome]!, -amount);
    ledger.post(freeSharesAccount(turn.state, holding, outcome), amount);
  }
  ledger.commit(turn.events, 'release', orderReference(order.id));
}

/** Holds back what a resting order may cost: money for a buy, shares for a sell. */
export function reserve(turn: Turn, order: Order): void {
  const { state } = turn;
  const { ledger } = state;
  const amount = reserveOf(order);
  if (order.side === 'buy') {
    ledger.post(order.account.free, -amount);
    ledger.post(order.account.reserved, amount);
  } else {
    ledger.post(order.holding.free[order.outcome]!, -amount);
    ledger.post(reservedSharesAccount(state, order.holding, order.outcome), amount);
  }
  ledger.commit(turn.events, 'reserve', orderReference(order.id));
}

/** Remembers an order that will not change any more. */
export function rememberClosed(state: State, order: Order): void {
  state.closedOrders.add(order.id, order.account.id, order.status);
}

export function forgetOpen(state: State, order: Order): void {
  state.orders.take(present(order.chunk, 'place of an open order'), order.id);
  order.chunk = null;
  order.account.orders.remove(order);
  order.holding.openOrders -= 1;
  order.market.openOrders -= 1;
  rememberClosed(state, order);
}
