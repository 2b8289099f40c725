// The checks before a handler, in the one order: credential, environment, permission, rate limit.
import { type AnyOperation, errors, type RateCategory, type RateScope } from '@sibyl/contract';
import type { Clock, Lane } from '@sibyl/lane';
import { isAllCancels, itemsOf } from '../handling/batch-items.ts';
import {
  ApiError,
  type Credential,
  fail,
  type LaneName,
  type OperatorIdentity,
  rejected,
  secondsText,
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
import type { Connections } from './connections.ts';
import { type Grant, grantOf } from './credential.ts';
import type { Deadlines } from './deadlines.ts';
import type { DeploymentQuotas } from './deployment-quotas.ts';
import { type LanesRun, resolveEnvironment } from './environment.ts';
import type { Incoming, Kept } from './exchange.ts';
import type { InFlight } from './idempotency.ts';
import { type NoticeHeaders, noticeHeaders } from './limit-notices.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import type { OperatorGuard } from './operator-guard.ts';
import type { Counted, RateDecision, RateLimiter } from './rate-limit.ts';
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
  if (identified instanceof ApiError)
    return refuse(services, admission, operation, declared(operation, identified));
  if (identified === null) {
    if (operation.auth === 'credential' || operation.auth === 'session')
      return refuse(services, admission, operation, fail('AUTH_REQUIRED'));
    if (!services.connections.admitStranger(request.raw.socket, address))
      return tooManyConnections(operation.rate);
  }
  if (identified?.kind === 'key' && !isWithin(identified.allowedNetworks, admission.client.ip))
    return refuse(services, admission, operation, declared(operation, rejected('address')));
  const environment = resolveEnvironment(services.lanesRun, address, identified);
  if (identified !== null) {
    const lane = environment.ok ? environment.lane : address;
    if (!services.connections.admitKnown(request.raw.socket, identified, lane))
      return tooManyConnections(operation.rate);
    admission.grant = grantOf(identified, lane);
  }
  const refused =
    checkEnvironment(operation, environment, identified) ??
    checkPermission(operation, identified) ??
    checkEarlyAccess(operation, identified) ??
    checkCompliance(operation, admission.grant);
  if (refused !== null) return refuse(services, admission, operation, refused);
  if (environment.ok) {
    admission.lane = services.lanes[environment.lane] ?? null;
    admission.execution = environment.execution;
  }
  const rate = charge(services, admission, categoryOf(operation, request.query), 1);
  admission.rate = rate.isAllowed ? rate : reserveOf(services, admission, operation, rate);
  return admission.rate.isAllowed ? null : rateLimited(admission.rate);
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

export function rateLimited(rate: RateDecision): ApiError {
  const { category, scope, limit, retryAfterSec } = rate;
  const wait = secondsText(retryAfterSec);
  const what = `${category.replace('_', ' ')} requests ${HOLDERS[scope]}`;
  return new ApiError('RATE_LIMITED', {
    message: `Too many ${what}: ${limit} a minute are allowed. Try again in ${wait}.`,
    details: { category, scope, retry_after_sec: retryAfterSec },
    headers: { 'retry-after': String(retryAfterSec) },
  });
}

const HOLDERS: Readonly<Record<RateScope, string>> = {
  key: 'with this key',
  session: 'in your sessions',
  account: 'with all keys of the account together',
  address: 'from this address',
};

/** What the quota of the caller stands at, for the headers of an answer that was not charged. */
export function rateOf(services: Services, admission: Admission): RateDecision {
  if (admission.rate !== null) return admission.rate;
  const category = admission.route?.operation.rate ?? 'read';
  const limit = quotaOf(services, admission, category);
  if (!services.hasLimits) return unlimited(services, admission, category, limit);
  return services.limiter.peek(category, countedOf(admission), limit);
}

/** Takes one request from the address's share of a category. */
export function chargeStranger(
  services: Services,
  admission: Admission,
  category: RateCategory,
): RateDecision {
  admission.grant = null;
  return charge(services, admission, category, 1);
}

/** How many files of the pages an address may have for each public read. */
const FILES_PER_READ = 10;

/** Takes one file from the address's share of the pages. */
export function chargeForFile(services: Services, admission: Admission): RateDecision {
  const limit = quotaOf(services, admission, 'read') * FILES_PER_READ;
  if (!services.hasLimits) return unlimited(services, admission, 'read', limit);
  const caller = `files:${admission.address}:${admission.client.bucket}`;
  return services.limiter.take('read', { scope: 'address', caller, account: null }, limit, 1);
}

/** Whether a page may bring along what it shows first: to an address as often as it may read. */
export function chargeForAnswers(services: Services, admission: Admission): boolean {
  if (!services.hasLimits) return true;
  const limit = quotaOf(services, admission, 'read');
  const caller = `answers:${admission.address}:${admission.client.bucket}`;
  const counted: Counted = { scope: 'address', caller, account: null };
  return services.limiter.take('read', counted, limit, 1).isAllowed;
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

function charge(
  services: Services,
  admission: Admission,
  category: RateCategory,
  cost: number,
  costAgain = cost,
): RateDecision {
  const limit = quotaOf(services, admission, category);
  if (!services.hasLimits) return unlimited(services, admission, category, limit);
  return services.limiter.take(category, countedOf(admission), limit, cost, costAgain);
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

function unlimited(
  services: Services,
  admission: Admission,
  category: RateCategory,
  limit: number,
): RateDecision {
  const { scope } = countedOf(admission);
  const resetSec = Math.ceil(services.clock.wallMs() / 1000);
  return { isAllowed: true, category, scope, limit, remaining: limit, resetSec, retryAfterSec: 0 };
}

function quotaOf(services: Services, admission: Admission, category: RateCategory): number {
  return perMinuteOf(services, admission)[category];
}

export function perMinuteOf(
  { quotas }: Services,
  { grant, receivedAtMs }: Admission,
): Grant['perMinute'] {
  return grant?.perMinute ?? quotas.of('anonymous', receivedAtMs).perMinute;
}

/** Those of strangers are told on the public listener alone: operators are no strangers to theirs. */
export function noticesOf(services: Services, { grant, receivedAtMs }: Admission): NoticeHeaders {
  if (grant !== null) return grant.notices;
  if (services.operatorGuard !== null) return null;
  const { announced } = services.quotas.of('anonymous', receivedAtMs);
  return announced.length === 0 ? null : noticeHeaders(announced);
}

function countedOf({ grant, client, address, widgetAppId }: Admission): Counted {
  if (grant !== null) return grant.counted;
  if (widgetAppId !== null) {
    const caller = `widget:${address}:${widgetAppId}:${client.bucket}`;
    return { scope: 'address', caller, account: null };
  }
  return { scope: 'address', caller: `ip:${address}:${client.bucket}`, account: null };
}

/** A dry run does the work of an order, so it counts as one; before validation the query may be of any shape. */
function categoryOf(operation: AnyOperation, query: unknown): RateCategory {
  if (typeof query !== 'object' || query === null || !('dry_run' in query)) return operation.rate;
  return query.dry_run === 'true' ? 'trade' : operation.rate;
}
