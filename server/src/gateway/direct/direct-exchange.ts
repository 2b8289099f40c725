// A plain request on its way through the gateway, and its answer written straight to the socket.
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { commonLines } from '../envelope.ts';
import type { Incoming, Outgoing } from '../exchange.ts';
import type { Passage, Route } from '../gate.ts';
import type { RateDecision } from '../rate-limit.ts';
import type { Responder } from '../respond.ts';
import type { Check } from '../validation.ts';
import type { Write } from './order-answer.ts';
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
  readonly write: Write;
  readonly gate: (request: Incoming, reply: Outgoing, done: (error?: Error) => void) => void;
  readonly answer: (request: Incoming, reply: Outgoing) => void;
  readonly responder: Responder;
  readonly routeOptions: { readonly config: { readonly route: Route } };
}

/** The connection under an exchange. */
export interface Carrier {
  readonly socket: Socket;
  /** The lines that end the head of the answer. */
  lastLines(hasClose: boolean): string;
  /** The answer is written. */
  finished(): void;
}

export interface Body {
  readonly value: unknown;
  /** Whether it is known to keep its schema. */
  readonly isChecked: boolean;
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
  #lines = '';
  #isChecked = false;
  #isClosing = false;

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

  /** Credential, schema, handler: in the order in which Fastify has them, once the body is read. */
  run({ value, isChecked }: Body, bytes: Buffer, bodyAt: number): void {
    this.body = value;
    this.#isChecked = isChecked;
    if (this.headers['idempotency-key'] !== undefined) this.rawBody = bytes.subarray(bodyAt);
    try {
      this.#shared.gate(this, this, (error) => this.#pass(error));
    } catch (error) {
      this.#refuse(error);
    }
  }

  header(name: string, value: string | number): this {
    if (name === 'connection') this.#isClosing = true;
    else this.#lines += `${name}: ${value}\r\n`;
    return this;
  }

  stamp(requestId: string, rate: RateDecision, isRedacted: boolean): void {
    this.#lines += commonLines(requestId, rate, isRedacted);
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  send(payload: unknown): void {
    const { socket, statusCode } = this;
    const { text, isAscii } =
      statusCode === OK
        ? this.#shared.write(payload)
        : { text: JSON.stringify(payload), isAscii: false };
    const first =
      statusCode === OK ? OK_LINE : `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n`;
    const last = this.#carrier.lastLines(this.#isClosing);
    const length = isAscii ? text.length : Buffer.byteLength(text);
    if (socket.writable) {
      socket.write(
        `${first}${this.#lines}content-type: application/json; charset=utf-8\r\ncontent-length: ${length}\r\n${last}${text}`,
        // As many bytes as characters is plain ASCII, which needs no encoding.
        length === text.length ? 'latin1' : 'utf8',
      );
    }
    this.#shared.responder.record(this, this);
    this.#carrier.finished();
  }

  #pass(error: Error | undefined): void {
    if (error !== undefined) {
      this.#refuse(error);
      return;
    }
    try {
      const checked = this.#isChecked || this.#shared.check(this.body);
      if (checked === true) this.#shared.answer(this, this);
      else this.#refuse(checked.error);
    } catch (defect) {
      this.#refuse(defect);
    }
  }

  #refuse(error: unknown): void {
    this.#shared.responder.sendError(this, this, error);
  }
}

const OK_LINE = 'HTTP/1.1 200 OK\r\n';
