// Written by tools/records/main.ts from tools/records/order.ts; whoever changes an order changes it there.
import type { Order as WireOrder } from '@sibyl/contract';
import { pieceOf, type TextSheet } from '@sibyl/lane';
import { amountText, lotsText, pipsText, priceText, spellAmount } from '../amounts.ts';
import { orderIdText } from '../ids.ts';
import { averagePrice, type OrderFacts, reservedMicro, spellMoments } from '../order-facts.ts';
import { CANCEL_REASONS, REJECT_REASONS } from '../order-words.ts';
import { isoTime } from '../times.ts';

export function wireOrder(order: OrderFacts, updatedAtMs: number): WireOrder {
  return {
    order_id: orderIdText(order.orderId),
    market_id: order.marketId,
    outcome_id: order.outcomeId,
    side: order.side,
    order_type: order.orderType,
    price: order.price === null ? null : pipsText(order.price),
    size: lotsText(order.lots),
    status: order.status,
    filled_size: lotsText(order.filledLots),
    remaining_size: lotsText((order.lots - order.filledLots)),
    avg_fill_price: order.filledLots === 0 ? null : priceText(averagePrice(order)),
    fee_paid: amountText(order.feesPaid),
    reserved: priceText(reservedMicro(order)),
    client_order_id: order.clientOrderId,
    time_in_force: order.timeInForce,
    post_only: order.postOnly,
    reduce_only: order.reduceOnly,
    stp_mode: order.stpMode,
    max_cost: order.maxCost === null ? null : amountText(order.maxCost),
    valid_until_ms: order.validUntilMs,
    reject_reason: order.rejectReason === null ? null : REJECT_REASONS[order.rejectReason],
    cancel_reason: order.cancelReason === null ? null : CANCEL_REASONS[order.cancelReason],
    expires_at: order.expiresAtMs === null ? null : isoTime(order.expiresAtMs),
    expires_at_ms: order.expiresAtMs,
    created_at: isoTime(order.createdAtMs),
    created_at_ms: order.createdAtMs,
    updated_at: isoTime(updatedAtMs),
    updated_at_ms: updatedAtMs,
    chain_data: null,
  };
}

/** The bytes that its schema would make of the object, without the object in between. */
export function spellOrder(sheet: TextSheet, order: OrderFacts, updatedAtMs: number): void {
  sheet.bytes(TEXT_0);
  sheet.sixteen(order.orderId);
  sheet.bytes(TEXT_1);
  sheet.quoted(order.marketId);
  sheet.bytes(TEXT_2);
  sheet.quoted(order.outcomeId);
  sheet.bytes(SIDE[order.side]);
  sheet.bytes(ORDER_TYPE[order.orderType]);
  if (order.price === null) sheet.bytes(NO_PRICE);
  else {
    sheet.bytes(TEXT_6);
    sheet.micro(order.price * 100);
    sheet.bytes(TEXT_7);
  }
  sheet.bytes(TEXT_8);
  sheet.micro(order.lots * 10_000);
  if (order.status === 'pending' && order.filledLots === 0) sheet.bytes(USUAL_STATUS);
  else {
    sheet.bytes(STATUS[order.status]);
    sheet.bytes(TEXT_11);
    sheet.micro(order.filledLots * 10_000);
    sheet.bytes(TEXT_12);
  }
  sheet.bytes(TEXT_13);
  sheet.micro((order.lots - order.filledLots) * 10_000);
  if (order.filledLots === 0 && order.feesPaid === 0n) sheet.bytes(USUAL_AVG_FILL_PRICE);
  else {
    if (order.filledLots === 0) sheet.bytes(NO_AVG_FILL_PRICE);
    else {
      sheet.bytes(TEXT_16);
      sheet.micro(averagePrice(order));
      sheet.bytes(TEXT_17);
    }
    sheet.bytes(TEXT_18);
    spellAmount(sheet, order.feesPaid);
    sheet.bytes(TEXT_19);
  }
  sheet.bytes(TEXT_20);
  sheet.micro(reservedMicro(order));
  if (order.clientOrderId === null) sheet.bytes(NO_CLIENT_ORDER_ID);
  else {
    sheet.bytes(TEXT_22);
    sheet.quoted(order.clientOrderId);
  }
  if (order.timeInForce === 'gtc' && order.postOnly === false && order.reduceOnly === false && order.stpMode === 'cancel_resting' && order.maxCost === null && order.validUntilMs === null && order.rejectReason === null && order.cancelReason === null && order.expiresAtMs === null) sheet.bytes(USUAL_TIME_IN_FORCE);
  else sheet.plain(`,"time_in_force":"${order.timeInForce}","post_only":${order.postOnly},"reduce_only":${order.reduceOnly},"stp_mode":"${order.stpMode}","max_cost":${order.maxCost === null ? 'null' : `"${amountText(order.maxCost)}"`},"valid_until_ms":${order.validUntilMs},"reject_reason":${order.rejectReason === null ? 'null' : `"${REJECT_REASONS[order.rejectReason]}"`},"cancel_reason":${order.cancelReason === null ? 'null' : `"${CANCEL_REASONS[order.cancelReason]}"`},"expires_at":${order.expiresAtMs === null ? 'null' : `"${isoTime(order.expiresAtMs)}"`},"expires_at_ms":${order.expiresAtMs}`);
  spellMoments(sheet, order.createdAtMs, updatedAtMs, momentsText);
}

