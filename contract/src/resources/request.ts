// The request log: what a developer sent, what came back, and how a day went.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { epochMs, instant, nullable, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

export const credentialKinds = ['key', 'session', 'token'] as const;
export const requestMethods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
export const statusClasses = ['2xx', '4xx', '5xx'] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const latency = nullable(
  Type.Integer({ minimum: 0, description: 'In microseconds; null without requests.' }),
);

const entry = {
  request_id: idOf('request'),
  ...instant('requested_at', 'When the request came.'),
  environment: oneOf(environments),
  method: oneOf(requestMethods),
  path: Type.String({ description: 'With its query; secrets are cut.' }),
  operation: Type.String({ description: 'The operationId, such as placeOrder.' }),
  status: Type.Integer({ minimum: 100, maximum: 599 }),
  code: nullable(Type.String({ description: 'The error code; null for a success.' })),
  latency_us: count('Microseconds from the head of the request to the end of its answer.'),
  credential_kind: oneOf(credentialKinds),
  credential_id: Type.String({
    description: 'The public id of the key or the token, or the id of the session.',
  }),
};

export const LoggedRequest = Type.Object(entry, { title: 'LoggedRequest' });
export type LoggedRequest = Static<typeof LoggedRequest>;

const Header = Type.Object({ name: Type.String(), value: Type.String() }, { title: 'Header' });

const bodyText = (whose: string) =>
  nullable(
    Type.String({
      description: `The ${whose} as text, its first 4 KiB; null if there was none, it bears secrets, or a key asks about a call that only sessions make.`,
    }),
  );

export const RequestRecord = Type.Object(
  {
    ...entry,
    request_headers: Type.Array(Header, {
      description: 'As they came; values of credentials and cookies are cut.',
    }),
    request_body: bodyText('body'),
    request_body_bytes: count('How long it was; more than is shown if it was cut.'),
    answer_body: bodyText('answer'),
    answer_body_bytes: count('How long it was; more than is shown if it was cut.'),
    secrets_withheld: Type.Boolean({
      description: 'Whether a body is not shown because it bears secrets or is for sessions alone.',
    }),
  },
  { title: 'RequestRecord' },
);
export type RequestRecord = Static<typeof RequestRecord>;

const totals = {
  request_count: count('Requests in the log.'),
  error_count: count('Those that were refused or failed.'),
  dropped_count: count(
    'Requests that the log had no room for; they were answered like all others.',
  ),
};

export const RequestSummary = Type.Object(
  {
    log_kept: Type.Boolean({ description: 'False where the operator keeps no log of requests.' }),
    today: Type.Object(totals, { title: 'RequestTotals', description: 'Since midnight UTC.' }),
    last_24h: Type.Object(
      { ...totals, latency_p50_us: latency, latency_p99_us: latency },
      { title: 'RequestDay', description: 'This hour and the 23 before it.' },
    ),
    errors: Type.Array(
      Type.Object(
        {
          code: Type.String(),
          error_count: count('In the last 24 hours.'),
          ...instant('last_seen_at', 'When it was last answered.'),
          example_request_id: idOf('request', 'The newest one.'),
        },
        { title: 'RequestErrors' },
      ),
      { description: 'By code, the most frequent first.' },
    ),
    hours: Type.Array(
      Type.Object(
        {
          from_ms: epochMs('Where the hour begins.'),
          request_count: count('Requests in the log.'),
          error_count: count('Those that were refused or failed.'),
        },
        { title: 'RequestHour' },
      ),
      { description: 'The last 24, oldest first, those without requests too.' },
    ),
  },
  { title: 'RequestSummary' },
);
export type RequestSummary = Static<typeof RequestSummary>;

export const exampleLoggedRequest: LoggedRequest = {
  request_id: 'req_7Hk2LmPq9RsTuVwXyZ',
  requested_at: '2026-11-14T12:00:00.000Z',
  requested_at_ms: 1_794_657_600_000,
  environment: 'sandbox',
  method: 'GET',
  path: '/sandbox/v1/balance',
  operation: 'getBalance',
  status: 200,
  code: null,
  latency_us: 412,
  credential_kind: 'key',
  credential_id: 'sk_test_EXAMPLEexample01',
};

export const exampleRequestRecord: RequestRecord = {
  ...exampleLoggedRequest,
  request_headers: [
    { name: 'authorization', value: '[cut]' },
    { name: 'host', value: 'localhost:8080' },
  ],
  request_body: null,
  request_body_bytes: 0,
  answer_body: '{"ok":true,"data":{"asset":"USDT","total":"9999.000000"}',
  answer_body_bytes: 56,
  secrets_withheld: false,
};

export const exampleRequestSummary: RequestSummary = {
  log_kept: true,
  today: { request_count: 128, error_count: 3, dropped_count: 0 },
  last_24h: {
    request_count: 240,
    error_count: 3,
    dropped_count: 0,
    latency_p50_us: 412,
    latency_p99_us: 2_310,
  },
  errors: [
    {
      code: 'BALANCE_INSUFFICIENT',
      error_count: 3,
      last_seen_at: '2026-11-14T12:00:00.000Z',
      last_seen_at_ms: 1_794_657_600_000,
      example_request_id: exampleLoggedRequest.request_id,
    },
  ],
  hours: [{ from_ms: 1_794_657_600_000, request_count: 128, error_count: 3 }],
};
