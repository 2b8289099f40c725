// A plain request on its way through the gateway, and its answer written straight to the socket.
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { TextSheet } from '@sibyl/lane';
import { parseText } from '../gateway/body.ts';
import type { Incoming, Kept, Outgoing } from '../gateway/exchange.ts';
import type { Admission, Route } from '../gateway/gate.ts';
import type { Responder } from '../gateway/respond.ts';
import type { Check } from '../gateway/validation.ts';
import { ApiError, type Reply } from '../handling/handler.ts';
import type { BodyReader } from './order-body.ts';
import { isSpelled, type SpelledReply, spellReply } from './spelled-reply.ts';

/** What all requests of a route share: its own checks and handler, the same that Fastify runs. */
export interface DirectRoute {
  readonly route: Route;
  readonly method: string;
  readonly path: string;
  readonly query: unknown;
  /** Reads and checks plain bodies at once; null where nothing does. */
  readonly readBody: BodyReader | null;
  readonly check: Check;
  /** The very function by which Fastify would write the answer. */
  readonly serialize: (envelope: unknown) => string;
  /** By the head alone. */
  readonly gate: (request: Incoming, reply: Outgoing, done: (error?: Error) => void) => void;
  /** Null if the request may go on, now that its body is read. */
  readonly admitBody: (request: Incoming) => ApiError | null;
  readonly answer: (request: Incoming, reply: Outgoing) => void;
  readonly responder: Pick<Responder, 'isKept' | 'record' | 'sendError'>;
  readonly routeOptions: { readonly config: { readonly route: Route } };
}

/** The connection under an exchange. */
export interface Carrier {
  readonly socket: Socket;
  /** The lines that end the head of the answer, asked for once for each. */
  lastLines(hasClose: boolean): string;
  /** The answer is written. */
  finished(): void;
}

const OK = 200;
const NO_PARAMS = Object.freeze({});

export class DirectExchange implements Incoming, Outgoing {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  body: unknown = undefined;
  rawBody: Buffer | null = null;
  admission: Admission | null = null;
  statusCode = OK;
  readonly #shared: DirectRoute;
  readonly #carrier: Carrier;
  readonly #startMs = performance.now();
  #lines = '';
  /** The bytes that the body is read from; null once it is. */
  #bytes: Buffer | null = null;
  #bodyAt = 0;
  #isClosing = false;
  /** The request and its answer as bytes, where the log of requests wants them. */
  #came: Buffer | null = null;
  #sent: Buffer | string | null = null;

  constructor(shared: DirectRoute, carrier: Carrier, id: string, headers: IncomingHttpHeaders) {
    this.id = id;
    this.headers = headers;
    this.socket = carrier.socket;
    this.#shared = shared;
    this.#carrier = carrier;
  }

  get method(): string {
    return this.#shared.method;
  }

  get url(): string {
    return this.#shared.path;
  }

  /** What Node would have read. */
  get raw(): Incoming['raw'] {
    return this;
  }

  get routeOptions(): Incoming['routeOptions'] {
    return this.#shared.routeOptions;
  }

  get params(): unknown {
    return NO_PARAMS;
  }

  get query(): unknown {
    return this.#shared.query;
  }

  get elapsedTime(): number {
    return performance.now() - this.#startMs;
  }

