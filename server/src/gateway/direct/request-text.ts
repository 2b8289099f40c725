// Plain requests read without a general parser: whatever is not plain beyond doubt is left to Node's.
import { isAscii } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';

/** A whole request as it lies in one piece of input. */
export interface PlainRequest {
  /** Method, path and version, as they came. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  /** All of it. */
  readonly text: string;
  /** Where the body begins. */
  readonly bodyAt: number;
}

/** Headers that the gateway reads; any other than these and the harmless ones makes a request less than plain. */
type ReadHeader = 'authorization' | 'x-api-key' | 'idempotency-key';

/** What a header by this name means here; names in other spellings are for Node. */
type Meaning = ReadHeader | 'content-type' | 'content-length' | 'connection' | 'harmless';

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  (
    [
      ['Authorization', 'authorization'],
      ['X-Api-Key', 'x-api-key'],
      ['Idempotency-Key', 'idempotency-key'],
      ['Content-Type', 'content-type'],
      ['Content-Length', 'content-length'],
      ['Connection', 'connection'],
      ['Host', 'harmless'],
      ['User-Agent', 'harmless'],
      ['Accept', 'harmless'],
      ['Accept-Encoding', 'harmless'],
      ['Accept-Language', 'harmless'],
    ] as const
  ).flatMap(([name, meaning]) => [
    [name, meaning],
    [name.toLowerCase(), meaning],
  ]),
);

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const DELETE = 0x7f;
const ZERO = 0x30;
const LETTER_P = 0x50;
const LENGTH_DIGITS_MAX = 7;
/** Node takes no longer heads either. */
const HEAD_BYTES_MAX = 16_000;

/** Null unless the bytes are one whole request with a JSON body and nothing unusual about it. */
export function readPlainRequest(bytes: Buffer): PlainRequest | null {
  if (bytes[0] !== LETTER_P || !isAscii(bytes)) return null;
  const text = bytes.toString('latin1');
  const lineEnd = text.indexOf('\r\n');
  const headEnd = text.indexOf('\r\n\r\n', lineEnd);
  if (lineEnd === -1 || headEnd === -1 || headEnd > HEAD_BYTES_MAX) return null;
  if (!hasWholeLines(bytes, headEnd)) return null;
  const bodyAt = headEnd + 4;
  const headers = readHeaders(text, lineEnd + 2, headEnd, text.length - bodyAt);
  if (headers === null) return null;
  return { line: text.slice(0, lineEnd), headers, text, bodyAt };
}

/** Control characters stand nowhere but at the ends of lines, and there in pairs. */
function hasWholeLines(bytes: Buffer, end: number): boolean {
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte >= SPACE && byte !== DELETE) continue;
    if (byte !== CR || bytes[at + 1] !== LF) return false;
    at += 1;
  }
  return true;
}

function readHeaders(
  text: string,
  from: number,
  end: number,
  bodyLength: number,
): IncomingHttpHeaders | null {
  // The same fields in all requests, so that whoever reads them finds one shape.
  const headers: IncomingHttpHeaders = {
    authorization: undefined,
    'x-api-key': undefined,
    'idempotency-key': undefined,
  };
  let hasType = false;
  let hasLength = false;
  let at = from;
  while (at < end) {
    const colon = text.indexOf(':', at);
    const stop = lineEndOf(text, at, end);
    if (colon === -1 || colon >= stop) return null;
    const value = trimmed(text, colon + 1, stop);
    const meaning = MEANINGS.get(text.slice(at, colon));
    switch (meaning) {
      case undefined:
        return null;
      case 'harmless':
        break;
      case 'connection':
        if (value !== 'keep-alive') return null;
        break;
      case 'content-type':
        if (hasType || !isJson(value)) return null;
        hasType = true;
        break;
      case 'content-length':
        if (hasLength || numberOf(value) !== bodyLength) return null;
        hasLength = true;
        break;
      default:
        if (headers[meaning] !== undefined) return null;
        headers[meaning] = value;
    }
    at = stop + 2;
  }
  return hasType && hasLength && bodyLength > 0 ? headers : null;
}

function lineEndOf(text: string, from: number, end: number): number {
  const found = text.indexOf('\r\n', from);
  return found === -1 || found > end ? end : found;
}

/** Without the spaces around it. */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let stop = to;
  while (start < stop && text.charCodeAt(start) === SPACE) start += 1;
  while (stop > start && text.charCodeAt(stop - 1) === SPACE) stop -= 1;
  return text.slice(start, stop);
}

function isJson(type: string): boolean {
  return type === 'application/json' || type === 'application/json; charset=utf-8';
}

/** Of digits alone; -1 for anything else. */
function numberOf(text: string): number {
  if (text === '' || text.length > LENGTH_DIGITS_MAX) return -1;
  let number = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}
