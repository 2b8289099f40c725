// Documents beside the interface: OpenAPI, AsyncAPI, their reference pages, and the metrics.
import scalar from '@scalar/fastify-api-reference';
import { streamDocument } from '@sibyl/contract/asyncapi';
import { publicDocument } from '@sibyl/contract/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { chargeStranger, rateLimited, type Services, strangersPassage } from './gate.ts';
import { fail } from './handler.ts';
import type { Metrics } from './metrics.ts';
import { pageFile } from './pages.ts';
import type { Responder } from './respond.ts';
import { streamPage } from './stream-page.ts';

/** The pages may load and call this origin only; the reference makes some styles of its own. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
].join('; ');

export async function serveDocuments(
  app: FastifyInstance,
  services: Services,
  responder: Responder,
  metrics: Metrics,
  publicUrl: string | null,
): Promise<void> {
  // Made when first asked for: they would hold up every start.
  let openApi: string | null = null;
  let asyncApi: string | null = null;
  let streams: string | null = null;
  await app.register(async (documents) => {
    documents.addHook('onRequest', (request, reply, done) => {
      const passage = strangersPassage(services, request, null);
      request.passage = passage;
      passage.rate = chargeStranger(services, passage, 'read');
      responder.writeHeaders(request, reply, passage, false);
      done(passage.rate.isAllowed ? undefined : rateLimited('read', passage.rate));
    });
    documents.get('/openapi.json', (_request, reply) => {
      openApi ??= JSON.stringify(publicDocument(pageFile('guide'), services.lanesRun));
      reply.header('access-control-allow-origin', '*');
      reply.type('application/json; charset=utf-8').send(openApi);
    });
    documents.get('/asyncapi.json', (request, reply) => {
      asyncApi ??= JSON.stringify(
        streamDocument({ ...addressOf(publicUrl, request), lanes: services.lanesRun }),
      );
      reply.header('access-control-allow-origin', '*');
      reply.type('application/json; charset=utf-8').send(asyncApi);
    });
    documents.get('/docs/streams', { onRequest: addPagePolicy }, (_request, reply) => {
      streams ??= streamPage();
      reply.type('text/html; charset=utf-8').send(streams);
    });
    documents.get('/docs/page.css', (_request, reply) => {
      reply.type('text/css; charset=utf-8').send(pageFile('style'));
    });
    documents.get('/docs/reference.js', (_request, reply) => {
      reply.type('text/javascript; charset=utf-8').send(pageFile('script'));
    });
    documents.get('/metrics', async (request, reply) => {
      if (!isNear(request)) {
        responder.sendError(request, reply, fail('NOT_FOUND'));
        return reply;
      }
      return reply.type(metrics.contentType).send(await metrics.render());
    });
    await documents.register(scalar, {
      routePrefix: '/docs',
      hooks: { onRequest: addPagePolicy, preHandler: sendOwnPage },
      configuration: { url: '/openapi.json' },
    });
  });
}

/** Where clients find the socket. */
function addressOf(publicUrl: string | null, { socket }: FastifyRequest) {
  const { host, protocol } = new URL(publicUrl ?? `http://localhost:${socket.localPort ?? 8080}`);
  return { host, isSecure: protocol === 'https:' };
}

/** Scalar's own page has its settings in the page itself; ours keeps scripts in files. */
function sendOwnPage(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.routeOptions.url !== '/docs/') done();
  else reply.type('text/html; charset=utf-8').send(pageFile('reference'));
}

function addPagePolicy(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('content-security-policy', PAGE_POLICY);
  reply.header('referrer-policy', 'no-referrer');
  reply.header('x-content-type-options', 'nosniff');
  done();
}

/** Metrics are for the operator: this machine or its private network, not the world. */
function isNear(request: FastifyRequest): boolean {
  const ip = request.passage?.client.ip ?? '';
  if (!ipaddr.isValid(ip)) return false;
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(ip).range());
}
