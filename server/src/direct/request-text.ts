// Plain requests read without a general parser: whatever is not plain beyond doubt is left to Node's.
import { isAscii } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { isReadable } from '../gateway/hosts.ts';
import { isAt } from './json-cursor.ts';

/** A whole request as it lies in one piece of input. */
export interface PlainRequest {
  /** Method, path and version, as they came. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  /** Where the body begins. */
  readonly bodyAt: number;
}

/** What a header means here; any other makes a request less than plain. */
type Meaning =
  | 'authorization'
  | 'x-api-key'
  | 'idempotency-key'
  | 'svc-address'
  | 'svc-timestamp'
  | 'svc-nonce'
  | 'svc-signature'
  | 'content-type'
  | 'content-length'
  | 'connection'
  | 'host'
  | 'harmless';

interface Named {
  readonly name: Buffer;
  /** Its last byte, in which names of one length differ. */
  readonly last: number;
  readonly meaning: Meaning;
}

/** Names by their length, in the two usual spellings; those in others are for Node. */
const NAMES: readonly (readonly Named[])[] = byLength(
  (
    [
      ['Authorization', 'authorization'],
      ['X-Api-Key', 'x-api-key'],
      ['Idempotency-Key', 'idempotency-key'],
      ['SVC-ADDRESS', 'svc-address'],
      ['SVC-TIMESTAMP', 'svc-timestamp'],
      ['SVC-NONCE', 'svc-nonce'],
      ['SVC-SIGNATURE', 'svc-signature'],
      ['Content-Type', 'content-type'],
      ['Content-Length', 'content-length'],
      ['Connection', 'connection'],
      ['Host', 'host'],
      ['User-Agent', 'harmless'],
      ['Accept', 'harmless'],
      ['Accept-Encoding', 'harmless'],
      ['Accept-Language', 'harmless'],
    ] as const
  ).flatMap(([name, meaning]) =>
    [name, name.toLowerCase()].map((spelling) => {
      const bytes = Buffer.from(spelling);
      return { name: bytes, last: bytes.at(-1)!, meaning };
    }),
  ),
);

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8'].map((type) =>
  Buffer.from(type),
);
const KEEP_ALIVE = Buffer.from('keep-alive');

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const COLON = 0x3a;
const DELETE = 0x7f;
const ZERO = 0x30;
const LETTER_P = 0x50;
const LENGTH_DIGITS_MAX = 7;
/** Node takes no longer heads either. */
const HEAD_BYTES_MAX = 16_000;

/** Null unless the bytes are one whole request with a JSON body and nothing unusual about it. */
export function readPlainRequest(bytes: Buffer): PlainRequest | null {
  if (bytes[0] !== LETTER_P || !isAscii(bytes)) return null;
  const lineEnd = endOfLine(bytes, 0);
  if (lineEnd === -1) return null;
  const head = new Head(bytes);
  const bodyAt = head.read(lineEnd + 2);
  if (bodyAt === -1) return null;
  const line = bytes.toString('latin1', 0, lineEnd);
  return { line, headers: head.headers, bodyAt };
}

/** Where a line ends; -1 if a control character stands anywhere but in the pair at its end, or nothing ends it. */
function endOfLine(bytes: Buffer, from: number): number {
  // One byte stays for the second of the pair.
  const last = Math.min(bytes.length - 1, HEAD_BYTES_MAX);
  for (let at = from; at < last; at += 1) {
    const byte = bytes[at]!;
    if (byte >= SPACE && byte !== DELETE) continue;
    return byte === CR && bytes[at + 1] === LF ? at : -1;
  }
  return -1;
}

