// Amounts that belong to many things of one kind, in one flat table: an object or a bigint for each would be cold memory.
import { assert, Defect } from './assert.ts';
import { LOW_WORD, nearMicro } from './micro.ts';

/** A row's index in the table; its amounts follow one another from there. */
export type Row = number & { readonly __brand: 'Row' };

export const NO_ROW = -1 as Row;

const INITIAL_ROWS = 8;
/** Amounts stay within 2⁶² either way, as balances do: a sum that would wrap is found before it can. */
const HIGH_MAX = 1 << 30;
/** The same of what one order can come to, which is below 2⁵¹ (see nearMicro). */
const HIGH_NEAR = 1 << 19;

export class Tallies {
  readonly #width: number;
  #amounts: BigInt64Array;
  /** The same as words: the size of an amount is read without making a bigint. */
  #words: Int32Array;
  #end = 0;
  readonly #vacant: Row[] = [];

  constructor(width: number) {
    assert(width > 0, 'a table needs columns');
    this.#width = width;
    this.#amounts = new BigInt64Array(INITIAL_ROWS * width);
    this.#words = new Int32Array(this.#amounts.buffer);
  }

  /** A row of zeros. */
  open(): Row {
    const vacant = this.#vacant.pop();
    if (vacant !== undefined) return vacant;
    const row = this.#end as Row;
    this.#end += this.#width;
    if (this.#end > this.#amounts.length) this.#grow();
    return row;
  }

  /** The row is used again. */
  close(row: Row): void {
    this.#amounts.fill(0n, row, row + this.#width);
    this.#vacant.push(row);
  }

  get(row: Row, column: number): bigint {
    return this.#amounts[row + column]!;
  }

  set(row: Row, column: number, amount: bigint): void {
    this.#amounts[row + column] = amount;
    this.#checkSize(row + column);
  }

  add(row: Row, column: number, amount: bigint): void {
    this.#amounts[row + column] = BigInt.asIntN(64, this.#amounts[row + column]! + amount);
    this.#checkSize(row + column);
  }

  /** The same for an amount of one order, given as a safe integer. */
  addMicro(row: Row, column: number, amount: number): void {
    const exact = nearMicro(amount);
    this.#amounts[row + column] = BigInt.asIntN(64, this.#amounts[row + column]! + exact);
    this.#checkSize(row + column);
  }

  /** Whether it has no room for another amount of one order. */
  isFull(row: Row, column: number): boolean {
    return this.#words[2 * (row + column) + 1 - LOW_WORD]! >= HIGH_MAX - HIGH_NEAR;
  }

  #checkSize(index: number): void {
    const high = this.#words[2 * index + 1 - LOW_WORD]!;
    if (high >= HIGH_MAX || high < -HIGH_MAX) throw new Defect('an amount beyond all money');
  }

  #grow(): void {
    const amounts = new BigInt64Array(2 * this.#amounts.length);
    amounts.set(this.#amounts);
    this.#amounts = amounts;
    this.#words = new Int32Array(amounts.buffer);
  }
}
