// Documents as they are sent: compressed once, named by what is in them, and written from the same memory for everybody.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Encoding = 'br' | 'gzip' | 'identity';

/** One form of a document. */
interface Packed {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Larger ones pay for it with seconds of work at their first use. */
const BROTLI_QUALITY = 6;

const OK = 200;
const NOT_MODIFIED = 304;

const compressions: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
    const params = {
      [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    return promisify(brotliCompress)(bytes, { params });
  },
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
};

export class PackedDocuments {
  readonly #documents = new Map<string, PackedDocument>();

  /** To be called with what a route is about to send, which never changes. */
  async pack(
    request: FastifyRequest,
    reply: FastifyReply,
    content: string | Buffer,
  ): Promise<Buffer | null> {
    const document = this.#documentOf(request.routeOptions.url ?? request.url, content);
    const encoding = isPacked(reply)
      ? 'identity'
      : encodingOf(request.headers['accept-encoding'] ?? '');
    const { bytes, etag } = await document.in(encoding);
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
    reply.header('etag', etag);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
    if (isNamed(request.headers['if-none-match'] ?? '', etag)) {
      reply.code(NOT_MODIFIED);
      return null;
    }
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return bytes;
  }

  #documentOf(name: string, content: string | Buffer): PackedDocument {
    let document = this.#documents.get(name);
    if (document === undefined) {
      document = new PackedDocument(content);
      this.#documents.set(name, document);
    }
    return document;
  }
}

/** Whether an answer is a document, and no redirection or refusal. */
export function isDocument(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  return reply.statusCode === OK && (typeof payload === 'string' || Buffer.isBuffer(payload));
}

/** Fonts and pictures are small already. */
function isPacked(reply: FastifyReply): boolean {
  return /^(?:font|image\/png)/.test(String(reply.getHeader('content-type')));
}

class PackedDocument {
  readonly #plain: Buffer;
  readonly #name: string;
  readonly #packed = new Map<Encoding, Promise<Packed>>();

  constructor(content: string | Buffer) {
    this.#plain = typeof content === 'string' ? Buffer.from(content) : content;
    this.#name = createHash('sha256').update(this.#plain).digest('base64url').slice(0, 22);
  }

  /** Made when first asked for; who asks meanwhile waits for the same. */
  in(encoding: Encoding): Promise<Packed> {
    let packed = this.#packed.get(encoding);
    if (packed === undefined) {
      packed = compressions[encoding](this.#plain).then((bytes) => ({
        bytes,
        etag: `"${this.#name}-${encoding}"`,
      }));
      this.#packed.set(encoding, packed);
    }
    return packed;
  }
}

/** The smallest form that the client takes. */
export function encodingOf(accepted: string): Encoding {
  const taken = new Map<string, boolean>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    taken.set(name, !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter)));
  }
  const others = taken.get('*') ?? false;
  if (taken.get('br') ?? others) return 'br';
  return (taken.get('gzip') ?? others) ? 'gzip' : 'identity';
}

/** Whether a list of tags has this one; weak ones count, as they do for reads. */
function isNamed(list: string, etag: string): boolean {
  return list.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
