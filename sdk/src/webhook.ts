// Verifies that a webhook delivery comes from the service and is fresh, with Web Crypto alone.

import type { WebhookData, WebhookEventType } from '@sibyl/contract';
import type { SibylError } from './errors.ts';
import {
  WebhookSecretInvalidError,
  WebhookSignatureInvalidError,
  WebhookTimestampSkewError,
} from './generated/errors.ts';
import type { Open } from './types.ts';

/** Headers as the platform has them, or the plain object of a Node server. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookRequest = {
  readonly headers: WebhookHeaders;
  /** The body exactly as it arrived; text that was parsed and written again does not verify. */
  readonly body: string | Uint8Array;
  /** The secret of the endpoint: whsec_ and base64. */
  readonly secret: string;
  /** How far the timestamp may be off; 300 unless told. */
  readonly toleranceSec?: number;
  /** The time to compare with; the clock of this machine unless told. */
  readonly nowMs?: number;
};

/** A delivery of any type; `type` tells which `data` it has. */
export type WebhookNotice = {
  readonly [Type in WebhookEventType]: {
    /** Use it to drop duplicates: it is the same in every attempt. */
    readonly id: string;
    readonly type: Type;
    readonly created_at: string;
    readonly created_at_ms: number;
    readonly api_version: string;
    readonly environment: string;
    /** Counts the events of this endpoint without a gap. */
    readonly sequence: number;
    readonly test?: boolean;
    readonly data: Open<WebhookData<Type>>;
  };
}[WebhookEventType];

/**
 * The verified delivery. Throws one of three errors that a receiver may answer with, each with its
 * code and status: WEBHOOK_SECRET_INVALID, WEBHOOK_TIMESTAMP_SKEW, WEBHOOK_SIGNATURE_INVALID.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookNotice> {
  const body = typeof request.body === 'string' ? utf8(request.body) : request.body;
  const secretBytes = readSecret(request.secret);
  const claim = readClaim(request, secretBytes, body);
  const nowSec = Math.floor((request.nowMs ?? Date.now()) / 1000);
  if (Math.abs(nowSec - claim.atSec) > (request.toleranceSec ?? 300)) {
    throw failure(WebhookTimestampSkewError, 'WEBHOOK_TIMESTAMP_SKEW', 401, {
      timestamp_sec: claim.atSec,
      now_sec: nowSec,
    });
  }
  if (!(await matchesAny(claim))) throw signatureInvalid('no signature matches the body');
  // The type is the service's word for what it signed; unknown ones fall through a switch.
  return JSON.parse(new TextDecoder().decode(body)) as WebhookNotice;
}

/** The signature headers of a body, for tests of your own receiver. */
export async function signWebhook(delivery: {
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  readonly atSec: number;
}): Promise<Readonly<Record<string, string>>> {
  const { id, body, secret, atSec } = delivery;
  const own = await hmac(utf8(secret), utf8(`${atSec}.${body}`));
  const standard = await hmac(readSecret(secret), utf8(`${id}.${atSec}.${body}`));
  return {
    'x-svc-signature': `t=${atSec},v1=${toHex(own)}`,
    'webhook-id': id,
    'webhook-timestamp': String(atSec),
    'webhook-signature': `v1,${toBase64(standard)}`,
  };
}

/** What a delivery claims: when it was signed, what, with which key, and the signatures given. */
type Claim = {
  readonly atSec: number;
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly keyBytes: Uint8Array<ArrayBuffer>;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
};

/** Two during a rotation; more than a few would only be a way to make receivers work. */
const signaturesMax = 4;

function readClaim(
  request: WebhookRequest,
  secretBytes: Uint8Array<ArrayBuffer>,
  body: Uint8Array,
): Claim {
  const own = header(request.headers, 'x-svc-signature');
  const claim =
    own === null
      ? readStandardClaim(request.headers, secretBytes, body)
      : readOwnClaim(own, utf8(request.secret), body);
  if (claim === null || claim.signatures.length === 0 || claim.signatures.length > signaturesMax) {
    throw signatureInvalid('the signature header is missing or malformed');
  }
  return claim;
}

/** t=<unix seconds>,v1=<hex>[,v1=<hex>]: signed are t, a dot and the body, keyed with the secret as text. */
function readOwnClaim(
  text: string,
  keyBytes: Uint8Array<ArrayBuffer>,
  body: Uint8Array,
): Claim | null {
  const pairs = text.split(',').map((part) => part.trim().split('='));
  const times = pairs.filter(([key]) => key === 't').map(([, value]) => value ?? '');
  const [time = ''] = times;
  if (times.length !== 1 || !/^[0-9]{1,12}$/.test(time)) return null;
  const signatures = pairs.filter(([key]) => key === 'v1').map(([, value]) => fromHex(value ?? ''));
  if (signatures.some((signature) => signature === null)) return null;
  return {
    atSec: Number(time),
    signed: concatenate(utf8(`${time}.`), body),
    keyBytes,
    signatures: signatures.filter((signature) => signature !== null),
  };
}

/** Standard Webhooks: signed are id, dot, timestamp, dot and the body, keyed with the secret's bytes. */
function readStandardClaim(
  headers: WebhookHeaders,
  keyBytes: Uint8Array<ArrayBuffer>,
  body: Uint8Array,
): Claim | null {
  const id = header(headers, 'webhook-id');
  const time = header(headers, 'webhook-timestamp');
  const text = header(headers, 'webhook-signature');
  if (id === null || time === null || text === null || !/^[0-9]{1,12}$/.test(time)) return null;
  const signatures = text
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => fromBase64(part.slice(3)));
  return {
    atSec: Number(time),
    signed: concatenate(utf8(`${id}.${time}.`), body),
    keyBytes,
    signatures: signatures.filter((signature) => signature !== null),
  };
}

/** Web Crypto compares in constant time; every signature is tried, so that the time tells nothing. */
async function matchesAny(claim: Claim): Promise<boolean> {
  const key = await importKey(claim.keyBytes, 'verify');
  const results = await Promise.all(
    claim.signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, claim.signed)),
  );
  return results.includes(true);
}

async function hmac(
  keyBytes: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const key = await importKey(keyBytes, 'sign');
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
}

function importKey(bytes: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify') {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

/** The key inside of whsec_…: at least 24 bytes, as Standard Webhooks asks. */
function readSecret(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : null;
  if (bytes === null || bytes.length < 24 || bytes.length > 64) {
    throw failure(WebhookSecretInvalidError, 'WEBHOOK_SECRET_INVALID', 400, {});
  }
  return bytes;
}

function signatureInvalid(reason: string): SibylError {
  const code = 'WEBHOOK_SIGNATURE_INVALID';
  return failure(WebhookSignatureInvalidError, code, 401, { reason });
}

function failure(
  Failure: new (facts: ConstructorParameters<typeof WebhookSecretInvalidError>[0]) => SibylError,
  code: string,
  status: number,
  details: Readonly<Record<string, unknown>>,
): SibylError {
  return new Failure({
    code,
    status,
    message: 'the delivery was not accepted',
    details,
    requestId: null,
    retryable: false,
    retryAfterMs: null,
  });
}

function header(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = entry?.[1];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(',');
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function concatenate(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(head.length + tail.length);
  joined.set(head);
  joined.set(tail, head.length);
  return joined;
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[0-9a-f]{64}$/.test(text)) return null;
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  );
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
