// A page of the names that clients gave their orders: what is known of each, and its characters, in flat memory.
import { assert } from '../../kit/assert.ts';
import type { OrderId } from '../../kit/identity.ts';
import type { Row } from '../../kit/tallies.ts';

/** Names of a page, as a power of two. */
export const PAGE_BITS = 10;
const PAGE_NAMES = 1 << PAGE_BITS;
/** Room for names of 32 characters on average: longer ones end a page early. */
const TEXT_BYTES = 32 * PAGE_NAMES;

const WORDS = 4;
const ACCOUNT = 0;
const HASH = 1;
/** Where its characters begin. */
const START = 2;
/** How many there are; negative when each takes two bytes. */
const LENGTH = 3;

const NUMBERS = 2;
const ORDER_ID = 0;
const AT_MS = 1;

const BYTE_MAX = 255;

export class NamePage {
  readonly #words = new Int32Array(WORDS * PAGE_NAMES);
  readonly #numbers = new Float64Array(NUMBERS * PAGE_NAMES);
  readonly #text = new Uint8Array(TEXT_BYTES);
  #end = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  hasRoom(name: string): boolean {
    return this.#count < PAGE_NAMES && this.#end + 2 * name.length <= TEXT_BYTES;
  }

  /** Gives its position in the page. */
  add(account: Row, hash: number, name: string, orderId: OrderId, atMs: number): number {
    assert(this.hasRoom(name), 'a page of names that is full');
    const at = this.#count;
    this.#words[WORDS * at + ACCOUNT] = account;
    this.#words[WORDS * at + HASH] = hash;
    this.#words[WORDS * at + START] = this.#end;
    this.#words[WORDS * at + LENGTH] = this.#write(name);
    this.#numbers[NUMBERS * at + ORDER_ID] = orderId;
    this.#numbers[NUMBERS * at + AT_MS] = atMs;
    this.#count = at + 1;
    return at;
  }

  account(at: number): Row {
    return this.#words[WORDS * at + ACCOUNT]! as Row;
  }

  hash(at: number): number {
    return this.#words[WORDS * at + HASH]!;
  }

  orderId(at: number): OrderId {
    return this.#numbers[NUMBERS * at + ORDER_ID]! as OrderId;
  }

  atMs(at: number): number {
    return this.#numbers[NUMBERS * at + AT_MS]!;
  }

  /** Whether the name at the position is this one, of this account. */
  holds(at: number, account: Row, name: string): boolean {
    if (this.#words[WORDS * at + ACCOUNT] !== account) return false;
    const kept = this.#words[WORDS * at + LENGTH]!;
    const { length } = name;
    if (kept !== length && kept !== -length) return false;
    for (let index = 0; index < length; index += 1) {
      if (this.#unit(at, index) !== name.charCodeAt(index)) return false;
    }
    return true;
  }

  name(at: number): string {
    const kept = this.#words[WORDS * at + LENGTH]!;
    let name = '';
    for (let index = 0; index < kept || index < -kept; index += 1) {
      name += String.fromCharCode(this.#unit(at, index));
    }
    return name;
  }

  /** A character, as half a surrogate pair where it is one. */
  #unit(at: number, index: number): number {
    const start = this.#words[WORDS * at + START]!;
    if (this.#words[WORDS * at + LENGTH]! >= 0) return this.#text[start + index]!;
    return this.#text[start + 2 * index]! | (this.#text[start + 2 * index + 1]! << 8);
  }

  #write(name: string): number {
    const { length } = name;
    const start = this.#end;
    for (let index = 0; index < length; index += 1) {
      const unit = name.charCodeAt(index);
      if (unit > BYTE_MAX) return this.#writeWide(name);
      this.#text[start + index] = unit;
    }
    this.#end = start + length;
    return length;
  }

  #writeWide(name: string): number {
    const { length } = name;
    const start = this.#end;
    for (let index = 0; index < length; index += 1) {
      const unit = name.charCodeAt(index);
      this.#text[start + 2 * index] = unit & BYTE_MAX;
      this.#text[start + 2 * index + 1] = unit >>> 8;
    }
    this.#end = start + 2 * length;
    return -length;
  }
}
