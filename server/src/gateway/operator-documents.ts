// Documents of the operator plane, on its own port: its OpenAPI document, the page of it, the metrics, and the files of the console.
import { operatorDocument } from '@sibyl/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { type Services, strangersAdmission } from './gate.ts';
import type { Metrics } from './metrics.ts';
import { serveReference } from './reference-page.ts';
import type { Responder } from './respond.ts';
import { type Site, serveSiteFiles } from './site.ts';

/** They tell nothing that needs the bearer, and only this machine reaches the port. */
export async function serveOperatorDocuments(
  app: FastifyInstance,
  services: Services,
  responder: Responder,
  metrics: Metrics,
  site: Site | null,
): Promise<void> {
  let openApi: string | null = null;
  await app.register(async (documents) => {
    documents.addHook('onRequest', (request, reply, done) => {
      request.admission = strangersAdmission(services, request, null);
      responder.writeHeaders(request, reply, request.admission, false);
      done();
    });
    documents.get('/openapi.json', (_request, reply) => {
      openApi ??= JSON.stringify({ ...operatorDocument(), servers: [{ url: '/' }] });
      reply.type('application/json; charset=utf-8').send(openApi);
    });
    documents.get('/metrics', async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.render()),
    );
    if (site !== null) serveSiteFiles(documents, site);
    serveReference(documents, 'operator');
  });
}
