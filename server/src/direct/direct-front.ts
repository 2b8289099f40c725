// Connections before Node's HTTP sees them: plain requests for the routes that matter are answered here, and the first
// one that is anything else takes its connection to Node for good.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@sibyl/lane';
import { farewell, unlessBytesWait } from '../gateway/farewell.ts';
import { adopt, isAdoptable } from './adopted-socket.ts';
import { type Carrier, DirectExchange, type DirectRoute } from './direct-exchange.ts';
import { type PlainRequest, readPlainRequest } from './request-text.ts';

export interface DirectOptions {
  readonly routes: ReadonlyMap<string, DirectRoute>;
  readonly clock: Clock;
  readonly requestId: () => string;
  readonly drain: { readonly isDraining: boolean };
  /** The same as Node's server is told. */
  readonly requestsPerSocketMax: number;
  /** What `Keep-Alive` announces. */
  readonly keepAliveMs: number;
  /** How long an idle connection is kept. */
  readonly idleMs: number;
}

const CHECK_EVERY_MS = 1_000;

type Listener = (socket: Socket) => void;

export class DirectFront {
  readonly options: DirectOptions;
  readonly #server: Server;
  readonly #node: Listener;
  readonly #connections = new Map<Socket, DirectConnection>();
  readonly #idleChecksMax: number;
  readonly #keepAliveLines: string;
  /** Checks made so far: the clock by which connections are idle. */
  checks = 0;
  /** Requests that were answered here. */
  answered = 0;
  #stop: () => void;
  #keptOpen = '';
  #closed = '';
  #lastHeadersSec = 0;

  /** Takes the server's connections from now on. */
  constructor(server: Server, options: DirectOptions) {
    this.options = options;
    this.#server = server;
    const { keepAliveMs, idleMs, requestsPerSocketMax } = options;
    const seconds = Math.floor(keepAliveMs / 1000);
    this.#keepAliveLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}, max=${requestsPerSocketMax}\r\n\r\n`;
    this.#idleChecksMax = idleMs / CHECK_EVERY_MS;
    const listeners = server.listeners('connection') as Listener[];
    server.removeAllListeners('connection');
    const [node, ...others] = listeners;
    if (node === undefined) throw new Error('the server does not listen for connections');
    this.#node = node;
    server.on('connection', (accepted: Socket) => {
      const socket = this.#take(accepted);
      for (const other of others) other.call(server, socket);
    });
    this.#stop = this.#checkLater();
  }

  /** Ends what is idle; what is being answered ends with its answer. */
  close(): void {
    this.#stop();
    for (const connection of this.#connections.values()) connection.endIfIdle();
  }

  forget(socket: Socket): void {
    this.#connections.delete(socket);
  }

  /** Whether a request of a connection is being answered here. */
  isAnswering(socket: Socket): boolean {
    return this.#connections.get(socket)?.isBusy ?? false;
  }

  /** From here on the connection is Node's, beginning with these bytes. */
  handOver(socket: Socket, chunks: readonly Buffer[]): void {
    socket.pause();
    this.#node.call(this.#server, socket);
    for (const chunk of chunks.toReversed()) socket.unshift(chunk);
    socket.resume();
  }

  /** The last lines of a head, made once a second. */
  lastHeaders(isLast: boolean): string {
    const nowSec = Math.floor(this.options.clock.wallMs() / 1000);
    if (nowSec !== this.#lastHeadersSec) {
      const date = `Date: ${new Date(nowSec * 1000).toUTCString()}\r\n`;
      this.#lastHeadersSec = nowSec;
      this.#keptOpen = date + this.#keepAliveLines;
      this.#closed = `${date}Connection: close\r\n\r\n`;
    }
    return isLast ? this.#closed : this.#keptOpen;
  }

  #take(accepted: Socket): Socket {
    if (!isAdoptable(accepted)) {
      this.#node.call(this.#server, accepted);
      return accepted;
    }
    try {
      const connection = new DirectConnection(this, accepted);
      this.#connections.set(connection.socket, connection);
      return connection.socket;
    } catch {
      // Neither Node nor we could read from it any more. Where that happens, the self-test at the start has found it.
      return accepted.destroy();
    }
  }

