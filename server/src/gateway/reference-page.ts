// The page that shows an OpenAPI document: its own files, Scalar's script, and a policy that keeps it to this origin.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { documentBar } from './document-bar.ts';
import { pageFile } from './pages.ts';
import { referenceScript } from './reference-script.ts';

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

const MOVED = 301;

/** Serves the page of `/openapi.json` under `/docs/`. */
export function serveReference(
  documents: FastifyInstance,
  page: 'reference' | 'operator',
  hasSite = false,
): void {
  const bar = documentBar('calls', hasSite);
  documents.get('/docs/page.css', (_request, reply) => {
    reply.type('text/css; charset=utf-8').send(pageFile('style'));
  });
  documents.get('/docs/reference.js', (_request, reply) => {
    reply.type('text/javascript; charset=utf-8').send(pageFile('script'));
  });
  documents.get('/docs', (_request, reply) => reply.redirect('/docs/', MOVED));
  documents.get('/docs/', { onRequest: addPagePolicy }, (_request, reply) => {
    reply.type('text/html; charset=utf-8').send(pageFile(page).replace('<!-- bar -->', bar));
  });
  documents.get('/docs/js/scalar.js', { onRequest: addPagePolicy }, async (_request, reply) => {
    reply.type('text/javascript; charset=utf-8');
    return referenceScript();
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
