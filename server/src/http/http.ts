// The HTTP listener: Fastify with Node's limits, the contract's routes, and an end that loses nothing.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '@sibyl/contract';
import type { Clock, Lane } from '@sibyl/lane';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { serveConsent } from '../consent/serve-consent.ts';
import { AddressReader } from '../gateway/address.ts';
import { admitFile, admitStranger } from '../gateway/admit-stranger.ts';
import { rewriteAlias } from '../gateway/alias.ts';
import { Authenticator, type Screening } from '../gateway/authenticate.ts';
import { addBodyParsers } from '../gateway/body-parsers.ts';
import { compress } from '../gateway/compression.ts';
import { Connections, KEEP_ALIVE } from '../gateway/connections.ts';
import { Cors } from '../gateway/cors.ts';
import { type CustodyReports, serveCustodyReports } from '../gateway/custody-reports.ts';
import { Deadlines } from '../gateway/deadlines.ts';
import { DeploymentQuotas } from '../gateway/deployment-quotas.ts';
import { serveDocuments } from '../gateway/documents.ts';
import { lanesRunOf } from '../gateway/environment.ts';
import { stopListening } from '../gateway/farewell.ts';
import {
  type Services,
  shuttingDown,
  strangersAdmission,
  tooManyConnections,
} from '../gateway/gate.ts';
import { Hosts, hasReadableHost } from '../gateway/hosts.ts';
import { InFlight } from '../gateway/idempotency.ts';
import { keptOf } from '../gateway/kept-request.ts';
import type { Log } from '../gateway/log.ts';
import type { MaintenanceWindow } from '../gateway/maintenance-window.ts';
import { type MarketCards, serveCards } from '../gateway/market-cards.ts';
import { Metrics } from '../gateway/metrics.ts';
import { serveOperatorDocuments } from '../gateway/operator-documents.ts';
import type { OperatorGuard } from '../gateway/operator-guard.ts';
import { OwedAnswers } from '../gateway/owed-answers.ts';
import { RateLimiter } from '../gateway/rate-limit.ts';
import { RateQuotas } from '../gateway/rate-quotas.ts';
import { Refuser } from '../gateway/refuser.ts';
import { requestIdsOf } from '../gateway/request-ids.ts';
import { RequestRecorder } from '../gateway/request-recorder.ts';
import { Responder } from '../gateway/respond.ts';
import { Routes, unknownPath, withHead, wrongMethod } from '../gateway/routes.ts';
import { signedRequestsOf } from '../gateway/signed-requests.ts';
import { isVisit, type Site, sendPage } from '../gateway/site.ts';
import { leaveBody } from '../gateway/unread-body.ts';
import { WidgetKeys } from '../gateway/widget-keys.ts';
import { ApiError, fail, type LaneName } from '../handling/handler.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { RequestSink } from '../ports/requests.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { SigningSecrets } from '../signing/signing-secrets.ts';
import { bindOperations, type HandlerTable, type Operations } from './bind.ts';
import { FirstAnswers } from './first-answers.ts';
import { type OrderPath, openOrderPath } from './order-path.ts';

export interface GatewayOptions {
  readonly operations: Operations;
  readonly handlers: HandlerTable;
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly platform: PlatformStore;
  /** Finds out what compliance forbids a holder; absent forbids nothing. */
  readonly screening?: Screening;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  readonly log: Log;
  /** Scales every rate limit; 0 switches them off. */
  readonly rateMultiplier?: number;
  readonly trustedProxies?: readonly string[];
  /** Pages that may call more than public reads. */
  readonly allowedOrigins?: readonly string[];
  /** Where clients reach this listener; null if that is this machine. */
  readonly publicUrl?: string | null;
  /** The pages for people; without them there is only what programs use. */
  readonly site?: Site | null;
  /** What may stop operations of the public port. */
  readonly maintenance?: MaintenanceWindow;
  /** False answers orders by Node's HTTP, as all other requests. */
  readonly hasDirectOrders?: boolean;
  /** Connections at a time. */
  readonly connectionsMax?: number;
  /** Present makes this the operator plane: its bearer, its documents, and the metrics. */
  readonly operatorGuard?: OperatorGuard;
  /** Names beside this machine's own by which the operator plane may be asked. */
  readonly operatorHosts?: readonly string[];
  /** Those of another gateway, to count and show in one place. */
  readonly metrics?: Metrics;
  /** By which requests may be signed; absent refuses those that are. */
  readonly signing?: SigningSecrets;
  /** The log that developers read; absent keeps none. */
  readonly requests?: RequestSink | null;
  /** Absent shows none. */
  readonly cards?: MarketCards;
  /** What the custody service calls; absent where it has no business. */
  readonly custodyReports?: CustodyReports;
}

