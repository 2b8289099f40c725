// Documents beside the interface: OpenAPI, AsyncAPI, their reference pages, and the files of the pages for people.
import { streamDocument } from '@sibyl/contract/asyncapi';
import { publicDocument } from '@sibyl/contract/openapi';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { admitFile, admitStranger } from './admit-stranger.ts';
import { type Services, strangersAdmission } from './gate.ts';
import { authorizationServer, issuerOf } from './oauth-metadata.ts';
import { isDocument, PackedDocuments } from './packed-documents.ts';
import { pageFile } from './pages.ts';
import { addPagePolicy, serveReference } from './reference-page.ts';
import type { Responder } from './respond.ts';
import { type Site, serveSiteFiles } from './site.ts';
import { streamPage } from './stream-page.ts';

export async function serveDocuments(
  app: FastifyInstance,
  services: Services,
  responder: Responder,
  publicUrl: string | null,
  site: Site | null,
): Promise<void> {
  // Made when first asked for: they would hold up every start.
  let openApi: string | null = null;
  let asyncApi: string | null = null;
  let streams: string | null = null;
  const packed = new PackedDocuments();
  const files = new Set(site?.files.map((file) => file.path));
  await app.register(async (documents) => {
    documents.addHook('onRequest', (request, reply, done) => {
      // The page of the reference reads its own path by it, and would fail where it is missing or no name.
      request.raw.headers.host = 'localhost';
      const admission = strangersAdmission(services, request, null);
      request.admission = admission;
      const isFile = files.has(request.routeOptions.url ?? '');
      const refused = (isFile ? admitFile : admitStranger)(services, request, admission);
      responder.writeHeaders(request, reply, admission, false);
      done(refused ?? undefined);
    });
    documents.addHook('onSend', async (request, reply, payload) =>
      isDocument(reply, payload) ? packed.pack(request, reply, payload) : payload,
    );
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
    documents.get('/.well-known/oauth-authorization-server', (request, reply) => {
      reply.header('access-control-allow-origin', '*');
      reply.type('application/json; charset=utf-8');
      reply.send(JSON.stringify(authorizationServer(issuerOf(publicUrl, request.socket))));
    });
    documents.get('/docs/streams', { onRequest: addPagePolicy }, (_request, reply) => {
      streams ??= streamPage(site !== null);
      reply.type('text/html; charset=utf-8').send(streams);
    });
    if (site !== null) serveSiteFiles(documents, site);
    serveReference(documents, 'reference', site !== null);
  });
}

/** Where clients find the socket. */
function addressOf(publicUrl: string | null, { socket }: FastifyRequest) {
  const { host, protocol } = new URL(issuerOf(publicUrl, socket));
  return { host, isSecure: protocol === 'https:' };
}
