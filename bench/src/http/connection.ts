// One keep-alive connection of the load: sends a request, reads the whole answer, and says how it went.
import { connect, type Socket } from 'node:net';

/** Called with the answer's body length in sight; `bytes` holds the answer, whole. */
export type Answered = (connection: Connection, status: number, bytes: Buffer) => void;

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH_FIELD = Buffer.from('\r\ncontent-length: ');
const CLOSE_FIELD = Buffer.from('\r\nConnection: close');
const CLOSE_FIELD_LOWER = Buffer.from('\r\nconnection: close');
const ZERO = 48;
const CARRIAGE_RETURN = 13;
/** Where the status code of `HTTP/1.1 200 OK` begins. */
const STATUS_AT = 9;

export class Connection {
  /** When the request that is under way was due, by the load's clock. */
  dueMs = 0;
  readonly #port: number;
  readonly #answered: Answered;
  readonly #failed: (error: Error) => void;
  #socket: Socket | null = null;
  #held: Buffer | null = null;

  constructor(port: number, answered: Answered, failed: (error: Error) => void) {
    this.#port = port;
    this.#answered = answered;
    this.#failed = failed;
  }

  open(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true }, resolve);
      socket.on('data', (chunk) => this.#read(chunk));
      socket.on('error', this.#failed);
      // A server may also end one that has long been idle.
      socket.on('close', () => {
        if (this.#socket === socket) this.#socket = null;
      });
      this.#socket = socket;
    });
  }

  send(request: Buffer): void {
    // A server may end a connection after so many requests; the next one opens another.
    if (this.#socket === null) void this.open();
    this.#socket?.write(request);
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #read(chunk: Buffer): void {
    const bytes = this.#held === null ? chunk : Buffer.concat([this.#held, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    const bodyAt = headEnd + HEAD_END.length;
    if (headEnd === -1 || bytes.length < bodyAt + lengthOf(bytes)) {
      this.#held = bytes;
      return;
    }
    this.#held = null;
    const head = bytes.subarray(0, bodyAt);
    if (head.includes(CLOSE_FIELD) || head.includes(CLOSE_FIELD_LOWER)) this.close();
    this.#answered(this, digits(bytes, STATUS_AT), bytes);
  }
}

function lengthOf(bytes: Buffer): number {
  const at = bytes.indexOf(LENGTH_FIELD);
  if (at === -1) throw new Error('an answer without its length');
  return digits(bytes, at + LENGTH_FIELD.length);
}

function digits(bytes: Buffer, from: number): number {
  let value = 0;
  for (let at = from; bytes[at] !== CARRIAGE_RETURN && bytes[at]! >= ZERO; at += 1) {
    value = value * 10 + bytes[at]! - ZERO;
  }
  return value;
}
