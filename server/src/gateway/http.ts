// The HTTP listener: Fastify with Node's limits, the contract's routes, and an end that loses nothing.
import type { Socket } from 'node:net';
import { limits } from '@sibyl/contract';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Clock } from '../ports/clock.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Lane } from '../sequencer/lane.ts';
import { AddressReader } from './address.ts';
import { rewriteAlias } from './alias.ts';
import { Authenticator } from './authenticate.ts';
import { bindOperations, directRoutes, type HandlerTable, type Operations } from './bind.ts';
import { parseBody } from './body.ts';
import { Connections } from './connections.ts';
import { Cors } from './cors.ts';
import { Deadlines } from './deadlines.ts';
import { DirectFront } from './direct/direct-front.ts';
import { serveDocuments } from './documents.ts';
import { commonHeaders, errorEnvelope, statusOf } from './envelope.ts';
import type { LanesRun } from './environment.ts';
import {
  chargeStranger,
  rateLimited,
  rateOf,
  type Services,
  shuttingDown,
  strangersPassage,
} from './gate.ts';
import { type ApiError, fail, type LaneName } from './handler.ts';
import { InFlight } from './idempotency.ts';
import type { Log } from './log.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import { Metrics } from './metrics.ts';
import type { OperatorGuard } from './operator-guard.ts';
import { RateLimiter } from './rate-limit.ts';
import { Responder } from './respond.ts';
import { Routes } from './routes.ts';

export interface GatewayOptions {
  readonly operations: Operations;
  readonly handlers: HandlerTable;
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly platform: PlatformStore;
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
  /** What may stop operations of the public port. */
  readonly maintenance?: MaintenanceWindow;
  /** Present makes this the operator plane: its bearer, and no documents. */
  readonly operatorGuard?: OperatorGuard;
}

export interface Gateway {
  readonly app: FastifyInstance;
  readonly metrics: Metrics;
  readonly authenticator: Authenticator;
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  /** Takes no more requests, answers those it has, and ends. */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
/** A handler that takes longer has lost its lane or its disk. */
const ANSWER_TIMEOUT_MS = 30_000;
const CHECKING_INTERVAL_MS = 1_000;
const REQUESTS_PER_SOCKET_MAX = 1_000;
const CONNECTIONS_MAX = 10_000;

/** A percent-escaped client_order_id of 64 characters is the longest part of any path. */
const PATH_PART_MAX = 1_024;

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const services = servicesOf(options);
  const metrics = new Metrics(Object.values(options.lanes));
  const cors = new Cors(options.allowedOrigins ?? []);
  const responder = new Responder({
    services,
    cors,
    log: options.log,
    metrics,
    bodyBytesMax: limits.body.standardBytesMax,
  });
  const routes = new Routes(options.operations, services.lanesRun);
  const requestId = requestIdsOf(options.random);
  const app = createApp(services, responder, requestId);
  addLifecycle(app, services, responder, routes, cors);
  bindOperations(app, services, responder, options.operations, options.handlers);
  if (options.operatorGuard === undefined) {
    await serveDocuments(app, services, responder, metrics, options.publicUrl ?? null);
  }
  await app.ready();
  const front = new DirectFront(app.server, {
    routes: directRoutes(app, services, responder, options.operations, options.handlers),
    clock: options.clock,
    requestId,
    drain: services.drain,
    requestsPerSocketMax: REQUESTS_PER_SOCKET_MAX,
    keepAliveMs: KEEP_ALIVE_TIMEOUT_MS,
  });
  return {
    app,
    metrics,
    authenticator: services.authenticator,
    async listen({ host, port }) {
      await app.listen({ host, port });
      const address = app.server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
    async close() {
      services.drain.isDraining = true;
      front.close();
      await app.close();
      services.deadlines.close();
      await services.authenticator.close();
    },
  };
}

function servicesOf(options: GatewayOptions): Services {
  const { lanes, platform, secrets, clock, rateMultiplier = 1 } = options;
  return {
    lanes,
    lanesRun: lanesRunOf(lanes),
    authenticator: new Authenticator(platform, secrets, clock),
    operatorGuard: options.operatorGuard ?? null,
    limiter: new RateLimiter(clock),
    rateMultiplier,
    addresses: new AddressReader(options.trustedProxies ?? []),
    // Load tests come from one address.
    connections: new Connections(rateMultiplier === 0 ? Number.POSITIVE_INFINITY : undefined),
    inFlight: new InFlight(),
    deadlines: new Deadlines(clock, ANSWER_TIMEOUT_MS),
    secrets,
    clock,
    maintenance: options.maintenance ?? null,
    drain: { isDraining: false },
  };
}

function lanesRunOf(lanes: GatewayOptions['lanes']): LanesRun {
  if (lanes.live === undefined) return 'sandbox';
  return lanes.sandbox === undefined ? 'live' : 'both';
}

function createApp(
  services: Services,
  responder: Responder,
  requestId: () => string,
): FastifyInstance {
  const app = fastify({
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    rewriteUrl: rewriteAlias,
    bodyLimit: limits.body.standardBytesMax,
    exposeHeadRoutes: false,
    // Requests on open connections while closing get the envelope, like all others.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxRequestsPerSocket: REQUESTS_PER_SOCKET_MAX,
    routerOptions: { maxParamLength: PATH_PART_MAX },
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECKING_INTERVAL_MS,
      insecureHTTPParser: false,
      // Node would answer without the envelope; nothing here depends on the header.
      requireHostHeader: false,
    },
    frameworkErrors: (error, request, reply) => responder.sendError(request, reply, error),
    clientErrorHandler: (error, socket) =>
      refuseSocket(services, requestId(), socket, unreadable(error)),
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  // Node would refuse other expectations than 100-continue by itself, without the envelope.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  app.server.on('connection', (socket: Socket) => {
    const { bucket } = services.addresses.read(socket.remoteAddress, undefined);
    // Behind a proxy the peer is not the client.
    if (services.addresses.trustsProxies || services.connections.open(socket, bucket)) return;
    refuseSocket(services, requestId(), socket, fail('RATE_LIMITED', connectionDetails));
  });
  return app;
}

