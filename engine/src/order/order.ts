// An order while the engine knows it: being placed, open in a book, or just closed.
import { type Lots, type Pips, usdt } from '@sibyl/money';
import type { Account } from '../account/account.ts';
import type { Level } from '../book/level.ts';
import type { BuilderFee } from '../command.ts';
import type { CancelReason, OrderStatus, OrderView, RejectReason } from '../event.ts';
import type { OrderId, Side } from '../identity.ts';
import type { Market } from '../market/market.ts';
import { micro } from '../micro.ts';
import type { Holding } from '../position/holding.ts';
import type { State } from '../state.ts';
import type { OrderKind } from './order-kind.ts';
import type { Entry } from './order-table.ts';

/** What is known of an order when it is made; only the rest changes, but for an amended price and size. */
export interface OrderTerms {
  readonly id: OrderId;
  readonly holding: Holding;
  /** Index of the outcome it was entered with. */
  readonly outcome: number;
  readonly side: Side;
  readonly kind: OrderKind;
  /** The limit in the entered outcome's coordinate; 0 for a market order. */
  readonly price: Pips;
  readonly lots: Lots;
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  readonly builder: BuilderFee | null;
  readonly createdAtMs: number;
}

/** What matching reads comes first, so that it shares few cache lines; nothing is kept that its holding knows. */
export class Order implements OrderTerms {
  readonly id: OrderId;
  readonly holding: Holding;
  /** The neighbours in the queue of the level where it rests. */
  next: Order | null = null;
  level: Level | null = null;
  readonly outcome: number;
  readonly side: Side;
  price: Pips;
  lots: Lots;
  filledLots = 0 as Lots;
  /** In µUSDT: all that one order can cost is a safe integer. */
  filledCost = 0;
  status: OrderStatus = 'pending';
  previous: Order | null = null;
  /** Among its account's open orders. */
  placeInAccount = 0;
  /** Where the lane's table holds it; null while it is not open. */
  slots: Entry[] | null = null;
  readonly kind: OrderKind;
  feesPaid = 0;
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  readonly builder: BuilderFee | null;
  readonly createdAtMs: number;
  /** Since when it has rested at its price: quality counts orders older than five seconds. */
  restingSinceMs: number;
  /** Queue position among equals: the sequence in which orders came to rest. */
  priority = 0;

  constructor(terms: OrderTerms) {
    this.id = terms.id;
    this.holding = terms.holding;
    this.outcome = terms.outcome;
    this.side = terms.side;
    this.price = terms.price;
    this.lots = terms.lots;
    this.kind = terms.kind;
    this.expiresAtMs = terms.expiresAtMs;
    this.clientOrderId = terms.clientOrderId;
    this.keyId = terms.keyId;
    this.builder = terms.builder;
    this.createdAtMs = terms.createdAtMs;
    this.restingSinceMs = terms.createdAtMs;
  }

  get account(): Account {
    return this.holding.account;
  }

  get market(): Market {
    return this.holding.market;
  }
}

/** Enters an order among the open ones of the lane, its account and its market. */
export function registerOpen(state: State, order: Order): void {
  state.orders.open(order);
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

/** What a resting order holds back: its limit for a buy, its shares for a sell; both are safe integers. */
export function reserveOf(order: Order): number {
  const left = order.lots - order.filledLots;
  return left * (order.side === 'buy' ? order.price : LOT);
}

/** Micro-shares of a lot. */
const LOT = 10_000;

/** The reasons are those of an order that ends as it is placed or amended. */
export function viewOrder(
  order: Order,
  rejectReason: RejectReason | null = null,
  cancelReason: CancelReason | null = null,
): OrderView {
  const { kind } = order;
  return {
    orderId: order.id,
    accountId: order.account.id,
    marketId: order.market.id,
    outcomeId: order.market.outcomes[order.outcome]!.id,
    side: order.side,
    orderType: kind.orderType,
    price: kind.orderType === 'limit' ? order.price : null,
    lots: order.lots,
    filledLots: order.filledLots,
    filledCost: usdt(micro(order.filledCost)),
    feesPaid: usdt(micro(order.feesPaid)),
    status: order.status,
    timeInForce: kind.timeInForce,
    postOnly: kind.postOnly,
    reduceOnly: kind.reduceOnly,
    stpMode: kind.stpMode,
    expiresAtMs: order.expiresAtMs,
    clientOrderId: order.clientOrderId,
    keyId: order.keyId,
    builderAppId: order.builder === null ? null : order.builder.appId,
    createdAtMs: order.createdAtMs,
    rejectReason,
    cancelReason,
  };
}
