// The checks before a handler, in the one order: credential, environment, permission, rate limit.
import { type AnyOperation, errors, type RateCategory } from '@sibyl/contract';
import type { Clock, Lane } from '@sibyl/lane';
import { isAllCancels, itemsOf } from '../handling/batch-items.ts';
import {
  ApiError,
  type Credential,
  fail,
  type LaneName,
  type OperatorIdentity,
  rejected,
} from '../handling/handler.ts';
import type { AppRecord } from '../ports/apps.ts';
import type { Secrets } from '../ports/secrets.ts';
import { isWithin } from '../wire/networks.ts';
import type { AddressReader, ClientAddress } from './address.ts';
import type { Authenticator } from './authenticate.ts';
import {
  checkBatch,
  checkCompliance,
  checkEarlyAccess,
  checkEnvironment,
  checkPermission,
} from './authorize.ts';
import { charge, rateLimited } from './charging.ts';
import type { Connections } from './connections.ts';
import { type Grant, grantOf } from './credential.ts';
import type { Deadlines } from './deadlines.ts';
import type { DeploymentQuotas } from './deployment-quotas.ts';
import { type Environment, type LanesRun, resolveEnvironment } from './environment.ts';
import type { Incoming, Kept } from './exchange.ts';
import type { InFlight } from './idempotency.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import type { OperatorGuard } from './operator-guard.ts';
import type { RateDecision, RateLimiter } from './rate-limit.ts';
import type { Claim, SignedRequests } from './signed-requests.ts';
import { type WidgetKeys, widgetRefusal } from './widget-keys.ts';

/** What all requests of a listener share. */
export interface Services {
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly lanesRun: LanesRun;
  readonly authenticator: Authenticator;
  readonly widgets: WidgetKeys;
  /** Null where no request can be signed. */
  readonly signed: SignedRequests | null;
  /** Null on the public listener, which has no operator's operations. */
  readonly operatorGuard: OperatorGuard | null;
  readonly limiter: RateLimiter;
  readonly quotas: DeploymentQuotas;
  /** False where RATE_MULTIPLIER switches all limits off. */
  readonly hasLimits: boolean;
  readonly addresses: AddressReader;
  readonly connections: Connections;
  readonly inFlight: InFlight;
  readonly deadlines: Deadlines;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Null where nothing is ever stopped: on the operator plane. */
  readonly maintenance: MaintenanceWindow | null;
  /** Set once the listener is closing: what it still answers, it answers last. */
  readonly drain: { isDraining: boolean };
}

export interface Route {
  readonly operation: AnyOperation;
  readonly address: LaneName;
}

/** What the checks found out about a request; kept on it for the handler, the headers and the log. */
export interface Admission {
  readonly route: Route | null;
  /** Which of the two was called: a stranger has limits of its own at each. */
  readonly address: LaneName;
  readonly client: ClientAddress;
  readonly receivedAtMs: number;
  /** Null until the request was counted, or refused before it could be. */
  rate: RateDecision | null;
  /** How many changes of credentials were known when it came. */
  readonly changes: number;
  grant: Grant | null;
  /** The app whose widget asks; null for everybody else. */
  widgetAppId: string | null;
  /** Of a signed request, whose signature is checked once its body is there. */
  claim: Claim | null;
  /** Null until somebody was known on the operator plane. */
  operator: OperatorIdentity | null;
  lane: Lane | null;
  execution: 'hybrid' | 'mid';
  /** The error code of the answer, or `ok`. */
  code: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    admission: Admission | null;
    rawBody: Buffer | null;
    /** The text of the answer, where the log of requests wants it. */
    answered: string | null;
    kept(): Kept | null;
  }
  interface FastifyContextConfig {
    route?: Route;
  }
}

/** Calls without a credential that must work however stale the one is that a client still sends. */
export function readsCredential(operation: AnyOperation): boolean {
  return (
    operation.auth !== 'public' || (operation.method === 'GET' && operation.group !== 'System')
  );
}

