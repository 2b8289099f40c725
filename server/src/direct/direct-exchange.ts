// A plain request on its way through the gateway, and its answer written straight to the socket.
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { pieceOf, TextSheet } from '@sibyl/lane';
import { parseText } from '../gateway/body.ts';
import { commonLines, spellCommonLines, spellMeta } from '../gateway/envelope.ts';
import type { Incoming, Kept, Outgoing, SpelledReply } from '../gateway/exchange.ts';
import type { Passage, Route } from '../gateway/gate.ts';
import type { RateDecision } from '../gateway/rate-limit.ts';
import type { Responder } from '../gateway/respond.ts';
import type { Check } from '../gateway/validation.ts';
import type { ApiError } from '../handling/handler.ts';
import type { BodyReader } from './order-body.ts';

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
  readonly passBody: (request: Incoming) => ApiError | null;
  readonly answer: (request: Incoming, reply: Outgoing) => void;
  readonly responder: Pick<Responder, 'isKept' | 'record' | 'sendError'>;
  readonly routeOptions: { readonly config: { readonly route: Route } };
}

/** The connection under an exchange. */
export interface Carrier {
  readonly socket: Socket;
  /** The lines that end the head of the answer. */
  lastLines(hasClose: boolean): string;
  /** The same as bytes; one of the two is asked for, once for each answer. */
  lastPiece(hasClose: boolean): Uint8Array;
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
  passage: Passage | null = null;
  statusCode = OK;
  readonly #shared: DirectRoute;
  readonly #carrier: Carrier;
  readonly #startMs = performance.now();
  #rate: RateDecision | null = null;
  #isRedacted = false;
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
      this.#shared.gate(this, this, (error) => this.#pass(error));
    } catch (error) {
      this.#refuse(error);
    }
    if (this.#bytes === null) return;
    // The bytes are there until this returns, and who asks is still being looked up.
    this.#bytes = Buffer.from(bytes);
  }

  header(name: string, value: string | number): this {
    if (name === 'connection') this.#isClosing = true;
    else if (name === USUAL_NAME && value === USUAL_VALUE && this.#lines === '')
      this.#lines = USUAL_LINES;
    else this.#lines += `${name}: ${value}\r\n`;
    return this;
  }

  /** Its lines come first, whenever it is called. */
  stamp(_requestId: string, rate: RateDecision, isRedacted: boolean): void {
    this.#rate = rate;
    this.#isRedacted = isRedacted;
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  send(payload: unknown): void {
    const { socket, statusCode } = this;
    const text = statusCode === OK ? this.#shared.serialize(payload) : JSON.stringify(payload);
    const length = Buffer.byteLength(text);
    const head = this.#head(length);
    if (socket.writable) {
      // As many bytes as characters is plain ASCII, which needs no encoding.
      socket.write(head + text, length === text.length ? 'latin1' : 'utf8');
    }
    this.#sent = text;
    this.#finish();
  }

  sendSpelled(reply: SpelledReply, nowMs: number): void {
    sheet.begin();
    this.#spellHead();
    sheet.openBody();
    sheet.piece(BEFORE_DATA);
    reply.spell(sheet);
    spellMeta(sheet, this.id, nowMs, reply.meta);
    const bytes = sheet.close();
    if (this.socket.writable) this.#write(bytes);
    this.#sent = bytes;
    this.#finish();
  }

  kept(): Kept | null {
    const came = this.#came;
    const at = this.#bodyAt;
    if (came === null) return null;
    return { head: came, headEnd: at, body: came, bodyFrom: at, answer: this.#sent };
  }

  /** Of the memory that all answers share. */
  #write(bytes: Buffer): void {
    const { socket } = this;
    if (socket.writableLength > 0) {
      // It waits behind others of a client that does not read: only what it is long is kept for it.
      socket.write(Buffer.from(bytes));
      return;
    }
    socket.write(bytes);
    if (socket.writableLength > 0) sheet.leaveMemory();
  }

  /** Taken once: it ends with what the connection says of itself. */
  #head(length: number): string {
    const { statusCode } = this;
    const first =
      statusCode === OK ? OK_LINE : `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n`;
    const common = this.#rate === null ? '' : commonLines(this.id, this.#rate, this.#isRedacted);
    const last = this.#carrier.lastLines(this.#isClosing);
    return `${first}${common}${this.#lines}${BEFORE_LENGTH}${length}\r\n${last}`;
  }

  /** The same as bytes, of an answer that is as it should be. */
  #spellHead(): void {
    sheet.piece(OK_PIECE);
    if (this.#rate !== null) spellCommonLines(sheet, this.id, this.#rate);
    if (this.#lines === USUAL_LINES) sheet.piece(USUAL_PIECE);
    else sheet.plain(this.#lines);
    sheet.piece(LENGTH_PIECE);
    sheet.openLength();
    sheet.piece(LINE_END);
    sheet.piece(this.#carrier.lastPiece(this.#isClosing));
  }

  #finish(): void {
    this.#shared.responder.record(this, this);
    this.#carrier.finished();
  }

  #pass(error: Error | undefined): void {
    // The bytes are there now, and not when the answer is.
    if (this.#bytes !== null && this.#shared.responder.isKept(this))
      this.#came = Buffer.from(this.#bytes);
    if (error !== undefined) {
      this.#refuse(error);
      return;
    }
    try {
      const isChecked = this.#readBody();
      const refused = this.#shared.passBody(this);
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

  /** Whether the body is known to keep its schema; throws BAD_REQUEST for one that cannot be read. */
  #readBody(): boolean {
    const bytes = this.#bytes;
    const bodyAt = this.#bodyAt;
    this.#bytes = null;
    if (bytes === null || bytes.length === bodyAt) return false;
    // A copy: whoever asks for the bytes may ask when they are gone.
    if (this.headers['idempotency-key'] !== undefined)
      this.rawBody = Buffer.from(bytes.subarray(bodyAt));
    const plain = this.#shared.readBody?.(bytes, bodyAt) ?? null;
    this.body = plain ?? parseText(bytes.toString('latin1', bodyAt));
    return plain !== null;
  }

  #refuse(error: unknown): void {
    this.#bytes = null;
    this.#shared.responder.sendError(this, this, error);
  }
}

const OK_LINE = 'HTTP/1.1 200 OK\r\n';
const BEFORE_LENGTH = 'content-type: application/json; charset=utf-8\r\ncontent-length: ';
/** Of an answer to somebody known. */
const USUAL_NAME = 'cache-control';
const USUAL_VALUE = 'no-store';
const USUAL_LINES = `${USUAL_NAME}: ${USUAL_VALUE}\r\n`;

/** Every answer is spelled here before it is sent, one at a time. */
const sheet = new TextSheet();
const OK_PIECE = pieceOf(OK_LINE);
const USUAL_PIECE = pieceOf(USUAL_LINES);
const LENGTH_PIECE = pieceOf(BEFORE_LENGTH);
const LINE_END = pieceOf('\r\n');
const BEFORE_DATA = pieceOf('{"ok":true,"data":');
