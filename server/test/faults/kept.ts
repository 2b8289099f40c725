// Requests on kept connections while either side stalls or the machine is busy: a connection is never closed on one of them.
import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@sibyl/sdk';
import { type Draw, drawFrom } from '../../../lane/test/workload.ts';
import { startSeeded } from '../seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../server-process.ts';
import { drawOrder, openTrader, type Trader } from './trader.ts';

export interface KeptReport {
  readonly requests: number;
  /** Of those, how many used a connection again. */
  readonly reused: number;
  /** Pauses of the server, and of the clients. */
  readonly stalls: readonly [number, number];
  /** What ended a request in place of an answer. */
  readonly cut: readonly string[];
}

export interface KeptOptions {
  readonly requests: number;
  readonly seed: number;
  /** Takes all cores from server and clients, twice over. */
  readonly isBusy: boolean;
}

const CLIENTS = 24;
/** Longer than the announced timeout, from the last answer to the next request. */
const STALL_MS = 7_000;
const PAUSE_MS_MAX = 5_000;
/** One pause in so many requests. */
const REQUESTS_PER_PAUSE = 100;
const STALLS_MIN = 2;
const REQUESTS_PER_STALL = 10_000;

export async function runKept(
  options: KeptOptions,
  progress: (requests: number) => void = () => {},
): Promise<KeptReport> {
  const data = temporaryFolder();
  const environment = { LANES: 'sandbox', RATE_MULTIPLIER: '0' };
  const server = await startSeeded({ dataDir: data.folder, environment });
  const hogs: ChildProcess[] = [];
  try {
    const client = createClient({ baseUrl: `${server.baseUrl}/sandbox` });
    const trader = await openTrader(client, 'kept');
    if (options.isBusy) hogs.push(...startHogs());
    return await new KeptRun(server, trader, options).run(progress);
  } finally {
    for (const hog of hogs) hog.kill('SIGKILL');
    await server.stop();
    data.remove();
  }
}

class KeptRun {
  readonly #server: Started;
  readonly #trader: Trader;
  readonly #draw: Draw;
  readonly #wanted: number;
  readonly #stallEvery: number;
  readonly #cut: string[] = [];
  #requests = 0;
  #reused = 0;
  #stalls: [number, number] = [0, 0];
  /** The clients wait for the end of a stall with their next requests. */
  #stalling: Promise<void> = Promise.resolve();

  constructor(server: Started, trader: Trader, { requests, seed }: KeptOptions) {
    this.#server = server;
    this.#trader = trader;
    this.#draw = drawFrom(seed);
    this.#wanted = requests;
    const stalls = Math.max(STALLS_MIN, Math.floor(requests / REQUESTS_PER_STALL));
    this.#stallEvery = Math.ceil(requests / (stalls + 1));
  }

  async run(progress: (requests: number) => void): Promise<KeptReport> {
    const asking = Array.from({ length: CLIENTS }, () => this.#ask(progress));
    await Promise.all(asking);
    const counts = { requests: this.#requests, reused: this.#reused, stalls: this.#stalls };
    return { ...counts, cut: this.#cut };
  }

  /** A client with one connection, which it keeps as long as it is let. */
  async #ask(progress: (requests: number) => void): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (this.#requests < this.#wanted) {
      this.#requests += 1;
      const count = this.#requests;
      if (count % this.#stallEvery === 0) this.#stalling = this.#stall(count / this.#stallEvery);
      if (count % 5_000 === 0) progress(count);
      await this.#stalling;
      await this.#send(agent, count).catch((error: unknown) => this.#cut.push(String(error)));
      if (this.#draw(REQUESTS_PER_PAUSE) === 0) await sleep(this.#draw(PAUSE_MS_MAX));
    }
    agent.destroy();
  }

  /** Requests wait for the server, or connections for the clients, longer than an idle connection is promised to live. */
  async #stall(number: number): Promise<void> {
    if (number % 2 === 0) {
      this.#stalls[1] += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
      return;
    }
    this.#stalls[0] += 1;
    // Idle connections are near their end when the server stops reading.
    await sleep(STALL_MS / 2);
    this.#server.child.kill('SIGSTOP');
    setTimeout(() => this.#server.child.kill('SIGCONT'), STALL_MS / 2);
  }

  /** An order for the fast path, or a read for Node's HTTP. */
  #send(agent: Agent, count: number): Promise<void> {
    const isOrder = this.#draw(2) === 0;
    const body = isOrder
      ? JSON.stringify(drawOrder(this.#draw, this.#trader, `kept-${count}`))
      : '';
    const path = isOrder ? '/v1/orders' : '/v1/markets?limit=2';
    const headers = {
      authorization: `Bearer ${this.#trader.token}`,
      ...(isOrder && { 'content-type': 'application/json', 'content-length': body.length }),
    };
    const method = isOrder ? 'POST' : 'GET';
    return new Promise((resolve, reject) => {
      const url = `${this.#server.baseUrl}/sandbox${path}`;
      const sent = request(url, { agent, method, headers }, (answer) => {
        if (sent.reusedSocket) this.#reused += 1;
        const { statusCode = 0 } = answer;
        if (statusCode >= 500) this.#cut.push(`status ${statusCode}`);
        answer.once('end', resolve).once('error', reject).resume();
      });
      sent.once('error', reject).end(body);
    });
  }
}

function startHogs(): readonly ChildProcess[] {
  const count = 2 * availableParallelism();
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;) {}']));
}
