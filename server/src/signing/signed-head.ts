// The headers of a signed request, in both variants and all their spellings.
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiError, rejected } from '../handling/handler.ts';

export interface SignedHead {
  readonly variant: 'A' | 'B';
  /** The public part of the key, whichever form was sent. */
  readonly publicId: string;
  /** UNIX seconds, as they were sent: the signature is over this text. */
  readonly timestamp: string;
  readonly atSec: number;
  /** Of variant A. */
  readonly nonce: string;
  /** Of variant B. */
  readonly passphrase: string;
  readonly signature: string;
}

const ID_FORM = /^sk_(?:live|test)_[0-9A-Za-z]{16}$/;
const WHOLE_KEY_FORM = /^sk_(?:live|test)_[0-9A-Za-z]{16}_/;
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

/** What a signed request says of its key, in whichever spelling; null if nothing, or more than one thing. */
export function keyNamedIn(headers: IncomingHttpHeaders): string | null {
  const named =
    headers['svc-address'] ??
    headers['sibyl-address'] ??
    headers['alt-access-key'] ??
    headers.alt_access_key;
  return typeof named === 'string' ? named : null;
}

export function isKeyId(named: string): boolean {
  return ID_FORM.test(named);
}

/** The key itself in place of its id: a secret that signing keeps off the wire. */
export function isWholeKey(named: string): boolean {
  return WHOLE_KEY_FORM.test(named);
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
  const atSec = secondsOf(timestamp);
  if (atSec === -1) return wrong(headers, 'svc-timestamp', 'UNIX seconds');
  if (!isNonce(nonce)) {
    return wrong(headers, 'svc-nonce', '1 to 64 visible ASCII characters');
  }
  if (signature.length !== DIGITS) return notDigits(headers);
  return { variant: 'A', publicId, timestamp, atSec, nonce, passphrase: '', signature };
}

function variantB(headers: IncomingHttpHeaders, publicId: string): SignedHead | ApiError {
  const accessKey = sentAs(headers['alt-access-key'], headers.alt_access_key);
  const timestamp = sentAs(headers['alt-timestamp'], headers.alt_timestamp);
  const passphrase = sentAs(headers['alt-passphrase'], headers.alt_passphrase);
  const signature = sentAs(headers['alt-signature'], headers.alt_signature);
  if (accessKey === '') return wrong(headers, 'alt-access-key', 'the id of your key');
  const atSec = secondsOf(timestamp);
  if (atSec === -1) return wrong(headers, 'alt-timestamp', 'UNIX seconds');
  if (passphrase === '') {
    return wrong(headers, 'alt-passphrase', 'the passphrase of your secret');
  }
  if (!BASE64_FORM.test(signature)) {
    return wrong(headers, 'alt-signature', 'base64 of the 32 bytes of an HMAC-SHA256');
  }
  return { variant: 'B', publicId, timestamp, atSec, nonce: '', passphrase, signature };
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
const HEX_FORM = /^[0-9a-fA-F]{64}$/;

/** Of a signature that was found wrong: one that is right has the right form, so that nobody need look at it before. */
export function signatureFault(headers: IncomingHttpHeaders, head: SignedHead): ApiError | null {
  return head.variant === 'B' || HEX_FORM.test(head.signature) ? null : notDigits(headers);
}

function notDigits(headers: IncomingHttpHeaders): ApiError {
  return wrong(headers, 'svc-signature', `${DIGITS} hexadecimal digits`);
}

const TIMESTAMP_DIGITS_MAX = 12;

/** -1 for anything but digits. For texts as short a loop takes less time than a pattern. */
function secondsOf(timestamp: string): number {
  const { length } = timestamp;
  if (length === 0 || length > TIMESTAMP_DIGITS_MAX) return -1;
  let seconds = 0;
  for (let at = 0; at < length; at += 1) {
    const digit = timestamp.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    seconds = seconds * 10 + digit;
  }
  return seconds;
}

const NONCE_LENGTH_MAX = 64;

/** Visible characters, so that none of them can end the line that it stands in. */
function isNonce(text: string): boolean {
  const { length } = text;
  if (length === 0 || length > NONCE_LENGTH_MAX) return false;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x21 || code > 0x7e) return false;
  }
  return true;
}

function malformed(hint: string): ApiError {
  return rejected('malformed', hint);
}
