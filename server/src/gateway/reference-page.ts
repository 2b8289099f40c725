// The page that shows an OpenAPI document: its own files, Scalar's script, and a policy that keeps it to this origin.
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageFile } from './pages.ts';

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

/** Serves the page of `/openapi.json` under `/docs/`. */
export async function serveReference(
  documents: FastifyInstance,
  page: 'reference' | 'operator',
): Promise<void> {
  documents.get('/docs/page.css', (_request, reply) => {
    reply.type('text/css; charset=utf-8').send(pageFile('style'));
  });
  documents.get('/docs/reference.js', (_request, reply) => {
    reply.type('text/javascript; charset=utf-8').send(pageFile('script'));
  });
  await documents.register(scalar, {
    routePrefix: '/docs',
    hooks: {
      onRequest: addPagePolicy,
      // Scalar's own page has its settings in the page itself; ours keeps scripts in files.
      preHandler: (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
        if (request.routeOptions.url !== '/docs/') done();
        else reply.type('text/html; charset=utf-8').send(pageFile(page));
      },
    },
    configuration: { url: '/openapi.json' },
  });
}

export function addPagePolicy(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.header('content-security-policy', PAGE_POLICY);
  reply.header('referrer-policy', 'no-referrer');
  reply.header('x-content-type-options', 'nosniff');
  done();
}
