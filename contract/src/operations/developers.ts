// Companion calls of the pages for developers: the log of one's own requests. Not counted.

import { Type } from 'typebox';
import { common, credentialed, identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { pathId } from '../ids.ts';
import { pageQuery, queryOf } from '../paging.ts';
import { epochMs, oneOf } from '../primitives.ts';
import { environments } from '../resources/api-key.ts';
import {
  exampleLoggedRequest,
  exampleRequestRecord,
  exampleRequestSummary,
  LoggedRequest,
  RequestRecord,
  RequestSummary,
  requestMethods,
  statusClasses,
} from '../resources/request.ts';

const logRead = {
  method: 'GET',
  group: 'Developers',
  auth: 'credential',
  permission: 'read',
  // What other apps of the user did is none of an app's business.
  scope: null,
  rate: 'account_read',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  counted: false,
  since: '0.2',
} as const;

const environment = Type.Optional(
  oneOf(environments, {
    description: 'For sessions, which see both unless told; a key sees its own only.',
  }),
);

const listRequests = operation({
  ...logRead,
  id: 'listRequests',
  call: 'requests.list',
  path: '/v1/requests',
  summary: 'Your requests',
  description:
    'What you sent with your keys and sessions, newest first: the last 10,000, of seven days. Reads of this log are not in it.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      environment,
      status: Type.Optional(oneOf(statusClasses)),
      code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      method: Type.Optional(oneOf(requestMethods)),
      operation: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      path: Type.Optional(
        Type.String({ minLength: 1, maxLength: 256, description: 'What the path contains.' }),
      ),
      key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'The public id of a key, or the id of a session.',
        }),
      ),
      from_ms: Type.Optional(epochMs('First instant, inclusive.')),
      to_ms: Type.Optional(epochMs('Last instant, exclusive.')),
    }),
  },
  data: Type.Array(LoggedRequest),
  errors: [...common, ...credentialed],
  example: { query: { operation: 'getBalance' }, data: [exampleLoggedRequest] },
});

const getRequestSummary = operation({
  ...logRead,
  id: 'getRequestSummary',
  call: 'requests.summary',
  path: '/v1/requests/summary',
  summary: 'Your requests in numbers',
  description: 'Today and the last 24 hours: counts, errors by code, latency, hour by hour.',
  list: false,
  input: { ...noInput, query: queryOf({ environment }) },
  data: RequestSummary,
  errors: [...common, ...credentialed],
  example: { query: {}, data: exampleRequestSummary },
});

const getRequest = operation({
  ...logRead,
  id: 'getRequest',
  call: 'requests.get',
  path: '/v1/requests/{request_id}',
  summary: 'One of your requests',
  description:
    'With its headers and both bodies, of each the first 4 KiB. Credentials, cookies, keys, passwords and secrets are cut.',
  list: false,
  selfView: true,
  input: {
    ...noInput,
    params: Type.Object({ request_id: pathId('request', 'X-Request-Id of its answer.') }),
  },
  data: RequestRecord,
  errors: [...common, ...credentialed, ...identified],
  example: {
    params: { request_id: exampleLoggedRequest.request_id },
    data: exampleRequestRecord,
  },
});

export const developerOperations = Object.freeze({ listRequests, getRequestSummary, getRequest });
