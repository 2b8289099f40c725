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
  const isA = isVariantA(headers);
  if (isA && isVariantB(headers)) {
    return malformed('The headers of both variants were sent: send those of one.');
  }
  return isA ? variantA(headers, publicId) : variantB(headers, publicId);
}

function isVariantA(headers: IncomingHttpHeaders): boolean {
  return (
    headers['svc-address'] !== undefined ||
    headers['svc-timestamp'] !== undefined ||
    headers['svc-nonce'] !== undefined ||
    headers['svc-signature'] !== undefined ||
    headers['sibyl-address'] !== undefined ||
    headers['sibyl-timestamp'] !== undefined ||
    headers['sibyl-nonce'] !== undefined ||
    headers['sibyl-signature'] !== undefined
  );
}

function isVariantB(headers: IncomingHttpHeaders): boolean {
  return (
    headers['alt-access-key'] !== undefined ||
    headers['alt-timestamp'] !== undefined ||
    headers['alt-passphrase'] !== undefined ||
    headers['alt-signature'] !== undefined ||
    headers.alt_access_key !== undefined ||
    headers.alt_timestamp !== undefined ||
    headers.alt_passphrase !== undefined ||
    headers.alt_signature !== undefined
  );
}

function variantA(headers: IncomingHttpHeaders, publicId: string): SignedHead | ApiError {
  const address = sentAs(headers['svc-address'], headers['sibyl-address']);
  const timestamp = sentAs(headers['svc-timestamp'], headers['sibyl-timestamp']);
  const nonce = sentAs(headers['svc-nonce'], headers['sibyl-nonce']);
  const signature = sentAs(headers['svc-signature'], headers['sibyl-signature']);
  if (address === '') return wrong(headers, 'svc-address', 'the id of your key');
  if (!TIMESTAMP_FORM.test(timestamp)) return wrong(headers, 'svc-timestamp', 'UNIX seconds');
  if (!NONCE_FORM.test(nonce)) {
    return wrong(headers, 'svc-nonce', '1 to 64 visible ASCII characters');
  }
  if (!isHexOf32Bytes(signature)) {
    return wrong(headers, 'svc-signature', '64 hexadecimal digits');
  }
  return { variant: 'A', publicId, timestamp, nonce, passphrase: '', signature };
}

function variantB(headers: IncomingHttpHeaders, publicId: string): SignedHead | ApiError {
  const accessKey = sentAs(headers['alt-access-key'], headers.alt_access_key);
  const timestamp = sentAs(headers['alt-timestamp'], headers.alt_timestamp);
  const passphrase = sentAs(headers['alt-passphrase'], headers.alt_passphrase);
  const signature = sentAs(headers['alt-signature'], headers.alt_signature);
  if (accessKey === '') return wrong(headers, 'alt-access-key', 'the id of your key');
  if (!TIMESTAMP_FORM.test(timestamp)) return wrong(headers, 'alt-timestamp', 'UNIX seconds');
  if (passphrase === '') {
    return wrong(headers, 'alt-passphrase', 'the passphrase of your secret');
  }
  if (!BASE64_FORM.test(signature)) {
    return wrong(headers, 'alt-signature', 'base64 of the 32 bytes of an HMAC-SHA256');
  }
  return { variant: 'B', publicId, timestamp, nonce: '', passphrase, signature };
}

/** A header has two names; what was sent under one of them is empty if it was not sent, or under both and not the same. */
function sentAs(named: Sent, otherwise: Sent): string {
  const sent = named ?? otherwise;
  return typeof sent === 'string' && (otherwise === undefined || otherwise === sent) ? sent : '';
}

type Sent = string | readonly string[] | undefined;

function wrong(headers: IncomingHttpHeaders, name: string, expected: string): ApiError {
  const alias = name.startsWith('svc-')
    ? name.replace('svc-', 'sibyl-')
    : name.replaceAll('-', '_');
  const isTwice = headers[name] !== undefined && headers[alias] !== undefined;
  const [spelled, otherwise] = [name.toUpperCase(), alias.toUpperCase()];
  return malformed(
    isTwice && headers[name] !== headers[alias]
      ? `${spelled} and ${otherwise} are two names of one header and differ: send one of them.`
      : `${spelled} must be ${expected}.`,
  );
}

const DIGITS = 64;

/** A loop takes a fourth of the time that a pattern of 64 characters takes. */
function isHexOf32Bytes(text: string): boolean {
  if (text.length !== DIGITS) return false;
  for (let at = 0; at < DIGITS; at += 1) {
    const code = text.charCodeAt(at);
    const isDigit = code >= 0x30 && code <= 0x39;
    const letter = code | 0x20;
    if (!isDigit && (letter < 0x61 || letter > 0x66)) return false;
  }
  return true;
}

function malformed(hint: string): ApiError {
  return rejected('malformed', hint);
}
