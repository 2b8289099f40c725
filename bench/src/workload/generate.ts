// Draws the commands of a workload; the order of the draws is what makes the checksums come out.
import { mulberry32 } from './mulberry32.ts';
import { type BookSide, BUY, ReferenceBook, SELL, type Tally } from './reference-book.ts';

/** Six numbers per command: type, symbol, order id, side, price, quantity. */
export const STRIDE = 6;
export const LIMIT = 0;
/** Names the order to cancel, with that order's own symbol, side and price; quantity is 0. */
export const CANCEL = 1;
export const TAKE = 2;

export interface WorkloadShape {
  readonly symbols: number;
  /** Limit orders placed away from a fixed mid before the mixed part; not timed. */
  readonly prefill: number;
  readonly mixed: number;
}

export interface Workload extends WorkloadShape {
  readonly commands: Int32Array;
  readonly count: number;
  readonly counts: { readonly limits: number; readonly cancels: number; readonly takes: number };
  readonly tally: Tally;
}

const SEED = 0x9e3779b9;
const MID_START = 5000;
const MID_MIN = 300;
const MID_MAX = 9700;
const PRICE_MIN = 1;
const PRICE_MAX = 9999;

export function generate(shape: WorkloadShape): Workload {
  const writer = new WorkloadWriter(shape);
  for (let index = 0; index < shape.prefill; index += 1) writer.drawPrefill();
  for (let index = 0; index < shape.mixed; index += 1) writer.drawMixed();
  return writer.finish();
}

class WorkloadWriter {
  readonly #shape: WorkloadShape;
  readonly #next = mulberry32(SEED);
  readonly #commands: Int32Array;
  readonly #book: ReferenceBook;
  readonly #mids: Int32Array;
  #written = 0;
  readonly #counts = { limits: 0, cancels: 0, takes: 0 };

  constructor(shape: WorkloadShape) {
    const count = shape.prefill + shape.mixed;
    this.#shape = shape;
    this.#commands = new Int32Array(count * STRIDE);
    this.#book = new ReferenceBook(shape.symbols, count);
    this.#mids = new Int32Array(shape.symbols).fill(MID_START);
  }

  drawPrefill(): void {
    const next = this.#next;
    const symbol = this.#drawSymbol();
    const side = this.#drawSide();
    const distance = 101 + (next() % 2000);
    this.#limit(symbol, side, distance, 1 + (next() % 100));
  }

  drawMixed(): void {
    const next = this.#next;
    const kind = next() % 100;
    const symbol = this.#drawSymbol();
    this.#walkMid(symbol);
    if (kind >= 90) {
      const side = this.#drawSide();
      this.#take(symbol, side, 1 + (next() % 400));
    } else if (kind >= 70 && this.#book.liveCount > 0) {
      this.#cancel(this.#book.liveAt(next() % this.#book.liveCount));
    } else {
      const side = this.#drawSide();
      const distance = 1 + (next() % 100);
      this.#limit(symbol, side, distance, 1 + (next() % 100));
    }
  }

  finish(): Workload {
    return {
      ...this.#shape,
      commands: this.#commands,
      count: this.#written,
      counts: this.#counts,
      tally: this.#book.tally(),
    };
  }

  #drawSymbol(): number {
    return this.#shape.symbols === 1 ? 0 : this.#next() % this.#shape.symbols;
  }

  #drawSide(): BookSide {
    return this.#next() % 2 === 0 ? BUY : SELL;
  }

  #walkMid(symbol: number): void {
    if (this.#next() % 64 !== 0) return;
    const step = this.#next() % 2 === 1 ? 1 : -1;
    const mid = this.#mids[symbol]! + step;
    this.#mids[symbol] = Math.min(MID_MAX, Math.max(MID_MIN, mid));
  }

  #limit(symbol: number, side: BookSide, distance: number, quantity: number): void {
    const mid = this.#mids[symbol]!;
    const price = side === BUY ? mid - distance : mid + distance;
    const id = this.#written + 1;
    this.#book.addLimit(id, symbol, side, price, quantity);
    this.#counts.limits += 1;
    this.#write(LIMIT, symbol, id, side, price, quantity);
  }

  #take(symbol: number, side: BookSide, quantity: number): void {
    const price = side === BUY ? PRICE_MAX : PRICE_MIN;
    this.#book.takeNow(symbol, side, price, quantity);
    this.#counts.takes += 1;
    this.#write(TAKE, symbol, this.#written + 1, side, price, quantity);
  }

  #cancel(id: number): void {
    const book = this.#book;
    this.#counts.cancels += 1;
    this.#write(CANCEL, book.symbolOf(id), id, book.sideOf(id), book.priceOf(id), 0);
    book.cancel(id);
  }

  #write(...fields: readonly [number, number, number, number, number, number]): void {
    this.#commands.set(fields, this.#written * STRIDE);
    this.#written += 1;
  }
}
