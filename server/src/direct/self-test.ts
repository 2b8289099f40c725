// Whether plain requests can be answered straight on the socket here: tried on a connection of our own before any other is
// taken, because it rests on parts of Node that are not documented.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { operations } from '@sibyl/contract';
import { systemClock } from '@sibyl/lane';
import type { DirectRoute } from './direct-exchange.ts';
import { DirectFront } from './direct-front.ts';

/** A machine may be busy; whoever waits for this long finds Node's own way no slower. */
const PATIENCE_MS = 3_000;

/** Of different lengths: what is left in memory of the first must not be read as part of the second. */
const BODIES = ['{"probe":"the longer one of the two"}', '{"probe":"short"}'] as const;
const NODES_ANSWER = 'answered by Node';
const HEAD_END = '\r\n\r\n';

/** Null if plain requests are answered here and any other by Node, on one connection; else what happened instead. */
export async function testDirectFront(): Promise<string | null> {
  const server = createServer((_request, response) => response.end(NODES_ANSWER));
  try {
    const front = new DirectFront(server, {
      routes: new Map([['POST / HTTP/1.1', echo()]]),
      clock: systemClock,
      requestId: () => 'probe',
      drain: { isDraining: false },
      requestsPerSocketMax: 1_000,
      keepAliveMs: PATIENCE_MS,
      idleMs: PATIENCE_MS,
    });
    try {
      return await talk(server);
    } finally {
      front.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function talk(server: Server): Promise<string | null> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  const client = new Client((server.address() as AddressInfo).port);
  try {
    for (const body of BODIES) {
      const answer = await client.ask(plainRequest(body));
      if (answer === NODES_ANSWER) return "Node's sockets are not as this needs them";
      if (answer !== body) return 'bytes come otherwise than they were sent';
    }
    const other = await client.ask('GET / HTTP/1.1\r\nHost: probe\r\n\r\n');
    return other === NODES_ANSWER ? null : 'Node does not take a connection over';
  } finally {
    client.close();
  }
}

function plainRequest(body: string): string {
  return `POST / HTTP/1.1\r\nHost: probe\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A route that lets everybody in and says what it was told. */
function echo(): DirectRoute {
  const route = { operation: operations.placeOrder, address: 'sandbox' } as const;
  return {
    route,
    method: 'POST',
    path: '/',
    query: {},
    readBody: null,
    check: () => true,
    serialize: JSON.stringify,
    gate: (_request, _reply, done) => done(),
    admitBody: () => null,
    answer: (request, reply) => reply.send(request.body),
    responder: {
      isKept: () => false,
      record: () => {},
      sendError: (_request, reply, error) => reply.code(500).send(String(error)),
    },
    routeOptions: { config: { route } },
  };
}

/** The other end: asks, and reads the body of the answer. */
class Client {
  readonly #socket;
  #received = '';
  #ended: string | null = null;
  #wake: () => void = () => {};

  constructor(port: number) {
    const socket = connect({ host: '127.0.0.1', port });
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.setTimeout(PATIENCE_MS, () => this.#end(`no answer in ${PATIENCE_MS} ms`));
    socket.on('error', ({ message }) => this.#end(message));
    socket.on('close', () => this.#end('the connection was lost'));
    socket.on('data', (text: string) => {
      this.#received += text;
      this.#wake();
    });
  }

  async ask(request: string): Promise<string> {
    this.#received = '';
    this.#socket.write(request, 'latin1');
    for (;;) {
      const answer = bodyOf(this.#received);
      if (answer !== null) return answer;
      if (this.#ended !== null) throw new Error(this.#ended);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #end(reason: string): void {
    this.#ended ??= reason;
    this.#wake();
  }
}

/** Null until all of it has come. */
function bodyOf(text: string): string | null {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1]);
  const body = text.slice(headEnd + HEAD_END.length);
  return body.length === length ? body : null;
}
