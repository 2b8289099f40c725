// A receiver of webhooks on this machine, in whichever mood a journey needs.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly signature: string;
  readonly body: string;
}

export class Receiver {
  readonly #server: Server;
  readonly #received: Received[] = [];
  #waiting: (() => void)[] = [];
  /** What it answers. */
  status = 200;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const signature = String(request.headers['x-svc-signature']);
        this.#received.push({ signature, body: Buffer.concat(chunks).toString() });
        response.writeHead(this.status).end('seen');
        for (const wake of this.#waiting.splice(0)) wake();
      });
    });
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  /** What came, once there are so many. */
  async received(count: number): Promise<readonly Received[]> {
    while (this.#received.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.#received;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
