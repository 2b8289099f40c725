// Written by tools/records/main.ts from tools/records/order.ts; whoever changes an order changes it there.
import {
  type Actor,
  type Command,
  sideOf,
  orderTypeOf,
  timeInForceOf,
  postOnlyOf,
  reduceOnlyOf,
  stpModeOf,
  executionOf,
  acceptPriceOf,
  PRICE_GIVEN,
  MAX_COST_GIVEN,
  VALID_UNTIL_MS_GIVEN,
  EXPIRES_AT_MS_GIVEN,
  CLIENT_ORDER_ID_GIVEN,
  BUILDER_GIVEN,
  CAPS_GIVEN,
  GRANT_GIVEN,
  type OrderView,
  type PlaceOrder,
  placedTraits,
  viewTraits,
} from '@sibyl/engine';
import { add, addAmount, addNumber, addText } from '../digest-sums.ts';
import { JournalCorrupt } from '../../journal/journal.ts';
import type { Names } from '../names.ts';
import { builderOf, builderText, capsOf, capsText, grantOf, grantText, readAmount, writeAmount, writeCount } from '../order-parts.ts';
import type { TextReader } from '../text-reader.ts';
import type { TextSheet } from '../text-sheet.ts';

/** The bits that a placement may have. */
const KNOWN = 64946431;

/** False if the order says something that the text has no room for. */
export function writeOrder(sheet: TextSheet, order: PlaceOrder): boolean {
  const traits = placedTraits(order);
  if (!writeCount(sheet, traits)) return false;
  if (order.price !== null && !writeCount(sheet, order.price)) return false;
  if (!writeCount(sheet, order.lots)) return false;
  if (order.maxCost !== null && !writeAmount(sheet, order.maxCost)) return false;
  if (order.validUntilMs !== null && !writeCount(sheet, order.validUntilMs)) return false;
  if (order.expiresAtMs !== null && !writeCount(sheet, order.expiresAtMs)) return false;
  const builder = order.builder === null ? '' : builderText(order.builder);
  if (builder === null) return false;
  const caps = order.caps === null ? '' : capsText(order.caps);
  if (caps === null) return false;
  const grant = order.grant === null ? '' : grantText(order.grant);
  if (grant === null) return false;
  writeCount(sheet, order.marketId.length);
  writeCount(sheet, order.outcomeId.length);
  if (order.clientOrderId !== null) writeCount(sheet, order.clientOrderId.length);
  if (order.builder !== null) writeCount(sheet, builder.length);
  if (order.caps !== null) writeCount(sheet, caps.length);
  if (order.grant !== null) writeCount(sheet, grant.length);
  return sheet.text(order.marketId) && sheet.text(order.outcomeId) && (order.clientOrderId === null || sheet.text(order.clientOrderId)) && sheet.text(builder) && sheet.text(caps) && sheet.text(grant);
}

export function readOrder(
  reader: TextReader,
  names: Names,
  accountId: PlaceOrder['accountId'],
): PlaceOrder {
  const traits = reader.number();
  if (traits > KNOWN || (traits & KNOWN) !== traits) {
    throw new JournalCorrupt(`an order has the traits ${traits}`);
  }
  const price = (traits & PRICE_GIVEN) === 0 ? null : (reader.number() as NonNullable<PlaceOrder['price']>);
  const lots = (reader.number() as PlaceOrder['lots']);
  const maxCost = (traits & MAX_COST_GIVEN) === 0 ? null : readAmount(reader);
  const validUntilMs = (traits & VALID_UNTIL_MS_GIVEN) === 0 ? null : (reader.number() as NonNullable<PlaceOrder['validUntilMs']>);
  const expiresAtMs = (traits & EXPIRES_AT_MS_GIVEN) === 0 ? null : (reader.number() as NonNullable<PlaceOrder['expiresAtMs']>);
  const marketIdLength = reader.number();
  const outcomeIdLength = reader.number();
  const clientOrderIdLength = (traits & CLIENT_ORDER_ID_GIVEN) === 0 ? 0 : reader.number();
  const builderLength = (traits & BUILDER_GIVEN) === 0 ? 0 : reader.number();
  const capsLength = (traits & CAPS_GIVEN) === 0 ? 0 : reader.number();
  const grantLength = (traits & GRANT_GIVEN) === 0 ? 0 : reader.number();
  const marketId = (names.known(reader.take(marketIdLength)) as PlaceOrder['marketId']);
  const outcomeId = (names.known(reader.take(outcomeIdLength)) as PlaceOrder['outcomeId']);
  const clientOrderId = (traits & CLIENT_ORDER_ID_GIVEN) === 0 ? null : names.copy(reader.take(clientOrderIdLength));
  const builder = (traits & BUILDER_GIVEN) === 0 ? null : builderOf(reader.take(builderLength));
  const caps = (traits & CAPS_GIVEN) === 0 ? null : capsOf(reader.take(capsLength));
  const grant = (traits & GRANT_GIVEN) === 0 ? null : grantOf(reader.take(grantLength));
  return {
    type: 'place_order',
    accountId,
    marketId,
    outcomeId,
    side: sideOf(traits),
    orderType: orderTypeOf(traits),
    price,
    lots,
    timeInForce: timeInForceOf(traits),
    postOnly: postOnlyOf(traits),
    reduceOnly: reduceOnlyOf(traits),
    stpMode: stpModeOf(traits),
    execution: executionOf(traits),
    maxCost,
    validUntilMs,
    expiresAtMs,
    clientOrderId,
    builder,
    caps,
    grant,
    acceptPrice: acceptPriceOf(traits),
  };
}

/** Field by field: a copy of any object costs several times as much. */
export function copyOrder(order: PlaceOrder, actor: Actor, seq: number, atMs: number): Command {
  return {
    seq,
    atMs,
    actor,
    type: 'place_order',
    accountId: order.accountId,
    marketId: order.marketId,
    outcomeId: order.outcomeId,
    side: order.side,
    orderType: order.orderType,
    price: order.price,
    lots: order.lots,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
    reduceOnly: order.reduceOnly,
    stpMode: order.stpMode,
    execution: order.execution,
    maxCost: order.maxCost,
    validUntilMs: order.validUntilMs,
    expiresAtMs: order.expiresAtMs,
    clientOrderId: order.clientOrderId,
    builder: order.builder,
    caps: order.caps,
    grant: order.grant,
    acceptPrice: order.acceptPrice,
  };
}

/** All of an order that an event carries: its traits say which of its fields follow. */
export function addOrder(order: OrderView): void {
  add(viewTraits(order));
  addNumber(order.orderId);
  addText(order.accountId);
  addText(order.marketId);
  addText(order.outcomeId);
  if (order.price !== null) addNumber(order.price);
  addNumber(order.lots);
  addNumber(order.filledLots);
  addAmount(order.filledCost);
  addAmount(order.feesPaid);
  if (order.maxCost !== null) addAmount(order.maxCost);
  if (order.validUntilMs !== null) addNumber(order.validUntilMs);
  if (order.expiresAtMs !== null) addNumber(order.expiresAtMs);
  if (order.clientOrderId !== null) addText(order.clientOrderId);
  if (order.keyId !== null) addText(order.keyId);
  if (order.builderAppId !== null) addText(order.builderAppId);
  addNumber(order.createdAtMs);
}
