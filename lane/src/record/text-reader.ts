// Reads numbers and strings from a text in which each number ends with a space and each string stands behind its length.
import { JournalCorrupt } from '../journal/journal.ts';

const DIGIT_0 = 48;
const DIGIT_9 = 57;
const SPACE = 32;

export class TextReader {
  #text = '';
  #at = 0;

  open(text: string): void {
    this.#text = text;
    this.#at = 0;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get offset(): number {
    return this.#at;
  }

  number(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    if (!isDigit(code)) throw damaged();
    let value = 0;
    while (isDigit(code)) {
      value = value * 10 + (code - DIGIT_0);
      at += 1;
      code = text.charCodeAt(at);
    }
    if (code !== SPACE || value > Number.MAX_SAFE_INTEGER) throw damaged();
    this.#at = at + 1;
    return value;
  }

  /** Up to the next space. */
  word(): string {
    const from = this.#at;
    const space = this.#text.indexOf(' ', from);
    if (space <= from) throw damaged();
    this.#at = space + 1;
    return this.#text.slice(from, space);
  }

  take(length: number): string {
    const from = this.#at;
    this.skip(length);
    return this.#text.slice(from, this.#at);
  }

  skip(length: number): void {
    this.#at += length;
    if (this.#at > this.#text.length) throw damaged();
  }

  slice(from: number, to: number): string {
    return this.#text.slice(from, to);
  }

  /** Goes on at an offset that was passed before. */
  seek(offset: number): void {
    this.#at = offset;
  }
}

export function damaged(): JournalCorrupt {
  return new JournalCorrupt('a commit of the journal is not what was written');
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}