const connectionDetails = { category: 'read', retry_after_sec: 1, limit: 'connections' };

function addLifecycle(
  app: FastifyInstance,
  services: Services,
  responder: Responder,
  routes: Routes,
  cors: Cors,
): void {
  app.decorateRequest('passage', null);
  app.decorateRequest('rawBody', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
  app.addContentTypeParser('*', { parseAs: 'buffer' }, refuseOtherTypes);
  app.addHook('onResponse', (request, reply, done) => {
    responder.record(request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => responder.sendError(request, reply, error));
  app.setNotFoundHandler((request, reply) => {
    const { path, methods, operation } = routes.at(request.url, request.method);
    const passage = strangersPassage(services, request, null);
    request.passage = passage;
    if (services.drain.isDraining) {
      responder.sendError(request, reply, shuttingDown());
      return;
    }
    passage.rate = chargeStranger(services, passage, 'read');
    if (!passage.rate.isAllowed) {
      responder.sendError(request, reply, rateLimited('read', passage.rate));
      return;
    }
    const { origin } = request.headers;
    if (request.method === 'OPTIONS' && origin !== undefined && methods.length > 0) {
      const wanted = routes.at(path, String(request.headers['access-control-request-method']));
      responder.writeHeaders(request, reply, passage, false);
      reply
        .headers(cors.preflight(origin, wanted.operation, methods))
        .code(204)
        .send();
      return;
    }
    if (methods.length > 0 && operation === null) reply.header('allow', methods.join(', '));
    responder.sendError(request, reply, fail('NOT_FOUND'));
  });
}

function readJson(
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  request.rawBody = body;
  let parsed: unknown;
  try {
    parsed = parseBody(body);
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  done(null, parsed);
}

function refuseOtherTypes(
  _request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  if (body.length === 0) done(null, undefined);
  else done(fail('BAD_REQUEST', { reason: 'the body must be application/json' }));
}

/** Unique by a random part for each start and a count within it, in digits of base 36. */
function requestIdsOf(random: Random): () => string {
  const start = `req_${random.token(12)}`;
  let head = '';
  let count = 0;
  return () => {
    count += 1;
    const tail = count % ID_TAILS.length;
    if (tail === 0 || head === '') {
      const left = (count - tail) / ID_TAILS.length;
      head = `${start}${left.toString(36).padStart(4, '0')}`;
    }
    return head + ID_TAILS[tail]!;
  };
}

/** The last two digits: the others change once in so many requests. */
const ID_TAILS = Array.from({ length: 36 * 36 }, (_, count) => count.toString(36).padStart(2, '0'));

function unreadable(error: NodeJS.ErrnoException): ApiError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return fail('BAD_REQUEST', { reason: 'the headers are too large', limit_bytes: 16_384 });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return fail('BAD_REQUEST', { reason: 'the request took too long to arrive' });
    default:
      return fail('BAD_REQUEST', { reason: 'this is not HTTP' });
  }
}

/** An answer to what never became a request, written by hand; then the connection ends. */
function refuseSocket(
  services: Services,
  requestId: string,
  socket: Socket,
  error: ApiError,
): void {
  if (!socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  const client = services.addresses.read(socket.remoteAddress, undefined);
  const receivedAtMs = services.clock.wallMs();
  const rate = rateOf(services, {
    route: null,
    client,
    receivedAtMs,
    rate: null,
    standing: null,
    lane: null,
    execution: 'hybrid',
    code: error.code,
  });
  const body = JSON.stringify(errorEnvelope(error, { requestId, nowMs: receivedAtMs }));
  const headers = {
    ...commonHeaders(requestId, rate, false),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = statusOf(error);
  const phrase = status === 429 ? 'Too Many Requests' : 'Bad Request';
  socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n${body}`);
}
