// The tape: postings as the ledger wrote them, page by page, and the entries that point at them.

import { HIGH_UNIT, LOW_WORD } from '../kit/micro.ts';
import type { LedgerReason } from '../state/event.ts';

/**
 * Names by slot. A slot has one name in one table for as long as the table is in use, so whatever was found out about
 * a slot is good for all entries of the same table. In another lane, run or table the slot may be another account's.
 */
export type SlotNames = readonly (string | undefined)[];

/** What an entry refers to: an order or a trade by its number, or a market, an account or something outside as text. */
export type ReferenceKind = 'order' | 'trade' | 'text';

/** Room for the postings of some hundred fills; a page is freed with the last entry that points at it. */
const PAGE_POSTINGS = 4096;
const AMOUNT_BYTES = 8;
const SLOT_BYTES = 4;

export class TapePage {
  readonly names: SlotNames;
  readonly amounts: BigInt64Array;
  /** The amounts as words: their readers mostly want no bigint. */
  readonly words: Int32Array;
  readonly slots: Int32Array;

  constructor(names: SlotNames, capacity = PAGE_POSTINGS) {
    const buffer = new ArrayBuffer(capacity * (AMOUNT_BYTES + SLOT_BYTES));
    this.names = names;
    this.amounts = new BigInt64Array(buffer, 0, capacity);
    this.words = new Int32Array(buffer, 0, 2 * capacity);
    this.slots = new Int32Array(buffer, capacity * AMOUNT_BYTES, capacity);
  }

  /** A page that begins with some postings of this one, and has as much room again behind them. */
  continued(from: number, to: number): TapePage {
    const taken = to - from;
    const next = new TapePage(this.names, 2 * taken > PAGE_POSTINGS ? 2 * taken : PAGE_POSTINGS);
    next.amounts.set(this.amounts.subarray(from, to));
    next.slots.set(this.slots.subarray(from, to));
    return next;
  }
}

/**
 * One balanced entry: the amounts sum to zero for each asset. It points at its postings on the tape rather than
 * holding them: entries are most of what the engine says, and would be most of what it leaves to the collector.
 */
export class LedgerPosted {
  /** Compiled code is thrown away with the last object of a shape that it was made for: this one stays. */
  static readonly kept = new LedgerPosted(new TapePage([], 0), 0, 0, 'fill', 'trade', 0);

  readonly type = 'ledger_posted';
  readonly reason: LedgerReason;
  readonly count: number;
  readonly referenceKind: ReferenceKind;
  readonly #reference: number | string;
  readonly #page: TapePage;
  readonly #start: number;

  constructor(
    page: TapePage,
    start: number,
    count: number,
    reason: LedgerReason,
    referenceKind: ReferenceKind,
    reference: number | string,
  ) {
    this.reason = reason;
    this.count = count;
    this.referenceKind = referenceKind;
    this.#reference = reference;
    this.#page = page;
    this.#start = start;
  }

  /** The order, trade, market, account or outside reference that the entry belongs to. */
  get reference(): string {
    const { referenceKind } = this;
    return referenceKind === 'text' ? `${this.#reference}` : `${referenceKind}:${this.#reference}`;
  }

  /** Of the order or trade; 0 where the reference is text. */
  get referenceNumber(): number {
    const reference = this.#reference;
    return typeof reference === 'number' ? reference : 0;
  }

  /** Which account each slot is. */
  get names(): SlotNames {
    return this.#page.names;
  }

  slotAt(index: number): number {
    return this.#page.slots[this.#start + index]!;
  }

  /** Names in the chart of LG1; one ending in `{market}.{index}` holds shares. */
  accountAt(index: number): string {
    return this.#page.names[this.slotAt(index)]!;
  }

  /** What the account gained. */
  amountAt(index: number): bigint {
    return this.#page.amounts[this.#start + index]!;
  }

  /** The amount's lower 32 bits. */
  lowAt(index: number): number {
    return this.#page.words[2 * (this.#start + index) + LOW_WORD]!;
  }

  /** The amount's upper 32 bits, sign included. */
  highAt(index: number): number {
    return this.#page.words[2 * (this.#start + index) + 1 - LOW_WORD]!;
  }

  /** The amount as a number: exact up to 2⁵³, and beyond that still with the right sign. */
  amountSafeAt(index: number): number {
    return this.highAt(index) * HIGH_UNIT + (this.lowAt(index) >>> 0);
  }

  /** All names, for readers that do not mind a list. */
  get accounts(): readonly string[] {
    return Array.from({ length: this.count }, (_, index) => this.accountAt(index));
  }

  get amounts(): readonly bigint[] {
    return Array.from({ length: this.count }, (_, index) => this.amountAt(index));
  }

  /** As text an entry says everything that it points at. */
  toJSON(): object {
    const { type, reason, reference, accounts, amounts } = this;
    return { type, reason, reference, accounts, amounts };
  }
}
