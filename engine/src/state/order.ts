// An order while the engine knows it: being placed, open in a book, or just closed.
import type { Lots, Pips } from '@sibyl/money';
import type { CredentialName, OrderKind } from '../generated/order.ts';
import type { OrderId, Side } from '../kit/identity.ts';
import { micro } from '../kit/micro.ts';
import { type Credential, countRest, type OwnRest } from './cap-use.ts';
import type { BuilderFee } from './command.ts';
import type { OrderStatus } from './event.ts';
import type { Holding } from './holding.ts';
import type { Level } from './level.ts';
import type { Entry } from './orders/order-registry.ts';
import type { State } from './state.ts';

/** What is known of an order when it is made; only the rest changes, but for an amended price and size. */
export interface NewOrder {
  readonly id: OrderId;
  readonly holding: Holding;
  /** Index of the outcome it was entered with. */
  readonly outcome: number;
  readonly side: Side;
  readonly kind: OrderKind;
  /** The limit in the entered outcome's coordinate; 0 for a market order. */
  readonly price: Pips;
  readonly lots: Lots;
  readonly validUntilMs: number | null;
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  /** Whose caps it counts against, and the grant it is placed under; null without either. */
  readonly credential: Credential | null;
  readonly builder: BuilderFee | null;
  readonly createdAtMs: number;
}

/**
 * What matching reads comes first, so that it shares few cache lines; nothing is kept that its holding knows, such as its
 * account and its market.
 */
export interface Order extends Omit<NewOrder, 'createdAtMs' | 'credential'> {
  /** The neighbours in the queue of the level where it rests. */
  next: Order | null;
  previous: Order | null;
  level: Level | null;
  price: Pips;
  lots: Lots;
  filledLots: Lots;
  status: OrderStatus;
  /** Where the lane's table holds it; null while it is not open. */
  slots: Entry[] | null;
  /** What it took before it came to rest, or had filled by the time it was amended; all it fills later is at its own price. */
  takenLots: Lots;
  /** In µUSDT: all that one order can cost is a safe integer. */
  takenCost: number;
  feesPaid: number;
  /**
   * When it was made, in minutes and the rest of the time, and how much later it came to rest at its price. Small integers, because
   * a time is too large for one: each would be an object beside the order, and the collector's work goes by their number.
   */
  readonly createdMinute: number;
  readonly createdMs: number;
  restedAfterMs: number;
  /** Of the command that last placed or re-routed it. */
  credential: Credential | null;
  /** Queue position among equals: the sequence in which orders came to rest. */
  priority: number;
}

/**
 * The one place where orders are made, so that all have one shape. As a literal and not by a constructor: of those the
 * collector learns that most live long, and puts them where they will stay.
 */
export function createOrder(terms: NewOrder): Order {
  const createdMinute = minuteOf(terms.createdAtMs);
  const createdMs = msOf(terms.createdAtMs, createdMinute);
  return {
    id: terms.id,
    holding: terms.holding,
    next: null,
    level: null,
    outcome: terms.outcome,
    side: terms.side,
    price: terms.price,
    lots: terms.lots,
    filledLots: 0 as Lots,
    status: 'pending',
    previous: null,
    slots: null,
    expiresAtMs: terms.expiresAtMs,
    credential: terms.credential,
    kind: terms.kind,
    takenLots: 0 as Lots,
    takenCost: 0,
    feesPaid: 0,
    validUntilMs: terms.validUntilMs,
    clientOrderId: terms.clientOrderId,
    keyId: terms.keyId,
    builder: terms.builder,
    createdMinute,
    createdMs,
    restedAfterMs: 0,
    priority: 0,
  };
}

/** Enters an order among the open ones of the lane, its account and its market. */
export function registerOpen(state: State, order: Order): void {
  state.orders.open(order);
  const { account, market } = order.holding;
  state.orderLists.add(account, order.id);
  account.openOrders += 1;
  order.holding.openOrders += 1;
  market.openOrders += 1;
}

export function remainingLots(order: Order): Lots {
  return (order.lots - order.filledLots) as Lots;
}

export function isOpen(order: Order): boolean {
  return order.status === 'pending' || order.status === 'partially_filled';
}

/** Whose caps it counts against, by name. */
export function credentialName({ credential }: Order): CredentialName | null {
  if (credential === null || credential.capped === null) return null;
  const { tier, keyId } = credential.capped;
  return { tier, keyId };
}

/** The grant that it belongs to, if any. */
export function grantIdOf({ credential }: Order): string | null {
  return credential?.grant?.grantId ?? null;
}

export function createdAtMs(order: Order): number {
  return order.createdMinute * MINUTE_MS + order.createdMs;
}

/** Since when it has rested at its price: quality counts orders older than five seconds. */
export function restingSinceMs(order: Order): number {
  return createdAtMs(order) + order.restedAfterMs;
}

export function restsSince(order: Order, atMs: number): void {
  const afterMs = atMs - createdAtMs(order);
  // Said to be a 32-bit integer where it is one, see msOf.
  order.restedAfterMs = afterMs < WORD ? afterMs | 0 : afterMs;
}

/** In µUSDT. Not kept: it is too large for a small integer, so every fill would touch an object beside the order. */
export function filledCostOf({ takenLots, takenCost, filledLots, price }: Order): number {
  return takenCost + (filledLots - takenLots) * price;
}

/** Adds what an order takes to all that it filled before, which was at the price it has so far. */
export function take(order: Order, lots: Lots, cost: number, fees: number): void {
  order.takenCost = filledCostOf(order) + cost;
  order.feesPaid += fees;
  order.filledLots = (order.filledLots + lots) as Lots;
  order.takenLots = order.filledLots;
}

function minuteOf(atMs: number): number {
  return (atMs / MINUTE_MS) | 0; // exact: quotients of times lie at least 10⁻⁵ below the next integer, or on it
}

/** Said to be a 32-bit integer: V8 keeps the difference of two large numbers as a large one. */
function msOf(atMs: number, minute: number): number {
  return (atMs - minute * MINUTE_MS) | 0;
}

/** What a resting order holds back: its limit for a buy, its shares for a sell; both are safe integers. */
export function reserveOf(order: Order): number {
  const left = order.lots - order.filledLots;
  return left * (order.side === 'buy' ? order.price : LOT);
}

/** So many more lots of the order rest, or fewer: counted before its price or its credential changes. */
export function noteResting(order: Order, lots: number): void {
  if (order.side === 'buy') order.holding.restingLots += lots;
  if (order.credential !== null) countRest(order.credential, lots * order.price);
}

/** Limit × what rests, of a buy and of a sell alike: what caps count; null for an order that is new. */
export function ownRest(order: Order | null): OwnRest | null {
  if (order === null) return null;
  const { credential, lots, filledLots, price } = order;
  return { credential, rest: micro((lots - filledLots) * price) };
}

const MINUTE_MS = 60_000;
/** Below it a number is a 32-bit integer. */
const WORD = 2_147_483_648;
/** Micro-shares of a lot. */
const LOT = 10_000;