export interface Gateway {
  readonly app: FastifyInstance;
  readonly metrics: Metrics;
  readonly authenticator: Authenticator;
  /** Answers an upgrade that is refused, and ends its connection. */
  refuse(request: IncomingMessage, error: ApiError): void;
  readonly orderPath: OrderPath;
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  /** Takes no more requests, answers those it has, and ends. */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** A handler that takes longer has lost its lane or its disk. */
const ANSWER_TIMEOUT_MS = 30_000;
const CHECKING_INTERVAL_MS = 1_000;
const REQUESTS_PER_SOCKET_MAX = 1_000;
const CONNECTIONS_MAX = 10_000;

/** A percent-escaped client_order_id of 64 characters is the longest part of any path. */
const PATH_PART_MAX = 1_024;

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const services = servicesOf(options, await RateQuotas.open(options.platform));
  const metrics = options.metrics ?? new Metrics(Object.values(options.lanes));
  const cors = new Cors(options.allowedOrigins ?? []);
  const responder = new Responder({
    services,
    cors,
    log: options.log,
    metrics,
    bodyBytesMax: limits.body.standardBytesMax,
    recorder: options.requests ? new RequestRecorder(options.requests) : null,
  });
  const routes = new Routes(options.operations, services.lanesRun);
  const requestId = requestIdsOf(options.random);
  const owed = new OwedAnswers();
  const refuser = new Refuser(services, requestId, owed);
  const app = createApp(services, responder, refuser, owed, requestId);
  app.server.maxConnections = options.connectionsMax ?? CONNECTIONS_MAX;
  services.connections.isOwed = (socket) => owed.isOwed(socket) || orderPath.isAnswering(socket);
  admitConnections(app.server, services, refuser);
  const { operatorGuard, publicUrl = null, site = null, cards, custodyReports } = options;
  const hosts = new Hosts(operatorGuard === undefined ? null : (options.operatorHosts ?? []));
  const { operations, handlers, log, hasDirectOrders: isWanted = true } = options;
  const firstAnswers = new FirstAnswers(services, operations, handlers);
  addLifecycle({ app, services, responder, owed, routes, cors, site, firstAnswers, hosts });
  bindOperations(app, services, responder, operations, handlers);
  if (cards !== undefined) serveCards(app, services, responder, cards);
  if (custodyReports !== undefined) serveCustodyReports(app, services, responder, custodyReports);
  if (operatorGuard === undefined) {
    await serveDocuments(app, services, responder, publicUrl, site);
    serveConsent({ app, services, responder, platform: options.platform, publicUrl });
  } else await serveOperatorDocuments(app, services, responder, metrics, site);
  await app.ready();
  const orderPath = await openOrderPath({
    app,
    services,
    responder,
    operations,
    handlers,
    log,
    isWanted,
    requestId,
    limits: { requestsPerSocketMax: REQUESTS_PER_SOCKET_MAX, ...KEEP_ALIVE },
  });
  return {
    app,
    metrics,
    orderPath,
    authenticator: services.authenticator,
    refuse: (request, error) => refuser.refuse(request.socket, error, request),
    async listen({ host, port }) {
      await app.listen({ host, port });
      const address = app.server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
    async close() {
      services.drain.isDraining = true;
      const ended = stopListening(app.server);
      await services.connections.settle();
      orderPath.close();
      services.connections.part(REQUEST_TIMEOUT_MS);
      await Promise.all([app.close(), ended]);
      services.deadlines.close();
      services.connections.close();
      services.widgets.close();
      await services.authenticator.close();
    },
  };
}

function servicesOf(options: GatewayOptions, set: RateQuotas): Services {
  const { lanes, platform, secrets, clock, rateMultiplier = 1, screening = null } = options;
  const quotas = new DeploymentQuotas(set, rateMultiplier);
  const hasLimits = rateMultiplier !== 0;
  const authenticator = new Authenticator(platform, secrets, clock, quotas, screening);
  return {
    lanes,
    lanesRun: lanesRunOf(lanes),
    authenticator,
    signed: signedRequestsOf(options, authenticator, lanesRunOf(lanes)),
    widgets: new WidgetKeys(platform),
    operatorGuard: options.operatorGuard ?? null,
    limiter: new RateLimiter(clock),
    quotas,
    hasLimits,
    addresses: new AddressReader(options.trustedProxies ?? []),
    connections: new Connections({
      clock,
      max: options.connectionsMax ?? CONNECTIONS_MAX,
      hasLimits,
    }),
    inFlight: new InFlight(),
    deadlines: new Deadlines(clock, ANSWER_TIMEOUT_MS),
    secrets,
    clock,
    maintenance: options.maintenance ?? null,
    drain: { isDraining: false },
  };
}

function createApp(
  services: Services,
  responder: Responder,
  refuser: Refuser,
  owed: OwedAnswers,
  requestId: () => string,
): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    rewriteUrl: rewriteAlias,
    bodyLimit: limits.body.standardBytesMax,
    exposeHeadRoutes: true,
    // Requests on open connections while closing get the envelope, like all others.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE.keepAliveMs,
    maxRequestsPerSocket: REQUESTS_PER_SOCKET_MAX,
    routerOptions: { maxParamLength: PATH_PART_MAX },
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECKING_INTERVAL_MS,
      keepAliveTimeoutBuffer: KEEP_ALIVE.idleMs - KEEP_ALIVE.keepAliveMs,
      insecureHTTPParser: false,
      // Node would answer without the envelope; `Hosts` refuses instead.
      requireHostHeader: false,
      shouldUpgradeCallback: (request: IncomingMessage) =>
        app.server.listenerCount('upgrade') > 0 && isUpgrade(request, services, owed),
    },
    frameworkErrors: (error, request, reply) => {
      // A URL that cannot be read counts like one that is unknown.
      const admission = strangersAdmission(services, request, null);
      request.admission = admission;
      responder.sendError(request, reply, admitStranger(services, request, admission) ?? error);
    },
    clientErrorHandler: (error, socket) => refuser.refuseBytes(error, socket),
  });
  // Node's parser drops what was sent behind such a request: whoever sent it has to see that it was not answered.
  app.server.prependListener('request', ({ headers }, response) => {
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
  });
  app.server.on('timeout', (socket: Socket) => services.connections.closeIdle(socket));
  // Node would refuse other expectations than 100-continue by itself, without the envelope.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  // Node would hang up without a word.
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuser.refuse(socket, new ApiError('NOT_FOUND', { headers: { allow: ALL_METHODS } }));
  });
  // Whoever has said everything may still be owed an answer; Node has no other name for this.
  Reflect.set(app.server, 'httpAllowHalfOpen', true);
  return app;
}