  /** Credential and limits, body, schema, handler: in the order in which Fastify has them. */
  run(bytes: Buffer, bodyAt: number): void {
    this.#bytes = bytes;
    this.#bodyAt = bodyAt;
    try {
      this.#shared.gate(this, this, (error) => this.#afterGate(error));
    } catch (error) {
      this.#refuse(error);
    }
    if (this.#bytes === null) return;
    // The bytes are there until this returns, and who asks is still being looked up.
    this.#bytes = Buffer.from(bytes);
  }

  header(name: string, value: string | number): this {
    if (name === 'connection') this.#isClosing = true;
    else this.#lines += `${name}: ${value}\r\n`;
    return this;
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  send(payload: unknown): void {
    const { socket, statusCode } = this;
    const text = statusCode === OK ? this.#shared.serialize(payload) : JSON.stringify(payload);
    const length = Buffer.byteLength(text);
    const last = this.#carrier.lastLines(this.#isClosing);
    if (socket.writable) {
      const head = `${this.#firstLines()}${length}\r\n${last}`;
      // As many bytes as characters is plain ASCII, which needs no encoding.
      socket.write(head + text, length === text.length ? 'latin1' : 'utf8');
    }
    this.#sent = text;
    this.#finish();
  }

  canSpell(reply: Reply): reply is SpelledReply {
    return isSpelled(reply);
  }

  sendSpelled(reply: SpelledReply, nowMs: number): void {
    sheet.begin();
    sheet.plain(this.#firstLines());
    sheet.openLength();
    sheet.plain(`\r\n${this.#carrier.lastLines(this.#isClosing)}`);
    sheet.openBody();
    spellReply(sheet, reply, this.id, nowMs);
    // The sheet is for the next answer as well, and this one may have to wait for its client.
    const bytes = Buffer.from(sheet.close());
    if (this.socket.writable) this.socket.write(bytes);
    this.#sent = bytes;
    this.#finish();
  }

  kept(): Kept | null {
    const came = this.#came;
    const at = this.#bodyAt;
    if (came === null) return null;
    return { head: came, headEnd: at, body: came, bodyFrom: at, answer: this.#sent };
  }

  /** Up to where the length of the body stands. */
  #firstLines(): string {
    const { statusCode } = this;
    return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${this.#lines}${BEFORE_LENGTH}`;
  }

  #finish(): void {
    this.#shared.responder.record(this, this);
    this.#carrier.finished();
  }

  #afterGate(error: Error | undefined): void {
    // Of a signed request it is known only with its body who asks, and so whether the log wants it.
    const isClaimed = this.admission !== null && this.admission.claim !== null;
    if (!isClaimed) this.#keepBytes(this.#bytes);
    if (error !== undefined) {
      this.#refuse(error);
      return;
    }
    try {
      const bytes = this.#bytes;
      const isChecked = this.#readBody(isClaimed);
      const refused = this.#shared.admitBody(this);
      if (isClaimed) this.#keepBytes(bytes);
      this.#keepRawBody();
      if (refused !== null) {
        this.#refuse(refused);
        return;
      }
      const checked = isChecked || this.#shared.check(this.body);
      if (checked === true) this.#shared.answer(this, this);
      else this.#refuse(checked.error);
    } catch (defect) {
      this.#refuse(defect);
    }
  }

  /** The bytes are there now, and not when the answer is. */
  #keepBytes(bytes: Buffer | null): void {
    if (bytes !== null && this.#shared.responder.isKept(this)) this.#came = Buffer.from(bytes);
  }

  /** Whoever asks for it may ask when the bytes are gone; of a signature it is known by now whether it is right. */
  #keepRawBody(): void {
    if (this.rawBody === null) return;
    const isAsked = this.headers['idempotency-key'] !== undefined;
    const copy = isAsked ? (this.#came?.subarray(this.#bodyAt) ?? Buffer.from(this.rawBody)) : null;
    this.rawBody = copy;
  }

  /** Whether the body is known to keep its schema; one that cannot be read is an error in its place. */
  #readBody(isClaimed: boolean): boolean {
    const bytes = this.#bytes;
    const bodyAt = this.#bodyAt;
    this.#bytes = null;
    if (bytes === null || bytes.length === bodyAt) return false;
    if (isClaimed || this.headers['idempotency-key'] !== undefined) {
      this.rawBody = bytes.subarray(bodyAt);
    }
    const plain = this.#shared.readBody?.(bytes, bodyAt) ?? null;
    this.body = plain ?? this.#parse(bytes, bodyAt);
    return plain !== null;
  }

  /** Who asks comes before what cannot be read: of a signed request that is known only now. */
  #parse(bytes: Buffer, bodyAt: number): unknown {
    try {
      return parseText(bytes.toString('latin1', bodyAt));
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  #refuse(error: unknown): void {
    this.#bytes = null;
    // Of an answer that could not be written nothing is left.
    this.#lines = '';
    this.#shared.responder.sendError(this, this, error);
  }
}

const BEFORE_LENGTH = 'content-type: application/json; charset=utf-8\r\ncontent-length: ';

/** Every answer is spelled here before it is sent, one at a time. */
const sheet = new TextSheet();
