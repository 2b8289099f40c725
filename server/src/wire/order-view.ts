// Orders as clients see them: from the engine's answer to a placement, or from history.
import type { Order as WireOrder } from '@sibyl/contract';
import type { OrderView } from '@sibyl/engine';
import { fillPrice, type PastOrder } from '@sibyl/history';
import { formatMicro, LOT_MICRO } from '@sibyl/money';
import { amountText, lotsText, pipsText, priceText } from './amounts.ts';
import { orderIdText } from './ids.ts';
import {
  CANCEL_REASONS,
  isRejectReason,
  REJECT_REASONS,
  type WireCancelReason,
  type WireRejectReason,
} from './order-words.ts';
import { isoTime } from './times.ts';

/** What an order says of itself that the engine does not keep. */
export interface OrderTerms {
  readonly maxCost: bigint | null;
  readonly validUntilMs: number | null;
  readonly updatedAtMs: number;
}

/** As the command left it. */
export function orderView(order: OrderView, terms: OrderTerms): WireOrder {
  const { rejectReason, cancelReason } = order;
  return compose(order, terms, {
    reject: rejectReason === null ? null : REJECT_REASONS[rejectReason],
    cancel: cancelReason === null ? null : CANCEL_REASONS[cancelReason],
  });
}

export function pastOrderView(order: PastOrder): WireOrder {
  const { reason } = order;
  if (reason === null) return compose(order, order, { reject: null, cancel: null });
  return isRejectReason(reason)
    ? compose(order, order, { reject: REJECT_REASONS[reason], cancel: null })
    : compose(order, order, { reject: null, cancel: CANCEL_REASONS[reason] });
}

type Facts = Omit<PastOrder, 'accountId' | 'keyId' | 'reason' | keyof OrderTerms>;

interface Reasons {
  readonly reject: WireRejectReason | null;
  readonly cancel: WireCancelReason | null;
}

function compose(order: Facts, terms: OrderTerms, reasons: Reasons): WireOrder {
  const { price, lots, filledLots, expiresAtMs, createdAtMs } = order;
  const { maxCost, validUntilMs, updatedAtMs } = terms;
  const createdAt = isoTime(createdAtMs);
  return {
    order_id: orderIdText(order.orderId),
    market_id: order.marketId,
    outcome_id: order.outcomeId,
    side: order.side,
    order_type: order.orderType,
    price: price === null ? null : pipsText(price),
    size: lotsText(lots),
    status: order.status,
    filled_size: lotsText(filledLots),
    remaining_size: lotsText(lots - filledLots),
    avg_fill_price: filledLots === 0 ? null : priceText(fillPrice(order.filledCost, filledLots)),
    fee_paid: amountText(order.feesPaid),
    reserved: formatMicro(reservedMicro(order)),
    client_order_id: order.clientOrderId,
    time_in_force: order.timeInForce,
    post_only: order.postOnly,
    reduce_only: order.reduceOnly,
    stp_mode: order.stpMode,
    max_cost: maxCost === null ? null : amountText(maxCost),
    valid_until_ms: validUntilMs,
    reject_reason: reasons.reject,
    cancel_reason: reasons.cancel,
    expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
    expires_at_ms: expiresAtMs,
    created_at: createdAt,
    created_at_ms: createdAtMs,
    updated_at: updatedAtMs === createdAtMs ? createdAt : isoTime(updatedAtMs),
    updated_at_ms: updatedAtMs,
    chain_data: null,
  };
}

/** Money for an open buy, shares for an open sell; both are safe integers of millionths. */
export function reservedMicro(
  order: Pick<Facts, 'status' | 'side' | 'price' | 'lots' | 'filledLots'>,
): number {
  const { status, side, price, lots, filledLots } = order;
  if (status !== 'pending' && status !== 'partially_filled') return 0;
  const left = lots - filledLots;
  return left * (side === 'sell' ? LOT : (price ?? 0));
}

/** Micro-shares in a lot; a lot at one pip is a micro-USDT. */
const LOT = Number(LOT_MICRO);
