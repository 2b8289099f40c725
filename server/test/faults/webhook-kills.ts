// kill -9 of the real server under trading, with webhooks on their way to a hostile receiver, again and again.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SibylClient } from '@sibyl/sdk';
import { type Draw, drawFrom } from '../../../lane/test/workload.ts';
import { seedSandbox } from '../seeded-sandbox.ts';
import { type Started, startServer, temporaryFolder } from '../server-process.ts';
import { type Arrival, HostileReceiver } from './hostile-receiver.ts';
import { drawMarket, drawOrder, openTrader, type Trader } from './trader.ts';

export interface WebhookKillReport {
  readonly kills: number;
  readonly orders: number;
  readonly events: number;
  readonly arrivals: number;
  /** Events that came more than once. */
  readonly repeated: number;
  /** Arrivals by what the receiver did with them. */
  readonly moods: Readonly<Record<string, number>>;
  /** Arrivals under two signatures. */
  readonly doublySigned: number;
}

const EVENT_TYPES = [
  'order.accepted',
  'order.partially_filled',
  'order.filled',
  'order.cancelled',
  'trade.executed',
  'position.updated',
];
const TRADERS = 3;
const DRAINED_WITHIN_MS = 60_000;

/** Throws at the first promise that was broken. */
export async function runWebhookKills(
  kills: number,
  seed: number,
  progress: (kill: number) => void = () => {},
): Promise<WebhookKillReport> {
  const data = temporaryFolder();
  const run = new WebhookKillRun(data.folder, drawFrom(seed));
  try {
    await run.begin();
    for (let kill = 1; kill <= kills; kill += 1) {
      if (kill === Math.ceil(kills / 2)) await run.rotate();
      await run.tradeUntilKilled();
      progress(kill);
    }
    return await run.finish(kills);
  } finally {
    await run.close();
    data.remove();
  }
}

class WebhookKillRun {
  readonly #dataDir: string;
  readonly #draw: Draw;
  readonly #receiver: HostileReceiver;
  readonly #secrets: string[] = [];
  #server: Started | null = null;
  #allowed = '';
  #trader: Trader = { token: '', markets: [] };
  #webhookId = '';
  #orders = 0;
  #killAt = 0;
  #rotation = { beganMs: Number.POSITIVE_INFINITY, endedMs: Number.POSITIVE_INFINITY };

  constructor(dataDir: string, draw: Draw) {
    this.#dataDir = dataDir;
    this.#draw = draw;
    this.#receiver = new HostileReceiver(draw);
  }

  async begin(): Promise<void> {
    this.#allowed = await this.#receiver.listen();
    await seedSandbox(this.#dataDir);
    const client = await this.#start();
    this.#trader = await openTrader(client, 'kills');
    const webhook = await client.withToken(this.#trader.token).webhooks.create({
      url: `http://${this.#allowed}/hooks`,
      event_types: EVENT_TYPES,
    });
    this.#webhookId = webhook.webhook_id;
    this.#secrets.push(String(webhook.secret));
  }

