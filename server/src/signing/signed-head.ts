// The headers of a signed request, in both variants and all their spellings.
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiError, rejected } from '../handling/handler.ts';

export interface SignedHead {
  readonly variant: 'A' | 'B';
  /** The public part of the key, whichever form was sent. */
  readonly publicId: string;
  /** UNIX seconds, as they were sent: the signature is over this text. */
  readonly timestamp: string;
  /** Of variant A. */
  readonly nonce: string;
  /** Of variant B. */
  readonly passphrase: string;
  readonly signature: string;
}

const ID_FORM = /^sk_(?:live|test)_[0-9A-Za-z]{16}$/;
/** Of those who send the whole key, no more is taken than its id. */
const KEY_FORM = /^(sk_(?:live|test)_[0-9A-Za-z]{16})(?:_[0-9A-Za-z_-]{43})?$/;
const TIMESTAMP_FORM = /^[0-9]{1,12}$/;
/** Visible characters, so that none of them can end the line that it stands in. */
const NONCE_FORM = /^[!-~]{1,64}$/;
const HEX_FORM = /^[0-9a-fA-F]{64}$/;
/** Of 32 bytes the last character has two bits to spare: only the one spelling is taken, for a signature is good once. */
const BASE64_FORM = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** Named one by one, which is found fastest. */
export function isSigned(headers: IncomingHttpHeaders): boolean {
  return (
    headers['svc-address'] !== undefined ||
    headers['svc-signature'] !== undefined ||
    headers['sibyl-address'] !== undefined ||
    headers['sibyl-signature'] !== undefined ||
    headers['alt-access-key'] !== undefined ||
    headers['alt-signature'] !== undefined ||
    headers.alt_access_key !== undefined ||
    headers.alt_signature !== undefined
  );
}

/** The key that a signed request names, in whichever spelling; null if it names none that could be one. */
export function signingKeyOf(headers: IncomingHttpHeaders): string | null {
  const named =
    headers['svc-address'] ??
    headers['sibyl-address'] ??
    headers['alt-access-key'] ??
    headers.alt_access_key;
  if (typeof named !== 'string') return null;
  return ID_FORM.test(named) ? named : (KEY_FORM.exec(named)?.[1] ?? null);
}

/** Of a request that names this key. A header that is missing, written otherwise or sent in two spellings is said. */
export function signedHeadOf(
  headers: IncomingHttpHeaders,
  publicId: string,
): SignedHead | ApiError {
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) {
    return malformed('A signed request carries no bearer: send one of them.');
  }
  const isA = isUsed(headers, SPELLINGS_A);
  const isB = isUsed(headers, SPELLINGS_B);
  if (isA && isB) return malformed('The headers of both variants were sent: send those of one.');
  return isA ? variantA(headers, publicId) : variantB(headers, publicId);
}

/** A header has two names. */
type Spellings = readonly [string, string];

const A = {
  address: ['svc-address', 'sibyl-address'],
  timestamp: ['svc-timestamp', 'sibyl-timestamp'],
  nonce: ['svc-nonce', 'sibyl-nonce'],
  signature: ['svc-signature', 'sibyl-signature'],
} as const;

const B = {
  accessKey: ['alt-access-key', 'alt_access_key'],
  timestamp: ['alt-timestamp', 'alt_timestamp'],
  passphrase: ['alt-passphrase', 'alt_passphrase'],
  signature: ['alt-signature', 'alt_signature'],
} as const;

const SPELLINGS_A: readonly string[] = Object.values(A).flat();
const SPELLINGS_B: readonly string[] = Object.values(B).flat();

function isUsed(headers: IncomingHttpHeaders, spellings: readonly string[]): boolean {
  for (const name of spellings) if (headers[name] !== undefined) return true;
  return false;
}

function variantA(headers: IncomingHttpHeaders, publicId: string): SignedHead | ApiError {
  const timestamp = sentAs(headers, A.timestamp);
  const nonce = sentAs(headers, A.nonce);
  const signature = sentAs(headers, A.signature);
  if (sentAs(headers, A.address) === '') return wrong(headers, A.address, 'the id of your key');
  if (!TIMESTAMP_FORM.test(timestamp)) return wrong(headers, A.timestamp, 'UNIX seconds');
  if (!NONCE_FORM.test(nonce)) return wrong(headers, A.nonce, '1 to 64 visible ASCII characters');
  if (!HEX_FORM.test(signature)) return wrong(headers, A.signature, '64 hexadecimal digits');
  return { variant: 'A', publicId, timestamp, nonce, passphrase: '', signature };
}

function variantB(headers: IncomingHttpHeaders, publicId: string): SignedHead | ApiError {
  const timestamp = sentAs(headers, B.timestamp);
  const passphrase = sentAs(headers, B.passphrase);
  const signature = sentAs(headers, B.signature);
  if (sentAs(headers, B.accessKey) === '') return wrong(headers, B.accessKey, 'the id of your key');
  if (!TIMESTAMP_FORM.test(timestamp)) return wrong(headers, B.timestamp, 'UNIX seconds');
  if (passphrase === '') return wrong(headers, B.passphrase, 'the passphrase of your secret');
  if (!BASE64_FORM.test(signature)) {
    return wrong(headers, B.signature, 'base64 of the 32 bytes of an HMAC-SHA256');
  }
  return { variant: 'B', publicId, timestamp, nonce: '', passphrase, signature };
}

function wrong(headers: IncomingHttpHeaders, [name, alias]: Spellings, expected: string): ApiError {
  const isTwice = headers[name] !== undefined && headers[alias] !== undefined;
  const [spelled, otherwise] = [name.toUpperCase(), alias.toUpperCase()];
  return malformed(
    isTwice && headers[name] !== headers[alias]
      ? `${spelled} and ${otherwise} are two names of one header and differ: send one of them.`
      : `${spelled} must be ${expected}.`,
  );
}

/** What was sent in one of the spellings; empty if it was not, or in both and not the same. */
function sentAs(headers: IncomingHttpHeaders, [name, alias]: Spellings): string {
  const sent = headers[name] ?? headers[alias];
  const again = headers[alias] ?? sent;
  return typeof sent === 'string' && sent === again ? sent : '';
}

function malformed(hint: string): ApiError {
  return rejected('malformed', hint);
}
