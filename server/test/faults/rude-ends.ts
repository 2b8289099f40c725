// Rude ends of the whole server, with orders between them: every start succeeds, and what was acknowledged is there once.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SibylClient } from '@sibyl/sdk';
import { type Draw, drawFrom } from '../../../lane/test/workload.ts';
import { seedSandbox } from '../seeded-sandbox.ts';
import { type Started, startServer, temporaryFolder } from '../server-process.ts';
import { drawOrder, openTrader, type Trader } from './trader.ts';

export interface RudeEndReport {
  /** By signal, and whether it came twice. */
  readonly ends: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  /** Requests without an answer; each was sent again to the next server. */
  readonly unknown: number;
}

const LAUNCHER = [process.execPath, 'scripts/run.mjs', 'server/src/main.ts'] as const;
const SIGNALS = ['SIGKILL', 'SIGINT', 'SIGTERM'] as const;
const AGAIN_WITHIN_MS = 400;
const TRADERS = 3;
/** An endpoint that does not answer: deliveries and events of keys are kept until it does. */
const NOWHERE = '127.0.0.1:9';

/** Throws at the first promise that was broken. */
export async function runRudeEnds(
  ends: number,
  seed: number,
  progress: (end: number) => void = () => {},
): Promise<RudeEndReport> {
  const data = temporaryFolder();
  const run = new RudeEndRun(data.folder, drawFrom(seed));
  try {
    await seedSandbox(data.folder);
    for (let end = 1; end <= ends; end += 1) {
      await run.round(end);
      progress(end);
    }
    return await run.finish();
  } finally {
    run.kill();
    data.remove();
  }
}

class RudeEndRun {
  readonly #dataDir: string;
  readonly #draw: Draw;
  readonly #ends: Record<string, number> = {};
  /** The ids of acknowledged orders by their client_order_id. */
  readonly #acknowledged = new Map<string, string>();
  #unanswered: { readonly name: string; readonly order: object }[] = [];
  #server: Started | null = null;
  #trader: Trader | null = null;
  #orders = 0;
  #unknown = 0;
  #isEnding = false;

  constructor(dataDir: string, draw: Draw) {
    this.#dataDir = dataDir;
    this.#draw = draw;
  }

  /** A start, a look at what the last end left, orders, and an end among them. */
  async round(end: number): Promise<void> {
    const server = await this.#start();
    await this.#checkLast(server);
    this.#isEnding = false;
    const trading = Array.from({ length: TRADERS }, () => this.#trade(server));
    // After so many orders and not after a time, so that a slow machine has as much to lose as a fast one.
    const enough = this.#orders + 10 + this.#draw(30);
    while (this.#orders < enough) await sleep(5);
    await this.#end(server, end);
    await Promise.all(trading);
  }

  async finish(): Promise<RudeEndReport> {
    const server = await this.#start();
    await this.#checkLast(server);
    const listed = new Map<string, string>();
    for await (const order of this.#client(server).account.orders({ status: 'all' })) {
      const { client_order_id: name, order_id: id } = order;
      if (name == null) continue;
      if (listed.has(name)) throw new Error(`${name} is there twice`);
      listed.set(name, id);
    }
    for (const [name, id] of this.#acknowledged) {
      if (listed.get(name) !== id) throw new Error(`${name} was acknowledged as ${id} and is lost`);
    }
    if ((await server.stop()) !== 0) throw new Error(`the last stop failed:\n${server.output()}`);
    const acknowledged = this.#acknowledged.size;
    return { ends: this.#ends, acknowledged, unknown: this.#unknown };
  }

  kill(): void {
    const child = this.#server?.child;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  }

  async #start(): Promise<Started> {
    const environment = { LANES: 'sandbox', RATE_MULTIPLIER: '0', WEBHOOK_ALLOW: NOWHERE };
    const options = { dataDir: this.#dataDir, environment, command: LAUNCHER, isGroup: true };
    const server = await startServer(options);
    this.#server = server;
    this.#trader ??= await this.#open(server);
    return server;
  }

  async #open({ baseUrl }: Started): Promise<Trader> {
    const client = createClient({ baseUrl: `${baseUrl}/sandbox` });
    const trader = await openTrader(client, 'ends');
    const event_types = ['key.created', 'order.filled'];
    const owner = client.withToken(trader.token);
    await owner.webhooks.create({ url: `http://${NOWHERE}/hooks`, event_types });
    return trader;
  }

  #client({ baseUrl }: Started): SibylClient {
    return createClient({ baseUrl: `${baseUrl}/sandbox`, token: this.#trader!.token });
  }

  /** Sends unknown orders again, and compares the last acknowledged ones with what the server has. */
  async #checkLast(server: Started): Promise<void> {
    const unanswered = this.#unanswered.splice(0);
    this.#unknown += unanswered.length;
    for (const { name, order } of unanswered) await this.#place(server, name, order);
    const client = this.#client(server);
    for (const [name, id] of [...this.#acknowledged].slice(-20)) {
      const found = await client.orders.get(`coid:${name}`).catch(() => null);
      if (found?.order_id !== id) throw new Error(`${name} was acknowledged as ${id} and is lost`);
    }
  }

  async #trade(server: Started): Promise<void> {
    while (!this.#isEnding) {
      this.#orders += 1;
      const name = `end-${this.#orders}`;
      const order = drawOrder(this.#draw, this.#trader!, name);
      const isAnswered = await this.#place(server, name, order).catch((error: unknown) => {
        if (!this.#isEnding) throw error;
        return false;
      });
      if (!isAnswered) this.#unanswered.push({ name, order });
    }
  }

  /** True if it was decided. */
  async #place({ baseUrl }: Started, name: string, order: object): Promise<boolean> {
    const answer = await fetch(`${baseUrl}/sandbox/v1/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#trader!.token}`,
        'content-type': 'application/json',
        'idempotency-key': `key-of-${name}`,
      },
      body: JSON.stringify(order),
    });
    const { ok, data, error } = (await answer.json()) as {
      readonly ok: boolean;
      readonly data: { readonly order_id: string };
      readonly error: { readonly code: string };
    };
    if (ok) this.#acknowledged.set(name, data.order_id);
    else if (answer.status >= 500) throw new Error(`the server failed: ${error.code}`);
    return true;
  }

  /** The signal to the process group, once or twice; only kill -9 may end it with anything but 0. */
  async #end({ child, ended, output }: Started, end: number): Promise<void> {
    const signal = SIGNALS[end % SIGNALS.length]!;
    const isTwice = signal !== 'SIGKILL' && end % 4 < 3;
    const kind = isTwice ? `${signal} twice` : signal;
    this.#ends[kind] = (this.#ends[kind] ?? 0) + 1;
    this.#isEnding = true;
    process.kill(-child.pid!, signal);
    if (isTwice) {
      await sleep(this.#draw(AGAIN_WITHIN_MS));
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, signal);
    }
    const code = await ended;
    if (signal !== 'SIGKILL' && code !== 0)
      throw new Error(`${kind} ended with ${code}:\n${output()}`);
  }
}