  #checkLater(): () => void {
    return this.options.clock.setAlarm(CHECK_EVERY_MS, () => {
      this.#stop = this.#checkLater();
      this.checks += 1;
      for (const connection of this.#connections.values())
        connection.check(this.checks, this.#idleChecksMax);
    });
  }
}

class DirectConnection implements Carrier {
  readonly socket: Socket;
  readonly #front: DirectFront;
  /** Bytes that came while a request was being answered. */
  #held: Buffer[] = [];
  isBusy = false;
  #isNodes = false;
  #isLast = false;
  #answered = 0;
  #idleSince: number;
  /** Whoever has said everything may still be owed an answer. */
  readonly #onEnd = (): void => {
    if (this.isBusy) this.#isLast = true;
    else this.socket.end();
  };
  readonly #onClose = (): void => this.#front.forget(this.socket);
  readonly #onError = (): void => {
    this.socket.destroy();
  };

  constructor(front: DirectFront, accepted: Socket) {
    const socket = adopt(accepted, (bytes) => this.#arrive(bytes));
    this.#front = front;
    this.socket = socket;
    this.#idleSince = front.checks;
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onClose);
    socket.on('error', this.#onError);
  }

  lastLines(hasClose: boolean): string {
    this.#answered += 1;
    const { drain, requestsPerSocketMax } = this.#front.options;
    this.#isLast ||= hasClose || drain.isDraining || this.#answered >= requestsPerSocketMax;
    return this.#front.lastHeaders(this.#isLast);
  }

  finished(): void {
    this.#front.answered += 1;
    this.isBusy = false;
    this.#idleSince = this.#front.checks;
    if (this.#isLast) this.#end();
    else if (this.#held.length > 0) this.#handOver(this.#held);
  }

  endIfIdle(): void {
    if (!this.isBusy && !this.#isNodes) this.#end();
  }

  /** Hands unused connections to Node, which has its own timeout; closes used ones after the keep-alive timeout. */
  check(checks: number, idleChecksMax: number): void {
    if (this.isBusy || this.socket.writableEnded) return;
    const idle = checks - this.#idleSince;
    if (this.#answered === 0 && idle > 1) this.#handOver([]);
    else if (idle > idleChecksMax) unlessBytesWait(this.socket, () => this.endIfIdle());
  }

  /** What is kept of the bytes is a copy; more of them must wait while a request is being answered. */
  #arrive(bytes: Buffer): boolean {
    if (this.#isNodes) return this.socket.push(Buffer.from(bytes));
    // It had its last answer, or was refused: nothing that it still sends is done.
    if (this.socket.writableEnded) return true;
    if (this.isBusy) {
      this.#held.push(Buffer.from(bytes));
      return false;
    }
    this.#read(bytes);
    return true;
  }

  #read(bytes: Buffer): void {
    const { options } = this.#front;
    // Whom too many answers wait for is Node's, which reads no more from those who do not read.
    const isForNode = options.drain.isDraining || this.socket.writableNeedDrain;
    const request = isForNode ? null : readPlainRequest(bytes);
    const route = request === null ? undefined : options.routes.get(request.line);
    if (request === null || route === undefined || isTooLong(request, route, bytes)) {
      this.#handOver([Buffer.from(bytes)]);
      return;
    }
    this.isBusy = true;
    const exchange = new DirectExchange(route, this, options.requestId(), request.headers);
    exchange.run(bytes, request.bodyAt);
  }

  #end(): void {
    this.#held = [];
    farewell(this.socket, this.#front.options.clock);
  }

  #handOver(chunks: readonly Buffer[]): void {
    const { socket } = this;
    this.#held = [];
    // The other side has closed meanwhile, so nobody would hear an answer.
    if (!socket.writable) return;
    this.#isNodes = true;
    this.#front.forget(socket);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
    socket.off('error', this.#onError);
    this.#front.handOver(socket, chunks);
  }
}

/** How that is told, is for Node and Fastify. */
function isTooLong({ bodyAt }: PlainRequest, { route }: DirectRoute, bytes: Buffer): boolean {
  return bytes.length - bodyAt > route.operation.bodyBytesMax;
}
