// Bodies of requests as Fastify hands them over: JSON and nothing else.

import type { FastifyRequest } from 'fastify';
import { fail } from '../handling/handler.ts';
import { parseBody } from './body.ts';

/** Leaves the bytes beside what was read of them: signatures are over these. */
export function readJson(
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

export function refuseOtherTypes(
  _request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  if (body.length === 0) done(null, undefined);
  else done(fail('BAD_REQUEST', { reason: 'the body must be application/json' }));
}