class Head {
  // The same fields in all requests, so that whoever reads them finds one shape.
  readonly headers: IncomingHttpHeaders = {
    authorization: undefined,
    'x-api-key': undefined,
    'idempotency-key': undefined,
    'svc-address': undefined,
    'svc-timestamp': undefined,
    'svc-nonce': undefined,
    'svc-signature': undefined,
  };
  readonly #bytes: Buffer;
  #hasType = false;
  #hasHost = false;
  #bodyLength = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads the lines from here on; where the body begins, or -1. */
  read(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    for (;;) {
      const end = endOfLine(bytes, at);
      if (end === -1) return -1;
      if (end === at) break;
      if (!this.#readLine(at, end)) return -1;
      at = end + 2;
    }
    const bodyAt = at + 2;
    const isWhole = this.#hasType && this.#hasHost && this.#bodyLength === bytes.length - bodyAt;
    return isWhole && this.#bodyLength > 0 ? bodyAt : -1;
  }

  /** False if anything about it is unusual. */
  #readLine(from: number, end: number): boolean {
    const bytes = this.#bytes;
    let colon = from;
    while (colon < end && bytes[colon] !== COLON) colon += 1;
    const meaning = colon === end ? null : meaningOf(bytes, from, colon);
    if (meaning === null) return false;
    let start = colon + 1;
    let stop = end;
    while (start < stop && bytes[start] === SPACE) start += 1;
    while (stop > start && bytes[stop - 1] === SPACE) stop -= 1;
    return this.#take(meaning, start, stop);
  }

  #take(meaning: Meaning, start: number, stop: number): boolean {
    const { headers } = this;
    switch (meaning) {
      case 'harmless':
        return true;
      case 'connection':
        return isWord(this.#bytes, start, stop, KEEP_ALIVE);
      case 'host':
        if (this.#hasHost) return false;
        this.#hasHost = isHost(this.#bytes, start, stop);
        return this.#hasHost;
      case 'content-type':
        if (this.#hasType) return false;
        this.#hasType = JSON_TYPES.some((type) => isWord(this.#bytes, start, stop, type));
        return this.#hasType;
      case 'content-length':
        if (this.#bodyLength !== -1) return false;
        this.#bodyLength = numberAt(this.#bytes, start, stop);
        return this.#bodyLength !== -1;
      // Those of most requests by their names: a name that is computed is looked up each time.
      case 'authorization':
        if (headers.authorization !== undefined) return false;
        headers.authorization = this.#bytes.toString('latin1', start, stop);
        return true;
      case 'svc-address':
        if (headers['svc-address'] !== undefined) return false;
        headers['svc-address'] = this.#bytes.toString('latin1', start, stop);
        return true;
      case 'svc-timestamp':
        if (headers['svc-timestamp'] !== undefined) return false;
        headers['svc-timestamp'] = this.#bytes.toString('latin1', start, stop);
        return true;
      case 'svc-nonce':
        if (headers['svc-nonce'] !== undefined) return false;
        headers['svc-nonce'] = this.#bytes.toString('latin1', start, stop);
        return true;
      case 'svc-signature':
        if (headers['svc-signature'] !== undefined) return false;
        headers['svc-signature'] = this.#bytes.toString('latin1', start, stop);
        return true;
      default:
        if (headers[meaning] !== undefined) return false;
        headers[meaning] = this.#bytes.toString('latin1', start, stop);
        return true;
    }
  }
}

function meaningOf(bytes: Buffer, from: number, to: number): Meaning | null {
  const candidates = NAMES[to - from];
  if (candidates === undefined) return null;
  const last = bytes[to - 1];
  for (const candidate of candidates) {
    if (candidate.last === last && isAt(bytes, from, candidate.name)) return candidate.meaning;
  }
  return null;
}

function isWord(bytes: Buffer, from: number, to: number, word: Buffer): boolean {
  return to - from === word.length && isAt(bytes, from, word);
}

/** The Host that was read last: most requests name the same one. */
let lastHost = Buffer.from('localhost');

function isHost(bytes: Buffer, from: number, to: number): boolean {
  if (isWord(bytes, from, to, lastHost)) return true;
  const host = bytes.toString('latin1', from, to);
  if (!isReadable(host)) return false;
  lastHost = Buffer.from(host);
  return true;
}

/** Of digits alone; -1 for anything else. */
function numberAt(bytes: Buffer, from: number, to: number): number {
  if (from === to || to - from > LENGTH_DIGITS_MAX) return -1;
  let number = 0;
  for (let at = from; at < to; at += 1) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

function byLength(names: readonly Named[]): readonly (readonly Named[])[] {
  const longest = Math.max(...names.map(({ name }) => name.length));
  return Array.from({ length: longest + 1 }, (_, length) =>
    names.filter(({ name }) => name.length === length),
  );
}
