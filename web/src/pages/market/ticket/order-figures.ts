// What an order would do: as the exchange previewed it, or as the order book suggests.
import {
  addAmounts,
  compareAmounts,
  formatAmount,
  type PlacedOrder,
  parseAmount,
  subtractAmounts,
} from '@sibyl/sdk';

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
  // No on an answer: its sale out of sets that are minted for it costs money and pays like a purchase.
  const isNo = preview.minted !== undefined;
  const isBuy = side === 'buy' || isNo;
  const isResting = status === 'pending' || status === 'partially_filled';
  const resting = isResting ? rest : '0';
  return {
    isBuy,
    filled: placed.filled_size,
    average: isNo ? noPrice(placed.avg_fill_price) : placed.avg_fill_price,
    impact: preview.impact,
    resting,
    fee: addAmounts(preview.fee, preview.mint_fee ?? '0'),
    notional: isNo ? subtractAmounts(preview.minted ?? '0', preview.cost) : preview.cost,
    total: formatAmount(parseAmount(preview.total) + worthOf(resting, price ?? '0')),
    freeAfter: preview.balance_free_after,
    rejectReason: placed.reject_reason,
  };
}

/** What a share against an answer costs where the answer's own sells for so much. */
export function noPrice(price: string | null): string | null {
  return price === null ? null : subtractAmounts('1', price);
}

/** Whether none of it fills and none of it rests. */
export function doesNothing({ filled, resting }: OrderFigures): boolean {
  return compareAmounts(filled, '0') === 0 && compareAmounts(resting, '0') === 0;
}

/** Shares at a price in micro-units; exact on the grid of every market. */
export function worthOf(size: string, price: string): bigint {
  return (parseAmount(size) * parseAmount(price)) / 1_000_000n;
}
