// Rows of numbers in one flat buffer that threads can share: nothing that waits for a flush keeps the garbage collector
// busy, and what stores them reads the very bytes that lie here.
import { CELL_BYTES, type FlatRows, NONE } from '../store/flat-rows.ts';

const INITIAL_ROWS = 1024;
const INITIAL_TEXT_BYTES = 4096;
const INT_BYTES = 4;
/** No character takes more in UTF-8. */
const CHARACTER_BYTES = 3;
const ASCII_MAX = 127;

export class FlatTable {
  readonly #width: number;
  #numbers: Float64Array<SharedArrayBuffer>;
  #amounts: BigInt64Array<SharedArrayBuffer>;
  #textStarts = sharedInts(INITIAL_ROWS);
  #textLengths = sharedInts(INITIAL_ROWS);
  #texts = Buffer.from(new SharedArrayBuffer(INITIAL_TEXT_BYTES));
  #textsEnd = 0;
  #capacity = INITIAL_ROWS;
  #length = 0;

  constructor(width: number) {
    this.#width = width;
    this.#numbers = new Float64Array(sharedCells(INITIAL_ROWS * width));
    this.#amounts = new BigInt64Array(this.#numbers.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** The cells of all rows, for whoever sets a whole row; amounts are another view of the same. */
  get numbers(): Float64Array<SharedArrayBuffer> {
    return this.#numbers;
  }

  get amounts(): BigInt64Array<SharedArrayBuffer> {
    return this.#amounts;
  }

  /** A new row; every cell of it must be set. */
  append(): number {
    const row = this.#length;
    if (row === this.#capacity) this.#grow();
    this.#textLengths[row] = NONE;
    this.#length = row + 1;
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

  addAmount(row: number, column: number, amount: bigint): void {
    const cell = row * this.#width + column;
    const sum = this.#amounts[cell]! + amount;
    this.#amounts[cell] = sum;
    if (this.#amounts[cell] !== sum) throw new Error(`${sum} does not fit a cell`);
  }

  getAmount(row: number, column: number): bigint {
    return this.#amounts[row * this.#width + column]!;
  }

  /** What a row says beside its numbers. */
  setText(row: number, text: string): void {
    const start = this.#textsEnd;
    const endMax = start + text.length * CHARACTER_BYTES;
    if (endMax > this.#texts.length) this.#growTexts(endMax);
    const length = this.#encode(text, start);
    this.#textStarts[row] = start;
    this.#textLengths[row] = length;
    this.#textsEnd = start + length;
  }

  getText(row: number): string | null {
    const length = this.#textLengths[row]!;
    if (length === NONE) return null;
    const start = this.#textStarts[row]!;
    return this.#texts.toString('utf8', start, start + length);
  }

  /** From the end: names that are counted up differ there. */
  hasText(row: number, bytes: Uint8Array): boolean {
    if (this.#textLengths[row] !== bytes.length) return false;
    const start = this.#textStarts[row]!;
    for (let index = bytes.length - 1; index >= 0; index -= 1) {
      if (this.#texts[start + index] !== bytes[index]) return false;
    }
    return true;
  }

  /** As it lies here: good until the next row is added. */
  rows(): FlatRows {
    return {
      width: this.#width,
      length: this.#length,
      cells: this.#numbers.buffer,
      textStarts: this.#textStarts,
      textLengths: this.#textLengths,
      textBytes: this.#texts,
    };
  }

  /** Empties the table and keeps its memory. */
  clear(): void {
    this.#length = 0;
    this.#textsEnd = 0;
  }

  /** Nearly all texts are short and plain: those are copied here, at less than the price of a call. */
  #encode(text: string, start: number): number {
    const texts = this.#texts;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > ASCII_MAX) return texts.write(text, start, 'utf8');
      texts[start + index] = code;
    }
    return text.length;
  }

  #grow(): void {
    this.#capacity *= 2;
    const numbers = new Float64Array(sharedCells(this.#capacity * this.#width));
    // As bytes: an amount that is copied as a number may turn into another.
    new Uint8Array(numbers.buffer).set(new Uint8Array(this.#numbers.buffer));
    this.#numbers = numbers;
    this.#amounts = new BigInt64Array(numbers.buffer);
    this.#textStarts = grownInts(this.#textStarts, this.#capacity);
    this.#textLengths = grownInts(this.#textLengths, this.#capacity);
  }

  #growTexts(needed: number): void {
    const texts = Buffer.from(new SharedArrayBuffer(needed * 2));
    texts.set(this.#texts.subarray(0, this.#textsEnd));
    this.#texts = texts;
  }
}

export type SharedInts = Int32Array<SharedArrayBuffer>;

export function sharedInts(length: number): SharedInts {
  return new Int32Array(new SharedArrayBuffer(length * INT_BYTES));
}

export function grownInts(ints: SharedInts, length: number): SharedInts {
  const larger = sharedInts(length);
  larger.set(ints);
  return larger;
}

function sharedCells(length: number): SharedArrayBuffer {
  return new SharedArrayBuffer(length * CELL_BYTES);
}
