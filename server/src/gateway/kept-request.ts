// A finished request as Fastify has it, for the log that developers read.
import type { FastifyRequest } from 'fastify';
import type { Kept } from './exchange.ts';

/** The head as it came, also where the path was an alias. */
export function keptOf(this: FastifyRequest): Kept | null {
  const { answered, method, originalUrl, rawBody, raw } = this;
  if (answered === null) return null;
  let head = `${method} ${originalUrl} HTTP/1.1\r\n`;
  for (let at = 0; at < raw.rawHeaders.length; at += 2)
    head += `${raw.rawHeaders[at]}: ${raw.rawHeaders[at + 1]}\r\n`;
  return { head, headEnd: head.length, body: rawBody, bodyFrom: 0, answer: answered };
}