  /** Between two kills; deliveries of before may still be on their way. */
  async rotate(): Promise<void> {
    const client = await this.#client();
    this.#rotation = { ...this.#rotation, beganMs: Date.now() };
    const { secret } = await client.webhooks.rotateSecret(this.#webhookId);
    this.#secrets.push(String(secret));
    this.#rotation = { ...this.#rotation, endedMs: Date.now() };
  }

  /** After so many orders and not after a time, so that a slow machine has as much to deliver as a fast one. */
  async tradeUntilKilled(): Promise<void> {
    const server = this.#server ?? (await this.#startAnew());
    this.#killAt = this.#orders + 30 + this.#draw(60);
    await Promise.all(Array.from({ length: TRADERS }, () => this.#trade(server)));
    this.#server = null;
    // A server that dies while it catches up must go on all the same.
    if (this.#draw(3) !== 0) return;
    const victim = await this.#startAnew();
    await sleep(this.#draw(300));
    await victim.stop('SIGKILL');
    this.#server = null;
  }

  async finish(kills: number): Promise<WebhookKillReport> {
    const client = await this.#client();
    this.#receiver.heal();
    await this.#drain(client);
    await checkCompleteness(client, this.#receiver.arrivals);
    const doublySigned = this.#checkSignatures();
    checkOrder(this.#receiver.arrivals);
    const { arrivals } = this.#receiver;
    const events = new Set(arrivals.map(({ eventId }) => eventId)).size;
    const moods: Record<string, number> = {};
    for (const { mood } of arrivals) moods[mood] = (moods[mood] ?? 0) + 1;
    const repeated = arrivals.length - events;
    const counts = { events, arrivals: arrivals.length, repeated };
    return { kills, orders: this.#orders, ...counts, moods, doublySigned };
  }

  async close(): Promise<void> {
    this.#receiver.close();
    await this.#server?.stop('SIGKILL');
  }

  async #client(): Promise<SibylClient> {
    const server = this.#server ?? (await this.#startAnew());
    return createClient({ baseUrl: `${server.baseUrl}/sandbox`, token: this.#trader.token });
  }

  async #start(): Promise<SibylClient> {
    const { baseUrl } = await this.#startAnew();
    return createClient({ baseUrl: `${baseUrl}/sandbox` });
  }

  async #startAnew(): Promise<Started> {
    const environment = { LANES: 'sandbox', WEBHOOK_ALLOW: this.#allowed, RATE_MULTIPLIER: '0' };
    this.#server = await startServer({ dataDir: this.#dataDir, environment });
    return this.#server;
  }

  /** One request after the other until the server is gone, at the hand of whoever sends the last one. */
  async #trade({ baseUrl, child, stop }: Started): Promise<void> {
    while (child.exitCode === null && child.signalCode === null) {
      this.#orders += 1;
      const killed =
        this.#orders === this.#killAt ? sleep(this.#draw(5)).then(() => stop('SIGKILL')) : null;
      const isCancel = this.#draw(8) === 0;
      const [method, path, body] = isCancel
        ? ['DELETE', `/v1/orders?market_id=${drawMarket(this.#draw, this.#trader)}`, undefined]
        : ['POST', '/v1/orders', JSON.stringify(this.#order())];
      const answer = await fetch(`${baseUrl}/sandbox${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#trader.token}`,
          'idempotency-key': `kill-${this.#orders}-key`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      }).catch(() => null);
      await killed;
      if (answer === null) return;
      const text = await answer.text().catch(() => '');
      if (answer.status >= 500) throw new Error(`the server failed: ${text}`);
    }
  }

  #order(): object {
    return drawOrder(this.#draw, this.#trader, `kill-${this.#orders}`);
  }

  async #drain(client: SibylClient): Promise<void> {
    const deadlineMs = Date.now() + DRAINED_WITHIN_MS;
    let before = -1;
    while (Date.now() < deadlineMs) {
      const open = await Promise.all(
        (['pending', 'waiting', 'retrying'] as const).map((status) =>
          client.webhooks.deliveries(this.#webhookId, { status, limit: 1 }),
        ),
      );
      const { length } = this.#receiver.arrivals;
      if (open.every(({ items }) => items.length === 0) && length === before) return;
      before = length;
      await sleep(250);
    }
    const late = await client.webhooks.deliveries(this.#webhookId, {
      status: 'retrying',
      limit: 3,
    });
    throw new Error(`deliveries are still pending: ${JSON.stringify(late.items)}`);
  }

  #checkSignatures(): number {
    let doubles = 0;
    const { beganMs, endedMs } = this.#rotation;
    for (const arrival of this.#receiver.arrivals) {
      const signers = signersOf(arrival, this.#secrets).join(' ');
      if (signers === '1 0') doubles += 1;
      // One that was begun before the rotation may arrive a moment after it.
      const expected =
        arrival.atMs < beganMs ? ['0'] : arrival.atMs < endedMs + 1_000 ? ['0', '1 0'] : ['1 0'];
      if (!expected.includes(signers)) {
        throw new Error(`${arrival.eventId} was signed by "${signers}", not by "${expected}"`);
      }
    }
    return doubles;
  }
}

/** Which of the shown secrets made each signature, in the order of the header; -1 for none of them. */
function signersOf({ headers, body }: Arrival, secrets: readonly string[]): readonly number[] {
  const header = headers['x-svc-signature'] ?? '';
  const t = /^t=(\d+),/.exec(header)?.[1] ?? '';
  return [...header.matchAll(/v1=([0-9a-f]{64})/g)].map(([, hex]) =>
    secrets.findIndex(
      (secret) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex') === hex,
    ),
  );
}

/** What the account's own lists show must have been told, and numbers of events have no gap. */
async function checkCompleteness(client: SibylClient, arrivals: readonly Arrival[]): Promise<void> {
  const accepted = arrivals.filter(({ acceptedAt }) => acceptedAt !== null);
  const numbers = new Set(accepted.map(({ sequence }) => sequence));
  const last = Math.max(...numbers);
  for (let sequence = 1; sequence <= last; sequence += 1) {
    if (!numbers.has(sequence)) throw new Error(`event ${sequence} of ${last} was not delivered`);
  }
  const told = new Set(accepted.map(({ type, aggregate }) => `${type} ${aggregate}`));
  for await (const { order_id: id, status } of client.account.orders({ status: 'all' })) {
    const types = status === 'rejected' ? [] : ['order.accepted'];
    if (status === 'filled' || status === 'cancelled') types.push(`order.${status}`);
    for (const type of types) {
      if (!told.has(`${type} ${id}`)) throw new Error(`nobody was told of ${type} of ${id}`);
    }
  }
  const trades = new Set(
    accepted
      .filter(({ type }) => type === 'trade.executed')
      .map(({ body }) => String(JSON.parse(body).data.trade_id)),
  );
  for await (const { trade_id: id } of client.account.fills()) {
    if (!trades.has(id)) throw new Error(`nobody was told of trade ${id}`);
  }
}

/** An event comes for the first time only after the one before it in its aggregate was accepted; bodies never change. */
function checkOrder(arrivals: readonly Arrival[]): void {
  const bodies = new Map<string, string>();
  const lastOf = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const { eventId, aggregate, sequence, body, arrivedAt } = arrival;
    if ((bodies.get(eventId) ?? body) !== body) throw new Error(`${eventId} changed its body`);
    const isFirst = !bodies.has(eventId);
    bodies.set(eventId, body);
    const before = lastOf.get(aggregate) ?? [];
    const previous = before.at(-1);
    lastOf.set(aggregate, [...before, arrival]);
    if (!isFirst || previous === undefined) continue;
    const latest = before.reduce((a, b) => (b.sequence > a.sequence ? b : a));
    if (sequence <= latest.sequence) {
      throw new Error(`${sequence} of ${aggregate} came after ${latest.sequence}`);
    }
    const isOver = before.some(
      (one) =>
        one.sequence === latest.sequence && one.acceptedAt !== null && one.acceptedAt < arrivedAt,
    );
    if (!isOver) throw new Error(`${sequence} of ${aggregate} did not wait for ${latest.sequence}`);
  }
}
