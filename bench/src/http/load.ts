// The load generator: keeps connections busy, or sends at a given pace, and times every answer.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { percentile } from '../harness/statistics.ts';
import type { Measurement } from '../suite.ts';
import { Connection } from './connection.ts';
import { BATCH_ITEMS, OrderRequests, readRoster, type Shape, type Shown } from './orders.ts';

export interface LoadOptions {
  readonly port: number;
  readonly rosterFile: string;
  readonly shape: Shape;
  readonly shown: Shown;
  readonly connections: number;
  readonly seconds: number;
  /** Requests per second; null sends the next one on a connection as soon as the last is answered. */
  readonly pace: number | null;
  /** Ends before its time after so many. */
  readonly requestsMax: number;
}

const OK = 200;
export const REQUESTS_MAX = 1_000_000;
/**
 * Made before the time runs: whoever signs has more to do for a request than whoever shows a key, and a load that is slower to
 * send finds the server with fewer orders to write at once.
 */
const PREPARED_MAX = 30_000;
const PACE_TICK_MS = 1;
/** Every item of a batch must have been placed. */
const BATCH_WHOLE = Buffer.from('"failed":0');

export async function runLoad(options: LoadOptions): Promise<Measurement> {
  moveToCore(1);
  return await new Load(options).run();
}

class Load {
  readonly #options: LoadOptions;
  readonly #requests: OrderRequests;
  readonly #prepared: Buffer[];
  readonly #latencies = new Float64Array(REQUESTS_MAX);
  readonly #idle: Connection[] = [];
  #underWay = 0;
  #answers = 0;
  #failures = 0;
  #endMs = 0;
  #settle: (() => void) | null = null;
  #defect: Error | null = null;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { rosterFile, shape, shown } = options;
    this.#requests = new OrderRequests(readRoster(rosterFile), shape, Date.now(), shown);
    const count = Math.min(options.requestsMax, PREPARED_MAX);
    this.#prepared = Array.from({ length: count }, () => this.#made());
  }

  async run(): Promise<Measurement> {
    const { connections, seconds, pace, shape } = this.#options;
    const opened = Array.from({ length: connections }, () => this.#connection());
    await Promise.all(opened.map((connection) => connection.open()));
    const startMs = performance.now();
    this.#endMs = startMs + seconds * 1000;
    const done = new Promise<void>((resolve) => {
      this.#settle = resolve;
    });
    if (pace === null) for (const connection of opened) this.#send(connection, startMs);
    else this.#keepPace(opened, startMs, 1000 / pace);
    await done;
    const wallMs = performance.now() - startMs;
    for (const connection of opened) connection.close();
    if (this.#defect !== null) throw this.#defect;
    const latencies = this.#latencies.subarray(0, this.#answers).sort();
    return {
      orders: this.#answers * (shape === 'batch' ? BATCH_ITEMS : 1),
      failures: this.#failures,
      wallMs,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
    };
  }

  #connection(): Connection {
    const answered = (connection: Connection, status: number, bytes: Buffer): void => {
      const nowMs = performance.now();
      this.#latencies[this.#answers] = nowMs - connection.dueMs;
      this.#answers += 1;
      this.#check(status, bytes);
      this.#underWay -= 1;
      if (nowMs < this.#endMs && this.#answers + this.#underWay < this.#options.requestsMax) {
        if (this.#options.pace === null) this.#send(connection, nowMs);
        else this.#idle.push(connection);
      } else if (this.#underWay === 0) this.#settle?.();
    };
    return new Connection(this.#options.port, answered, (error) => {
      this.#defect = error;
      this.#settle?.();
    });
  }

  #send(connection: Connection, dueMs: number): void {
    connection.dueMs = dueMs;
    this.#underWay += 1;
    connection.send(this.#prepared.pop() ?? this.#made());
  }

  #made(): Buffer {
    return Buffer.from(this.#requests.next(), 'latin1');
  }

  /** A request that finds no free connection waits for one, and its wait counts: it was due before. */
  #keepPace(opened: readonly Connection[], startMs: number, gapMs: number): void {
    this.#idle.push(...opened);
    let sent = 0;
    const tick = (): void => {
      const nowMs = performance.now();
      while (this.#idle.length > 0 && startMs + sent * gapMs <= nowMs) {
        // The one that rested longest: a server ends a connection that rests for seconds, perhaps just now.
        this.#send(this.#idle.shift()!, startMs + sent * gapMs);
        sent += 1;
      }
      if (nowMs < this.#endMs) setTimeout(tick, PACE_TICK_MS);
      else if (this.#underWay === 0) this.#settle?.();
    };
    tick();
  }

  #check(status: number, bytes: Buffer): void {
    const isWhole = this.#options.shape === 'single' || bytes.includes(BATCH_WHOLE);
    if (status === OK && isWhole) return;
    if (this.#failures === 0) process.stderr.write(`\nbench: ${bytes.toString().slice(0, 1500)}\n`);
    this.#failures += 1;
  }
}

/** Away from the server, where there are two cores and the system can do it. */
function moveToCore(core: number): void {
  if (cpus().length <= core) return;
  spawnSync('taskset', ['-a', '-p', '-c', String(core), String(process.pid)], { stdio: 'ignore' });
}
