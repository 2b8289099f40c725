// Bodies of requests as Fastify hands them over: JSON, and forms where a standard asks for them.

import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../handling/handler.ts';
import { parseBody } from './body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of what is no operation: its body is a form. */
    takesForms?: boolean;
  }
}

export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, readForm);
  app.addContentTypeParser('*', { parseAs: 'buffer' }, refuseOtherTypes);
}

/** Leaves the bytes beside what was read of them: signatures are over these. */
function readJson(
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  request.rawBody = body;
  try {
    done(null, parseBody(body));
  } catch (error) {
    // In the place of the body: Fastify would end the connection, of which nothing is left to be read.
    done(null, error);
  }
}

/** Refused like any other type where no form is taken. */
function readForm(
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const { route, takesForms = false } = request.routeOptions.config;
  if (!takesForms && route?.operation.takesForms !== true) {
    refuseOtherTypes(request, body, done);
    return;
  }
  request.rawBody = body;
  done(null, fieldsOf(body));
}

/** A field that is given twice could be read in two ways, so it is not read at all. */
function fieldsOf(body: Buffer): unknown {
  if (!isUtf8(body)) return fail('BAD_REQUEST', { reason: 'the body is not UTF-8' });
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) return fail('BAD_REQUEST', { reason: 'a field is given twice' });
  if (fields.length > FIELDS_MAX) return fail('BAD_REQUEST', { reason: 'too many fields' });
  return Object.fromEntries(fields);
}

const FIELDS_MAX = 100;

function refuseOtherTypes(
  _request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  if (body.length === 0) done(null, undefined);
  else done(fail('BAD_REQUEST', { reason: 'the body must be application/json' }));
}
