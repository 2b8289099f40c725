// Rows by owner, in the order in which they came, and the cells of a page that was cut of them.
import { NONE, type OwnedRows, PageCutter } from '../ports/flat-rows.ts';
import type { PageKind, PageRow } from '../ports/read-store.ts';
import { FlatTable, grownInts, sharedInts } from './flat-table.ts';

const INITIAL_ROWS = 1024;
const INT_BYTES = 4;

/** The first column of every table is the id by which its rows are found; ids of one owner never fall. */
export const ID = 0;

export class RowTable {
  readonly kind: PageKind;
  readonly #rowsPerPage: number;
  readonly #flat: FlatTable;
  /** The owner's row before this one. */
  #previous = sharedInts(INITIAL_ROWS);
  /** By owner: owners are numbered without gaps. */
  #newest = sharedInts(INITIAL_ROWS).fill(NONE);
  #owners = sharedInts(INITIAL_ROWS);
  #ownerCount = 0;

  constructor(kind: PageKind, width: number, rowsPerPage: number) {
    this.kind = kind;
    this.#rowsPerPage = rowsPerPage;
    this.#flat = new FlatTable(width);
  }

  get length(): number {
    return this.#flat.length;
  }

  /** A new row of the owner; every cell of it must be set. */
  add(owner: number, id: number): number {
    const row = this.#flat.append();
    if (row === this.#previous.length) this.#previous = grownInts(this.#previous, row * 2);
    if (owner >= this.#newest.length) this.#growOwners(owner);
    const newest = this.#newest[owner]!;
    if (newest === NONE) this.#enter(owner);
    this.#previous[row] = newest;
    this.#newest[owner] = row;
    this.#flat.set(row, ID, id);
    return row;
  }

  set(row: number, column: number, value: number): void {
    this.#flat.set(row, column, value);
  }

  get(row: number, column: number): number {
    return this.#flat.get(row, column);
  }

  setAmount(row: number, column: number, amount: bigint): void {
    this.#flat.setAmount(row, column, amount);
  }

  addAmount(row: number, column: number, amount: bigint): void {
    this.#flat.addAmount(row, column, amount);
  }

  setText(row: number, text: string): void {
    this.#flat.setText(row, text);
  }

  /** As it lies here: good until the next row is added. */
  rows(): OwnedRows {
    return {
      ...this.#flat.rows(),
      previous: this.#previous,
      newest: this.#newest,
      owners: this.#owners,
      ownerCount: this.#ownerCount,
      rowsPerPage: this.#rowsPerPage,
    };
  }

  /** Oldest first. */
  pagesOf(owner: number): PageRow[] {
    const { kind } = this;
    const pages: PageRow[] = [];
    new PageCutter(this.rows()).cut(owner, ({ first, cells, texts }) =>
      pages.push({ kind, owner, first, cells: cells.slice(), texts }),
    );
    return pages;
  }

  /** Empties the table and keeps its memory. */
  clear(): void {
    for (let place = 0; place < this.#ownerCount; place += 1) {
      this.#newest[this.#owners[place]!] = NONE;
    }
    this.#ownerCount = 0;
    this.#flat.clear();
  }

  #enter(owner: number): void {
    if (this.#ownerCount === this.#owners.length) {
      this.#owners = grownInts(this.#owners, this.#ownerCount * 2);
    }
    this.#owners[this.#ownerCount] = owner;
    this.#ownerCount += 1;
  }

  #growOwners(owner: number): void {
    const known = this.#newest.length;
    this.#newest = grownInts(this.#newest, owner * 2).fill(NONE, known);
  }
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
    const bytes = new Uint8Array(page.cells);
    this.#width = width;
    this.#numbers = new Float64Array(bytes.buffer);
    this.#amounts = new BigInt64Array(bytes.buffer);
    this.length = this.#numbers.length / width;
    this.#texts = page.texts === null ? [] : textsOf(page.texts, this.length);
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

function textsOf(texts: Uint8Array, count: number): readonly (string | null)[] {
  const bytes = Buffer.from(texts);
  const found: (string | null)[] = [];
  let start = count * INT_BYTES;
  for (let row = 0; row < count; row += 1) {
    const length = bytes.readInt32LE(row * INT_BYTES);
    found.push(length === NONE ? null : bytes.toString('utf8', start, start + length));
    if (length !== NONE) start += length;
  }
  return found;
}
