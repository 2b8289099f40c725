// The streamed books: what changed in the ladder of book and pool since the last message, and the checksum of what a reader should have.
import { bookChecksum, limits, type OrderBook, type StreamData, streamName } from '@sibyl/contract';
import { asMarketId, depthOf, type Market, type State } from '@sibyl/engine';
import type { Clock } from '@sibyl/lane';
import { lotsText, pipsText } from '../wire/amounts.ts';
import { changeData } from './conflate.ts';
import type { BookChange, Instance } from './instance.ts';
import type { Registry } from './registry.ts';

/** Prices in pips and sizes in lots, best first. */
type Side = readonly { readonly price: number; readonly lots: number }[];

interface Ladder {
  readonly bids: Side;
  readonly asks: Side;
}

interface FollowedBook {
  /** Of each outcome, as last told. */
  readonly ladders: Ladder[];
  /** Changed since the last checksum. */
  readonly unsummed: Set<number>;
  toldAtMs: number;
}

const EMPTY: Ladder = { bids: [], asks: [] };
const { bookDepth } = limits.socket;

export interface BooksOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly epoch: string;
  /** A book is told at most so often: reading its ladder costs more than a trade. */
  readonly intervalMs: number;
  /** Runs with the state once all of it is durable. */
  readonly withState: (act: (state: State) => void) => void;
}

export class Books {
  readonly #options: BooksOptions;
  readonly #books = new Map<string, FollowedBook>();
  /** How often a market was touched; books that are not followed take their number from it. */
  readonly #versions = new Map<string, number>();
  readonly #touched = new Set<string>();
  #cancelAlarm: (() => void) | null = null;

  constructor(options: BooksOptions) {
    this.#options = options;
  }

