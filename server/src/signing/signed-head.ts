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
  return KEY_FORM.exec(String(named))?.[1] ?? null;
}

/** A header that is missing, written otherwise or sent in two spellings is said. */
export function signedHeadOf(headers: IncomingHttpHeaders): SignedHead | ApiError {
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) {
    return malformed('A signed request carries no bearer: send one of them.');
  }
  const isA = PREFIXES_A.some((prefix) => isUsed(headers, prefix));
  const isB = PREFIXES_B.some((prefix) => isUsed(headers, prefix));
  if (isA && isB) return malformed('The headers of both variants were sent: send those of one.');
  return isA ? variantA(headers) : variantB(headers);
}

const PREFIXES_A = ['svc-', 'sibyl-'];
const PREFIXES_B = ['alt-', 'alt_'];

function isUsed(headers: IncomingHttpHeaders, prefix: string): boolean {
  const names = prefix.startsWith('alt') ? NAMES_B : NAMES_A;
  return names.some((name) => headers[spelled(prefix, name)] !== undefined);
}

const NAMES_A = ['address', 'timestamp', 'nonce', 'signature'];
const NAMES_B = ['access-key', 'timestamp', 'passphrase', 'signature'];

function spelled(prefix: string, name: string): string {
  return prefix.endsWith('_') ? `${prefix}${name.replace('-', '_')}` : `${prefix}${name}`;
}

function variantA(headers: IncomingHttpHeaders): SignedHead | ApiError {
  const read = readerOf(headers, PREFIXES_A);
  const key = KEY_FORM.exec(read('address'))?.[1];
  const [timestamp, nonce, signature] = [read('timestamp'), read('nonce'), read('signature')];
  if (key === undefined) return malformed('SVC-ADDRESS must be the id of your key.');
  if (!TIMESTAMP_FORM.test(timestamp)) return malformed('SVC-TIMESTAMP must be UNIX seconds.');
  if (!NONCE_FORM.test(nonce)) {
    return malformed('SVC-NONCE must be 1 to 64 visible ASCII characters.');
  }
  if (!HEX_FORM.test(signature)) return malformed('SVC-SIGNATURE must be 64 hexadecimal digits.');
  return { variant: 'A', publicId: key, timestamp, nonce, passphrase: '', signature };
}

function variantB(headers: IncomingHttpHeaders): SignedHead | ApiError {
  const read = readerOf(headers, PREFIXES_B);
  const key = KEY_FORM.exec(read('access-key'))?.[1];
  const [timestamp, passphrase] = [read('timestamp'), read('passphrase')];
  const signature = read('signature');
  if (key === undefined) return malformed('ALT-ACCESS-KEY must be the id of your key.');
  if (!TIMESTAMP_FORM.test(timestamp)) return malformed('ALT-TIMESTAMP must be UNIX seconds.');
  if (passphrase === '') return malformed('ALT-PASSPHRASE is missing.');
  if (!BASE64_FORM.test(signature)) {
    return malformed('ALT-SIGNATURE must be base64 of the 32 bytes of an HMAC-SHA256.');
  }
  return { variant: 'B', publicId: key, timestamp, nonce: '', passphrase, signature };
}

/** What was sent in one of the spellings; empty if it was not, or in several that differ. */
function readerOf(
  headers: IncomingHttpHeaders,
  prefixes: readonly string[],
): (name: string) => string {
  return (name) => {
    const sent = prefixes.flatMap((prefix) => headers[spelled(prefix, name)] ?? []);
    return sent.length > 0 && sent.every((one) => one === sent[0]) ? sent[0]! : '';
  };
}

function malformed(hint: string): ApiError {
  return rejected('malformed', hint);
}
