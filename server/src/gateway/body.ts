// Request bodies: what may not be parsed at all is refused before JSON.parse sees it.
import { isUtf8 } from 'node:buffer';
import { fail } from '../handling/handler.ts';
import { jsonFaultAt } from './json-fault.ts';

const DEPTH_MAX = 32;
const KEYS_MAX = 1000;
/** No operation has a use for a tenth of it. */
const VALUES_MAX = 4000;

/** As own keys they survive JSON.parse and become a prototype when an object is copied. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const SHORTEST_FORBIDDEN = 9;
const LONGEST_FORBIDDEN = 11;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const LETTER_U = 0x75;
/** How a character is spelled by its number. */
const ESCAPE = '\\u';

/** The parsed body, undefined if it is empty; throws BAD_REQUEST. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw fail('BAD_REQUEST', { reason: 'the body is not UTF-8' });
  return parseText(bytes.toString('utf8'));
}

/** The same for a body that was decoded already. */
export function parseText(text: string): unknown {
  const fault = faultOf(text);
  if (fault !== null) throw fail('BAD_REQUEST', { reason: fault });
  try {
    return JSON.parse(text);
  } catch {
    const position = jsonFaultAt(text);
    const where =
      position < text.length ? `at position ${position}` : `it ends too early, at ${position}`;
    throw fail('BAD_REQUEST', { reason: `the body is not JSON: ${where}`, position });
  }
}

/** One pass over the text: nesting, numbers of keys and values, poisoned keys, halves of characters. */
function faultOf(text: string): string | null {
  let depth = 0;
  let keys = 0;
  let values = 1;
  let escapeAt = text.indexOf(ESCAPE);
  // The string read last: a key, if a colon follows.
  let start = 0;
  let end = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      start = index;
      end = endOfString(text, index);
      index = end;
      if (escapeAt !== -1 && escapeAt < start) escapeAt = text.indexOf(ESCAPE, start);
      if (escapeAt !== -1 && escapeAt < end && !isWhole(text, start + 1, end))
        return 'a string is not well-formed Unicode';
    } else if (code === COLON) {
      keys += 1;
      if (keys > KEYS_MAX) return `more than ${KEYS_MAX} keys`;
      if (isForbidden(text, start, end)) return 'a key is not allowed';
    } else if (code === COMMA) {
      values += 1;
      if (values > VALUES_MAX) return `more than ${VALUES_MAX} values`;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      values += 1;
      if (values > VALUES_MAX) return `more than ${VALUES_MAX} values`;
      if (depth > DEPTH_MAX) return `nested deeper than ${DEPTH_MAX}`;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return null;
}

/** The index of the closing quote, or of the last character if there is none. */
function endOfString(text: string, start: number): number {
  let index = text.indexOf('"', start + 1);
  while (index !== -1 && isEscaped(text, index)) index = text.indexOf('"', index + 1);
  return index === -1 ? text.length - 1 : index;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (index - before) % 2 === 0;
}

/** The key between two quotes. Escapes may spell a forbidden name in other ways, but never shorter. */
function isForbidden(text: string, start: number, end: number): boolean {
  const length = end - start - 1;
  if (length < SHORTEST_FORBIDDEN) return false;
  const key = text.slice(start, end + 1);
  if (key.includes('\\')) return FORBIDDEN_KEYS.has(decoded(key));
  return length <= LONGEST_FORBIDDEN && FORBIDDEN_KEYS.has(key.slice(1, -1));
}

function decoded(key: string): string {
  try {
    return String(JSON.parse(key));
  } catch {
    return '';
  }
}

/** Whether the characters of a string are whole: half a surrogate pair can be escaped, but not be stored as text. */
function isWhole(text: string, from: number, end: number): boolean {
  let isHalf = false;
  for (let index = from; index < end; index += 1) {
    let half: 'first' | 'second' | null = null;
    if (text.charCodeAt(index) === BACKSLASH) {
      index += 1;
      if (text.charCodeAt(index) === LETTER_U) {
        half = halfOf(Number.parseInt(text.slice(index + 1, index + 5), 16));
        index += 4;
      }
    }
    if (isHalf !== (half === 'second')) return false;
    isHalf = half === 'first';
  }
  return !isHalf;
}

/** Of a surrogate pair; null for a character of its own. */
function halfOf(unit: number): 'first' | 'second' | null {
  if (unit < 0xd800 || unit > 0xdfff) return null;
  return unit < 0xdc00 ? 'first' : 'second';
}
