// Documents beside the interface: OpenAPI, AsyncAPI, their reference pages, and the metrics.
import scalar from '@scalar/fastify-api-reference';
import { streamDocument } from '@sibyl/contract/asyncapi';
import { publicDocument } from '@sibyl/contract/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Services, strangersPassage } from './gate.ts';
import { fail } from './handler.ts';
import type { Metrics } from './metrics.ts';
import { isDocument, PackedDocuments } from './packed-documents.ts';
import { passStranger } from './pass-stranger.ts';
import type { Responder } from './respond.ts';
import { streamPage } from './stream-page.ts';

/** The page may load and call this origin only; its own script and styles are inline in part. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
].join('; ');

/** Other at every moment, so nothing to pack. */
const METRICS = '/metrics';

export async function serveDocuments(
  app: FastifyInstance,
  services: Services,
  responder: Responder,
  metrics: Metrics,
): Promise<void> {
  // Made when first asked for: they would hold up every start.
  let openApi: string | null = null;
  let asyncApi: string | null = null;
  let streams: string | null = null;
  const packed = new PackedDocuments();
  await app.register(async (documents) => {
    documents.addHook('onRequest', (request, reply, done) => {
      // The page of the reference reads its own path by it, and would fail where it is missing or no name.
      request.raw.headers.host = 'localhost';
      const passage = strangersPassage(services, request, null);
      request.passage = passage;
      const refused = passStranger(services, request, passage);
      responder.writeHeaders(request, reply, passage, false);
      done(refused ?? undefined);
    });
    documents.addHook('onSend', async (request, reply, payload) =>
      isDocument(reply, payload) && request.routeOptions.url !== METRICS
        ? packed.pack(request, reply, payload)
        : payload,
    );
    documents.get('/openapi.json', (_request, reply) => {
      openApi ??= JSON.stringify(addressedDocument(services));
      reply.header('access-control-allow-origin', '*');
      reply.type('application/json; charset=utf-8').send(openApi);
    });
    documents.get('/asyncapi.json', (_request, reply) => {
      asyncApi ??= JSON.stringify(streamDocument());
      reply.header('access-control-allow-origin', '*');
      reply.type('application/json; charset=utf-8').send(asyncApi);
    });
    documents.get('/docs/streams', { onRequest: addPagePolicy }, (_request, reply) => {
      streams ??= streamPage();
      reply.type('text/html; charset=utf-8').send(streams);
    });
    documents.get(METRICS, async (request, reply) => {
      if (!isNear(request)) {
        responder.sendError(request, reply, fail('NOT_FOUND'));
        return reply;
      }
      return reply.type(metrics.contentType).send(await metrics.render());
    });
    await documents.register(scalar, {
      routePrefix: '/docs',
      hooks: { onRequest: addPagePolicy },
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Sibyl API',
        withDefaultFonts: false,
        telemetry: false,
        proxyUrl: '',
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    });
  });
}

/** The document with this server's own addresses, so that try-it works on whatever port it has. */
function addressedDocument(services: Services): object {
  const live = { url: '/', description: 'Live lane' };
  const sandbox = { url: '/sandbox', description: 'Sandbox lane' };
  const servers = { live: [live], sandbox: [{ ...sandbox, url: '/' }], both: [live, sandbox] };
  return { ...(publicDocument() as object), servers: servers[services.lanesRun] };
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
