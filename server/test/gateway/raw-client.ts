// A client that sends what no HTTP library would, and sees answers as they come.
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const ORDER = JSON.stringify({
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'limit',
  price: '0.42',
  size: '10',
});

/** An order as plain clients write it; lines of other headers take it off the short way. */
export function orderText(token: string, lines = ''): string {
  return `POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\n${lines}Content-Length: ${ORDER.length}\r\n\r\n${ORDER}`;
}

/** A connection on which requests are sent as text and answers split by their length. */
export class RawClient {
  readonly socket: Socket;
  readonly answers: string[] = [];
  isClosed = false;
  #received = '';
  #wake: () => void = () => {};

  /** One that is half open does not close when the server does, as some never do. */
  constructor(port: number, { isHalfOpen = false } = {}) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: isHalfOpen });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk: string) => {
      this.#received += chunk;
      this.#split();
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** Resolves when so many answers are there, or the connection is closed. */
  async until(count: number): Promise<readonly string[]> {
    while (this.answers.length < count && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.answers;
  }

  async closed(): Promise<void> {
    await this.until(Number.POSITIVE_INFINITY);
  }

  async ask(text: string): Promise<string> {
    const count = this.answers.length + 1;
    this.send(text);
    return (await this.until(count))[count - 1] ?? 'nothing';
  }

  close(): void {
    this.socket.destroy();
  }

  #split(): void {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? Number.NaN);
      if (end === -1 || !(this.#received.length >= end + 4 + length)) return;
      this.answers.push(this.#received.slice(0, end + 4 + length));
      this.#received = this.#received.slice(end + 4 + length);
      this.#wake();
    }
  }
}

/** How many connections the server has. */
export function held(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

/** Whether the server holds no more than so many, soon enough for any machine. */
export async function isDownTo(server: Server, count: number): Promise<boolean> {
  for (let turn = 0; turn < 200; turn += 1) {
    if ((await held(server)) <= count) return true;
    await pause(20);
  }
  return false;
}
