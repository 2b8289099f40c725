// An order while the engine knows it: being placed, open in a book, or just closed.
import { type Lots, type Pips, usdt } from '@sibyl/money';
import type { Account } from '../account/account.ts';
import type { Level } from '../book/level.ts';
import type { BuilderFee, StpMode, TimeInForce } from '../command.ts';
import type { CancelReason, OrderStatus, OrderView, RejectReason } from '../event.ts';
import type { OrderId, Side } from '../identity.ts';
import type { Market } from '../market/market.ts';
import { micro } from '../micro.ts';
import type { Holding } from '../position/holding.ts';
import type { State } from '../state.ts';
import type { Chunk } from './id-table.ts';

/**
 * Open orders are nodes of two lists: `previous` and `next` are the neighbours in their level's queue, the account's
 * ones those among its open orders. What matching reads comes first, so that it shares few cache lines.
 */
export interface Order extends OrderTerms {
  price: Pips;
  lots: Lots;
  filledLots: Lots;
  filledCost: bigint;
  feesPaid: bigint;
  status: OrderStatus;
  /** Since when it has rested at its price: quality counts orders older than five seconds. */
  restingSinceMs: number;
  /** Queue position among equals: the sequence in which orders came to rest. */
  priority: number;
  rejectReason: RejectReason | null;
  cancelReason: CancelReason | null;
  level: Level | null;
  previous: Order | null;
  next: Order | null;
  accountPrevious: Order | null;
  accountNext: Order | null;
  /** Where the lane's table of open orders holds it; null while it is not open. */
  chunk: Chunk<Order> | null;
}

/** What is known of an order when it is made; only the rest changes, but for an amended price and size. */
export interface OrderTerms {
  readonly id: OrderId;
  readonly account: Account;
  readonly market: Market;
  readonly holding: Holding;
  /** Index of the outcome it was entered with. */
  readonly outcome: number;
  readonly side: Side;
  readonly orderType: 'market' | 'limit';
  /** The limit in the entered outcome's coordinate; 0 for a market order. */
  readonly price: Pips;
  readonly lots: Lots;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: StpMode;
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  readonly builder: BuilderFee | null;
  /** How it takes when placed or amended; resting, both kinds are alike. */
  readonly execution: 'hybrid' | 'mid';
  readonly createdAtMs: number;
}

/** The one place where orders are made, so that all have one shape. */
export function createOrder(terms: OrderTerms): Order {
  return {
    id: terms.id,
    account: terms.account,
    holding: terms.holding,
    market: terms.market,
    next: null,
    level: null,
    outcome: terms.outcome,
    side: terms.side,
    price: terms.price,
    lots: terms.lots,
    filledLots: 0 as Lots,
    filledCost: 0n,
    status: 'pending',
    previous: null,
    accountPrevious: null,
    accountNext: null,
    chunk: null,
    orderType: terms.orderType,
    feesPaid: 0n,
    timeInForce: terms.timeInForce,
    postOnly: terms.postOnly,
    reduceOnly: terms.reduceOnly,
    stpMode: terms.stpMode,
    expiresAtMs: terms.expiresAtMs,
    clientOrderId: terms.clientOrderId,
    keyId: terms.keyId,
    builder: terms.builder,
    execution: terms.execution,
    createdAtMs: terms.createdAtMs,
    restingSinceMs: terms.createdAtMs,
    priority: 0,
    rejectReason: null,
    cancelReason: null,
  };
}

/** Enters an order among the open ones of the lane, its account and its market. */
export function registerOpen(state: State, order: Order): void {
  order.chunk = state.orders.set(order.id, order);
  order.account.orders.add(order);
  order.holding.openOrders += 1;
  order.market.openOrders += 1;
}

export function remainingLots(order: Order): Lots {
  return (order.lots - order.filledLots) as Lots;
}

export function isOpen(order: Order): boolean {
  return order.status === 'pending' || order.status === 'partially_filled';
}

/** What a resting order holds back: its limit for a buy, its shares for a sell; both exact. */
export function reserveOf(order: Order): bigint {
  const left = order.lots - order.filledLots;
  return order.side === 'buy' ? micro(left * order.price) : micro(left) * 10_000n;
}

export function viewOrder(order: Order): OrderView {
  return {
    orderId: order.id,
    accountId: order.account.id,
    marketId: order.market.id,
    outcomeId: order.market.outcomes[order.outcome]!.id,
    side: order.side,
    orderType: order.orderType,
    price: order.orderType === 'limit' ? order.price : null,
    lots: order.lots,
    filledLots: order.filledLots,
    filledCost: usdt(order.filledCost),
    feesPaid: usdt(order.feesPaid),
    status: order.status,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
    reduceOnly: order.reduceOnly,
    stpMode: order.stpMode,
    expiresAtMs: order.expiresAtMs,
    clientOrderId: order.clientOrderId,
    keyId: order.keyId,
    builderAppId: order.builder === null ? null : order.builder.appId,
    createdAtMs: order.createdAtMs,
    rejectReason: order.rejectReason,
    cancelReason: order.cancelReason,
  };
}
