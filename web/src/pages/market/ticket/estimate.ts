// What an order comes to by the best price alone, for somebody whom the exchange does not know yet.
import { compareAmounts, formatAmount, type OrderInput, parseAmount } from '@sibyl/sdk';
import type { Ticker } from '../../../live/use-tickers.ts';

export interface Estimate {
  /** What a purchase costs or a sale brings at least, or at most; without the fee. */
  readonly amount: string;
  readonly size: string;
  /** Whether the best price holds for all of it. */
  readonly isWhole: boolean;
}

const MICRO = 1_000_000n;

/** Null while nobody is on the other side. */
export function estimateOf(input: OrderInput, ticker: Ticker | undefined): Estimate | null {
  const isBuy = input.side === 'buy';
  const best = isBuy ? ticker?.best_ask : ticker?.best_bid;
  const there = isBuy ? ticker?.ask_size : ticker?.bid_size;
  if (best === null || best === undefined) return null;
  const price =
    input.price !== undefined && isBuy && compareAmounts(input.price, best) < 0
      ? input.price
      : best;
  const budget = input.max_cost;
  const size =
    budget === undefined
      ? input.size
      : formatAmount((parseAmount(budget) * MICRO) / parseAmount(price));
  const cost = parseAmount(size) * parseAmount(price);
  return {
    amount: budget ?? formatAmount((cost + (isBuy ? MICRO - 1n : 0n)) / MICRO),
    size,
    isWhole: price !== best || compareAmounts(size, there ?? '0') <= 0,
  };
}
