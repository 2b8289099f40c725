// The log of one's own requests, for the pages of developers.
import { type InputOf, type OperationOutput, type Operations, operations } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { boundTo } from '../../handling/credentials.ts';
import { cutPage } from '../../handling/cut-page.ts';
import {
  fail,
  type Handler,
  type Page,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import {
  HOUR_MS,
  type LoggedRequest,
  type RequestFilter,
  type RequestOwner,
  type RequestReader,
  type RequestRecord,
  type RequestSummary,
} from '../../ports/requests.ts';
import { isoTime } from '../../wire/times.ts';

export interface RequestParts {
  readonly clock: Clock;
  /** Null where no log is kept. */
  readonly requests?: RequestReader | null;
}

type Ids = 'listRequests' | 'getRequest' | 'getRequestSummary';
type WireRequest = OperationOutput<'listRequests'>[number];
type WireSummary = OperationOutput<'getRequestSummary'>;
type Query = InputOf<Operations['listRequests']>['query'];

const DAY_HOURS = 24;

const SESSION_CALLS: ReadonlySet<string> = new Set(
  Object.values(operations)
    .filter(({ auth }) => auth === 'session')
    .map(({ id }) => id),
);

export function requestHandlers({ clock, requests = null }: RequestParts): {
  readonly [Id in Ids]: Handler<Operations[Id]>;
} {
  return {
    listRequests: (request, { query }) => list(requests, request, query),
    getRequest: async (request, { params }) => {
      const owner = ownerOf(request, undefined);
      const found = await answered(requests?.one(owner, params.request_id));
      if (!found) return fail('NOT_FOUND');
      return {
        data: {
          ...requestView(found),
          request_headers: found.headers.map(([name, value]) => ({ name, value })),
          ...bodiesView(found, request),
        },
      };
    },
    getRequestSummary: async (request, { query }) => {
      const nowMs = clock.wallMs();
      const owner = ownerOf(request, query.environment);
      const summary = (await answered(requests?.summary(owner, nowMs))) ?? EMPTY;
      return { data: summaryView(summary, nowMs, requests !== null) };
    },
  };
}

/** What only a session is told (profile, export, destinations) a key does not read in the log either. */
function bodiesView(logged: RequestRecord, { credential }: RequestContext) {
  const isHidden = credential?.kind !== 'session' && SESSION_CALLS.has(logged.operation);
  return {
    request_body: isHidden ? null : logged.body,
    request_body_bytes: logged.bodyBytes,
    answer_body: isHidden ? null : logged.answer,
    answer_body_bytes: logged.answerBytes,
    secrets_withheld: isHidden || logged.isWithheld,
  };
}

/** The log may fail without the exchange; whoever asks is told to try again. */
async function answered<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await answer;
  } catch {
    throw fail('SERVICE_UNAVAILABLE', undefined, 'The log of requests does not answer now.');
  }
}

/** A key sees what happened in its own environment; a session sees both. */
function ownerOf(
  { credential, laneName }: RequestContext,
  environment: Query['environment'],
): RequestOwner {
  const holderId = credential?.holderId ?? '';
  if (credential?.kind !== 'key') {
    return { holderId, lane: environment ?? null, ownCredential: null };
  }
  // A bound key is not shown what its owner asked for.
  const ownCredential = boundTo(credential) === null ? null : credential.publicId;
  return { holderId, lane: laneName, ownCredential };
}

async function list(
  requests: RequestReader | null,
  request: RequestContext,
  query: Query,
): Promise<Reply<WireRequest[]>> {
  const page = request.page(query);
  const filter = filterOf(ownerOf(request, query.environment), query, page);
  const found = (await answered(requests?.list(filter))) ?? [];
  const { shown, nextCursor } = cutPage(found, page, (last) => [last.position]);
  return {
    data: shown.map(requestView),
    meta: { next_cursor: nextCursor },
  };
}

function filterOf(owner: RequestOwner, query: Query, { limit, after }: Page): RequestFilter {
  const [position] = after ?? [];
  return {
    ...owner,
    statusClass: query.status === undefined ? null : Number(query.status[0]),
    code: query.code ?? null,
    method: query.method ?? null,
    operation: query.operation ?? null,
    path: query.path ?? null,
    credential: query.key ?? null,
    fromMs: query.from_ms ?? null,
    toMs: query.to_ms ?? null,
    beforePosition: typeof position === 'number' ? position : null,
    // One more than asked for tells whether there is a page after this one.
    limit: limit + 1,
  };
}

function requestView(logged: LoggedRequest): WireRequest {
  const { method } = logged;
  return {
    request_id: logged.requestId,
    requested_at: isoTime(logged.atMs),
    requested_at_ms: logged.atMs,
    environment: logged.lane,
    // Those of the operations, which are all that is logged.
    method: method as WireRequest['method'],
    path: logged.path,
    operation: logged.operation,
    status: logged.status,
    code: logged.code === 'ok' ? null : logged.code,
    latency_us: logged.latencyUs,
    credential_kind: kindOf(logged.credential),
    credential_id: logged.credential,
  };
}

function kindOf(credential: string): WireRequest['credential_kind'] {
  if (credential.startsWith('oat_')) return 'token';
  return credential.startsWith('sk_') ? 'key' : 'session';
}

function summaryView(summary: RequestSummary, nowMs: number, isKept: boolean): WireSummary {
  const { today, day, codes, p50Us, p99Us } = summary;
  return {
    log_kept: isKept,
    today: totalsView(today),
    last_24h: { ...totalsView(day), latency_p50_us: p50Us, latency_p99_us: p99Us },
    errors: codes.map(({ code, count, lastMs, requestId }) => ({
      code,
      error_count: count,
      last_seen_at: isoTime(lastMs),
      last_seen_at_ms: lastMs,
      example_request_id: requestId,
    })),
    hours: hoursView(summary, nowMs),
  };
}

function totalsView({ requests, errors, dropped }: RequestSummary['day']) {
  return { request_count: requests, error_count: errors, dropped_count: dropped };
}

function hoursView({ hours }: RequestSummary, nowMs: number): WireSummary['hours'] {
  const byHour = new Map(hours.map((one) => [one.hour, one]));
  const first = Math.floor(nowMs / HOUR_MS) - DAY_HOURS + 1;
  return Array.from({ length: DAY_HOURS }, (_, index) => {
    const { requests = 0, errors = 0 } = byHour.get(first + index) ?? {};
    const from = (first + index) * HOUR_MS;
    return { from_ms: from, request_count: requests, error_count: errors };
  });
}

const NOTHING = { requests: 0, errors: 0, dropped: 0 };
const EMPTY: RequestSummary = {
  today: NOTHING,
  day: NOTHING,
  p50Us: null,
  p99Us: null,
  codes: [],
  hours: [],
};
