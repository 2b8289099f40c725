// Reads a plain JSON text from an offset on, only the few forms that orders use; of anything else nothing is read.

/** Words that may stand at an offset, by the first letter of each. */
export type Words<Word extends string> = readonly (readonly Spelled<Word>[] | undefined)[];

interface Spelled<Word extends string> {
  readonly word: Word;
  /** With its quotes. */
  readonly bytes: Buffer;
}

/** A text that begins with the prefix and goes on with so many characters of a kind. */
export interface TextRule {
  readonly prefix: Buffer;
  /** 1 for every character of the kind; quotes, backslashes and controls never are. */
  readonly allowed: Uint8Array;
  readonly min: number;
  readonly max: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const MINUS = 0x2d;
const ASCII = 128;

/** So many digits are always a safe integer. */
const DIGITS_MAX = 15;

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

export class JsonCursor {
  readonly #bytes: Buffer;
  #at: number;

  /** `bytes` are ASCII. */
  constructor(bytes: Buffer, from: number) {
    this.#bytes = bytes;
    this.#at = from;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Goes on behind this character and the spaces after it, if it stands here. */
  take(character: number): boolean {
    if (this.isAtEnd || this.#bytes[this.#at] !== character) return false;
    this.#goTo(this.#at + 1);
    return true;
  }

  /** Which of the words stands here in quotes; null for any other. */
  word<Word extends string>(words: Words<Word>): Word | null {
    const first = this.#at + 1;
    const candidates = first < this.#bytes.length ? words[this.#bytes[first]!] : undefined;
    if (candidates === undefined) return null;
    for (const { word, bytes } of candidates) if (this.#skip(bytes)) return word;
    return null;
  }

  text(rule: TextRule): string | undefined {
    const start = this.#at + 1;
    const end = this.#endOfText(rule);
    if (end === -1) return undefined;
    this.#goTo(end + 1);
    return this.#bytes.toString('latin1', start, end);
  }

  /** A decimal number in quotes. */
  decimal(lengthMax: number, placesMax: number): string | undefined {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    if (start >= bytes.length || bytes[start - 1] !== QUOTE) return undefined;
    const first = bytes[start] === MINUS ? start + 1 : start;
    let end = this.#endOfDigits(first);
    if (end === first) return undefined;
    if (end < bytes.length && bytes[end] === POINT) {
      const places = end + 1;
      end = this.#endOfDigits(places);
      if (end === places || end - places > placesMax) return undefined;
    }
    if (end - start > lengthMax || end >= bytes.length || bytes[end] !== QUOTE) return undefined;
    this.#goTo(end + 1);
    return bytes.toString('latin1', start, end);
  }

  /** A whole number without a sign. */
  integer(max: number): number | undefined {
    const start = this.#at;
    const end = this.#endOfDigits(start);
    const digits = end - start;
    if (digits === 0 || digits > DIGITS_MAX) return undefined;
    if (digits > 1 && this.#bytes[start] === ZERO) return undefined;
    let number = 0;
    for (let at = start; at < end; at += 1) number = number * 10 + (this.#bytes[at]! - ZERO);
    if (number > max) return undefined;
    this.#goTo(end);
    return number;
  }

  boolean(): boolean | undefined {
    if (this.#skip(TRUE)) return true;
    return this.#skip(FALSE) ? false : undefined;
  }

  #goTo(at: number): void {
    const bytes = this.#bytes;
    this.#at = at;
    while (this.#at < bytes.length && bytes[this.#at] === SPACE) this.#at += 1;
  }

  #skip(word: Buffer): boolean {
    if (!isAt(this.#bytes, this.#at, word)) return false;
    this.#goTo(this.#at + word.length);
    return true;
  }

  /** Where the quote stands that ends a text of this kind; -1 if there is none. */
  #endOfText({ prefix, allowed, min, max }: TextRule): number {
    const bytes = this.#bytes;
    if (this.isAtEnd || bytes[this.#at] !== QUOTE) return -1;
    if (!isAt(bytes, this.#at + 1, prefix)) return -1;
    const start = this.#at + 1 + prefix.length;
    let end = start;
    while (end < bytes.length && allowed[bytes[end]!] === 1) end += 1;
    if (end === bytes.length || bytes[end] !== QUOTE) return -1;
    return end - start < min || end - start > max ? -1 : end;
  }

  #endOfDigits(from: number): number {
    const bytes = this.#bytes;
    let end = from;
    while (end < bytes.length && bytes[end]! >= ZERO && bytes[end]! <= NINE) end += 1;
    return end;
  }
}

export function wordsOf<Word extends string>(words: readonly Word[]): Words<Word> {
  const spelled = words.map((word) => ({ word, bytes: Buffer.from(`"${word}"`, 'latin1') }));
  return Array.from({ length: ASCII }, (_, letter) => {
    const candidates = spelled.filter(({ bytes }) => bytes[1] === letter);
    return candidates.length === 0 ? undefined : candidates;
  });
}

export function textRule(prefix: string, allowed: RegExp, min: number, max: number): TextRule {
  const kind = Uint8Array.from({ length: ASCII }, (_, code) => {
    const isSpecial = code < SPACE || code === QUOTE || code === BACKSLASH;
    return !isSpecial && allowed.test(String.fromCharCode(code)) ? 1 : 0;
  });
  return { prefix: Buffer.from(prefix, 'latin1'), allowed: kind, min, max };
}

/** Whether the word stands there. */
export function isAt(bytes: Buffer, at: number, word: Buffer): boolean {
  if (at + word.length > bytes.length) return false;
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[at + index] !== word[index]) return false;
  }
  return true;
}
