// Reads an HTTP answer into data or an error, trusting nothing about its form.

import { SibylError } from './errors.ts';
import { errorTable } from './generated/errors.ts';
import type { RateLimit } from './options.ts';

export type Envelope = {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
};

/** The envelope of a success; everything else becomes an error, also a page of HTML from a proxy. */
export function readEnvelope(response: Response, text: string): Envelope | SibylError {
  const parsed = parseJson(text);
  if (isRecord(parsed) && parsed.ok === true && response.ok) {
    return { data: parsed.data, meta: isRecord(parsed.meta) ? parsed.meta : {} };
  }
  return errorOf(response, isRecord(parsed) && isRecord(parsed.error) ? parsed.error : null);
}

export function readRateLimit(headers: Headers): RateLimit {
  return {
    category: headers.get('x-ratelimit-category'),
    limit: numberHeader(headers, 'x-ratelimit-limit'),
    remaining: numberHeader(headers, 'x-ratelimit-remaining'),
    resetAtSec: numberHeader(headers, 'x-ratelimit-reset'),
  };
}

/** Retry-After in its two forms: seconds, or a date of HTTP. */
function readRetryAfterMs(headers: Headers, nowMs: number): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^[0-9]+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function errorOf(response: Response, body: Readonly<Record<string, unknown>> | null): SibylError {
  const code = typeof body?.code === 'string' ? body.code : 'UNREADABLE_ANSWER';
  const known = isKnown(code) ? errorTable[code] : null;
  const retryAfterMs = readRetryAfterMs(response.headers, Date.now());
  const details = isRecord(body?.details) ? body.details : {};
  const isRetryable = known?.retryable ?? isTemporary(response.status);
  const facts = {
    code,
    status: response.status,
    message: typeof body?.message === 'string' ? body.message : `HTTP ${response.status}`,
    details,
    requestId: response.headers.get('x-request-id'),
    // A part that is switched off stays off: the service says so where its code alone would promise more.
    retryable: isRetryable && details.retryable !== false,
    retryAfterMs,
  };
  return known === null ? new SibylError(facts) : new known.make(facts);
}

/** For answers without a known code, such as those of a proxy in between. */
function isTemporary(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

function isKnown(code: string): code is keyof typeof errorTable {
  return Object.hasOwn(errorTable, code);
}

function numberHeader(headers: Headers, name: string): number | null {
  const text = headers.get(name);
  return text === null || !/^[0-9]+$/.test(text) ? null : Number(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
