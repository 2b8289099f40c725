// Written by tools/records/main.ts from tools/records/order.ts; whoever changes an order changes it there.
import type { Lots, Pips, Usdt } from '@sibyl/money';
import type { BuilderFee, GrantTerms, TierCaps } from '../state/command.ts';
import type { AccountId, MarketId, OrderId, OutcomeId, Side } from '../kit/identity.ts';

export type OrderType = 'limit' | 'market';

export type OrderStatus = 'pending' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected';

export type TimeInForce = 'gtc' | 'gtd' | 'ioc' | 'fok';

export type StpMode = 'cancel_resting' | 'cancel_incoming';

export type Execution = 'hybrid' | 'mid';

export type RejectReason = 'fok_unfilled' | 'post_only_would_take' | 'late' | 'nothing_to_reduce';

export type CancelReason = 'user' | 'expired' | 'ioc_remainder' | 'self_trade_prevented' | 'market_locked' | 'market_cancelled' | 'dead_man' | 'reset' | 'admin' | 'price_band' | 'too_many_steps' | 'disconnect' | 'account_frozen' | 'grant_ended';

export type FillVenue = 'amm' | 'clob' | 'hybrid';

/** Whose caps an order counts against. */
export type CredentialName = Pick<TierCaps, 'tier' | 'keyId'>;

export interface PlaceOrder {
  readonly type: 'place_order';
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly outcomeId: OutcomeId;
  readonly side: Side;
  readonly orderType: OrderType;
  /** The limit; null exactly when the order is a market order. */
  readonly price: Pips | null;
  readonly lots: Lots;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: StpMode;
  /** `mid`: simulated fills at the mid price for self_serve, see SF1. */
  readonly execution: Execution;
  /** Most that may be spent, fees included; buys that never rest only. */
  readonly maxCost: Usdt | null;
  /** An order sequenced later than this is rejected as late. */
  readonly validUntilMs: number | null;
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly builder: BuilderFee | null;
  readonly caps: TierCaps | null;
  /** The grant under which somebody else places it. */
  readonly grant: GrantTerms | null;
  /** Accepts a price far from what the outcome is worth in a market without a pool, see RK6. */
  readonly acceptPrice: boolean;
}

/** An order as of the event that carries it. */
export interface OrderView {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly outcomeId: OutcomeId;
  readonly side: Side;
  readonly orderType: OrderType;
  /** The limit; null exactly when the order is a market order. */
  readonly price: Pips | null;
  readonly lots: Lots;
  readonly filledLots: Lots;
  /** Sum of the fills' costs, fees apart: divided by the filled size it is the average price. */
  readonly filledCost: Usdt;
  readonly feesPaid: Usdt;
  readonly status: OrderStatus;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: StpMode;
  /** Most that may be spent, fees included; buys that never rest only. */
  readonly maxCost: Usdt | null;
  /** An order sequenced later than this is rejected as late. */
  readonly validUntilMs: number | null;
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  readonly builderAppId: string | null;
  readonly createdAtMs: number;
  /** The reasons are those of an order that ends as it is placed or amended. */
  readonly rejectReason: RejectReason | null;
  readonly cancelReason: CancelReason | null;
}

/** An open order in a snapshot. */
export interface OrderRecord {
  readonly is: 'order';
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly outcomeId: OutcomeId;
  readonly side: Side;
  readonly orderType: OrderType;
  /** The limit; null exactly when the order is a market order. */
  readonly price: Pips | null;
  readonly lots: Lots;
  readonly filledLots: Lots;
  /** Sum of the fills' costs, fees apart: divided by the filled size it is the average price. */
  readonly filledCost: Usdt;
  readonly feesPaid: Usdt;
  readonly status: OrderStatus;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: StpMode;
  /** `mid`: simulated fills at the mid price for self_serve, see SF1. */
  readonly execution: Execution;
  /** An order sequenced later than this is rejected as late. */
  readonly validUntilMs: number | null;
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  readonly builder: BuilderFee | null;
  /** The grant under which it was last placed or re-routed. */
  readonly grantId: string | null;
  /** Whose caps it counts against. */
  readonly credential: CredentialName | null;
  readonly createdAtMs: number;
  readonly restingSinceMs: number;
  readonly priority: number;
}

/** How an order behaves. */
export interface OrderKind {
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: StpMode;
  /** `mid`: simulated fills at the mid price for self_serve, see SF1. */
  readonly execution: Execution;
}

export const PRICE_GIVEN = 65536;
export const MAX_COST_GIVEN = 262144;
export const VALID_UNTIL_MS_GIVEN = 524288;
export const EXPIRES_AT_MS_GIVEN = 131072;
export const CLIENT_ORDER_ID_GIVEN = 1048576;
export const KEY_ID_GIVEN = 2097152;
export const BUILDER_GIVEN = 4194304;
export const BUILDER_APP_ID_GIVEN = 4194304;
export const CAPS_GIVEN = 8388608;
export const GRANT_GIVEN = 16777216;

