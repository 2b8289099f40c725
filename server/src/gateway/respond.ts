// Sending answers: the envelope with every header, and what is counted and logged of it.

import { nameOf } from '../handling/credentials.ts';
import { ApiError, fail, type OperatorIdentity, type Reply } from '../handling/handler.ts';
import { StoreUnwritable } from '../ports/store-unavailable.ts';
import { canonicalOf } from './alias.ts';
import { noticesOf, rateOf } from './charging.ts';
import type { Cors } from './cors.ts';
import {
  commonHeaders,
  errorEnvelope,
  errorHeaders,
  statusOf,
  successEnvelope,
} from './envelope.ts';
import { apiErrorOf } from './errors.ts';
import type { Incoming, Outgoing } from './exchange.ts';
import { type Admission, type Services, strangersAdmission } from './gate.ts';
import { errorFields, type Log, type LogFields } from './log.ts';
import type { Metrics } from './metrics.ts';
import { challengeOf, oauthErrorOf, readsOAuthErrors } from './oauth-errors.ts';
import type { Redactor } from './redact.ts';
import type { RequestRecorder } from './request-recorder.ts';

export class Responder {
  readonly #services: Services;
  readonly #cors: Cors;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #bodyBytesMax: number;
  /** Null where no log of requests is kept. */
  readonly #recorder: RequestRecorder | null;
  /** What answers to the operator showed, until their lines are written. */
  readonly #shown = new WeakMap<Incoming, unknown>();

  constructor(parts: {
    readonly services: Services;
    readonly cors: Cors;
    readonly log: Log;
    readonly metrics: Metrics;
    readonly bodyBytesMax: number;
    readonly recorder: RequestRecorder | null;
  }) {
    this.#services = parts.services;
    this.#cors = parts.cors;
    this.#log = parts.log;
    this.#metrics = parts.metrics;
    this.#bodyBytesMax = parts.bodyBytesMax;
    this.#recorder = parts.recorder;
  }

  sendReply(request: Incoming, reply: Outgoing, answer: Reply, redactor: Redactor | null): void {
    const admission = this.#admissionOf(request);
    const form = admission.route?.operation ?? PLAIN;
    const nowMs = this.#services.clock.wallMs();
    if (reply.canSpell?.(answer) === true) {
      this.#writeReplyHeaders(request, reply, answer, false);
      reply.sendSpelled?.(answer, nowMs);
      return;
    }
    const { data, isStripped } =
      redactor === null
        ? { data: answer.data, isStripped: answer.isStripped ?? false }
        : redactor(answer.data);
    if (admission.route?.operation.group === 'Operator') this.#shown.set(request, answer.data);
    this.#writeReplyHeaders(request, reply, answer, isStripped);
    reply.send(successEnvelope(answer, data, form, { requestId: request.id, nowMs }));
  }

  /** Whatever went wrong, the client gets the envelope; a defect is logged and tells it nothing. */
  sendError(request: Incoming, reply: Outgoing, cause: unknown): void {
    const admission = this.#admissionOf(request);
    const limitBytes = admission.route?.operation.bodyBytesMax ?? this.#bodyBytesMax;
    const isForOperators = this.#services.operatorGuard !== null;
    const error =
      apiErrorOf(cause, limitBytes, isForOperators) ?? this.#defect(request, admission, cause);
    if (cause instanceof StoreUnwritable) this.#log.write('error', cause.message, {});
    admission.code = error.code;
    this.writeHeaders(request, reply, admission, false);
    if (error.replayed) reply.header('idempotency-replayed', 'true');
    const nowMs = this.#services.clock.wallMs();
    addHeaders(reply, errorHeaders(error, nowMs));
    const stamp = { requestId: request.id, nowMs };
    const envelope = errorEnvelope(withCategory(error, admission), stamp);
    const { message } = envelope.error;
    const operation = admission.route?.operation;
    const challenge = challengeOf(error, message, operation, request);
    if (challenge !== null) reply.header('www-authenticate', challenge);
    const isForm = readsOAuthErrors(request, operation);
    const answer = isForm ? oauthErrorOf(error, message, request.id) : envelope;
    reply.code(statusOf(error)).send(answer);
  }