/** Of all paths together, for a request that names none. */
const ALL_METHODS = 'GET, HEAD, POST, PATCH, DELETE';

/** Any other upgrade than to a WebSocket is ignored, and so is one that would get in between an answer that is owed. */
function isUpgrade(request: IncomingMessage, services: Services, owed: OwedAnswers): boolean {
  const { headers, socket } = request;
  if (headers.upgrade?.toLowerCase() !== 'websocket' || owed.isOwed(socket)) return false;
  if (!canReadAddress(services, request) || !hasReadableHost(request)) return false;
  services.connections.upgrade(socket);
  return true;
}

function canReadAddress({ addresses }: Services, { socket, headers }: IncomingMessage): boolean {
  if (!addresses.trustsProxies) return true;
  const forwardedFor = headers['x-forwarded-for'];
  return (
    forwardedFor === undefined || addresses.canRead(socket.remoteAddress, String(forwardedFor))
  );
}

function admitConnections(
  server: Server,
  { addresses, connections }: Services,
  refuser: Refuser,
): void {
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    connections.makeRoom();
    const bucket = addresses.isProxy(remoteAddress)
      ? null
      : addresses.read(remoteAddress, undefined).bucket;
    if (!connections.open(socket, bucket)) refuser.refuse(socket, tooManyConnections('read'));
  });
}

