// One operation as an OpenAPI operation object: parameters, body, answers, errors.

import type { TObject } from 'typebox';
import type { AnyOperation } from '../src/define.ts';
import {
  ErrorEnvelope,
  envelopeOf,
  type HeaderDefinition,
  OAuthError,
  responseHeaders,
} from '../src/envelope.ts';
import { type ErrorCode, errors } from '../src/errors.ts';
import { limits } from '../src/limits.ts';
import { type Components, type Json, lift, modelName, share } from './openapi-component.ts';

const exampleMeta = { request_id: 'req_example', server_ts_ms: 1_794_657_600_000 };

/** The codes the operation can return now: reserved ones of later groups are left out. */
export function codesInForce(operation: AnyOperation): readonly ErrorCode[] {
  return operation.errors.filter((code) => errors[code].since !== 'later');
}

export function operationObject(operation: AnyOperation, components: Components): Json {
  const { params, query, body } = operation.input;
  const parameters = [
    ...(params === null ? [] : parametersOf('path', params, components)),
    ...(query === null ? [] : parametersOf('query', query, components)),
    ...idempotencyParameter(operation),
  ];
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description: operation.description,
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: requestBodyOf(operation, body, components) }),
    responses: { 200: successOf(operation, components), ...failuresOf(operation, components) },
    'x-auth': operation.auth,
    ...(operation.role === null ? {} : { 'x-role': operation.role }),
    ...(operation.stepUp ? { 'x-step-up': true } : {}),
    ...(operation.approval === 'never' ? {} : { 'x-approval': operation.approval }),
    'x-permission': operation.permission,
    'x-scope': operation.scope,
    'x-rate-category': operation.rate,
    'x-rate-cost': operation.rateCost,
    ...(operation.rateReserve === null ? {} : { 'x-rate-reserve': operation.rateReserve }),
    'x-read-only-mode': operation.readOnlyMode,
    'x-sandbox-only': operation.sandboxOnly,
    'x-counted': operation.counted,
    'x-since': operation.since,
  };
}

/** The answer to a failed request with this code, as an example. */
export function errorExample(code: ErrorCode): Json {
  const { message, details } = errors[code];
  const example = Object.fromEntries(details.map((key) => [key, '…']));
  return {
    ok: false,
    data: null,
    meta: exampleMeta,
    error: {
      code,
      message,
      ...(details.length === 0 ? {} : { details: example }),
      trace_id: exampleMeta.request_id,
    },
  };
}

function parametersOf(location: 'path' | 'query', schema: TObject, components: Components) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = lift(property, components.schemas);
    return {
      name,
      in: location,
      required: required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function idempotencyParameter(operation: AnyOperation): Json[] {
  if (operation.idempotency === 'none') return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: operation.idempotency === 'required',
      description: 'The same key and request within 24 hours gets the first answer again.',
      schema: { type: 'string', pattern: limits.idempotency.headerPattern },
    },
  ];
}

function requestBodyOf(operation: AnyOperation, body: TObject, components: Components): Json {
  const example = new Map<string, unknown>(Object.entries(operation.example)).get('body');
  return {
    required: true,
    content: {
      'application/json': { schema: lift(body, components.schemas), example },
      ...(operation.takesForms
        ? {
            'application/x-www-form-urlencoded': {
              schema: lift(body, components.schemas),
              example,
            },
          }
        : {}),
    },
  };
}

function successOf(operation: AnyOperation, components: Components): Json {
  const { data } = operation.example;
  const page = { next_cursor: null, page_size: countOf(data), total_count: null };
  const venue = operation.revealsVenue ? { fill_venue: 'amm' } : {};
  const meta = { ...exampleMeta, ...(operation.list ? page : venue) };
  return {
    description: operation.summary,
    headers: headersFor(({ when }) => when !== 'wait' && when !== 'challenge', operation),
    content: {
      'application/json': {
        schema: lift(
          { ...envelopeOf(operation), title: modelName(operation.id, 'Response') },
          components.schemas,
        ),
        example: {
          ok: true,
          data,
          meta,
          error: null,
          ...(operation.standardFields ? Object(data) : {}),
        },
      },
    },
  };
}

function failuresOf(operation: AnyOperation, components: Components): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesInForce(operation)) {
    const { status } = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const failures = [...byStatus].sort(([first], [second]) => first - second);
  return Object.fromEntries(
    failures.map(([status, codes]) => {
      const response = failureOf(operation, status, codes, components);
      return [status, share(status, response, components.responses)];
    }),
  );
}

function failureOf(
  operation: AnyOperation,
  status: number,
  codes: readonly ErrorCode[],
  components: Components,
): Json {
  const waits = status === 429 || status === 503;
  const sends = ({ when }: HeaderDefinition): boolean =>
    (when !== 'wait' || waits) && (when !== 'challenge' || status === 401);
  const envelope = lift(ErrorEnvelope, components.schemas);
  return {
    description: codes.join(', '),
    'x-error-codes': codes,
    headers: headersFor(sends, operation),
    content: {
      'application/json': {
        schema: operation.takesForms
          ? { oneOf: [envelope, lift(OAuthError, components.schemas)] }
          : envelope,
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}

function headersFor(sends: (header: HeaderDefinition) => boolean, operation: AnyOperation): Json {
  const names = Object.entries(responseHeaders)
    .filter(([, header]) => sends(header))
    .filter(([, header]) => header.when !== 'replay' || operation.idempotency !== 'none')
    .filter(([, header]) => header.when !== 'notice' || operation.group !== 'Operator')
    .map(([name]) => name);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function securityOf(operation: AnyOperation): Json[] {
  switch (operation.auth) {
    case 'public':
      return [{}, { bearer: [] }, { api_key: [] }];
    case 'credential':
      return [{ bearer: [] }, { api_key: [] }];
    case 'session':
      return [{ session: [] }];
    case 'operator':
      return [{ operator: [] }];
  }
}

function countOf(data: unknown): number {
  return Array.isArray(data) ? data.length : 1;
}
