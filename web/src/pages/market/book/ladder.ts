// A book as a ladder: as many levels as there is room for, each with the sizes up to it.
import { addAmounts, formatAmount, type Level, parseAmount, subtractAmounts } from '@sibyl/sdk';
import type { BookView } from '../../../live/use-live.ts';

export interface Rung {
  readonly price: string;
  readonly size: string;
  /** This size among the largest shown, for the bar. */
  readonly share: number;
}

export interface Ladder {
  /** The dearest first, so that the best stands next to the middle. */
  readonly asks: readonly Rung[];
  readonly bids: readonly Rung[];
  readonly spread: string | null;
  readonly midpoint: string | null;
}

export function ladderOf(book: BookView, depth: number): Ladder {
  const asks = book.asks.slice(0, depth);
  const bids = book.bids.slice(0, depth);
  // The length of a bar is no money.
  const largest = Math.max(...[...asks, ...bids].map(([, size]) => Number(size)), Number.EPSILON);
  const rung = ([price, size]: Level): Rung => ({ price, size, share: Number(size) / largest });
  const [bestAsk] = asks;
  const [bestBid] = bids;
  const isTwoSided = bestAsk !== undefined && bestBid !== undefined;
  return {
    asks: asks.map(rung).reverse(),
    bids: bids.map(rung),
    spread: isTwoSided ? subtractAmounts(bestAsk[0], bestBid[0]) : null,
    midpoint: isTwoSided
      ? formatAmount(parseAmount(addAmounts(bestAsk[0], bestBid[0])) / 2n)
      : null,
  };
}
