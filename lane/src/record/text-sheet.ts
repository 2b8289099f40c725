// Texts written as bytes, one after the other into the same memory: nothing is put together first and copied then.
import { formatMicro } from '@sibyl/money';

const QUOTE = 0x22;
const POINT = 0x2e;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const TILDE = 0x7e;
const ASCII_MAX = 0x7f;

const MEMORY_BYTES = 65_536;
/** More digits than any length has. */
const LENGTH_ROOM = 10;
/** The way to Node's own copying is as long as that of so many characters one by one. */
const CHARACTERS_MAX = 48;
/** Of one character, as strings count them. */
const UTF8_BYTES_MAX = 3;
const SIXTEEN = 16;
const MICRO_ONE = 1_000_000;
const MICRO_PLACES = 6;
/** Digits are counted off in small integers; what has more of them is written otherwise. */
const SMALL_MAX = 0x7fff_ffff;
const MICRO_MAX = SMALL_MAX * MICRO_ONE;

/** A text that is written as it is, again and again. */
export function pieceOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

export class TextSheet {
  #bytes = Buffer.allocUnsafeSlow(MEMORY_BYTES);
  #at = 0;
  #surplus = 0;
  #lengthAt = 0;
  #bodyAt = 0;

  begin(): void {
    this.#at = 0;
    this.#surplus = 0;
  }

  /** Where the next byte will stand. */
  get offset(): number {
    return this.#at;
  }

  /** How many characters were written by `text` and the like; a character is what strings count. */
  get characters(): number {
    return this.#at - this.#surplus;
  }

  /** Drops all from an offset on where so many characters had been written. */
  goBack(offset: number, characters: number): void {
    this.#at = offset;
    this.#surplus = offset - characters;
  }

  /** All that was written, good until the sheet is begun again. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  /** Here will stand how long the body is: it is known when it is closed. */
  openLength(): void {
    this.#reserve(LENGTH_ROOM);
    this.#lengthAt = this.#at;
    this.#at += LENGTH_ROOM;
  }

  openBody(): void {
    this.#bodyAt = this.#at;
  }

  /** All that was written, good until the sheet is begun again. */
  close(): Buffer {
    const bytes = this.#bytes;
    const end = this.#at;
    const length = end - this.#bodyAt;
    const digits = digitsOf(length);
    // What stands before the length is moved up to it, so that there is no room left between.
    const from = LENGTH_ROOM - digits;
    bytes.copyWithin(from, 0, this.#lengthAt);
    this.#at = this.#lengthAt + from;
    this.#digits(length, digits);
    this.#at = end;
    return bytes.subarray(from, end);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Text that is known to be plain ASCII. */
  plain(text: string): void {
    const { length } = text;
    this.#reserve(length);
    const bytes = this.#bytes;
    const at = this.#at;
    if (length > CHARACTERS_MAX) bytes.write(text, at, 'latin1');
    else for (let index = 0; index < length; index += 1) bytes[at + index] = text.charCodeAt(index);
    this.#at = at + length;
  }

  /** Any text. False if it is not well formed: then it will not be read as what it is. */
  text(text: string): boolean {
    const { length } = text;
    if (length > CHARACTERS_MAX) return this.#long(text);
    this.#reserve(length);
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > ASCII_MAX) return this.#wide(text);
      bytes[at + index] = code;
    }
    this.#at = at + length;
    return true;
  }

  space(): void {
    this.#reserve(1);
    this.#bytes[this.#at] = SPACE;
    this.#at += 1;
  }

  /** Leaves room for a count that is known later, and gives its offset. */
  openCount(digits: number): number {
    this.#reserve(digits);
    const offset = this.#at;
    this.#at += digits;
    return offset;
  }

  closeCount(offset: number, digits: number, count: number): void {
    if (digitsOf(count) > digits) throw new Error(`${count} has more than ${digits} digits`);
    const end = this.#at;
    this.#at = offset;
    this.#digits(count, digits);
    this.#at = end;
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

  /** A count in as many digits as it has. */
  count(value: number): void {
    if (!isCount(value, MICRO_MAX)) {
      this.plain(`${value}`);
      return;
    }
    this.#reserve(SIXTEEN);
    if (value <= SMALL_MAX) {
      this.#digits(value, digitsOf(value));
      return;
    }
    const millions = millionsOf(value);
    this.#digits(millions, digitsOf(millions));
    this.#digits(value - millions * MICRO_ONE, MICRO_PLACES);
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
    const whole = millionsOf(value);
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

  #long(text: string): boolean {
    const { length } = text;
    this.#reserve(length * UTF8_BYTES_MAX);
    // As many bytes as characters is plain ASCII.
    if (this.#bytes.write(text, this.#at) !== length) return this.#wide(text);
    this.#at += length;
    return true;
  }

  #wide(text: string): boolean {
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#bytes.write(text, this.#at, length, 'utf8');
    this.#at += length;
    this.#surplus += length - text.length;
    return text.isWellFormed();
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
}

function isCount(value: number, max: number): boolean {
  return value >= 0 && value <= max && Number.isInteger(value);
}

/** Of a count that is not above MICRO_MAX: there, quotients a millionth apart are different numbers. */
function millionsOf(value: number): number {
  return Math.floor(value / MICRO_ONE);
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; limit <= value; limit *= 10) digits += 1;
  return digits;
}
