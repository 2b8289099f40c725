// An order's lifecycle: how it is shown, what it reserves, and how it leaves the book.

import { Entry } from './entry.ts';
import type { CancelReason, PlainOrderView } from './plain.ts';
import { at } from './pool.ts';
import {
  freeName,
  freeSharesName,
  type NaiveOrder,
  needMarket,
  notionalOf,
  reservedName,
  reservedSharesName,
  sharesOf,
  type World,
} from './world.ts';

export function viewOf(world: World, order: NaiveOrder): PlainOrderView {
  return {
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    outcomeId: at(needMarket(world, order.marketId).outcomes, order.outcome).id,
    side: order.side,
    orderType: order.orderType,
    price: order.orderType === 'limit' ? order.price : null,
    lots: order.lots,
    filledLots: order.filledLots,
    filledCost: order.filledCost,
    feesPaid: order.feesPaid,
    status: order.status,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
    reduceOnly: order.reduceOnly,
    stpMode: order.stpMode,
    maxCost: order.maxCost,
    validUntilMs: order.validUntilMs,
    expiresAtMs: order.expiresAtMs,
    clientOrderId: order.clientOrderId,
    keyId: order.keyId,
    builderAppId: order.builder?.appId ?? null,
    createdAtMs: order.createdAtMs,
    rejectReason: order.rejectReason,
    cancelReason: order.cancelReason,
  };
}

/** Moves what so many lots of the order need from free to reserved; negative lots give back. */
export function reserve(world: World, order: NaiveOrder, price: number, lots: number): void {
  const entry = new Entry(world);
  const { accountId, marketId, outcome } = order;
  if (order.side === 'buy')
    entry.move(freeName(accountId), reservedName(accountId), notionalOf(lots, price));
  else {
    const free = freeSharesName(accountId, marketId, outcome);
    entry.move(free, reservedSharesName(accountId, marketId, outcome), sharesOf(lots));
  }
  entry.commit(lots < 0 ? 'release' : 'reserve', `order:${order.id}`);
}

/** Cancels an open order: out of the book, event, release. */
export function closeOrder(world: World, order: NaiveOrder, reason: CancelReason): void {
  const remaining = order.lots - order.filledLots;
  world.orders = world.orders.filter((each) => each.id !== order.id);
  order.status = 'cancelled';
  order.cancelReason = reason;
  rememberClosed(world, order);
  world.events.push({
    type: 'order_cancelled',
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    filledLots: order.filledLots,
    remainingLots: remaining,
    reason,
  });
  reserve(world, order, order.price, -remaining);
}

export function rememberClosed(world: World, order: NaiveOrder): void {
  world.closed.set(order.id, order);
  for (const oldest of world.closed.keys()) {
    if (world.closed.size <= world.parameters.closedOrdersKept) break;
    world.closed.delete(oldest);
  }
}