interface Lifecycle {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly responder: Responder;
  readonly owed: OwedAnswers;
  readonly routes: Routes;
  readonly cors: Cors;
  readonly site: Site | null;
  readonly firstAnswers: FirstAnswers;
  readonly hosts: Hosts;
}

function addLifecycle(parts: Lifecycle): void {
  const { app, services, responder, owed, hosts } = parts;
  app.decorateRequest('admission', null);
  app.decorateRequest('rawBody', null);
  app.decorateRequest('answered', null);
  app.decorateRequest('kept', keptOf);
  addBodyParsers(app);
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    owed.begin(raw);
    const misdirected = hosts.refusal(raw);
    if (misdirected !== null) done(misdirected);
    else if (!canReadAddress(services, raw)) done(fail('BAD_REQUEST', { reason: UNREADABLE_HOP }));
    else if (request.is404) answerUnknown(parts, request, reply);
    else done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    owed.answer(request.raw);
    if (services.drain.isDraining) reply.header('connection', 'close');
    if (typeof payload === 'string' && responder.isKept(request)) request.answered = payload;
    compress(request, reply, payload, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    responder.record(request, reply);
    owed.end(request.raw);
    done();
  });
  app.setErrorHandler((error, request, reply) => responder.sendError(request, reply, error));
}

/** What reaches no operation and no document; its body, if it has one, does not matter. */
function answerUnknown(
  { app, services, responder, routes, cors, site, firstAnswers }: Lifecycle,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  leaveBody(request, reply, limits.body.standardBytesMax);
  const { path, methods, operation } = routes.at(request.url, request.method);
  const admission = strangersAdmission(services, request, null);
  request.admission = admission;
  const isPage = site !== null && methods.length === 0 && isVisit(request, path);
  const check = isPage ? admitFile : admitStranger;
  const refused = services.drain.isDraining ? shuttingDown() : check(services, request, admission);
  if (refused !== null) {
    responder.sendError(request, reply, refused);
    return;
  }
  if (isPage) {
    responder.writeHeaders(request, reply, admission, false);
    firstAnswers
      .of(request, admission)
      .then((first) => sendPage(site, { path, lanesRun: services.lanesRun, request, first }, reply))
      .catch((error: unknown) => responder.sendError(request, reply, error));
    return;
  }
  const { origin } = request.headers;
  if (request.method === 'OPTIONS' && origin !== undefined && methods.length > 0) {
    const wanted = routes.at(path, String(request.headers['access-control-request-method']));
    responder.writeHeaders(request, reply, admission, false);
    reply
      .headers(cors.preflight(origin, wanted.operation, methods))
      .code(204)
      .send();
    return;
  }
  // What is no operation and yet there is a document, which can only be read.
  const isDocument = methods.length === 0 && app.hasRoute({ method: 'GET', url: path });
  const allowed = isDocument ? withHead(['GET']) : methods;
  const isWrongMethod = allowed.length > 0 && operation === null;
  const error = isWrongMethod ? wrongMethod(request.method, allowed) : unknownPath(path);
  responder.sendError(request, reply, error);
}

const UNREADABLE_HOP = 'X-Forwarded-For names an address that cannot be read';
