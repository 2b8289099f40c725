// The envelope around every answer, and the headers beside it.

import { type TObject, type TSchema, Type } from 'typebox';
import type { AnyOperation } from './define.ts';
import { errorCodes } from './errors.ts';
import { rateCategories, rateScopes } from './limits.ts';
import { epochMs, nullable, oneOf, openObject } from './primitives.ts';

/** The version of the interface, sent as X-API-Version. */
export const apiVersion = '1.0.0';

export const fillVenues = ['amm', 'clob', 'hybrid'] as const;

const requestId = Type.String({ description: 'The id of the request, also in X-Request-ID.' });
const serverTsMs = epochMs('When the server answered.');

const Meta = Type.Object({ request_id: requestId, server_ts_ms: serverTsMs }, { title: 'Meta' });

const FillMeta = Type.Object(
  {
    request_id: requestId,
    server_ts_ms: serverTsMs,
    fill_venue: Type.Optional(
      oneOf(fillVenues, { description: 'Where the order filled; absent if nothing did.' }),
    ),
  },
  { title: 'FillMeta' },
);

const PageMeta = Type.Object(
  {
    request_id: requestId,
    server_ts_ms: serverTsMs,
    next_cursor: nullable(
      Type.String({ description: 'Send it as cursor for the next page; null on the last one.' }),
    ),
    page_size: Type.Integer({ minimum: 0, description: 'How many entries this page has.' }),
    total_count: nullable(
      Type.Integer({ minimum: 0, description: 'How many there are in all, where that is cheap.' }),
    ),
  },
  { title: 'PageMeta' },
);

export const ErrorBody = Type.Object(
  {
    code: oneOf(errorCodes, { description: 'Stable; the same code always has the same status.' }),
    message: Type.String({ description: 'For people; never parse it.' }),
    details: Type.Optional(openObject('What the code is about; its keys depend on the code.')),
    trace_id: Type.String({ description: 'Quote it in a ticket.' }),
  },
  { title: 'Error' },
);

export const ErrorEnvelope = Type.Object(
  {
    ok: Type.Literal(false),
    data: Type.Null(),
    meta: Meta,
    error: ErrorBody,
  },
  { title: 'ErrorEnvelope' },
);

/** Errors of RFC 6749, and the two of its authorization endpoint for a server that cannot answer now. */
export const oauthErrorNames = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'temporarily_unavailable',
  'server_error',
] as const;
export type OAuthErrorName = (typeof oauthErrorNames)[number];

/** The answer to a refused form, as stock OAuth clients read it. */
export const OAuthError = Type.Object(
  {
    error: oneOf(oauthErrorNames, { description: 'As RFC 6749 names it.' }),
    error_description: Type.String({ description: 'For people; never parse it.' }),
    code: oneOf(errorCodes, { description: 'The code that a JSON request gets in the envelope.' }),
    trace_id: Type.String({ description: 'Quote it in a ticket.' }),
  },
  { title: 'OAuthError', description: 'The answer to a refused request with a form body.' },
);

/** The schema of a whole successful answer. */
export function envelopeOf(
  operation: Pick<AnyOperation, 'data' | 'list' | 'revealsVenue'> &
    Partial<Pick<AnyOperation, 'standardFields'>>,
): TSchema {
  return Type.Object({
    ok: Type.Literal(true),
    data: operation.data,
    meta: metaOf(operation),
    error: Type.Null(),
    ...(operation.standardFields === true && isObject(operation.data)
      ? operation.data.properties
      : {}),
  });
}

function isObject(schema: TSchema): schema is TObject {
  return 'properties' in schema;
}

export type HeaderDefinition = {
  readonly description: string;
  readonly schema: TSchema;
  /** Where it is sent: on every answer, after an alias, when waiting helps, on a 401, on a replay, or while lower limits are announced. */
  readonly when: 'always' | 'alias' | 'wait' | 'challenge' | 'replay' | 'notice';
};

export const responseHeaders = Object.freeze({
  'X-Request-ID': always('Id of the request, assigned by the server.', Type.String()),
  'X-API-Version': always('Version of the interface.', oneOf([apiVersion])),
  'X-Money-Format': always('How money is written.', oneOf(['decimal_string', 'float'])),
  'X-PII-Redacted': always(
    'Whether email, phone or address were stripped.',
    oneOf(['true', 'false']),
  ),
  'X-Content-Type-Options': always(
    'The type that is given is the type that it is.',
    oneOf(['nosniff']),
  ),
  'X-RateLimit-Limit': always('Requests per window in this bucket.', Type.Integer({ minimum: 0 })),
  'X-RateLimit-Remaining': always('Requests left in the window.', Type.Integer({ minimum: 0 })),
  'X-RateLimit-Category': always(
    'Which bucket the limit, the rest and the reset speak of. cancel is the reserve of cancels and heartbeats.',
    oneOf(rateCategories),
  ),
  'X-RateLimit-Scope': always(
    'Whose bucket it is: that of the key, of the user’s sessions, of all keys of the account together, of the app that showed its secret, or of the address. Of a key and its account, the one with less left.',
    oneOf(rateScopes),
  ),
  'X-RateLimit-Reset': always(
    'UNIX seconds when the window resets.',
    Type.Integer({ format: 'int64', minimum: 0 }),
  ),
  'X-Canonical-Path': header('alias', 'The path an alias stands for.', Type.String()),
  'Retry-After': header('wait', 'Seconds to wait.', Type.Integer({ minimum: 0 })),
  'WWW-Authenticate': header(
    'challenge',
    'How to authenticate, on every 401 (RFC 9110). The answer to a form has it only if HTTP Basic was refused.',
    Type.String(),
  ),
  'Idempotency-Replayed': header(
    'replay',
    'This is the first answer to the request, but for request_id, server_ts_ms and the trace_id of a refusal.',
    oneOf(['true']),
  ),
  Deprecation: header(
    'notice',
    'A lower limit is announced: @ and the UNIX second since when that is known (RFC 9745).',
    Type.String({ pattern: '^@\\d+$' }),
  ),
  Sunset: header(
    'notice',
    'From when on the lower limit holds, as an HTTP date (RFC 8594).',
    Type.String(),
  ),
});
export type HeaderName = keyof typeof responseHeaders;

function metaOf(operation: Pick<AnyOperation, 'list' | 'revealsVenue'>): TSchema {
  if (operation.list) return PageMeta;
  return operation.revealsVenue ? FillMeta : Meta;
}

function always(description: string, schema: TSchema): HeaderDefinition {
  return header('always', description, schema);
}

function header(
  when: HeaderDefinition['when'],
  description: string,
  schema: TSchema,
): HeaderDefinition {
  return Object.freeze({ when, description, schema });
}
