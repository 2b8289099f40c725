// What an order would do: as the exchange previewed it, or as the order book suggests.
import { compareAmounts, formatAmount, type PlacedOrder, parseAmount } from '@sibyl/sdk';

export interface OrderFigures {
  readonly isBuy: boolean;
  /** Shares that fill immediately, and their average price. */
  readonly filled: string;
  readonly average: string | null;
  /** How far the order moves the price; null if unknown. */
  readonly impact: string | null;
  /** Shares that then rest in the book. */
  readonly resting: string;
  readonly fee: string;
  /** The value of the filled shares before the fee. */
  readonly notional: string;
  /** What a buy costs with the fee, or a sale brings after it, once all of it is filled. */
  readonly total: string;
  /** The available balance after the order is placed; null if unknown. */
  readonly freeAfter: string | null;
  readonly rejectReason: string | null;
}

/** Null for an order without a preview. */
export function figuresOf(placed: PlacedOrder): OrderFigures | null {
  const { preview, side, status, remaining_size: rest, price } = placed;
  if (preview === undefined) return null;
  const isBuy = side === 'buy';
  const isResting = status === 'pending' || status === 'partially_filled';
  const resting = isResting ? rest : '0';
  return {
    isBuy,
    filled: placed.filled_size,
    average: placed.avg_fill_price,
    impact: preview.impact,
    resting,
    fee: preview.fee,
    notional: preview.cost,
    total: formatAmount(parseAmount(preview.total) + worthOf(resting, price ?? '0')),
    freeAfter: preview.balance_free_after,
    rejectReason: placed.reject_reason,
  };
}

/** Whether none of it fills and none of it rests. */
export function doesNothing({ filled, resting }: OrderFigures): boolean {
  return compareAmounts(filled, '0') === 0 && compareAmounts(resting, '0') === 0;
}

/** Shares at a price in micro-units; exact on the grid of every market. */
export function worthOf(size: string, price: string): bigint {
  return (parseAmount(size) * parseAmount(price)) / 1_000_000n;
}