/** The admission of a request that got no further than its address. */
export function strangersAdmission(
  services: Services,
  request: Pick<Incoming, 'raw' | 'url'>,
  route: Route | null,
): Admission {
  return {
    route,
    address: route?.address ?? addressOf(services, request.url),
    client: clientOf(services, request),
    receivedAtMs: services.clock.wallMs(),
    rate: null,
    changes: services.authenticator.changes,
    grant: null,
    widgetAppId: null,
    claim: null,
    operator: null,
    lane: null,
    execution: 'hybrid',
    code: 'ok',
  };
}

/** Null if the request may go on; the admission is filled in either way. */
export function admit(
  services: Services,
  request: Incoming,
  admission: Admission,
  route: Route,
  identified: Credential | ApiError | null,
): ApiError | null {
  const { operation, address } = route;
  const known = recognized(admission, operation, identified);
  if (known instanceof ApiError) return refuse(services, admission, operation, known);
  const environment = environmentOf(services, route, known);
  const { connections } = services;
  const { socket } = request.raw;
  const hasPlace =
    known === null
      ? connections.admitStranger(socket, address)
      : connections.admitKnown(socket, known, environment.ok ? environment.lane : address);
  if (!hasPlace) return tooManyConnections(operation.rate);
  const refused = allowed(services, admission, route, known, environment);
  if (refused !== null) return refuse(services, admission, operation, refused);
  const rate = charge(services, admission, categoryOf(operation, request.query), 1);
  admission.rate = rate.isAllowed ? rate : reserveOf(services, admission, operation, rate);
  return admission.rate.isAllowed ? null : rateLimited(admission.rate);
}

/** The same for a request that was admitted before, which costs nothing and has its place. */
export function admitAgain(
  services: Services,
  admission: Admission,
  route: Route,
  identified: Credential | ApiError | null,
): ApiError | null {
  const known = recognized(admission, route.operation, identified);
  if (known instanceof ApiError) return known;
  const environment = environmentOf(services, route, known);
  return allowed(services, admission, route, known, environment);
}

/** A demo session ends at either address: its holder may be on a page of live. */
function environmentOf(
  { lanesRun }: Services,
  { operation, address }: Route,
  known: Credential | null,
): Environment {
  const isLogOut = operation.id === 'logOut' && known?.kind === 'session' && known.isDemo;
  return resolveEnvironment(lanesRun, isLogOut ? 'sandbox' : address, known);
}

/** Who asks, or why nobody does whom the operation serves. */
function recognized(
  { client }: Admission,
  operation: AnyOperation,
  identified: Credential | ApiError | null,
): Credential | ApiError | null {
  if (identified instanceof ApiError) return declared(operation, identified);
  if (identified === null) {
    const isPrivate = operation.auth === 'credential' || operation.auth === 'session';
    return isPrivate ? fail('AUTH_REQUIRED') : null;
  }
  const isElsewhere = identified.kind === 'key' && !isWithin(identified.allowedNetworks, client.ip);
  return isElsewhere ? declared(operation, rejected('address')) : identified;
}

/** Whether they may do this here; the admission says as whom and where they do it. */
function allowed(
  services: Services,
  admission: Admission,
  { operation, address }: Route,
  known: Credential | null,
  environment: Environment,
): ApiError | null {
  if (known !== null) admission.grant = grantOf(known, environment.ok ? environment.lane : address);
  const refused =
    checkEnvironment(operation, environment, known) ??
    checkPermission(operation, known) ??
    checkEarlyAccess(operation, known) ??
    checkCompliance(operation, admission.grant);
  if (refused !== null) return refused;
  if (environment.ok) {
    admission.lane = services.lanes[environment.lane] ?? null;
    admission.execution = environment.execution;
  }
  return null;
}

/** A page with the key of a widget: a stranger who is counted for that app, so that no page uses up what others have. */
export function admitWidget(
  services: Services,
  request: Incoming,
  admission: Admission,
  { operation, address }: Route,
  app: AppRecord | null,
): ApiError | null {
  const refused = widgetRefusal(app, address, request.headers.origin);
  if (refused !== null) return refuse(services, admission, operation, declared(operation, refused));
  admission.widgetAppId = app?.appId ?? null;
  return admit(services, request, admission, { operation, address }, null);
}

