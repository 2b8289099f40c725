// Webhook delivery under attack: a hostile receiver and a process that dies at any call of its store, in virtual time.
import { createHmac, randomBytes } from 'node:crypto';
import type { MarketId } from '@sibyl/engine';
import { ManualClock } from '@sibyl/lane/testing';
import { lots, pips } from '@sibyl/money';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { KeyedSecrets } from '../../src/adapters/node/secrets.ts';
import { createDelivery, type Delivery } from '../../src/delivery/delivery.ts';
import { keyViewOf } from '../../src/key-view.ts';
import type { Outbound, OutboundRequest, OutboundResult } from '../../src/ports/outbound.ts';
import type { WebhookStore } from '../../src/ports/webhooks.ts';
import { endpoint } from '../ports/webhooks-suite.ts';
import { JournaledLane } from './journaled-lane.ts';

export const NOON_MS = 1_794_744_000_000;
const DAY_MS = 86_400_000;

/** A small, seeded source of chance: the same seed, the same run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

export interface Arrival {
  readonly atMs: number;
  readonly webhookId: string;
  readonly eventId: string;
  readonly sequence: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  isAccepted: boolean;
}

export class ChaosWorld {
  readonly clock = new ManualClock(NOON_MS);
  readonly lane = new JournaledLane(this.clock);
  readonly arrivals: Arrival[] = [];
  /** Shown secrets of each endpoint with the time from which each is in force. */
  readonly secrets = new Map<string, { readonly text: string; readonly fromMs: number }[]>();
  readonly errors: unknown[] = [];
  readonly store: WebhookStore;
  readonly chance: () => number;
  kills = 0;
  isHostile = true;
  delivery: Delivery;
  #process: { isDead: boolean; fuse: number };
  readonly #keyed = new KeyedSecrets(randomBytes(32));
  readonly #platform = new MemoryPlatformStore();
  #orders = 0;

  constructor(store: WebhookStore, seed: number) {
    this.store = store;
    this.chance = seeded(seed);
    this.#process = { isDead: false, fuse: Number.POSITIVE_INFINITY };
    this.delivery = this.#createDelivery();
  }

  async register(webhookId: string, accountId: string, eventTypes: readonly string[]) {
    const owner = { webhookId, accountId };
    const { text, sealed } = this.delivery.newSecret(owner);
    this.secrets.set(webhookId, [{ text, fromMs: 0 }]);
    await this.delivery.register({
      ...endpoint(webhookId),
      ...owner,
      environment: 'sandbox',
      eventTypes,
      url: `https://${webhookId.slice(3)}.example/`,
      secret: sealed,
      fromSeq: this.lane.state.seq,
      createdAtMs: this.clock.wallMs(),
    });
  }

  async rotate(webhookId: string): Promise<void> {
    const old = await this.store.endpoint(webhookId);
    if (old === null) return;
    const nowMs = this.clock.wallMs();
    if (old.rotatedAtMs !== null && nowMs - old.rotatedAtMs < DAY_MS) return;
    const { text, sealed } = this.delivery.newSecret(old);
    this.secrets.get(webhookId)?.push({ text, fromMs: nowMs });
    // Straight to the store: a rotation whose process dies is another test's matter.
    await this.store.changeEndpoint(webhookId, {
      secret: sealed,
      previousSecret: old.secret,
      rotatedAtMs: nowMs,
      updatedAtMs: nowMs,
    });
  }

  /** A little trading between the two accounts. */
  trade(market: MarketId): void {
    const who = this.chance() < 0.5 ? 'acc_a' : 'acc_b';
    const side = this.chance() < 0.6 ? 'buy' : 'sell';
    const price = pips(3000 + 100 * Math.floor(this.chance() * 40));
    const size = lots(100 + Math.floor(this.chance() * 400));
    this.#orders += 1;
    this.lane.place(who, market, { side, price, lots: size, clientOrderId: `o${this.#orders}` });
  }

  /** The process is gone: its timers ring for nobody, its calls never come back. */
  async kill(market: MarketId): Promise<void> {
    this.#process.isDead = true;
    this.kills += 1;
    this.lane.forgetListeners();
    this.#process = { isDead: false, fuse: Number.POSITIVE_INFINITY };
    this.delivery = this.#createDelivery();
    const isStarted = this.delivery.start();
    // Trading goes on while the new process reads the journal.
    for (let turn = 0; turn < 30; turn += 1) {
      await Promise.resolve();
      if (turn % 10 === 9) this.trade(market);
    }
    await isStarted;
  }

  /** The process dies at one of its next calls of the store. */
  lightFuse(): void {
    this.#process.fuse = 1 + Math.floor(this.chance() * 12);
  }

  /** From now on everything goes well. */
  heal(): void {
    this.isHostile = false;
    this.#process.fuse = Number.POSITIVE_INFINITY;
  }

  get isDead(): boolean {
    return this.#process.isDead;
  }

  async pass(elapsedMs: number): Promise<void> {
    this.clock.advance(elapsedMs);
    await settled();
  }

  #createDelivery(): Delivery {
    const { clock } = this;
    return createDelivery({
      store: this.#mortal(this.#process),
      outbound: this.#receiver(),
      lanes: { sandbox: this.lane },
      platform: this.#platform,
      keyView: keyViewOf(this.#platform),
      secrets: this.#keyed,
      random: systemRandom,
      clock,
      failed: (_message, error) => this.errors.push(error),
    });
  }

  /** Every call may be the last: before it has any effect, or after it had all of it. */
  #mortal(process: { isDead: boolean; fuse: number }): WebhookStore {
    const never = (): Promise<never> => new Promise(() => {});
    const { store } = this;
    return new Proxy(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) => {
          if (process.isDead) return never();
          process.fuse -= 1;
          const isLast = process.fuse <= 0;
          if (isLast) process.isDead = true;
          if (isLast && this.chance() < 0.5) return never();
          const result: unknown = Reflect.apply(method, target, args);
          return isLast ? never() : result;
        };
      },
    });
  }

  #receiver(): Outbound {
    return {
      inspect: async () => null,
      send: (request) => this.#receive(request),
    };
  }

  #receive(request: OutboundRequest): Promise<OutboundResult> {
    const { id, sequence } = JSON.parse(request.body);
    const webhookId = `wh_${new URL(request.url).hostname.split('.')[0]}`;
    const arrival: Arrival = {
      atMs: this.clock.wallMs(),
      webhookId,
      eventId: id,
      sequence,
      body: request.body,
      headers: request.headers,
      isAccepted: false,
    };
    this.arrivals.push(arrival);
    return this.#answer(arrival);
  }

  #answer(arrival: Arrival): Promise<OutboundResult> {
    const mood = this.isHostile ? this.chance() : 1;
    const latencyMs = 1;
    if (mood < 0.15) {
      return Promise.resolve({ kind: 'answered', status: 500, latencyMs, answerBytes: 2 });
    }
    if (mood < 0.2) {
      return Promise.resolve({ kind: 'answered', status: 302, latencyMs, answerBytes: 0 });
    }
    if (mood < 0.3) return this.#late({ kind: 'failed', failure: 'timeout', latencyMs: 10_000 });
    arrival.isAccepted = true;
    const fine: OutboundResult = { kind: 'answered', status: 200, latencyMs, answerBytes: 0 };
    return mood < 0.4 ? this.#late(fine) : Promise.resolve(fine);
  }

  #late(result: OutboundResult): Promise<OutboundResult> {
    return new Promise((resolve) => this.clock.setAlarm(9_999, () => resolve(result)));
  }
}

/** Lets everything run that does not wait for time. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Which of the shown secrets signed the request, newest last; -1 for a signature of none. */
export function signersOf(
  arrival: Arrival,
  secrets: readonly { readonly text: string; readonly fromMs: number }[],
): { readonly t: number; readonly ours: number[]; readonly standard: number[] } {
  const header = arrival.headers['x-svc-signature'] ?? '';
  const t = /^t=(\d+),/.exec(header)?.[1] ?? '';
  const ours = [...header.matchAll(/v1=([0-9a-f]{64})/g)].map(([, hex]) =>
    secrets.findIndex(
      ({ text }) => createHmac('sha256', text).update(`${t}.${arrival.body}`).digest('hex') === hex,
    ),
  );
  const signed = `${arrival.headers['webhook-id']}.${arrival.headers['webhook-timestamp']}.${arrival.body}`;
  const standard = (arrival.headers['webhook-signature'] ?? '').split(' ').map((part) =>
    secrets.findIndex(({ text }) => {
      const key = Buffer.from(text.slice('whsec_'.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}` === part;
    }),
  );
  return { t: Number(t), ours, standard };
}
