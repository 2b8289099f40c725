// A plain HTTP client on kept connections: everything the suite sends goes over a real socket.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface Sent {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  /** Whether it may be answered straight on the socket, which the first request of a connection decides for good. */
  readonly isDirect?: boolean;
  /** Where the connection comes from; any of 127.0.0.0/8. */
  readonly localAddress?: string | undefined;
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

  /** Several requests in one write on one connection: the server has read all before it answers any. */
  pipeline(port: number, all: readonly Sent[]): Promise<readonly Answer[]> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port });
      let received: Buffer = Buffer.alloc(0);
      const answers: Answer[] = [];
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`closed after ${answers.length} answers`)));
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        for (let next = firstAnswer(received); next !== null; next = firstAnswer(received)) {
          answers.push(next.answer);
          received = next.rest;
        }
        if (answers.length < all.length) return;
        resolve(answers);
        socket.destroy();
      });
      socket.write(Buffer.concat(all.map(asBytes)));
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #once({ port, method, path, headers, body, localAddress, isDirect }: Sent): Promise<Answer> {
    const agent = isDirect === true ? new Agent({ keepAlive: true }) : this.#agent;
    const answer = new Promise<Answer>((resolve, reject) => {
      const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const call = request(
        {
          agent,
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { ...length, ...headers },
          ...(localAddress === undefined ? {} : { localAddress }),
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
    return agent === this.#agent ? answer : answer.finally(() => agent.destroy());
  }
}

class ReusedSocketGone extends Error {
  override readonly name = 'ReusedSocketGone';
}

function asBytes({ method, path, headers, body }: Sent): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.from(body ?? '');
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${bytes.length}\r\n`;
  return Buffer.concat([Buffer.from(`${head}${lines.join('')}\r\n`), bytes]);
}

/** Null until all of it has come. */
function firstAnswer(bytes: Buffer): { readonly answer: Answer; readonly rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [status = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = end + 4;
  const length = Number(headers['content-length']);
  if (bytes.length < start + length) return null;
  const text = bytes.subarray(start, start + length).toString('utf8');
  const answer = { status: Number(status.split(' ')[1]), headers, text, body: parsed(text) };
  return { answer, rest: bytes.subarray(start + length) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
