// Answers written as bytes, one after the other into the same memory: nothing is put together first and copied then.
import { formatMicro } from '@sibyl/money';

const QUOTE = 0x22;
const POINT = 0x2e;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const TILDE = 0x7e;

const MEMORY_BYTES = 65_536;
const SIXTEEN = 16;
const MICRO_ONE = 1_000_000;
const MICRO_PLACES = 6;
/** Digits are counted off in small integers; what has more of them is written otherwise. */
const SMALL_MAX = 999_999_999;
const MICRO_MAX = SMALL_MAX * MICRO_ONE;

/** A text that is written as it is, again and again. */
export function pieceOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

export class TextSheet {
  #bytes = Buffer.allocUnsafeSlow(MEMORY_BYTES);
  #start = 0;
  #at = 0;

  /** Bytes written since it was begun. */
  get length(): number {
    return this.#at - this.#start;
  }

  /** Begins anew, with room before it for what is only known at the end. */
  begin(roomBefore: number): void {
    this.#start = roomBefore;
    this.#at = roomBefore;
  }

  /** All that was written, behind a head of plain ASCII; it is good until the sheet is begun again. */
  behind(head: string): Buffer {
    const { length } = head;
    const from = this.#start - length;
    if (from < 0) return Buffer.concat([Buffer.from(head, 'latin1'), this.#written()]);
    this.#bytes.write(head, from, length, 'latin1');
    return this.#bytes.subarray(from, this.#at);
  }

  /** Leaves its memory to whoever still reads it, and takes other. */
  leaveMemory(): void {
    this.#bytes = Buffer.allocUnsafeSlow(MEMORY_BYTES);
  }

  piece(piece: Uint8Array): void {
    this.#reserve(piece.length);
    this.#bytes.set(piece, this.#at);
    this.#at += piece.length;
  }

  /** Text that is known to be plain ASCII. */
  plain(text: string): void {
    const { length } = text;
    this.#reserve(length);
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < length; index += 1) bytes[at + index] = text.charCodeAt(index);
    this.#at = at + length;
  }

  /** Any text, as JSON has it. */
  quoted(text: string): void {
    const { length } = text;
    this.#reserve(length + 2);
    const bytes = this.#bytes;
    const first = this.#at + 1;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH) {
        this.#escaped(text);
        return;
      }
      bytes[first + index] = code;
    }
    bytes[first - 1] = QUOTE;
    bytes[first + length] = QUOTE;
    this.#at = first + length + 1;
  }

  /** A count in sixteen digits. */
  sixteen(value: number): void {
    if (!isCount(value, SMALL_MAX)) {
      this.plain(`${value}`.padStart(SIXTEEN, '0'));
      return;
    }
    this.#reserve(SIXTEEN);
    this.#digits(value, SIXTEEN);
  }

  /** Millionths, with all six places. */
  micro(value: number): void {
    if (!isCount(value, MICRO_MAX)) {
      this.plain(formatMicro(value));
      return;
    }
    // exact: up to a billion, quotients a millionth apart are different numbers, so none is rounded up to a whole one
    const whole = Math.floor(value / MICRO_ONE);
    this.#reserve(SIXTEEN + 1);
    this.#digits(whole, digitsOf(whole));
    this.#bytes[this.#at] = POINT;
    this.#at += 1;
    this.#digits(value - whole * MICRO_ONE, MICRO_PLACES);
  }

  /** Of a small value that has no more than so many. */
  #digits(value: number, digits: number): void {
    const bytes = this.#bytes;
    const end = this.#at + digits;
    let rest = value | 0;
    for (let at = end - 1; at >= this.#at; at -= 1) {
      const tenth = (rest / 10) | 0;
      bytes[at] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.#at = end;
  }

  #escaped(text: string): void {
    const escaped = JSON.stringify(text);
    const length = Buffer.byteLength(escaped);
    this.#reserve(length);
    this.#bytes.write(escaped, this.#at, length, 'utf8');
    this.#at += length;
  }

  #reserve(length: number): void {
    if (this.#at + length > this.#bytes.length) this.#grow(length);
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow((this.#at + length) * 2);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }

  #written(): Buffer {
    return this.#bytes.subarray(this.#start, this.#at);
  }
}

function isCount(value: number, max: number): boolean {
  return value >= 0 && value <= max && Number.isInteger(value);
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; limit <= value; limit *= 10) digits += 1;
  return digits;
}