  /** The market's book may have changed. */
  touch(marketId: string): void {
    this.#versions.set(marketId, (this.#versions.get(marketId) ?? 0) + 1);
    if (this.#options.registry.hears('orderbook', marketId)) this.#touched.add(marketId);
  }

  /** A market came to be: whoever follows all books knows that it began empty. */
  begin({ id, outcomes }: Market): void {
    if (!this.#options.registry.hears('orderbook', id)) return;
    const ladders = outcomes.map(() => EMPTY);
    this.#books.set(id, { ladders, unsummed: new Set(), toldAtMs: Number.NEGATIVE_INFINITY });
  }

  /** The ladder is cut anew, so that it is told as a whole next time. */
  forget(marketId: string): void {
    this.#books.delete(marketId);
  }

  /** Tells of all touched books that were not told of a moment ago; those follow. */
  tell(state: State, nowMs: number): void {
    let waitMs = Number.POSITIVE_INFINITY;
    for (const marketId of this.#touched) {
      const toldAtMs = this.#books.get(marketId)?.toldAtMs ?? Number.NEGATIVE_INFINITY;
      const dueMs = toldAtMs + this.#options.intervalMs - this.#options.clock.monotonicMs();
      if (dueMs > 0) waitMs = Math.min(waitMs, dueMs);
      else this.#tellOne(state, marketId, nowMs);
    }
    if (waitMs === Number.POSITIVE_INFINITY || this.#cancelAlarm !== null) return;
    this.#cancelAlarm = this.#options.clock.setAlarm(waitMs, () => {
      this.#cancelAlarm = null;
      this.#options.withState((later) => this.tell(later, this.#options.clock.wallMs()));
    });
  }

  /** Checksums of the books that changed since their last one. */
  sum(nowMs: number): void {
    for (const [marketId, book] of this.#books) {
      if (book.unsummed.size === 0) continue;
      this.#options.withState((state) => this.#sumOne(state, marketId, book, nowMs));
    }
  }

  /** Frees what nobody follows any more. */
  retire(): void {
    for (const marketId of this.#books.keys()) {
      if (!this.#options.registry.hears('orderbook', marketId)) this.#books.delete(marketId);
    }
  }

  /** From this state on the changes of a market's books are told, if anybody hears them. */
  follow(state: State, market: Market): void {
    this.#bringUp(state, market);
  }

  /** The number of the book as it is in the state, whether it is followed or not. */
  seqOf(state: State, marketId: string, outcomeId: string): number {
    const market = state.markets.get(asMarketId(marketId));
    if (market === undefined) return 0;
    this.#bringUp(state, market);
    return this.#instance(marketId, outcomeId).seq;
  }

  /** All books of a market, with the numbers that their changes go on from. */
  snapshots(state: State, market: Market): readonly StreamData<'orderbook'>[] {
    this.#bringUp(state, market);
    const { ladders } = this.#books.get(market.id) ?? { ladders: [] };
    return market.outcomes.map(({ id }, index) => {
      const ladder = ladders[index] ?? laddersOf(market)[index] ?? EMPTY;
      const { seq } = this.#instance(market.id, id);
      return this.#whole(market, id, ladder, { seq, ts_ms: state.nowMs });
    });
  }

  close(): void {
    this.#cancelAlarm?.();
  }

  #instance(marketId: string, outcomeId: string): Instance {
    return this.#options.registry.instance(streamName('orderbook', marketId, outcomeId));
  }

  /** A followed book is told up to the state; one that is not gets another number if it may have changed. */
  #bringUp(state: State, market: Market): void {
    const { id, outcomes } = market;
    if (this.#books.has(id)) {
      if (this.#touched.has(id)) this.#tellOne(state, id, this.#options.clock.wallMs());
      return;
    }
    const version = this.#versions.get(id) ?? 0;
    for (const outcome of outcomes) {
      const instance = this.#instance(id, outcome.id);
      if (instance.version !== version) instance.skip();
      instance.version = version;
    }
    if (!this.#options.registry.hears('orderbook', id)) return;
    this.#touched.delete(id);
    const ladders = laddersOf(market);
    this.#books.set(id, { ladders, unsummed: new Set(), toldAtMs: Number.NEGATIVE_INFINITY });
  }

  #tellOne(state: State, marketId: string, nowMs: number): void {
    this.#touched.delete(marketId);
    const market = state.markets.get(asMarketId(marketId));
    if (market === undefined) return;
    const book = this.#books.get(marketId);
    if (book === undefined) {
      this.#tellWhole(state, market, nowMs);
      return;
    }
    book.toldAtMs = this.#options.clock.monotonicMs();
    for (const [index, ladder] of laddersOf(market).entries()) {
      const before = book.ladders[index] ?? EMPTY;
      const bids = changesOf(before.bids, ladder.bids, true);
      const asks = changesOf(before.asks, ladder.asks, false);
      book.ladders[index] = ladder;
      if (bids.length === 0 && asks.length === 0) continue;
      book.unsummed.add(index);
      this.#publishChange(marketId, market.outcomes[index]!.id, { bids, asks }, nowMs);
    }
    for (const { id } of market.outcomes) {
      this.#instance(marketId, id).version = this.#versions.get(marketId) ?? 0;
    }
  }

  /**
   * Whoever follows all books without a snapshot of each hears of this one for the first time: what changed cannot
   * be told, since nobody looked at it before, but what it is now can.
   */
  #tellWhole(state: State, market: Market, nowMs: number): void {
    const { registry, clock } = this.#options;
    const { id: marketId, outcomes } = market;
    const ladders = laddersOf(market);
    this.#books.set(marketId, { ladders, unsummed: new Set(), toldAtMs: clock.monotonicMs() });
    for (const [index, { id }] of outcomes.entries()) {
      const seq = registry.nextSeq('orderbook', marketId, id);
      const numbers = { seq, ts_ms: state.nowMs };
      const data = JSON.stringify(this.#whole(market, id, ladders[index] ?? EMPTY, numbers));
      const message = { type: 'orderbook', atMs: nowMs, data, key: null };
      registry.publish('orderbook', marketId, [id], message);
      this.#instance(marketId, id).version = this.#versions.get(marketId) ?? 0;
    }
  }

  #whole(
    market: Market,
    outcomeId: string,
    ladder: Ladder,
    numbers: Pick<OrderBook, 'seq' | 'ts_ms'>,
  ): StreamData<'orderbook'> {
    const sides = wireSides(ladder);
    return {
      market_id: market.id,
      outcome_id: outcomeId,
      bids: sides.bids.map(([price, size]) => [price, size]),
      asks: sides.asks.map(([price, size]) => [price, size]),
      tick_size: pipsText(market.tickPips),
      ...numbers,
      epoch: this.#options.epoch,
      checksum: bookChecksum(sides),
    };
  }

