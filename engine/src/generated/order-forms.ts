// Written by tools/records/main.ts from tools/records/order.ts; whoever changes an order changes it there.
import { type Lots, type Pips, type Usdt, usdt } from '@sibyl/money';
import type { AccountId, MarketId, OrderId, OutcomeId } from '../kit/identity.ts';
import { micro } from '../kit/micro.ts';
import { createdAtMs, credentialName, filledCostOf, grantIdOf, type Order, restingSinceMs } from '../state/order.ts';
import {
  EXPIRES_AT_MS_GIVEN,
  MAX_COST_GIVEN,
  PRICE_GIVEN,
  VALID_UNTIL_MS_GIVEN,
  cancelReasonOf,
  orderTypeOf,
  postOnlyOf,
  reduceOnlyOf,
  rejectReasonOf,
  sideOf,
  statusOf,
  stpModeOf,
  timeInForceOf,
  type CancelReason,
  type OrderRecord,
  type OrderView,
  type RejectReason,
  viewTraits,
} from './order.ts';

/** What its end and its placement said is known only to those who ask for the view then. */
export function viewOrder(
  order: Order,
  rejectReason: RejectReason | null = null,
  cancelReason: CancelReason | null = null,
  maxCost: Usdt | null = null,
): OrderView {
  return {
    orderId: order.id,
    accountId: order.holding.account.id,
    marketId: order.holding.market.id,
    outcomeId: order.holding.market.template.outcomeIds[order.outcome]!,
    side: order.side,
    orderType: order.kind.orderType,
    price: order.kind.orderType === 'limit' ? order.price : null,
    lots: order.lots,
    filledLots: order.filledLots,
    filledCost: usdt(micro(filledCostOf(order))),
    feesPaid: usdt(micro(order.feesPaid)),
    status: order.status,
    timeInForce: order.kind.timeInForce,
    postOnly: order.kind.postOnly,
    reduceOnly: order.kind.reduceOnly,
    stpMode: order.kind.stpMode,
    maxCost,
    validUntilMs: order.validUntilMs,
    expiresAtMs: order.expiresAtMs,
    clientOrderId: order.clientOrderId,
    keyId: order.keyId,
    builderAppId: order.builder === null ? null : order.builder.appId,
    createdAtMs: createdAtMs(order),
    rejectReason,
    cancelReason,
  };
}

export function orderRecord(order: Order): OrderRecord {
  return {
    is: 'order',
    orderId: order.id,
    accountId: order.holding.account.id,
    marketId: order.holding.market.id,
    outcomeId: order.holding.market.template.outcomeIds[order.outcome]!,
    side: order.side,
    orderType: order.kind.orderType,
    price: order.kind.orderType === 'limit' ? order.price : null,
    lots: order.lots,
    filledLots: order.filledLots,
    filledCost: usdt(micro(filledCostOf(order))),
    feesPaid: usdt(micro(order.feesPaid)),
    status: order.status,
    timeInForce: order.kind.timeInForce,
    postOnly: order.kind.postOnly,
    reduceOnly: order.kind.reduceOnly,
    stpMode: order.kind.stpMode,
    execution: order.kind.execution,
    validUntilMs: order.validUntilMs,
    expiresAtMs: order.expiresAtMs,
    clientOrderId: order.clientOrderId,
    keyId: order.keyId,
    builder: order.builder,
    grantId: grantIdOf(order),
    credential: credentialName(order),
    createdAtMs: createdAtMs(order),
    restingSinceMs: restingSinceMs(order),
    priority: order.priority,
  };
}

/** Numbers of a packed order: its traits, its id, and the rest. */
export const PACKED_NUMBERS = 11;

/** False if an amount is more than a number holds. */
export function packOrder(order: OrderView, numbers: Float64Array, at: number): boolean {
  numbers[at] = viewTraits(order);
  numbers[at + 1] = order.orderId;
  numbers[at + 2] = order.price ?? 0;
  numbers[at + 3] = order.lots;
  numbers[at + 4] = order.filledLots;
  numbers[at + 5] = Number(order.filledCost);
  numbers[at + 6] = Number(order.feesPaid);
  numbers[at + 7] = Number(order.maxCost ?? 0n);
  numbers[at + 8] = order.validUntilMs ?? 0;
  numbers[at + 9] = order.expiresAtMs ?? 0;
  numbers[at + 10] = order.createdAtMs;
  return Number.isSafeInteger(numbers[at + 5]!) && Number.isSafeInteger(numbers[at + 6]!) && Number.isSafeInteger(numbers[at + 7]!);
}

export function unpackOrder(
  numbers: Float64Array,
  at: number,
  accountId: AccountId,
  marketId: MarketId,
  outcomeId: OutcomeId,
  clientOrderId: string | null,
  keyId: string | null,
  builderAppId: string | null,
): OrderView {
  const traits = numbers[at]!;
  return {
    orderId: numbers[at + 1]! as OrderId,
    accountId,
    marketId,
    outcomeId,
    side: sideOf(traits),
    orderType: orderTypeOf(traits),
    price: (traits & PRICE_GIVEN) === 0 ? null : (numbers[at + 2]! as Pips),
    lots: numbers[at + 3]! as Lots,
    filledLots: numbers[at + 4]! as Lots,
    filledCost: usdt(micro(numbers[at + 5]!)),
    feesPaid: usdt(micro(numbers[at + 6]!)),
    status: statusOf(traits),
    timeInForce: timeInForceOf(traits),
    postOnly: postOnlyOf(traits),
    reduceOnly: reduceOnlyOf(traits),
    stpMode: stpModeOf(traits),
    maxCost: (traits & MAX_COST_GIVEN) === 0 ? null : (usdt(micro(numbers[at + 7]!))),
    validUntilMs: (traits & VALID_UNTIL_MS_GIVEN) === 0 ? null : (numbers[at + 8]! as number),
    expiresAtMs: (traits & EXPIRES_AT_MS_GIVEN) === 0 ? null : (numbers[at + 9]! as number),
    clientOrderId,
    keyId,
    builderAppId,
    createdAtMs: numbers[at + 10]! as number,
    rejectReason: rejectReasonOf(traits),
    cancelReason: cancelReasonOf(traits),
  };
}
