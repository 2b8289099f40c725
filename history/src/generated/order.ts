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
  app: 4,
  traits: 5,
  status: 6,
  reason: 7,
  price: 8,
  lots: 9,
  filledLots: 10,
  filledCost: 11,
  feesPaid: 12,
  maxCost: 13,
  validUntilMs: 14,
  expiresAtMs: 15,
  createdAtMs: 16,
  updatedAtMs: 17,
} as const;

export const ORDER_SHAPE = { width: 18, amounts: [11, 12, 13] } as const;

/** As it is read back, with names as numbers; it is brought up to date in its place. */
export interface OrderRow {
  account: number;
  orderId: number;
  market: number;
  outcome: number;
  key: number | null;
  app: number | null;
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
  readonly builderAppId: string | null;
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

/** As loose values, what is no part of the view: an object for every order would be the dearer part. 0 is no key, and no app. */
export function fillOrder(
  numbers: Float64Array,
  amounts: BigInt64Array,
  at: number,
  order: OrderView,
  market: number,
  outcome: number,
  key: number,
  app: number,
): void {
  numbers[at + 1] = market;
  numbers[at + 2] = outcome;
  numbers[at + 3] = key;
  numbers[at + 4] = app;
  numbers[at + 5] = viewTraits(order);
  numbers[at + 6] = STATUS_CODES[order.status];
  numbers[at + 7] = reasonCode(order.rejectReason, order.cancelReason);
  numbers[at + 8] = order.price ?? 0;
  numbers[at + 9] = order.lots;
  numbers[at + 10] = order.filledLots;
  amounts[at + 11] = order.filledCost;
  amounts[at + 12] = order.feesPaid;
  amounts[at + 13] = order.maxCost ?? 0n;
  numbers[at + 14] = order.validUntilMs ?? 0;
  numbers[at + 15] = order.expiresAtMs ?? 0;
  numbers[at + 16] = order.createdAtMs;
  numbers[at + 17] = order.createdAtMs;
}

/** With the names that its numbers stand for. */
export function pastOrder(
  row: OrderRow,
  accountId: string,
  marketId: string,
  outcomeId: string,
  keyId: string | null,
  builderAppId: string | null,
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
    builderAppId,
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
  const traits = cells.get(row, 5);
  const key = cells.get(row, 3);
  const app = cells.get(row, 4);
  return {
    account,
    orderId: cells.get(row, 0),
    market: cells.get(row, 1),
    outcome: cells.get(row, 2),
    key: key === 0 ? null : key,
    app: app === 0 ? null : app,
    side: sideOf(traits),
    orderType: orderTypeOf(traits),
    timeInForce: timeInForceOf(traits),
    postOnly: postOnlyOf(traits),
    reduceOnly: reduceOnlyOf(traits),
    stpMode: stpModeOf(traits),
    status: cells.get(row, 6),
    reason: cells.get(row, 7),
    price: (traits & PRICE_GIVEN) === 0 ? null : cells.get(row, 8),
    lots: cells.get(row, 9),
    filledLots: cells.get(row, 10),
    filledCost: cells.amount(row, 11),
    feesPaid: cells.amount(row, 12),
    maxCost: (traits & MAX_COST_GIVEN) === 0 ? null : cells.amount(row, 13),
    validUntilMs: (traits & VALID_UNTIL_MS_GIVEN) === 0 ? null : cells.get(row, 14),
    expiresAtMs: (traits & EXPIRES_AT_MS_GIVEN) === 0 ? null : cells.get(row, 15),
    createdAtMs: cells.get(row, 16),
    clientOrderId: cells.text(row),
    updatedAtMs: cells.get(row, 17),
  };
}
