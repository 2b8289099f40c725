// The cells of a page as bytes: each as its difference from the cell above it, in as few bytes as that takes.

/** Cells of eight bytes, row after row: amounts are 64-bit integers, everything else is an integral number. */
export interface RowShape {
  /** Cells in a row. */
  readonly width: number;
  /** The columns that hold amounts. */
  readonly amounts: readonly number[];
}

/** Differences of cells within this bound are exact, and so are their doubles. */
const VALUE_MAX = 2 ** 51;
const SHORT_MAX = 2 ** 30;
/** How much of a long difference its first four bytes hold. */
const LOW_SPAN = 2 ** 28;
const CELL_BYTES = 8;
const WORD_SPAN = 2 ** 32;
const LOW_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1;

/** Marks of the first byte. A page with a cell that is too large for differences holds its cells as they are. */
const PLAIN = 0;
const PACKED = 1;

export class CellPacker {
  readonly #width: number;
  readonly #isAmount: Uint8Array;
  readonly #above: Float64Array;
  readonly #numbers: Float64Array;
  readonly #words: Int32Array;
  #bytes = new Uint8Array(4096);
  #end = 0;

  constructor({ width, amounts }: RowShape, cells: ArrayBufferLike) {
    this.#width = width;
    this.#isAmount = columnsOf(width, amounts);
    this.#above = new Float64Array(width);
    this.#numbers = new Float64Array(cells);
    this.#words = new Int32Array(cells);
  }

  /** The rows of a chain between two indexes, the last first. Good until the next call: all share one buffer. */
  pack(chain: Int32Array, from: number, to: number): Uint8Array {
    const room = 1 + (from - to) * this.#width * CELL_BYTES;
    if (this.#bytes.length < room) this.#bytes = new Uint8Array(2 * room);
    this.#above.fill(0);
    this.#bytes[0] = PACKED;
    this.#end = 1;
    for (let index = from - 1; index >= to; index -= 1) {
      if (!this.#packRow(chain[index]! * this.#width)) return this.#plain(chain, from, to);
    }
    return this.#bytes.subarray(0, this.#end);
  }

  /** False if a cell is too large. */
  #packRow(start: number): boolean {
    const width = this.#width;
    const above = this.#above;
    const bytes = this.#bytes;
    const isAmount = this.#isAmount;
    const numbers = this.#numbers;
    let end = this.#end;
    for (let column = 0; column < width; column += 1) {
      const value =
        isAmount[column] === 0 ? numbers[start + column]! : this.#amount(start + column);
      const difference = value - above[column]!;
      // Most cells say what the one above them says.
      if (difference === 0) {
        bytes[end] = 0;
        end += 1;
        continue;
      }
      if (!(value <= VALUE_MAX && value >= -VALUE_MAX)) return false;
      above[column] = value;
      let rest = 0;
      if (difference < SHORT_MAX && difference >= -SHORT_MAX) {
        const short = difference | 0;
        rest = (short << 1) ^ (short >> 31);
      } else {
        const long = difference < 0 ? -2 * difference - 1 : 2 * difference;
        rest = Math.floor(long / LOW_SPAN);
        const low = long - rest * LOW_SPAN;
        bytes[end] = low | 128;
        bytes[end + 1] = (low >> 7) | 128;
        bytes[end + 2] = (low >> 14) | 128;
        bytes[end + 3] = (low >> 21) | 128;
        end += 4;
      }
      while (rest >>> 0 > 127) {
        bytes[end] = rest | 128;
        rest >>>= 7;
        end += 1;
      }
      bytes[end] = rest;
      end += 1;
    }
    this.#end = end;
    return true;
  }

  #amount(cell: number): number {
    const high = this.#words[2 * cell + 1 - LOW_WORD]!;
    return high * WORD_SPAN + (this.#words[2 * cell + LOW_WORD]! >>> 0);
  }

  #plain(chain: Int32Array, from: number, to: number): Uint8Array {
    const cells = new Uint8Array(this.#numbers.buffer);
    const rowBytes = this.#width * CELL_BYTES;
    const bytes = new Uint8Array(1 + (from - to) * rowBytes);
    bytes[0] = PLAIN;
    for (let index = from - 1; index >= to; index -= 1) {
      const start = chain[index]! * rowBytes;
      bytes.set(cells.subarray(start, start + rowBytes), 1 + (from - 1 - index) * rowBytes);
    }
    return bytes;
  }
}

/** The cells, to be viewed as numbers and as amounts. */
export function unpackCells(bytes: Uint8Array, { width, amounts }: RowShape): ArrayBuffer {
  if (bytes[0] !== PACKED) return new Uint8Array(bytes.subarray(1)).buffer;
  const isAmount = columnsOf(width, amounts);
  // Every cell takes at least a byte.
  const cells = new ArrayBuffer((bytes.length - 1) * CELL_BYTES);
  const numbers = new Float64Array(cells);
  const integers = new BigInt64Array(cells);
  const above = new Float64Array(width);
  let count = 0;
  let at = 1;
  while (at < bytes.length) {
    const column = count % width;
    let folded = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at]!;
      at += 1;
      folded += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    const value = above[column]! + (folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2);
    above[column] = value;
    if (isAmount[column] === 0) numbers[count] = value;
    else integers[count] = BigInt(value);
    count += 1;
  }
  return cells.slice(0, count * CELL_BYTES);
}

function columnsOf(width: number, amounts: readonly number[]): Uint8Array {
  const columns = new Uint8Array(width);
  for (const column of amounts) columns[column] = 1;
  return columns;
}
