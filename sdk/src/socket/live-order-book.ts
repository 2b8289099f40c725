// An order book kept up to date over the socket, proven by checksums and asked for anew when it fails one.

import { deferred } from '../deferred.ts';
import { BookLevels, type Level } from './book-levels.ts';
import type { FrameOn } from './frames.ts';
import type { Subscription } from './subscription.ts';

export type BookChange = {
  /** `snapshot` replaced everything; `delta` changed some levels. */
  readonly kind: 'snapshot' | 'delta';
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
};

export type BookOptions = {
  /** Called after each change, when the book shows it already. */
  readonly onChange?: (book: LiveOrderBook, change: BookChange) => void;
  /** Called when a checksum did not match; the book asks for a fresh snapshot by itself. */
  readonly onMismatch?: (book: LiveOrderBook) => void;
};

type BookFrame = FrameOn<'orderbook'>;

/** How the book reaches its stream. */
export type BookFeed = {
  readonly subscribe: (onFrame: (frame: BookFrame) => void) => Subscription<BookFrame>;
  readonly refresh: () => void;
};

export class LiveOrderBook {
  readonly marketId: string;
  readonly outcomeId: string;
  /** Settles when the first snapshot is there, or when the stream was refused. */
  readonly ready: Promise<void>;
  readonly #levels = new BookLevels();
  readonly #subscription: Subscription<BookFrame>;
  readonly #options: BookOptions;
  readonly #refresh: () => void;
  readonly #first = deferred<void>();
  #hasSnapshot = false;
  #seq = 0;
  #tickSize: string | null = null;
  #mismatches = 0;

  constructor(marketId: string, outcomeId: string, feed: BookFeed, options: BookOptions) {
    this.marketId = marketId;
    this.outcomeId = outcomeId;
    this.#options = options;
    this.#refresh = feed.refresh;
    this.ready = this.#first.promise;
    this.ready.catch(() => undefined);
    this.#subscription = feed.subscribe((frame) => this.#receive(frame));
    this.#subscription.ready.catch((error: unknown) => this.#first.reject(error));
  }

  /** Best first. */
  get bids(): readonly Level[] {
    return this.#levels.bids;
  }

  get asks(): readonly Level[] {
    return this.#levels.asks;
  }

  get bestBid(): Level | null {
    return this.#levels.bestBid;
  }

  get bestAsk(): Level | null {
    return this.#levels.bestAsk;
  }

  /** The number of the book, the same as over REST. */
  get seq(): number {
    return this.#seq;
  }

  get tickSize(): string | null {
    return this.#tickSize;
  }

  /** Whether the book is whole now: false before the first snapshot and while something is missing. */
  get isSynced(): boolean {
    return this.#hasSnapshot && this.#subscription.isSynced;
  }

  /** How often a checksum did not match; it stays 0 unless something is wrong. */
  get mismatches(): number {
    return this.#mismatches;
  }

  close(): void {
    this.#subscription.close();
    this.#first.resolve();
  }

  #receive(frame: BookFrame): void {
    switch (frame.type) {
      case 'orderbook': {
        const { bids, asks, seq, tick_size: tickSize, checksum } = frame.data;
        this.#levels.replace(bids, asks);
        this.#seq = seq;
        this.#tickSize = tickSize;
        this.#hasSnapshot = true;
        if (!this.#verify(checksum)) return;
        this.#first.resolve();
        this.#options.onChange?.(this, { kind: 'snapshot', bids, asks });
        return;
      }
      case 'orderbook_delta': {
        const { bids, asks, seq } = frame.data;
        this.#levels.change(bids, asks);
        this.#seq = seq;
        this.#options.onChange?.(this, { kind: 'delta', bids, asks });
        return;
      }
      case 'orderbook_checksum':
        this.#seq = frame.data.seq;
        this.#verify(frame.data.checksum);
        return;
      case 'tick_size_changed':
        this.#tickSize = frame.data.new_tick_size;
        return;
    }
  }

  #verify(expected: number): boolean {
    if (this.#levels.checksum() === expected) return true;
    this.#mismatches += 1;
    this.#hasSnapshot = false;
    this.#options.onMismatch?.(this);
    this.#refresh();
    return false;
  }
}