/** What a batch costs beyond the one that was charged for its head; null if it may go on. */
export function passItems(
  services: Services,
  admission: Admission,
  operation: AnyOperation,
  body: unknown,
): ApiError | null {
  const refused = isAllCancels(body) ? null : checkBatch(operation, admission.grant);
  if (refused !== null) return refused;
  const items = itemsOf(body);
  if (items <= 1) return null;
  admission.rate = charge(services, admission, operation.rate, items - 1, items);
  return admission.rate.isAllowed ? null : rateLimited(admission.rate);
}

/** The operator plane: no lanes of its own, a role for each operation, and a limit on guesses. */
export function passOperator(
  services: Services,
  admission: Admission,
  { operation }: Route,
  guard: OperatorGuard,
  identified: OperatorIdentity | ApiError | null,
): ApiError | null {
  if (identified instanceof ApiError) return refuse(services, admission, operation, identified);
  admission.operator = identified;
  const refused = identified === null ? null : guard.refusal(operation, identified);
  if (refused !== null) return refused;
  admission.lane = services.lanes.live ?? services.lanes.sandbox ?? null;
  return null;
}

/** On connections that are still open while the listener closes. */
export function shuttingDown(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    message: 'The service is shutting down.',
    headers: { 'retry-after': '5' },
  });
}

/** Of a path that leads to no operation. */
function addressOf({ lanesRun }: Services, url: string): LaneName {
  if (lanesRun !== 'both') return lanesRun;
  return /^\/sandbox(?:[/?]|$)/.test(url) ? 'sandbox' : 'live';
}

function clientOf(services: Services, request: Pick<Incoming, 'raw'>): ClientAddress {
  const { socket, headers } = request.raw;
  const forwarded = services.addresses.trustsProxies ? headers['x-forwarded-for'] : undefined;
  if (forwarded !== undefined)
    return services.addresses.read(socket.remoteAddress, String(forwarded));
  let known = clients.get(socket);
  if (known === undefined) {
    known = services.addresses.read(socket.remoteAddress, undefined);
    clients.set(socket, known);
  }
  return known;
}

/** A connection keeps its peer, so the address is read once. */
const clients = new WeakMap<object, ClientAddress>();

/** A kind of credential that the operation has no word for is one that it rejects; gated codes belong to all. */
function declared(operation: AnyOperation, error: ApiError): ApiError {
  const isDeclared = operation.errors.includes(error.code) || errors[error.code].origin === 'gated';
  return isDeclared ? error : rejected('unknown');
}

/** Refusals count like answers: a rejected credential against its address, so that guessing is slow. */
function refuse(
  services: Services,
  admission: Admission,
  operation: AnyOperation,
  error: ApiError,
): ApiError {
  admission.rate = charge(services, admission, operation.rate, 1);
  return admission.rate.isAllowed ? error : rateLimited(admission.rate);
}

export function tooManyConnections(category: RateCategory): ApiError {
  return new ApiError('RATE_LIMITED', {
    message: 'Too many connections at once; use those that are open, or wait for Retry-After.',
    details: { category, retry_after_sec: 1, limit: 'connections' },
    headers: { 'retry-after': '1', connection: 'close' },
  });
}

/** Getting out must stay possible when getting in has used up the quota: whichever bucket lets it pass sooner. */
function reserveOf(
  services: Services,
  admission: Admission,
  { rateReserve }: AnyOperation,
  refused: RateDecision,
): RateDecision {
  if (rateReserve === null) return refused;
  const rate = charge(services, admission, rateReserve, 1);
  return rate.retryAfterSec <= refused.retryAfterSec ? rate : refused;
}

/** A dry run does the work of an order, so it counts as one; before validation the query may be of any shape. */
function categoryOf(operation: AnyOperation, query: unknown): RateCategory {
  if (typeof query !== 'object' || query === null || !('dry_run' in query)) return operation.rate;
  return query.dry_run === 'true' ? 'trade' : operation.rate;
}
