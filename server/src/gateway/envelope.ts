// Answers as they leave: the envelope, its meta, and the headers that stand on every one of them.
import { type AnyOperation, apiVersion, errors } from '@sibyl/contract';
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
  { list, standardFields }: Form,
  stamp: Stamp,
): Envelope {
  const meta = list ? listMetaOf(reply, data, stamp) : metaOf(reply, stamp);
  const envelope: Envelope = { ok: true, data, meta, error: null };
  return standardFields ? { ...Object(data), ...envelope } : envelope;
}

/** What of an operation decides how its answers look. */
type Form = Pick<AnyOperation, 'list' | 'standardFields'>;

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
