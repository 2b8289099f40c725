// A plain HTTP client on kept connections: everything the suite sends goes over a real socket.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sent {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Undefined unless the text is JSON. */
  readonly body: unknown;
}

export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 12 });

  async send(sent: Sent): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(sent);
      } catch (error) {
        // The server ends idle connections; one that ended just now was never read from.
        if (!(error instanceof ReusedSocketGone) || attempt === 3) throw error;
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #once({ port, method, path, headers, body }: Sent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const call = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { ...length, ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const status = response.statusCode ?? 0;
            resolve({ status, headers: response.headers, text, body: parsed(text) });
          });
        },
      );
      call.on('error', (error) => reject(call.reusedSocket ? new ReusedSocketGone() : error));
      call.end(body ?? undefined);
    });
  }
}

class ReusedSocketGone extends Error {
  override readonly name = 'ReusedSocketGone';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
