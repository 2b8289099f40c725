// Answers as they leave: the envelope, its meta, and the headers that stand on every one of them.
import {
  apiVersion,
  errors,
  type RateCategory,
  type RateScope,
  rateCategories,
  rateScopes,
} from '@sibyl/contract';
import { pieceOf, type TextSheet } from '@sibyl/lane';
import { type ApiError, type Reply, type ReplyMeta, wireError } from '../handling/handler.ts';
import type { RateDecision } from './rate-limit.ts';

export interface EnvelopeMeta extends ReplyMeta {
  readonly request_id: string;
  readonly server_ts_ms: number;
  readonly page_size?: number;
}

export interface Envelope {
  readonly ok: true;
  readonly data: unknown;
  readonly meta: EnvelopeMeta;
  readonly error: null;
}

export function successEnvelope(
  reply: Reply,
  data: unknown,
  isList: boolean,
  stamp: Stamp,
): Envelope {
  const meta = isList ? listMetaOf(reply, data, stamp) : metaOf(reply, stamp);
  return { ok: true, data, meta, error: null };
}

/** Which request is answered, and when. */
export interface Stamp {
  readonly requestId: string;
  readonly nowMs: number;
}

export interface ErrorAnswer {
  readonly ok: false;
  readonly data: null;
  readonly meta: EnvelopeMeta;
  readonly error: ReturnType<typeof wireError>;
}

export function errorEnvelope(error: ApiError, stamp: Stamp): ErrorAnswer {
  return {
    ok: false,
    data: null,
    meta: { request_id: stamp.requestId, server_ts_ms: stamp.nowMs },
    error: wireError(error, stamp.requestId),
  };
}

export function statusOf(error: ApiError): number {
  return errors[error.code].status;
}

/** What a refusal adds to the headers of every answer: whoever is told that it was too much is told how long to wait. */
export function errorHeaders(error: ApiError, nowMs: number): Readonly<Record<string, string>> {
  const { headers = {} } = error;
  if (statusOf(error) !== TOO_MUCH || headers['retry-after'] !== undefined) return headers;
  return { ...headers, 'retry-after': String(waitSec(error, nowMs)) };
}

const TOO_MUCH = 429;
const DAY_MS = 86_400_000;

/** A cap that no wait changes is asked about again when the day ends: tiers that rise by themselves rise then. */
function waitSec({ details = {} }: ApiError, nowMs: number): number {
  const { retry_after_sec: sec, resets_at_ms: resetsAtMs } = details;
  if (typeof sec === 'number') return sec;
  const atMs = typeof resetsAtMs === 'number' ? resetsAtMs : nowMs - (nowMs % DAY_MS) + DAY_MS;
  return Math.max(1, Math.ceil((atMs - nowMs) / 1000));
}

/** The headers of every answer, of errors and of unknown paths too. */
export function commonHeaders(
  requestId: string,
  rate: RateDecision,
  isRedacted: boolean,
): Record<string, string | number> {
  return {
    'x-request-id': requestId,
    'x-api-version': apiVersion,
    'x-money-format': 'decimal_string',
    'x-pii-redacted': isRedacted ? 'true' : 'false',
    'x-content-type-options': 'nosniff',
    'x-ratelimit-limit': rate.limit,
    'x-ratelimit-remaining': rate.remaining,
    'x-ratelimit-reset': rate.resetSec,
    'x-ratelimit-category': rate.category,
    'x-ratelimit-scope': rate.scope,
  };
}

/** The same as the lines of a head. */
export function commonLines(requestId: string, rate: RateDecision, isRedacted: boolean): string {
  return `x-request-id: ${requestId}${linesBetween(isRedacted)}${rate.limit}\r\nx-ratelimit-remaining: ${rate.remaining}\r\nx-ratelimit-reset: ${rate.resetSec}${bucketLines(rate.category, rate.scope)}`;
}

/** The same as bytes; nothing is redacted in what is spelled. */
export function spellCommonLines(sheet: TextSheet, requestId: string, rate: RateDecision): void {
  sheet.piece(REQUEST_ID);
  sheet.plain(requestId);
  sheet.piece(LIMIT);
  sheet.count(rate.limit);
  sheet.piece(REMAINING);
  sheet.count(rate.remaining);
  sheet.piece(RESET);
  sheet.count(rate.resetSec);
  sheet.piece(BUCKETS[rate.category][rate.scope]);
}

const REQUEST_ID = pieceOf('x-request-id: ');
const LIMIT = pieceOf(linesBetween(false));
const REMAINING = pieceOf('\r\nx-ratelimit-remaining: ');
const RESET = pieceOf('\r\nx-ratelimit-reset: ');
const BUCKETS = byName(rateCategories, (category) =>
  byName(rateScopes, (scope) => pieceOf(bucketLines(category, scope))),
);

/** What stands behind the reset. */
function bucketLines(category: RateCategory, scope: RateScope): string {
  return `\r\nx-ratelimit-category: ${category}\r\nx-ratelimit-scope: ${scope}\r\n`;
}

function byName<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

/** What stands between the id of the request and its limit. */
function linesBetween(isRedacted: boolean): string {
  return `\r\nx-api-version: ${apiVersion}\r\nx-money-format: decimal_string\r\nx-pii-redacted: ${isRedacted}\r\nx-content-type-options: nosniff\r\nx-ratelimit-limit: `;
}

/** What stands behind the data of an answer. */
export function spellMeta(
  sheet: TextSheet,
  requestId: string,
  nowMs: number,
  meta: Reply['meta'],
): void {
  sheet.piece(META);
  sheet.plain(requestId);
  sheet.piece(SERVER_TIME);
  sheet.count(nowMs);
  if (meta?.fill_venue !== undefined) sheet.piece(FILL_VENUES[meta.fill_venue]);
  sheet.piece(AFTER_META);
}

const META = pieceOf(',"meta":{"request_id":"');
const SERVER_TIME = pieceOf('","server_ts_ms":');
const FILL_VENUES = {
  amm: pieceOf(',"fill_venue":"amm"'),
  clob: pieceOf(',"fill_venue":"clob"'),
  hybrid: pieceOf(',"fill_venue":"hybrid"'),
};
const AFTER_META = pieceOf('},"error":null}');

/** Of anything but a list. */
function metaOf({ meta }: Reply, { requestId, nowMs }: Stamp): EnvelopeMeta {
  return meta?.fill_venue === undefined
    ? { request_id: requestId, server_ts_ms: nowMs }
    : { request_id: requestId, server_ts_ms: nowMs, fill_venue: meta.fill_venue };
}

function listMetaOf({ meta }: Reply, data: unknown, { requestId, nowMs }: Stamp): EnvelopeMeta {
  return {
    request_id: requestId,
    server_ts_ms: nowMs,
    next_cursor: meta?.next_cursor ?? null,
    page_size: Array.isArray(data) ? data.length : 0,
    total_count: meta?.total_count ?? null,
  };
}
