// An order as clients see it, written straight from the engine's view: the bytes that its schema would make of
// `orderView`, without the object in between.
import type { OrderStatus, OrderView } from '@sibyl/engine';
import { fillPrice } from '@sibyl/history';
import { pieceOf, type TextSheet } from '@sibyl/lane';
import { amountText } from './amounts.ts';
import { type OrderTerms, reservedMicro } from './order-view.ts';
import { CANCEL_REASONS, REJECT_REASONS } from './order-words.ts';
import { isoTime } from './times.ts';

/** What the command said of it that the engine does not keep. */
export type SaidTerms = Omit<OrderTerms, 'updatedAtMs'>;

/** As the command left it. */
export function spellOrder(
  sheet: TextSheet,
  order: OrderView,
  terms: SaidTerms,
  updatedAtMs: number,
): void {
  const { price } = order;
  sheet.piece(ORDER_ID);
  sheet.sixteen(order.orderId);
  sheet.piece(MARKET_ID);
  sheet.quoted(order.marketId);
  sheet.piece(OUTCOME_ID);
  sheet.quoted(order.outcomeId);
  sheet.piece(order.orderType === 'limit' ? LIMIT[order.side] : MARKET[order.side]);
  if (price === null) sheet.piece(UNPRICED);
  else {
    sheet.piece(PRICED);
    sheet.micro(price * MICRO_PER_PIP);
    sheet.piece(SIZE);
  }
  sheet.micro(order.lots * MICRO_PER_LOT);
  spellProgress(sheet, order);
  sheet.micro(reservedMicro(order));
  sheet.piece(NAME);
  if (order.clientOrderId === null) sheet.piece(NULL);
  else sheet.quoted(order.clientOrderId);
  if (isUsual(order, terms)) sheet.piece(USUAL_TERMS);
  else sheet.plain(termsText(order, terms));
  spellTimes(sheet, order.createdAtMs, updatedAtMs);
}

const MICRO_PER_PIP = 100;
const MICRO_PER_LOT = 10_000;

const ORDER_ID = pieceOf('{"order_id":"ord_');
const MARKET_ID = pieceOf('","market_id":');
const OUTCOME_ID = pieceOf(',"outcome_id":');
const LIMIT = {
  buy: pieceOf(',"side":"buy","order_type":"limit","price":'),
  sell: pieceOf(',"side":"sell","order_type":"limit","price":'),
};
const MARKET = {
  buy: pieceOf(',"side":"buy","order_type":"market","price":'),
  sell: pieceOf(',"side":"sell","order_type":"market","price":'),
};
const UNPRICED = pieceOf('null,"size":"');
const PRICED = pieceOf('"');
const SIZE = pieceOf('","size":"');
const NAME = pieceOf('","client_order_id":');
const NULL = pieceOf('null');

/** How far it got: mostly nowhere yet. */
function spellProgress(sheet: TextSheet, order: OrderView): void {
  const { status, lots, filledLots, feesPaid } = order;
  if (status === 'pending' && filledLots === 0 && feesPaid === 0n) {
    sheet.piece(UNTOUCHED);
    sheet.micro(lots * MICRO_PER_LOT);
    sheet.piece(UNFILLED);
    return;
  }
  sheet.piece(STATUS[status]);
  sheet.micro(filledLots * MICRO_PER_LOT);
  sheet.piece(REMAINING);
  sheet.micro((lots - filledLots) * MICRO_PER_LOT);
  if (filledLots === 0) sheet.piece(NO_AVERAGE);
  else {
    sheet.piece(AVERAGE);
    sheet.micro(fillPrice(order.filledCost, filledLots));
    sheet.piece(FEE);
  }
  spellAmount(sheet, feesPaid);
  sheet.piece(RESERVED);
}

const UNTOUCHED = pieceOf('","status":"pending","filled_size":"0.000000","remaining_size":"');
const UNFILLED = pieceOf('","avg_fill_price":null,"fee_paid":"0.000000","reserved":"');
const STATUS: Readonly<Record<OrderStatus, Uint8Array>> = {
  pending: pieceOf('","status":"pending","filled_size":"'),
  partially_filled: pieceOf('","status":"partially_filled","filled_size":"'),
  filled: pieceOf('","status":"filled","filled_size":"'),
  cancelled: pieceOf('","status":"cancelled","filled_size":"'),
  rejected: pieceOf('","status":"rejected","filled_size":"'),
};
const REMAINING = pieceOf('","remaining_size":"');
const NO_AVERAGE = pieceOf('","avg_fill_price":null,"fee_paid":"');
const AVERAGE = pieceOf('","avg_fill_price":"');
const FEE = pieceOf('","fee_paid":"');
const RESERVED = pieceOf('","reserved":"');

function spellAmount(sheet: TextSheet, micro: bigint): void {
  // exact: a number is only made of what it holds
  if (0n <= micro && micro <= SAFE) sheet.micro(Number(micro));
  else sheet.plain(amountText(micro));
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Nearly all orders say nothing of these. */
function isUsual(order: OrderView, { maxCost, validUntilMs }: SaidTerms): boolean {
  return (
    order.timeInForce === 'gtc' &&
    order.stpMode === 'cancel_resting' &&
    !order.postOnly &&
    !order.reduceOnly &&
    maxCost === null &&
    validUntilMs === null &&
    order.rejectReason === null &&
    order.cancelReason === null &&
    order.expiresAtMs === null
  );
}

const USUAL_TERMS = pieceOf(
  ',"time_in_force":"gtc","post_only":false,"reduce_only":false,"stp_mode":"cancel_resting","max_cost":null,"valid_until_ms":null,"reject_reason":null,"cancel_reason":null,"expires_at":null,"expires_at_ms":null',
);

function termsText(order: OrderView, { maxCost, validUntilMs }: SaidTerms): string {
  const { rejectReason, cancelReason, expiresAtMs } = order;
  const cost = wordOrNull(maxCost === null ? null : amountText(maxCost));
  const reject = wordOrNull(rejectReason === null ? null : REJECT_REASONS[rejectReason]);
  const cancel = wordOrNull(cancelReason === null ? null : CANCEL_REASONS[cancelReason]);
  const expiresAt = wordOrNull(expiresAtMs === null ? null : isoTime(expiresAtMs));
  return `,"time_in_force":"${order.timeInForce}","post_only":${order.postOnly},"reduce_only":${order.reduceOnly},"stp_mode":"${order.stpMode}","max_cost":${cost},"valid_until_ms":${validUntilMs},"reject_reason":${reject},"cancel_reason":${cancel},"expires_at":${expiresAt},"expires_at_ms":${expiresAtMs}`;
}

/** Amounts, times and words of the contract need no escapes. */
function wordOrNull(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

/** Orders of one moment have the same times: they are made once. */
let lastCreatedMs = Number.NaN;
let lastUpdatedMs = Number.NaN;
let lastTimes = pieceOf('');

function spellTimes(sheet: TextSheet, createdMs: number, updatedMs: number): void {
  if (createdMs !== lastCreatedMs || updatedMs !== lastUpdatedMs) {
    lastTimes = pieceOf(timesText(createdMs, updatedMs));
    lastCreatedMs = createdMs;
    lastUpdatedMs = updatedMs;
  }
  sheet.piece(lastTimes);
}

function timesText(createdMs: number, updatedMs: number): string {
  return `,"created_at":"${isoTime(createdMs)}","created_at_ms":${createdMs},"updated_at":"${isoTime(updatedMs)}","updated_at_ms":${updatedMs},"chain_data":null}`;
}