function momentsText(createdAtMs: number, updatedAtMs: number): string {
  return `,"created_at":"${isoTime(createdAtMs)}","created_at_ms":${createdAtMs},"updated_at":"${isoTime(updatedAtMs)}","updated_at_ms":${updatedAtMs},"chain_data":null}`;
}

const TEXT_0 = pieceOf('{"order_id":"ord_');
const TEXT_1 = pieceOf('","market_id":');
const TEXT_2 = pieceOf(',"outcome_id":');
const SIDE = {
  buy: pieceOf(',"side":"buy"'),
  sell: pieceOf(',"side":"sell"'),
};
const ORDER_TYPE = {
  limit: pieceOf(',"order_type":"limit"'),
  market: pieceOf(',"order_type":"market"'),
};
const NO_PRICE = pieceOf(',"price":null');
const TEXT_6 = pieceOf(',"price":"');
const TEXT_7 = pieceOf('"');
const TEXT_8 = pieceOf(',"size":"');
const USUAL_STATUS = pieceOf('","status":"pending","filled_size":"0.000000"');
const STATUS = {
  pending: pieceOf('","status":"pending"'),
  partially_filled: pieceOf('","status":"partially_filled"'),
  filled: pieceOf('","status":"filled"'),
  cancelled: pieceOf('","status":"cancelled"'),
  rejected: pieceOf('","status":"rejected"'),
};
const TEXT_11 = pieceOf(',"filled_size":"');
const TEXT_12 = pieceOf('"');
const TEXT_13 = pieceOf(',"remaining_size":"');
const USUAL_AVG_FILL_PRICE = pieceOf('","avg_fill_price":null,"fee_paid":"0.000000"');
const NO_AVG_FILL_PRICE = pieceOf('","avg_fill_price":null');
const TEXT_16 = pieceOf('","avg_fill_price":"');
const TEXT_17 = pieceOf('"');
const TEXT_18 = pieceOf(',"fee_paid":"');
const TEXT_19 = pieceOf('"');
const TEXT_20 = pieceOf(',"reserved":"');
const NO_CLIENT_ORDER_ID = pieceOf('","client_order_id":null');
const TEXT_22 = pieceOf('","client_order_id":');
const USUAL_TIME_IN_FORCE = pieceOf(',"time_in_force":"gtc","post_only":false,"reduce_only":false,"stp_mode":"cancel_resting","max_cost":null,"valid_until_ms":null,"reject_reason":null,"cancel_reason":null,"expires_at":null,"expires_at_ms":null');
