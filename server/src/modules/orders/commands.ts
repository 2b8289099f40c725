// Requests of the Orders group as commands of the engine: strings become pips, lots and money.
import type { OperationInput, OrderInput } from '@sibyl/contract';
import {
  type AccountId,
  type AmendOrder,
  asMarketId,
  type CancelOrder,
  type OrderId,
  type OrderPreview,
  type OrderView,
  type PlaceOrder,
  type SellMinted,
} from '@sibyl/engine';
import { ApiError, fail, type RequestContext } from '../../handling/handler.ts';
import { readMoney, readPrice, readSize } from '../../wire/amounts.ts';
import type { Attributed } from './attribution.ts';

export function placeCommand(
  request: RequestContext,
  accountId: AccountId,
  input: OrderInput,
  builder: Attributed = request.builder,
): PlaceOrder | ApiError {
  if (builder instanceof ApiError) return builder;
  const { order_type: orderType, max_cost: maxCostText } = input;
  const price = orderPrice(input);
  if (price instanceof ApiError) return price;
  const lots = readSize(input.size);
  if (lots instanceof ApiError) return lots;
  const maxCost = maxCostText === undefined ? null : readMoney(maxCostText, 'max_cost');
  if (maxCost instanceof ApiError) return maxCost;
  return {
    type: 'place_order',
    accountId,
    marketId: asMarketId(input.market_id),
    outcomeId: input.outcome_id,
    side: input.side,
    orderType,
    price,
    lots,
    timeInForce: input.time_in_force ?? (orderType === 'limit' ? 'gtc' : 'ioc'),
    expiresAtMs: input.expires_at_ms ?? null,
    postOnly: input.post_only ?? false,
    reduceOnly: input.reduce_only ?? false,
    stpMode: input.stp_mode ?? 'cancel_resting',
    maxCost,
    validUntilMs: input.valid_until_ms ?? null,
    clientOrderId: input.client_order_id ?? null,
    builder,
    caps: request.caps,
    grant: request.grant,
    execution: request.execution,
    acceptPrice: input.accept_price ?? false,
  };
}

/** With `mint` a sell out of complete sets that are minted for it: whole, unless the caller says otherwise and is refused. */
export function orderCommand(
  request: RequestContext,
  accountId: AccountId,
  input: OrderInput,
  builder?: Attributed,
): PlaceOrder | SellMinted | ApiError {
  const order = placeCommand(request, accountId, input, builder);
  if (order instanceof ApiError || input.mint !== true) return order;
  const timeInForce = input.time_in_force ?? 'fok';
  return { type: 'sell_minted', accountId, order: { ...order, timeInForce } };
}

export function amendCommand(
  request: RequestContext,
  accountId: AccountId,
  orderId: OrderId,
  input: { readonly price?: string; readonly size?: string; readonly accept_price?: boolean },
): AmendOrder | ApiError {
  const price = input.price === undefined ? null : readPrice(input.price);
  if (price instanceof ApiError) return price;
  const lots = input.size === undefined ? null : readSize(input.size);
  if (lots instanceof ApiError) return lots;
  const { caps, grant } = request;
  const acceptPrice = input.accept_price ?? false;
  return { type: 'amend_order', accountId, orderId, price, lots, acceptPrice, caps, grant };
}

export function cancelCommand(
  { grant }: Pick<RequestContext, 'grant'>,
  accountId: AccountId,
  orderId: OrderId,
): CancelOrder {
  return { type: 'cancel_order', accountId, orderId, ...underGrant({ grant }) };
}

/** An app or partner takes back what it placed itself, never the orders of its user or of other apps. */
export function underGrant({ grant }: Pick<RequestContext, 'grant'>) {
  return grant === null ? {} : { grantId: grant.grantId };
}

export function cancelAllFilter(query: OperationInput<'cancelAllOrders'>['query']) {
  return {
    marketId: query.market_id === undefined ? null : asMarketId(query.market_id),
    outcomeId: query.outcome_id ?? null,
    side: query.side ?? null,
  };
}

/** An order as a dry run leaves it: nothing of it exists. */
export function previewedOrder(
  command: PlaceOrder,
  preview: OrderPreview,
  keyId: string | null,
  nowMs: number,
): OrderView {
  const { lots, filledLots, rejectReason, cancelReason, cost, fees } = preview;
  return {
    orderId: 0 as OrderId,
    accountId: command.accountId,
    marketId: command.marketId,
    outcomeId: command.outcomeId,
    side: command.side,
    orderType: command.orderType,
    price: command.price,
    lots,
    filledLots,
    filledCost: cost,
    feesPaid: fees,
    status: statusOf(preview),
    timeInForce: command.timeInForce,
    postOnly: command.postOnly,
    reduceOnly: command.reduceOnly,
    stpMode: command.stpMode,
    maxCost: command.maxCost,
    validUntilMs: command.validUntilMs,
    expiresAtMs: command.expiresAtMs,
    clientOrderId: command.clientOrderId,
    keyId,
    builderAppId: command.builder?.appId ?? null,
    createdAtMs: nowMs,
    rejectReason,
    cancelReason,
  };
}

function statusOf(preview: OrderPreview): OrderView['status'] {
  if (preview.rejectReason !== null) return 'rejected';
  if (preview.cancelReason !== null) return 'cancelled';
  if (preview.filledLots === preview.lots) return 'filled';
  return preview.filledLots === 0 ? 'pending' : 'partially_filled';
}

function orderPrice(input: OrderInput): PlaceOrder['price'] | ApiError {
  if (input.order_type === 'limit') {
    // The contract asks for it; a batch item that slipped through is told the same.
    return input.price === undefined
      ? fail('MISSING_FIELD', { field: 'price' })
      : readPrice(input.price);
  }
  if (input.price === undefined) return null;
  return fail('VALIDATION_FAILED', { field: 'price', expected: 'none for a market order' });
}
