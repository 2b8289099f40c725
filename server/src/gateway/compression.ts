// Compressed answers to reads that anybody may make. An answer that depends on a credential is never compressed: its
// length would tell a stranger what is in it.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSigned } from '../signing/signed-head.ts';
import { isReaderOnly } from '../wire/reader.ts';
import { encodingOf } from './packed-documents.ts';

/** A smaller answer fits into one packet as it is. */
const LEAST_BYTES = 1_024;
/** Answers are made anew for each request, so compressing must cost less than sending. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const compressors = {
  br: (text: string) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text: string) => promisify(gzip)(text),
} as const;

/** The last step before an answer is sent. */
export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  if (typeof payload !== 'string' || !isCompressible(request)) done(null, payload);
  else compressed(request, reply, payload).then((smaller) => done(null, smaller), done);
}

/** Whether the answer may be compressed, if the client takes that. */
function isCompressible({ admission, headers }: FastifyRequest): boolean {
  const operation = admission?.route?.operation;
  const isPublicRead = operation?.method === 'GET' && operation.auth === 'public';
  return isPublicRead && !operation.bearsSecrets && !hasCredential(headers);
}

function hasCredential(headers: FastifyRequest['headers']): boolean {
  const { authorization, cookie } = headers;
  if (authorization !== undefined) return true;
  if (cookie !== undefined && !isReaderOnly(cookie)) return true;
  return headers['x-api-key'] !== undefined || isSigned(headers);
}

/** The payload as it is sent: what the client takes of it, in fewer bytes. */
async function compressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<string | Buffer> {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
  const encoding = encodingOf(headers['accept-encoding'] ?? '');
  if (encoding === 'identity' || Buffer.byteLength(text) <= LEAST_BYTES) return text;
  reply.header('content-encoding', encoding);
  return compressors[encoding](text);
}
