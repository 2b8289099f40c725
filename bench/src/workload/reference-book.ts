// A plain price-time book: it tells the generator which orders live and what every engine must come to.

export type BookSide = 0 | 1;
export const BUY: BookSide = 0;
export const SELL: BookSide = 1;

const TICKS = 10_000;

/** What a run comes to; every engine must give the same numbers. */
export interface Tally {
  readonly fills: number;
  readonly quantity: number;
  /** Σ price × quantity in ticks. */
  readonly notional: number;
  readonly open: number;
}

/** Orders are numbered from 1; each symbol has its own ladder of ticks. */
export class ReferenceBook {
  fills = 0;
  quantity = 0;
  notional = 0;
  /** Ids of live orders over all symbols, in swap-remove order: the generator draws cancels from it. */
  readonly #live: Int32Array;
  #liveCount = 0;
  readonly #liveIndex: Int32Array;
  readonly #ladders: Ladder[];
  readonly #symbol: Int32Array;
  readonly #side: Uint8Array;
  readonly #price: Int32Array;
  readonly #remaining: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;

  constructor(symbols: number, ordersMax: number) {
    const size = ordersMax + 1;
    this.#live = new Int32Array(size);
    this.#liveIndex = new Int32Array(size);
    this.#ladders = Array.from({ length: symbols }, createLadder);
    this.#symbol = new Int32Array(size);
    this.#side = new Uint8Array(size);
    this.#price = new Int32Array(size);
    this.#remaining = new Int32Array(size);
    this.#next = new Int32Array(size);
    this.#previous = new Int32Array(size);
  }

  get liveCount(): number {
    return this.#liveCount;
  }

  liveAt(index: number): number {
    return this.#live[index]!;
  }

  symbolOf(id: number): number {
    return this.#symbol[id]!;
  }

  sideOf(id: number): BookSide {
    return this.#side[id] === BUY ? BUY : SELL;
  }

  priceOf(id: number): number {
    return this.#price[id]!;
  }

  /** Matches first, then rests what is left. */
  addLimit(id: number, symbol: number, side: BookSide, price: number, quantity: number): void {
    const left = this.#match(symbol, side, price, quantity);
    if (left > 0) this.#rest(id, symbol, side, price, left);
  }

  /** Matches what it can; the rest expires. */
  takeNow(symbol: number, side: BookSide, price: number, quantity: number): void {
    this.#match(symbol, side, price, quantity);
  }

  cancel(id: number): void {
    this.#remove(id);
  }

  tally(): Tally {
    const { fills, quantity, notional } = this;
    return { fills, quantity, notional, open: this.#liveCount };
  }

  #match(symbol: number, side: BookSide, limit: number, quantity: number): number {
    const ladder = this.#ladders[symbol]!;
    let left = quantity;
    while (left > 0) {
      const best = side === BUY ? lowestAsk(ladder) : highestBid(ladder);
      if (best === 0 || (side === BUY ? best > limit : best < limit)) break;
      const maker = ladder.head[best]!;
      const filled = Math.min(left, this.#remaining[maker]!);
      this.fills += 1;
      this.quantity += filled;
      this.notional += filled * best;
      left -= filled;
      this.#remaining[maker]! -= filled;
      if (this.#remaining[maker] === 0) this.#remove(maker);
    }
    return left;
  }

  #rest(id: number, symbol: number, side: BookSide, price: number, quantity: number): void {
    const ladder = this.#ladders[symbol]!;
    this.#symbol[id] = symbol;
    this.#side[id] = side;
    this.#price[id] = price;
    this.#remaining[id] = quantity;
    const tail = ladder.tail[price]!;
    this.#previous[id] = tail;
    this.#next[id] = 0;
    if (tail === 0) ladder.head[price] = id;
    else this.#next[tail] = id;
    ladder.tail[price] = id;
    if (side === BUY) {
      ladder.bids += 1;
      if (price > ladder.bidMax) ladder.bidMax = price;
    } else {
      ladder.asks += 1;
      if (price < ladder.askMin) ladder.askMin = price;
    }
    this.#liveIndex[id] = this.#liveCount;
    this.#live[this.#liveCount] = id;
    this.#liveCount += 1;
  }

  #remove(id: number): void {
    const ladder = this.#ladders[this.#symbol[id]!]!;
    const price = this.#price[id]!;
    const previous = this.#previous[id]!;
    const next = this.#next[id]!;
    if (previous === 0) ladder.head[price] = next;
    else this.#next[previous] = next;
    if (next === 0) ladder.tail[price] = previous;
    else this.#previous[next] = previous;
    if (this.#side[id] === BUY) ladder.bids -= 1;
    else ladder.asks -= 1;
    this.#liveCount -= 1;
    const last = this.#live[this.#liveCount]!;
    const index = this.#liveIndex[id]!;
    this.#live[index] = last;
    this.#liveIndex[last] = index;
  }
}

/** A tick holds one side only, since the book is never crossed; 0 stands for no order. */
interface Ladder {
  readonly head: Int32Array;
  readonly tail: Int32Array;
  bids: number;
  asks: number;
  /** No bid is above, no ask below these; the true best is found by walking from them. */
  bidMax: number;
  askMin: number;
}

function createLadder(): Ladder {
  return {
    head: new Int32Array(TICKS),
    tail: new Int32Array(TICKS),
    bids: 0,
    asks: 0,
    bidMax: 0,
    askMin: TICKS,
  };
}

function highestBid(ladder: Ladder): number {
  if (ladder.bids === 0) {
    ladder.bidMax = 0;
    return 0;
  }
  while (ladder.head[ladder.bidMax] === 0) ladder.bidMax -= 1;
  return ladder.bidMax;
}

function lowestAsk(ladder: Ladder): number {
  if (ladder.asks === 0) {
    ladder.askMin = TICKS;
    return 0;
  }
  while (ladder.head[ladder.askMin] === 0) ladder.askMin += 1;
  return ladder.askMin;
}
