// Rows of a batch as flat buffers, which the thread that stores them reads where they lie; and how pages are cut of them.
import { CellPacker, type RowShape } from './packed-cells.ts';

export const CELL_BYTES = 8;
const HALF_BYTES = 4;
/** Stands where a row has no text, and where an owner has no row. */
export const NONE = -1;

export interface FlatRows {
  /** Cells in a row. */
  readonly width: number;
  /** Rows. */
  readonly length: number;
  /** Cells of eight bytes, row after row: amounts are 64-bit integers, everything else is a number. */
  readonly cells: SharedArrayBuffer;
  /** Where the text of each row begins, and how many bytes it has; NONE for a row that has none. */
  readonly textStarts: Int32Array;
  readonly textLengths: Int32Array;
  /** UTF-8. */
  readonly textBytes: Uint8Array;
}

/** Rows that belong to owners, each chained to the one that its owner had before. */
export interface OwnedRows extends FlatRows {
  readonly previous: Int32Array;
  /** By owner. */
  readonly newest: Int32Array;
  /** Those that have rows, and how many they are. */
  readonly owners: Int32Array;
  readonly ownerCount: number;
  readonly shape: RowShape;
  readonly rowsPerPage: number;
}

export interface CutPage {
  /** The first cell of its first row. */
  readonly first: number;
  /** Packed. */
  readonly cells: Uint8Array;
  /** The length of each row's text in four bytes, then the texts; null if no row has any. */
  readonly texts: Uint8Array | null;
}

/** Cuts the rows of owners into pages. */
export class PageCutter {
  readonly #rows: OwnedRows;
  readonly #numbers: Float64Array;
  readonly #packer: CellPacker;
  /** Rows of the owner in hand, newest first. */
  #chain = new Int32Array(64);

  constructor(rows: OwnedRows) {
    this.#rows = rows;
    this.#numbers = new Float64Array(rows.cells);
    this.#packer = new CellPacker(rows.shape, rows.cells);
  }

  /** Oldest first. What a page holds is good until the next one is cut: all of them share one buffer. */
  cut(owner: number, take: (page: CutPage) => void): void {
    const { rowsPerPage } = this.#rows;
    const count = this.#follow(owner);
    let from = 0;
    while (from < count) {
      let to = Math.min(from + rowsPerPage, count);
      // Rows of one id stay in one page, so that pages never overlap.
      while (to < count && this.#idOf(count, to) === this.#idOf(count, to - 1)) to += 1;
      take(this.#page(count - from, count - to));
      from = to;
    }
  }

  /** Newest first, of rows up to the given id; no more pages than `limit`, however many rows there are. */
  cutNewest(owner: number, idMax: number, limit: number, take: (page: CutPage) => void): void {
    const { newest, previous, rowsPerPage } = this.#rows;
    let row = newest[owner] ?? NONE;
    while (row !== NONE && this.#id(row) > idMax) row = previous[row]!;
    for (let pages = 0; row !== NONE && pages < limit; pages += 1) {
      let count = 0;
      while (row !== NONE && (count < rowsPerPage || this.#isSameId(row, count - 1))) {
        this.#chainAt(count, row);
        count += 1;
        row = previous[row]!;
      }
      take(this.#page(count, 0));
    }
  }

  #follow(owner: number): number {
    const { newest, previous } = this.#rows;
    let count = 0;
    let row = newest[owner] ?? NONE;
    while (row !== NONE) {
      this.#chainAt(count, row);
      count += 1;
      row = previous[row]!;
    }
    return count;
  }

  #chainAt(position: number, row: number): void {
    if (position === this.#chain.length) this.#chain = grown(this.#chain);
    this.#chain[position] = row;
  }

  #isSameId(row: number, position: number): boolean {
    return this.#id(row) === this.#id(this.#chain[position]!);
  }

  #id(row: number): number {
    return this.#numbers[row * this.#rows.width]!;
  }

  #idOf(count: number, position: number): number {
    return this.#id(this.#chain[count - 1 - position]!);
  }

  /** From one position in the chain down to another. */
  #page(from: number, to: number): CutPage {
    return {
      first: this.#id(this.#chain[from - 1]!),
      cells: this.#packer.pack(this.#chain, from, to),
      texts: this.#texts(from, to),
    };
  }

  #texts(from: number, to: number): Uint8Array | null {
    const { textStarts, textLengths, textBytes } = this.#rows;
    const chain = this.#chain;
    let size = 0;
    let hasTexts = false;
    for (let position = from - 1; position >= to; position -= 1) {
      const length = textLengths[chain[position]!]!;
      if (length === NONE) continue;
      hasTexts = true;
      size += length;
    }
    if (!hasTexts) return null;
    const lengths = new Int32Array(from - to + Math.ceil(size / HALF_BYTES));
    const texts = new Uint8Array(lengths.buffer, 0, (from - to) * HALF_BYTES + size);
    let at = (from - to) * HALF_BYTES;
    for (let position = from - 1; position >= to; position -= 1) {
      const row = chain[position]!;
      const length = textLengths[row]!;
      lengths[from - 1 - position] = length;
      const start = textStarts[row]!;
      for (let index = 0; index < length; index += 1) texts[at + index] = textBytes[start + index]!;
      if (length !== NONE) at += length;
    }
    return texts;
  }
}

function grown(chain: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(chain.length * 2);
  larger.set(chain);
  return larger;
}