export const STATUS_CODES: Readonly<Record<OrderStatus, number>> = { pending: 0, partially_filled: 1, filled: 2, cancelled: 3, rejected: 4 };
export const STATUS_WORDS: readonly (OrderStatus)[] = ['pending', 'partially_filled', 'filled', 'cancelled', 'rejected'];

export const TIME_IN_FORCE_CODES: Readonly<Record<TimeInForce, number>> = { gtc: 0, gtd: 1, ioc: 2, fok: 3 };
export const TIME_IN_FORCE_WORDS: readonly (TimeInForce)[] = ['gtc', 'gtd', 'ioc', 'fok'];

export const REJECT_REASON_CODES: Readonly<Record<RejectReason, number>> = { fok_unfilled: 1, post_only_would_take: 2, late: 3, nothing_to_reduce: 4 };
export const REJECT_REASON_WORDS: readonly (RejectReason | null)[] = [null, 'fok_unfilled', 'post_only_would_take', 'late', 'nothing_to_reduce'];

export const CANCEL_REASON_CODES: Readonly<Record<CancelReason, number>> = { user: 5, expired: 6, ioc_remainder: 7, self_trade_prevented: 8, market_locked: 9, market_cancelled: 10, dead_man: 11, reset: 12, admin: 13, price_band: 14, too_many_steps: 15, disconnect: 16, account_frozen: 17, grant_ended: 18 };
export const CANCEL_REASON_WORDS: readonly (CancelReason | null)[] = [null, null, null, null, null, 'user', 'expired', 'ioc_remainder', 'self_trade_prevented', 'market_locked', 'market_cancelled', 'dead_man', 'reset', 'admin', 'price_band', 'too_many_steps', 'disconnect', 'account_frozen', 'grant_ended'];

export const FILL_VENUE_CODES: Readonly<Record<FillVenue, number>> = { amm: 1, clob: 2, hybrid: 3 };
export const FILL_VENUE_WORDS: readonly (FillVenue | null)[] = [null, 'amm', 'clob', 'hybrid'];

/** The kind's bits, in the place that they have in the traits; negative for one that has no bits. */
export function kindTraits(order: OrderKind): number {
  const orderType = order.orderType === 'limit' ? 0 : order.orderType === 'market' ? 1 : -1;
  const timeInForce = order.timeInForce === 'gtc' ? 0 : order.timeInForce === 'gtd' ? 1 : order.timeInForce === 'ioc' ? 2 : order.timeInForce === 'fok' ? 3 : -1;
  const postOnly = order.postOnly === true ? 1 : order.postOnly === false ? 0 : -1;
  const reduceOnly = order.reduceOnly === true ? 1 : order.reduceOnly === false ? 0 : -1;
  const stpMode = order.stpMode === 'cancel_resting' ? 0 : order.stpMode === 'cancel_incoming' ? 1 : -1;
  const execution = order.execution === 'hybrid' ? 0 : order.execution === 'mid' ? 1 : -1;
  if ((orderType | timeInForce | postOnly | reduceOnly | stpMode | execution) < 0) return -1;
  return (
    (orderType << 1) |
    (timeInForce << 2) |
    (postOnly << 4) |
    (reduceOnly << 5) |
    (stpMode << 6) |
    (execution << 7)
  );
}

/** Side and kind, and which optional fields are given; negative for a word that has no code. */
export function placedTraits(order: PlaceOrder): number {
  const side = order.side === 'buy' ? 0 : order.side === 'sell' ? 1 : -1;
  const orderType = order.orderType === 'limit' ? 0 : order.orderType === 'market' ? 1 : -1;
  const timeInForce = order.timeInForce === 'gtc' ? 0 : order.timeInForce === 'gtd' ? 1 : order.timeInForce === 'ioc' ? 2 : order.timeInForce === 'fok' ? 3 : -1;
  const postOnly = order.postOnly === true ? 1 : order.postOnly === false ? 0 : -1;
  const reduceOnly = order.reduceOnly === true ? 1 : order.reduceOnly === false ? 0 : -1;
  const stpMode = order.stpMode === 'cancel_resting' ? 0 : order.stpMode === 'cancel_incoming' ? 1 : -1;
  const execution = order.execution === 'hybrid' ? 0 : order.execution === 'mid' ? 1 : -1;
  const acceptPrice = order.acceptPrice === true ? 1 : order.acceptPrice === false ? 0 : -1;
  if ((side | orderType | timeInForce | postOnly | reduceOnly | stpMode | execution | acceptPrice) < 0) return -1;
  return (
    side |
    (orderType << 1) |
    (order.price === null ? 0 : PRICE_GIVEN) |
    (timeInForce << 2) |
    (postOnly << 4) |
    (reduceOnly << 5) |
    (stpMode << 6) |
    (execution << 7) |
    (order.maxCost === null ? 0 : MAX_COST_GIVEN) |
    (order.validUntilMs === null ? 0 : VALID_UNTIL_MS_GIVEN) |
    (order.expiresAtMs === null ? 0 : EXPIRES_AT_MS_GIVEN) |
    (order.clientOrderId === null ? 0 : CLIENT_ORDER_ID_GIVEN) |
    (order.builder === null ? 0 : BUILDER_GIVEN) |
    (order.caps === null ? 0 : CAPS_GIVEN) |
    (order.grant === null ? 0 : GRANT_GIVEN) |
    (acceptPrice << 25)
  );
}

