// Written by tools/records/main.ts from tools/records/order.ts; whoever changes an order changes it there.
import {
  sideOf,
  orderTypeOf,
  timeInForceOf,
  postOnlyOf,
  reduceOnlyOf,
  stpModeOf,
  CANCEL_REASON_CODES,
  CANCEL_REASON_WORDS,
  REJECT_REASON_WORDS,
  STATUS_WORDS,
  REJECT_REASON_CODES,
  STATUS_CODES,
  PRICE_GIVEN,
  MAX_COST_GIVEN,
  VALID_UNTIL_MS_GIVEN,
  EXPIRES_AT_MS_GIVEN,
  type CancelReason,
  type OrderStatus,
  type OrderType,
  type OrderView,
  type RejectReason,
  type Side,
  type StpMode,
  type TimeInForce,
  viewTraits,
} from '@sibyl/engine';

/** The columns of an order's row. */
export const ORDER = {
  orderId: 0,
  market: 1,
  outcome: 2,
  key: 3,
  traits: 4,
  status: 5,
  reason: 6,
  price: 7,
  lots: 8,
  filledLots: 9,
  filledCost: 10,
  feesPaid: 11,
  maxCost: 12,
  validUntilMs: 13,
  expiresAtMs: 14,
  createdAtMs: 15,
  updatedAtMs: 16,
} as const;

export const ORDER_SHAPE = { width: 17, amounts: [10, 11, 12] } as const;

/** As it is read back, with names as numbers; it is brought up to date in its place. */
export interface OrderRow {
  account: number;
  orderId: number;
  market: number;
  outcome: number;
  key: number | null;
  side: Side;
  orderType: OrderType;
  timeInForce: TimeInForce;
  postOnly: boolean;
  reduceOnly: boolean;
  stpMode: StpMode;
  /** Codes of words. */
  status: number;
  reason: number;
  price: number | null;
  lots: number;
  filledLots: number;
  filledCost: bigint;
  feesPaid: bigint;
  maxCost: bigint | null;
  validUntilMs: number | null;
  expiresAtMs: number | null;
  createdAtMs: number;
  clientOrderId: string | null;
  updatedAtMs: number;
}

/** As history tells of it. */
export interface PastOrder {
  readonly orderId: number;
  readonly accountId: string;
  readonly marketId: string;
  readonly outcomeId: string;
  readonly side: Side;
  readonly orderType: OrderType;
  /** The limit; null exactly when the order is a market order. */
  readonly price: number | null;
  readonly lots: number;
  readonly filledLots: number;
  /** Sum of the fills' costs, fees apart: divided by the filled size it is the average price. */
  readonly filledCost: bigint;
  readonly feesPaid: bigint;
  readonly status: OrderStatus;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: StpMode;
  /** Most that may be spent, fees included; buys that never rest only. */
  readonly maxCost: bigint | null;
  /** An order sequenced later than this is rejected as late. */
  readonly validUntilMs: number | null;
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  readonly createdAtMs: number;
  /** The reasons are those of an order that ends as it is placed or amended. */
  readonly rejectReason: RejectReason | null;
  readonly cancelReason: CancelReason | null;
  readonly updatedAtMs: number;
}

/** No order ends for two reasons; 0 is none. */
export function reasonCode(reject: RejectReason | null, cancel: CancelReason | null): number {
  if (reject !== null) return REJECT_REASON_CODES[reject];
  return cancel === null ? 0 : CANCEL_REASON_CODES[cancel];
}

/** As loose values, what is no part of the view: an object for every order would be the dearer part. 0 is no key. */
export function fillOrder(
  numbers: Float64Array,
  amounts: BigInt64Array,
  at: number,
  order: OrderView,
  market: number,
  outcome: number,
  key: number,
): void {
  numbers[at + 1] = market;
  numbers[at + 2] = outcome;
  numbers[at + 3] = key;
  numbers[at + 4] = viewTraits(order);
  numbers[at + 5] = STATUS_CODES[order.status];
  numbers[at + 6] = reasonCode(order.rejectReason, order.cancelReason);
  numbers[at + 7] = order.price ?? 0;
  numbers[at + 8] = order.lots;
  numbers[at + 9] = order.filledLots;
  amounts[at + 10] = order.filledCost;
  amounts[at + 11] = order.feesPaid;
  amounts[at + 12] = order.maxCost ?? 0n;
  numbers[at + 13] = order.validUntilMs ?? 0;
  numbers[at + 14] = order.expiresAtMs ?? 0;
  numbers[at + 15] = order.createdAtMs;
  numbers[at + 16] = order.createdAtMs;
}

/** With the names that its numbers stand for. */
export function pastOrder(
  row: OrderRow,
  accountId: string,
  marketId: string,
  outcomeId: string,
  keyId: string | null,
): PastOrder {
  return {
    orderId: row.orderId,
    accountId,
    marketId,
    outcomeId,
    side: row.side,
    orderType: row.orderType,
    price: row.price,
    lots: row.lots,
    filledLots: row.filledLots,
    filledCost: row.filledCost,
    feesPaid: row.feesPaid,
    status: STATUS_WORDS[row.status]!,
    timeInForce: row.timeInForce,
    postOnly: row.postOnly,
    reduceOnly: row.reduceOnly,
    stpMode: row.stpMode,
    maxCost: row.maxCost,
    validUntilMs: row.validUntilMs,
    expiresAtMs: row.expiresAtMs,
    clientOrderId: row.clientOrderId,
    keyId,
    createdAtMs: row.createdAtMs,
    rejectReason: REJECT_REASON_WORDS[row.reason] ?? null,
    cancelReason: CANCEL_REASON_WORDS[row.reason] ?? null,
    updatedAtMs: row.updatedAtMs,
  };
}

/** The cells of a page, whatever holds them. */
interface Cells {
  get(row: number, column: number): number;
  amount(row: number, column: number): bigint;
  text(row: number): string | null;
}

export function readOrder(cells: Cells, row: number, account: number): OrderRow {
  const traits = cells.get(row, 4);
  const key = cells.get(row, 3);
  return {
    account,
    orderId: cells.get(row, 0),
    market: cells.get(row, 1),
    outcome: cells.get(row, 2),
    key: key === 0 ? null : key,
    side: sideOf(traits),
    orderType: orderTypeOf(traits),
    timeInForce: timeInForceOf(traits),
    postOnly: postOnlyOf(traits),
    reduceOnly: reduceOnlyOf(traits),
    stpMode: stpModeOf(traits),
    status: cells.get(row, 5),
    reason: cells.get(row, 6),
    price: (traits & PRICE_GIVEN) === 0 ? null : cells.get(row, 7),
    lots: cells.get(row, 8),
    filledLots: cells.get(row, 9),
    filledCost: cells.amount(row, 10),
    feesPaid: cells.amount(row, 11),
    maxCost: (traits & MAX_COST_GIVEN) === 0 ? null : cells.amount(row, 12),
    validUntilMs: (traits & VALID_UNTIL_MS_GIVEN) === 0 ? null : cells.get(row, 13),
    expiresAtMs: (traits & EXPIRES_AT_MS_GIVEN) === 0 ? null : cells.get(row, 14),
    createdAtMs: cells.get(row, 15),
    clientOrderId: cells.text(row),
    updatedAtMs: cells.get(row, 16),
  };
}
