// The end of a resting order: withdrawn with its reserve released, or filled.

import type { Lots } from '@sibyl/money';
import { freeSharesAccount, reservedSharesAccount } from '../../position/holdings.ts';
import { leave } from '../book.ts';
import { countUse } from '../cap-use.ts';
import type { CancelReason } from '../event.ts';
import { freeSlot, reservedSlot } from '../holding.ts';
import { countMade } from '../made.ts';
import { noteResting, type Order, remainingLots, reserveOf } from '../order.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';

/** Withdraws an open order: `order_cancelled`, then the entry that frees its reserve. */
export function cancelOpenOrder(turn: Turn, order: Order, reason: CancelReason): void {
  const left = remainingLots(order);
  noteResting(order, -left);
  leave(order, left);
  order.status = 'cancelled';
  turn.events.push({
    type: 'order_cancelled',
    orderId: order.id,
    accountId: order.holding.account.id,
    marketId: order.holding.market.id,
    filledLots: order.filledLots,
    remainingLots: left,
    reason,
  });
  release(turn, order, reserveOf(order));
  forgetOpen(turn.state, order);
}

/** Books a fill of a resting order; it leaves when nothing is left. */
export function fillResting(state: State, order: Order, size: Lots): void {
  noteResting(order, -size);
  if (order.credential !== null) countUse(state, order.credential, size * order.price);
  countMade(state, order.holding, size);
  order.filledLots = (order.filledLots + size) as Lots;
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
export function release(turn: Turn, order: Order, amount: number): void {
  const { state, events } = turn;
  const { holding, outcome } = order;
  const { account } = holding;
  const { ledger } = state;
  if (order.side === 'buy') {
    ledger.move(events, account.reserved, account.free, amount, 'release', order.id);
    return;
  }
  const reserved = reservedSlot(holding, outcome);
  const free = freeSharesAccount(state, holding, outcome);
  ledger.move(events, reserved, free, amount, 'release', order.id);
}

/** Holds back what a resting order may cost: money for a buy, shares for a sell. */
export function reserve(turn: Turn, order: Order): void {
  const { state, events } = turn;
  const { holding, outcome } = order;
  const { account } = holding;
  const { ledger } = state;
  const amount = reserveOf(order);
  if (order.side === 'buy') {
    ledger.move(events, account.free, account.reserved, amount, 'reserve', order.id);
    return;
  }
  const free = freeSlot(holding, outcome);
  const reserved = reservedSharesAccount(state, holding, outcome);
  ledger.move(events, free, reserved, amount, 'reserve', order.id);
}

/** Remembers an order that ended as it was placed. */
export function rememberClosed(state: State, order: Order): void {
  state.orders.remember(order.id, order.holding.account.row, order.status);
}

export function forgetOpen(state: State, order: Order): void {
  state.orders.close(order);
  if (order.expiresAtMs !== null) state.timers.clear('order_expiry', order.id);
  order.holding.account.openOrders -= 1;
  order.holding.openOrders -= 1;
  order.holding.market.openOrders -= 1;
}