export function viewTraits(order: OrderView): number {
  const side = order.side === 'buy' ? 0 : order.side === 'sell' ? 1 : -1;
  const orderType = order.orderType === 'limit' ? 0 : order.orderType === 'market' ? 1 : -1;
  const status = STATUS_CODES[order.status] ?? -1;
  const timeInForce = order.timeInForce === 'gtc' ? 0 : order.timeInForce === 'gtd' ? 1 : order.timeInForce === 'ioc' ? 2 : order.timeInForce === 'fok' ? 3 : -1;
  const postOnly = order.postOnly === true ? 1 : order.postOnly === false ? 0 : -1;
  const reduceOnly = order.reduceOnly === true ? 1 : order.reduceOnly === false ? 0 : -1;
  const stpMode = order.stpMode === 'cancel_resting' ? 0 : order.stpMode === 'cancel_incoming' ? 1 : -1;
  const rejectReason = order.rejectReason === null ? 0 : (order.rejectReason === 'fok_unfilled' ? 1 : order.rejectReason === 'post_only_would_take' ? 2 : order.rejectReason === 'late' ? 3 : order.rejectReason === 'nothing_to_reduce' ? 4 : -1);
  const cancelReason = order.cancelReason === null ? 0 : (CANCEL_REASON_CODES[order.cancelReason] ?? -1);
  if ((side | orderType | status | timeInForce | postOnly | reduceOnly | stpMode | rejectReason | cancelReason) < 0) return -1;
  return (
    side |
    (orderType << 1) |
    (order.price === null ? 0 : PRICE_GIVEN) |
    (status << 8) |
    (timeInForce << 2) |
    (postOnly << 4) |
    (reduceOnly << 5) |
    (stpMode << 6) |
    (order.maxCost === null ? 0 : MAX_COST_GIVEN) |
    (order.validUntilMs === null ? 0 : VALID_UNTIL_MS_GIVEN) |
    (order.expiresAtMs === null ? 0 : EXPIRES_AT_MS_GIVEN) |
    (order.clientOrderId === null ? 0 : CLIENT_ORDER_ID_GIVEN) |
    (order.keyId === null ? 0 : KEY_ID_GIVEN) |
    (order.builderAppId === null ? 0 : BUILDER_APP_ID_GIVEN) |
    (rejectReason << 11) |
    (cancelReason << 11)
  );
}

export function kindOf(traits: number): OrderKind {
  return {
    orderType: (traits & 2) === 0 ? 'limit' : 'market',
    timeInForce: TIME_IN_FORCE_WORDS[(traits >> 2) & 3]!,
    postOnly: (traits & 16) !== 0,
    reduceOnly: (traits & 32) !== 0,
    stpMode: (traits & 64) === 0 ? 'cancel_resting' : 'cancel_incoming',
    execution: (traits & 128) === 0 ? 'hybrid' : 'mid',
  };
}

export function sideOf(traits: number): Side {
  return (traits & 1) === 0 ? 'buy' : 'sell';
}

export function orderTypeOf(traits: number): OrderType {
  return (traits & 2) === 0 ? 'limit' : 'market';
}

export function statusOf(traits: number): OrderStatus {
  return STATUS_WORDS[(traits >> 8) & 7]!;
}

export function timeInForceOf(traits: number): TimeInForce {
  return TIME_IN_FORCE_WORDS[(traits >> 2) & 3]!;
}

export function postOnlyOf(traits: number): boolean {
  return (traits & 16) !== 0;
}

export function reduceOnlyOf(traits: number): boolean {
  return (traits & 32) !== 0;
}

export function stpModeOf(traits: number): StpMode {
  return (traits & 64) === 0 ? 'cancel_resting' : 'cancel_incoming';
}

export function rejectReasonOf(traits: number): RejectReason | null {
  return REJECT_REASON_WORDS[(traits >> 11) & 31] ?? null;
}

export function cancelReasonOf(traits: number): CancelReason | null {
  return CANCEL_REASON_WORDS[(traits >> 11) & 31] ?? null;
}

export function executionOf(traits: number): Execution {
  return (traits & 128) === 0 ? 'hybrid' : 'mid';
}

export function acceptPriceOf(traits: number): boolean {
  return (traits & 33554432) !== 0;
}
