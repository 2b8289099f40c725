// One text and one byte sequence for one value, whoever built it: what hashes and snapshots are taken over.

import { assert, assertNever } from './assert.ts';

/** What has a canonical text. A bigint is written as a string of digits, which JSON readers cannot round. */
export type Canonical =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Canonical[]
  | { readonly [key: string]: Canonical | undefined };

/** JSON without spaces, members sorted by UTF-16 code units, members that are undefined left out. */
export function canonicalJson(value: Canonical): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
      return `"${value}"`;
    case 'number':
      assert(Number.isFinite(value), 'canonical numbers are finite');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return canonicalObject(value);
    default:
      return assertNever(value);
  }
}

export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let point = text.charCodeAt(i);
    if (point >= 0xd800 && point <= 0xdfff) {
      point = text.codePointAt(i) ?? point;
      if (point > 0xffff) i++;
      else point = REPLACEMENT;
    }
    length = writePoint(bytes, length, point);
  }
  return bytes.slice(0, length);
}

/** What a lone surrogate becomes, as in every encoder of the web platform. */
const REPLACEMENT = 0xfffd;

function canonicalObject(
  value: null | readonly Canonical[] | { readonly [key: string]: Canonical | undefined },
): string {
  if (value === null) return 'null';
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

function isList(value: object): value is readonly Canonical[] {
  return Array.isArray(value);
}

function writePoint(bytes: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  if (point < 0x800) {
    bytes[at] = 0xc0 | (point >>> 6);
    bytes[at + 1] = 0x80 | (point & 63);
    return at + 2;
  }
  if (point < 0x10000) {
    bytes[at] = 0xe0 | (point >>> 12);
    bytes[at + 1] = 0x80 | ((point >>> 6) & 63);
    bytes[at + 2] = 0x80 | (point & 63);
    return at + 3;
  }
  bytes[at] = 0xf0 | (point >>> 18);
  bytes[at + 1] = 0x80 | ((point >>> 12) & 63);
  bytes[at + 2] = 0x80 | ((point >>> 6) & 63);
  bytes[at + 3] = 0x80 | (point & 63);
  return at + 4;
}