  #publishChange(
    marketId: string,
    outcomeId: string,
    sides: Pick<BookChange, 'bids' | 'asks'>,
    atMs: number,
  ): void {
    const { registry } = this.#options;
    const seq = registry.nextSeq('orderbook', marketId, outcomeId);
    const change = { marketId, outcomeId, seq, prevSeq: seq - 1, ...sides, atMs };
    const data = changeData(change);
    const message = { type: 'orderbook_delta', atMs, data, key: null, change };
    registry.publish('orderbook', marketId, [outcomeId], message);
  }

  #sumOne(state: State, marketId: string, book: FollowedBook, nowMs: number): void {
    const market = state.markets.get(asMarketId(marketId));
    if (market === undefined) return;
    if (this.#touched.has(marketId)) this.#tellOne(state, marketId, nowMs);
    const { registry } = this.#options;
    for (const index of book.unsummed) {
      const outcomeId = market.outcomes[index]!.id;
      const seq = registry.nextSeq('orderbook', marketId, outcomeId);
      const checksum = bookChecksum(wireSides(book.ladders[index] ?? EMPTY));
      const summed = { market_id: marketId, outcome_id: outcomeId, seq, checksum };
      const change = {
        marketId,
        outcomeId,
        seq,
        prevSeq: seq - 1,
        bids: [],
        asks: [],
        atMs: nowMs,
      };
      const data = JSON.stringify(summed);
      const message = { type: 'orderbook_checksum', atMs: nowMs, data, key: null, change };
      registry.publish('orderbook', marketId, [outcomeId], message);
    }
    book.unsummed.clear();
  }
}

/** As the book over REST: only an active market trades. */
function laddersOf(market: Market): Ladder[] {
  return market.outcomes.map((_, index) =>
    market.status === 'active' ? depthOf(market, index, bookDepth) : EMPTY,
  );
}

function wireSides({ bids, asks }: Ladder) {
  return { bids: bids.map(wireLevel), asks: asks.map(wireLevel) };
}

function wireLevel({ price, lots }: Side[number]): readonly [string, string] {
  return [pipsText(price), lotsText(lots)];
}

/** Levels that are new or have another size, and with size 0 those that are gone. */
function changesOf(
  before: Side,
  after: Side,
  isDescending: boolean,
): readonly (readonly [string, string])[] {
  const changes: (readonly [string, string])[] = [];
  let old = 0;
  let now = 0;
  while (old < before.length || now < after.length) {
    const was = before[old];
    const is = after[now];
    const order = was === undefined ? 1 : is === undefined ? -1 : was.price - is.price;
    const compared = was !== undefined && is !== undefined && isDescending ? -order : order;
    if (compared === 0) {
      if (was?.lots !== is?.lots && is !== undefined) changes.push(wireLevel(is));
      old += 1;
      now += 1;
    } else if (compared < 0) {
      if (was !== undefined) changes.push(wireLevel({ price: was.price, lots: 0 }));
      old += 1;
    } else {
      if (is !== undefined) changes.push(wireLevel(is));
      now += 1;
    }
  }
  return changes;
}
