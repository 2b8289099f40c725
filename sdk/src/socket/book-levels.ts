// One local order book: levels from a snapshot and its changes, and the checksum that proves them.

import { parseAmount } from '../decimal.ts';
import { checksumOf } from './checksum.ts';

export type Level = readonly [price: string, size: string];

type Entry = { readonly micro: bigint; readonly level: Level };

/** Both sides of a book, best level first. */
export class BookLevels {
  #bids: Entry[] = [];
  #asks: Entry[] = [];

  get bids(): readonly Level[] {
    return this.#bids.map(({ level }) => level);
  }

  get asks(): readonly Level[] {
    return this.#asks.map(({ level }) => level);
  }

  get bestBid(): Level | null {
    return this.#bids[0]?.level ?? null;
  }

  get bestAsk(): Level | null {
    return this.#asks[0]?.level ?? null;
  }

  replace(bids: readonly Level[], asks: readonly Level[]): void {
    this.#bids = [];
    this.#asks = [];
    this.change(bids, asks);
  }

  /** Levels with their new size; size 0 removes one. */
  change(bids: readonly Level[], asks: readonly Level[]): void {
    for (const level of bids) setLevel(this.#bids, level, -1);
    for (const level of asks) setLevel(this.#asks, level, 1);
  }

  checksum(): number {
    return checksumOf(top(this.#bids), top(this.#asks));
  }
}

/** `direction` is 1 for ascending prices (asks) and -1 for descending ones (bids). */
function setLevel(side: Entry[], level: Level, direction: 1 | -1): void {
  const micro = parseAmount(level[0]);
  const index = indexOfLevel(side, micro, direction);
  const isThere = side[index]?.micro === micro;
  if (parseAmount(level[1]) === 0n) {
    if (isThere) side.splice(index, 1);
    return;
  }
  side.splice(index, isThere ? 1 : 0, { micro, level });
}

/** Where the price stands, or would stand. */
function indexOfLevel(side: readonly Entry[], micro: bigint, direction: 1 | -1): number {
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = side[middle]?.micro ?? 0n;
    const isBefore = direction === 1 ? other < micro : other > micro;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

function top(side: readonly Entry[]): readonly Level[] {
  return side.slice(0, 10).map(({ level }) => level);
}
