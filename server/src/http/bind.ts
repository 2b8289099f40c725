// The contract as routes: each operation at each address, with its checks, schemas and handler.
import type { AnyOperation } from '@sibyl/contract';
import type { CommandKey } from '@sibyl/engine';
import type { FastifyInstance } from 'fastify';
import type { Incoming, Outgoing } from '../gateway/exchange.ts';
import type { Admission, Route, Services } from '../gateway/gate.ts';
import { commandKey, keyReaderOf } from '../gateway/idempotency.ts';
import { redactorOf } from '../gateway/redact.ts';
import type { Responder } from '../gateway/respond.ts';
import { answerSchemaOf, writerOf } from '../gateway/serialization.ts';
import { CARRIED, sentBefore } from '../gateway/signed-requests.ts';
import { compileCheck } from '../gateway/validation.ts';
import { withoutSecrets } from '../gateway/without-secrets.ts';
import { boundTo } from '../handling/credentials.ts';
import {
  ApiError,
  type Credential,
  fail,
  type LaneName,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import { Call } from './call.ts';
import { bodyGateOf, headGateOf } from './gates.ts';

/** A handler whose input has lost its type on the way through the table. */
export type AnyHandler = (
  request: RequestContext,
  input: never,
) => Promise<Reply | ApiError> | Reply | ApiError;

export type Operations = Readonly<Record<string, AnyOperation>>;
export type HandlerTable = Readonly<Record<string, AnyHandler>>;

const SANDBOX_PREFIX = '/sandbox';

/** Both must match one to one: a forgotten handler must be found by the first start, not by a client. */
export function checkTable(operations: Operations, handlers: HandlerTable): void {
  const missing = Object.keys(operations).filter((id) => !Object.hasOwn(handlers, id));
  const unknown = Object.keys(handlers).filter((id) => !Object.hasOwn(operations, id));
  if (missing.length > 0) throw new Error(`operations without a handler: ${missing.join(', ')}`);
  if (unknown.length > 0) throw new Error(`handlers without an operation: ${unknown.join(', ')}`);
}

export function bindOperations(
  app: FastifyInstance,
  services: Services,
  responder: Responder,
  operations: Operations,
  handlers: HandlerTable,
): void {
  checkTable(operations, handlers);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compileCheck(schema as object, httpPart as 'body' | 'params' | 'querystring'),
  );
  app.setSerializerCompiler(({ schema }) => writerOf(schema as object));
  for (const [id, operation] of Object.entries(operations)) {
    for (const { prefix, address } of addressesOf(services, operation)) {
      bind(app, services, responder, { operation, address }, prefix, handlers[id]!);
    }
  }
}

interface Address {
  readonly prefix: string;
  readonly address: LaneName;
}

/** The operator plane names its lane in the body; with one lane every address is that lane's. */
export function addressesOf(services: Services, operation: AnyOperation): readonly Address[] {
  const { lanesRun } = services;
  if (operation.group === 'Operator') return [{ prefix: '', address: 'live' }];
  if (lanesRun === 'live') return [{ prefix: '', address: 'live' }];
  return [
    { prefix: '', address: lanesRun === 'both' ? 'live' : 'sandbox' },
    { prefix: SANDBOX_PREFIX, address: 'sandbox' },
  ];
}

/** Unknown parameters are ignored, except those that name an account or narrow down what the operation acts on. */
const WITHOUT_LIMITS = {
  type: 'object',
  patternProperties: {
    '^(?!(on_behalf_of|subaccount_id|market_id|outcome_id|order_ids|scope)$)': {},
  },
  additionalProperties: false,
} as const;

function bind(
  app: FastifyInstance,
  services: Services,
  responder: Responder,
  route: Route,
  prefix: string,
  handler: AnyHandler,
): void {
  const { operation } = route;
  const { input } = operation;
  const querystring = input.query ?? (operation.auth === 'credential' ? WITHOUT_LIMITS : null);
  app.route({
    method: operation.method,
    url: `${prefix}${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    bodyLimit: operation.bodyBytesMax,
    config: { route },
    schema: {
      ...(input.params === null ? {} : { params: input.params }),
      ...(querystring === null ? {} : { querystring }),
      ...(input.body === null ? {} : { body: input.body }),
      response: { 200: answerSchemaOf(operation) },
    },
    onRequest: headGateOf(services, route),
    preValidation: bodyGateOf(services, route),
    handler: answerOf(services, responder, route, handler),
  });
}

export function answerOf(
  services: Services,
  responder: Responder,
  route: Route,
  handler: AnyHandler,
) {
  const { operation } = route;
  const shared = { services, responder, handler, redactor: redactorOf(operation) };
  const readKey = keyReaderOf(operation);
  const isCarried = CARRIED.has(operation.id);
  const answer = (request: Incoming, reply: Outgoing): void => {
    const { admission } = request;
    if (admission === null || admission.lane === null) {
      const message = 'The lane that this address leads to is not run here.';
      responder.sendError(request, reply, fail('SERVICE_UNAVAILABLE', undefined, message));
      return;
    }
    const key = readKey(request);
    if (key instanceof ApiError) {
      responder.sendError(request, reply, key);
      return;
    }
    const call = new Call(shared, request, reply, admission);
    if (key === undefined) call.run(admission.lane, undefined);
    else call.runKeyed(admission.lane, keyOf(operation, request, admission, key));
  };
  return (request: Incoming, reply: Outgoing): void => {
    const claim = request.admission?.claim ?? null;
    const spent = claim?.spent ?? null;
    if (claim === null || spent === null || isCarried || services.signed === null) {
      answer(request, reply);
      return;
    }
    // Whatever the write comes to, nobody can send the same a second time.
    services.signed.spend(spent).then(
      (isFirst) => {
        if (isFirst) answer(request, reply);
        else responder.sendError(request, reply, sentBefore(claim.head));
      },
      (error: unknown) => responder.sendError(request, reply, error),
    );
  };
}

function keyOf(
  operation: AnyOperation,
  request: Incoming,
  admission: Admission,
  key: string,
): CommandKey {
  const { url, method } = request;
  const queryAt = url.indexOf('?');
  const credential = admission.grant?.credential;
  const subaccountId = credential === undefined ? null : boundTo(credential);
  const operatorId = admission.operator?.operatorId ?? '';
  return commandKey(key, {
    // A bound key must not be told what its owner was answered, and an app only what it asked for itself.
    holderId: appOf(credential) ?? subaccountId ?? credential?.holderId ?? operatorId,
    method,
    path: laneOf(credential, admission) + pathOf(operation, request.params),
    query: queryAt === -1 ? '' : url.slice(queryAt + 1),
    body: request.rawBody ?? '',
  });
}

/** A session is in either lane, as its address says: what it asked of one is no answer of the other. */
function laneOf(credential: Credential | undefined, { address }: Admission): string {
  return credential?.kind === 'session' && address === 'sandbox' ? '/sandbox' : '';
}

function appOf(credential: Credential | undefined): string | null {
  return credential?.kind === 'token' ? credential.grantId : null;
}

/** The path as it was understood: however it was written, whatever address it came to. */
function pathOf({ path, input }: AnyOperation, params: unknown): string {
  if (input.params === null) return path;
  const values = new Map<string, unknown>(Object.entries(params ?? {}));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(values.get(name)));
  // A raw key may stand in a path; nothing keeps more of it than its public part.
  return withoutSecrets(filled);
}