  writeHeaders(
    request: Incoming,
    reply: Outgoing,
    admission: Admission,
    isStripped: boolean,
  ): void {
    const rate = rateOf(this.#services, admission);
    addHeaders(reply, commonHeaders(request.id, rate, isStripped));
    const notice = noticesOf(this.#services, admission)?.[rate.category];
    if (notice !== undefined) addHeaders(reply, notice);
    const canonical = canonicalOf(request.raw);
    if (canonical !== undefined) reply.header('x-canonical-path', canonical);
    const { origin } = request.headers;
    const operation = admission.route?.operation ?? null;
    if (origin !== undefined) addHeaders(reply, this.#cors.headers(origin, operation));
    // What a credential sees is nobody else's to keep.
    if (operation !== null && (operation.auth !== 'public' || operation.bearsSecrets)) {
      reply.header('cache-control', 'no-store');
    }
  }

  /** Whether the log of requests wants the exchange; asked once for each. */
  isKept(request: Incoming): boolean {
    return this.#recorder?.wants(request.admission) ?? false;
  }

  /** After the last byte: counts the answer and writes its line. */
  record(request: Incoming, reply: Outgoing): void {
    const { admission } = request;
    const operation = admission?.route?.operation.id ?? 'unknown';
    const code = admission?.code ?? 'ok';
    const { statusCode, elapsedTime } = reply;
    this.#metrics.observe(operation, statusCode, code, elapsedTime / 1000);
    const kept = request.kept?.() ?? null;
    if (kept !== null && admission !== null)
      this.#recorder?.record(request.id, admission, statusCode, elapsedTime, kept);
    // Who acts as the operator is to be seen wherever the server runs.
    const isOperators = admission?.route?.operation.group === 'Operator';
    const act = isOperators ? actOf(request, this.#shown.get(request)) : null;
    // Somebody with a wrong token is to be seen as well, whatever was asked for.
    const isAct =
      act !== null && (admission?.route?.operation.method !== 'GET' || code === 'AUTH_INVALID');
    const level = isAct ? 'warn' : 'info';
    if (!this.#log.isEnabled(level)) return;
    const told = code === 'ok' ? 'the operator acted' : 'the operator was refused';
    this.#log.write(level, isAct ? told : 'answered', {
      request_id: request.id,
      operation,
      status: statusCode,
      code,
      duration_ms: Math.round(elapsedTime * 1000) / 1000,
      ...(act ?? laneOf(admission)),
      ...credentialOf(admission),
    });
  }

  #writeReplyHeaders(
    request: Incoming,
    reply: Outgoing,
    { replayed, headers }: Reply,
    isStripped: boolean,
  ): void {
    this.writeHeaders(request, reply, this.#admissionOf(request), isStripped);
    if (replayed === true) reply.header('idempotency-replayed', 'true');
    if (headers !== undefined) addHeaders(reply, headers);
  }

  #admissionOf(request: Incoming): Admission {
    if (request.admission === null || request.admission === undefined) {
      // Refused before the checks began, such as an unreadable body.
      const { route = null } = request.routeOptions.config;
      request.admission = strangersAdmission(this.#services, request, route);
    }
    return request.admission;
  }

  #defect(request: Incoming, admission: Admission, cause: unknown): ApiError {
    this.#log.write('error', 'a request failed', {
      request_id: request.id,
      ...(admission.route === null ? {} : { operation: admission.route.operation.id }),
      error: errorFields(cause),
    });
    return fail('INTERNAL_ERROR');
  }
}

/** Of what is answered beside the operations. */
const PLAIN = { list: false, standardFields: false };

function addHeaders(reply: Outgoing, headers: Readonly<Record<string, string | number>>): void {
  for (const name in headers) reply.header(name, headers[name]!);
}

/** The engine's own limits do not know the category of the operation. */
function withCategory(error: ApiError, admission: Admission): ApiError {
  if (error.code !== 'RATE_LIMITED' || error.details?.category !== undefined) return error;
  const category = admission.route?.operation.rate ?? 'read';
  return new ApiError('RATE_LIMITED', { details: { category, ...error.details } });
}

/** The operator plane is one address: what an act is about stands in its request. */
function actOf({ params, query, body, admission }: Incoming, answered: unknown): LogFields {
  const said: Readonly<Record<string, unknown>> = { ...fieldsOf(query), ...fieldsOf(body) };
  const { market_id: named, account_id: account } = fieldsOf(params);
  // A market that the act has made is named by the answer alone.
  const market = named ?? fieldsOf(answered).market_id;
  return {
    ...(typeof said.lane === 'string' ? { lane: said.lane } : {}),
    ...(typeof said.reason === 'string' ? { reason: said.reason } : {}),
    actor: actorOf(admission?.operator ?? null, said),
    ...(typeof market === 'string' ? { market } : {}),
    ...(typeof account === 'string' ? { account } : {}),
    ...whatOf({ ...fieldsOf(params), ...said }),
  };
}

/** By id; whoever was not known by the name that was tried, or as nobody. */
function actorOf(
  operator: OperatorIdentity | null,
  { name }: Readonly<Record<string, unknown>>,
): string {
  if (operator !== null) return operator.operatorId;
  return typeof name === 'string' ? `nobody (${name.slice(0, NAME_MAX)})` : 'nobody';
}

const NAME_MAX = 64;

/** Told by fields of their own, or by nobody. */
const TOLD = new Set([
  ...['lane', 'reason', 'market_id', 'account_id'],
  ...['password', 'current_password', 'new_password', 'otp', 'recovery_code'],
]);
const WHAT_MAX = 500;

/** The rest of an act in the order it was said in, such as `amount=5 asset=USDT`. */
function whatOf(said: Readonly<Record<string, unknown>>): LogFields {
  const words = Object.entries(said).flatMap(([name, value]) =>
    TOLD.has(name) ? [] : [`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  return words.length === 0 ? {} : { what: words.join(' ').slice(0, WHAT_MAX) };
}

function fieldsOf(part: unknown): Readonly<Record<string, unknown>> {
  return typeof part === 'object' && part !== null ? { ...part } : {};
}

function laneOf(admission: Admission | null): LogFields {
  return admission?.lane ? { lane: admission.lane.name } : {};
}

function credentialOf(admission: Admission | null): { readonly credential?: string } {
  const credential = admission?.grant?.credential;
  if (credential === undefined) return {};
  return { credential: nameOf(credential) };
}
