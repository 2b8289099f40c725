// Rows of numbers by owner, in one flat buffer: nothing that waits for a flush keeps the garbage collector busy, and
// a page of them is stored as the very bytes that lie here.
import type { PageKind, PageRow } from '../ports/read-store.ts';

const CELL_BYTES = 8;
const INITIAL_ROWS = 1024;
const NONE = -1;

/** The first column of every table is the id by which its rows are found; ids of one owner never fall. */
export const ID = 0;

export class RowTable {
  readonly #kind: PageKind;
  readonly #width: number;
  readonly #rowsPerPage: number;
  /** Two views of the same cells: amounts are 64-bit integers, everything else is a number. */
  #numbers: Float64Array;
  #amounts: BigInt64Array;
  /** For copies: an amount that is copied as a number may turn into another. */
  #halves: Int32Array;
  /** The owner's row before this one. */
  #previous = new Int32Array(INITIAL_ROWS);
  readonly #newest = new Map<number, number>();
  /** What some rows say beside their numbers. */
  readonly #texts: (string | undefined)[] = [];
  #length = 0;

  constructor(kind: PageKind, width: number, rowsPerPage: number) {
    this.#kind = kind;
    this.#width = width;
    this.#rowsPerPage = rowsPerPage;
    this.#numbers = new Float64Array(INITIAL_ROWS * width);
    this.#amounts = new BigInt64Array(this.#numbers.buffer);
    this.#halves = new Int32Array(this.#numbers.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** A new row of the owner; every cell of it must be set. */
  add(owner: number, id: number): number {
    const row = this.#length;
    if (row === this.#previous.length) this.#grow();
    const newest = this.#newest.get(owner);
    this.#previous[row] = newest === undefined ? NONE : newest;
    this.#newest.set(owner, row);
    this.#length = row + 1;
    this.#numbers[row * this.#width] = id;
    return row;
  }

  set(row: number, column: number, value: number): void {
    this.#numbers[row * this.#width + column] = value;
  }

  get(row: number, column: number): number {
    return this.#numbers[row * this.#width + column]!;
  }

  setAmount(row: number, column: number, amount: bigint): void {
    this.#amounts[row * this.#width + column] = amount;
  }

  getAmount(row: number, column: number): bigint {
    return this.#amounts[row * this.#width + column]!;
  }

  setText(row: number, text: string): void {
    this.#texts[row] = text;
  }

  /** Of all owners. The cells of a page are good until the next one is taken: all of them share one buffer. */
  *pages(): Generator<PageRow> {
    for (const owner of this.#newest.keys()) yield* this.#pagesOf(owner);
  }

  /** Oldest first. */
  *pagesOf(owner: number): Generator<PageRow> {
    for (const page of this.#pagesOf(owner)) yield { ...page, cells: page.cells.slice() };
  }
  /** Rows of one id stay in one page, so that pages never overlap. */
  *#pagesOf(owner: number): Generator<PageRow> {
    const rows = this.#rowsOf(owner);
    let from = 0;
    while (from < rows.length) {
      let to = from + this.#rowsPerPage;
      while (to < rows.length && this.#id(rows[to]!) === this.#id(rows[to - 1]!)) to += 1;
      yield this.#page(owner, rows.slice(from, to));
      from = to;
    }
  }

  /** Empties the table and keeps its memory. */
  clear(): void {
    this.#newest.clear();
    this.#texts.length = 0;
    this.#length = 0;
  }

  #page(owner: number, rows: readonly number[]): PageRow {
    const length = this.#width * 2;
    const halves = scratchOf(rows.length * length);
    let hasTexts = false;
    let at = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]!;
      const start = row * length;
      for (let half = 0; half < length; half += 1) {
        halves[at] = this.#halves[start + half]!;
        at += 1;
      }
      hasTexts ||= this.#texts[row] !== undefined;
    }
    return {
      kind: this.#kind,
      owner,
      first: this.#id(rows[0]!),
      cells: new Uint8Array(halves.buffer, 0, at * HALF_BYTES),
      texts: hasTexts ? JSON.stringify(rows.map((row) => this.#texts[row] ?? null)) : null,
    };
  }

  #id(row: number): number {
    return this.#numbers[row * this.#width]!;
  }

  /** Oldest first. */
  #rowsOf(owner: number): number[] {
    const rows: number[] = [];
    let row = this.#newest.get(owner) ?? NONE;
    while (row !== NONE) {
      rows.push(row);
      row = this.#previous[row]!;
    }
    return rows.reverse();
  }

  #grow(): void {
    const numbers = new Float64Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    this.#amounts = new BigInt64Array(numbers.buffer);
    this.#halves = new Int32Array(numbers.buffer);
    const previous = new Int32Array(this.#previous.length * 2);
    previous.set(this.#previous);
    this.#previous = previous;
  }
}

const HALF_BYTES = 4;
let scratch = new Int32Array(4096);

function scratchOf(length: number): Int32Array {
  if (scratch.length < length) scratch = new Int32Array(length * 2);
  return scratch;
}

/** The cells of a stored page. */
export class PageCells {
  readonly length: number;
  readonly #width: number;
  readonly #numbers: Float64Array;
  readonly #amounts: BigInt64Array;
  readonly #texts: readonly (string | null)[];

  constructor(page: PageRow, width: number) {
    // A copy, because what a database hands out need not lie on a boundary of eight bytes.
    const bytes = page.cells.slice();
    this.#width = width;
    this.#numbers = new Float64Array(bytes.buffer, 0, bytes.length / CELL_BYTES);
    this.#amounts = new BigInt64Array(bytes.buffer, 0, bytes.length / CELL_BYTES);
    this.length = this.#numbers.length / width;
    this.#texts = page.texts === null ? [] : textsOf(page.texts);
  }

  get(row: number, column: number): number {
    return this.#numbers[row * this.#width + column]!;
  }

  amount(row: number, column: number): bigint {
    return this.#amounts[row * this.#width + column]!;
  }

  text(row: number): string | null {
    return this.#texts[row] ?? null;
  }
}

function textsOf(texts: string): readonly (string | null)[] {
  return JSON.parse(texts) as (string | null)[];
}
