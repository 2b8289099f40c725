import { randomBytes } from 'node:crypto';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournaledLane } from '../../test/delivery/journaled-lane.ts';
import { app } from '../../test/ports/apps-suite.ts';
import { grant } from '../../test/ports/grants-suite.ts';
import { endpoint } from '../../test/ports/webhooks-suite.ts';
import { MemoryPlatformStore } from '../adapters/memory/platform.ts';
import { MemoryWebhookStore } from '../adapters/memory/webhooks.ts';
import { systemRandom } from '../adapters/node/random.ts';
import { KeyedSecrets } from '../adapters/node/secrets.ts';
import { TierCeilings } from '../gateway/tier-ceilings.ts';
import { keyViewOf } from '../key-view.ts';
import type { AppStatus } from '../ports/apps.ts';
import type { OutboundResult } from '../ports/outbound.ts';
import type { KeyRecord } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { EndpointRecord } from '../ports/webhooks.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import type { DispatcherLimits } from './shares.ts';

const NOON_MS = 1_794_744_000_000;
const HOUR_MS = 3_600_000;

/** No jitter: the schedule is as it is written. */
const calm: Random = { bytes: (length) => new Uint8Array(length), token: systemRandom.token };

interface Sent {
  readonly atMs: number;
  readonly host: string;
  readonly type: string;
  readonly attempt: string | undefined;
  readonly body: { readonly sequence: number; readonly data: Record<string, unknown> };
}

const secrets = new KeyedSecrets(randomBytes(32));

let clock: ManualClock;
let lane: JournaledLane;
let store: MemoryWebhookStore;
let platform: MemoryPlatformStore;
let delivery: Delivery;
let sent: Sent[];
let errors: unknown[];
let abandoned: boolean;
let answer: (request: Sent) => OutboundResult | Promise<OutboundResult>;

const say = (status: number): OutboundResult => ({
  kind: 'answered',
  status,
  latencyMs: 1,
  answerBytes: 0,
});

beforeEach(async () => {
  clock = new ManualClock(NOON_MS);
  lane = new JournaledLane(clock);
  store = new MemoryWebhookStore();
  platform = new MemoryPlatformStore();
  sent = [];
  errors = [];
  abandoned = false;
  answer = () => say(200);
  delivery = open({});
  await delivery.start();
  lane.open('a');
});

/** Attempts that never end would keep it from stopping. */
afterEach(async () => {
  if (!abandoned) await delivery.stop();
});

function open(limits: Partial<DispatcherLimits>): Delivery {
  return createDelivery({
    store,
    outbound: {
      inspect: async () => null,
      send: async ({ url, headers, body }) => {
        const request: Sent = {
          atMs: clock.wallMs(),
          host: new URL(url).hostname,
          type: headers['x-svc-event'] ?? '',
          attempt: headers['x-svc-attempt'],
          body: JSON.parse(body),
        };
        sent.push(request);
        return answer(request);
      },
    },
    lanes: { sandbox: lane },
    platform,
    keyView: keyViewOf(platform),
    secrets,
    random: calm,
    clock,
    failed: (_message, error) => errors.push(error),
    limits,
  });
}

async function register(
  name: string,
  eventTypes: readonly string[],
  accountId = 'acc_a',
): Promise<EndpointRecord> {
  const owner = { webhookId: `wh_${name}`, accountId };
  const record: EndpointRecord = {
    ...endpoint(owner.webhookId),
    ...owner,
    environment: 'sandbox',
    url: `https://${name}.example/`,
    eventTypes,
    secret: delivery.newSecret(owner).sealed,
    fromSeq: lane.state.seq,
    createdAtMs: clock.wallMs(),
  };
  expect(await delivery.register(record)).toBe('added');
  return record;
}

async function advance(elapsedMs: number): Promise<void> {
  clock.advance(elapsedMs);
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function passHours(hours: number, stepMs = HOUR_MS): Promise<void> {
  for (let elapsedMs = 0; elapsedMs < hours * HOUR_MS; elapsedMs += stepMs) await advance(stepMs);
}

describe('[IF3c] delivery in virtual time', () => {
  it('sends an event soon after its command, once', async () => {
    await register('x', ['deposit.confirmed']);
    lane.deposit('acc_a', 5);
    await advance(25);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ type: 'deposit.confirmed', attempt: '1', host: 'x.example' });
    await passHours(48);
    expect(sent).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('tries eight times on the stated schedule, gives up, and goes on with the next', async () => {
    await register('x', ['deposit.confirmed']);
    answer = ({ body }) => say(body.sequence === 1 ? 500 : 200);
    lane.deposit('acc_a', 5);
    lane.deposit('acc_a', 6);
    await advance(25);
    const startMs = clock.wallMs();
    await passHours(0.002, 1000);
    await passHours(28, 60_000);
    const first = sent.filter(({ body }) => body.sequence === 1);
    const waits = first.map(({ atMs }, index) => atMs - (first[index - 1]?.atMs ?? startMs));
    const hours = [0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];
    expect(waits).toHaveLength(8);
    for (const [index, waitMs] of waits.entries()) {
      // Time moves in steps here, so an attempt may be up to a step late.
      expect(waitMs).toBeGreaterThanOrEqual(hours[index]!);
      expect(waitMs).toBeLessThanOrEqual(hours[index]! + 60_000);
    }
    const second = sent.filter(({ body }) => body.sequence === 2);
    expect(second).toHaveLength(1);
    expect(second[0]!.atMs).toBeGreaterThanOrEqual(first.at(-1)!.atMs);
    const [late] = await store.finishedSince('wh_x', 0, 1);
    expect(late?.status).toBe('exhausted');
  });

  it('holds back only what is of the same aggregate', async () => {
    await register('x', ['deposit.confirmed', 'market.created']);
    answer = ({ type }) => say(type === 'deposit.confirmed' ? 500 : 200);
    lane.deposit('acc_a', 5);
    lane.market('acc_a', 1);
    lane.market('acc_a', 2);
    await advance(25);
    expect(sent.map(({ type }) => type).sort()).toEqual([
      'deposit.confirmed',
      'market.created',
      'market.created',
    ]);
  });

  it('has no more attempts under way than allowed, per endpoint and together', async () => {
    await delivery.stop();
    delivery = open({ perEndpoint: 2, perLane: 3 });
    await delivery.start();
    for (const name of ['x', 'y']) await register(name, ['market.created']);
    const finish: (() => void)[] = [];
    const underWay = new Map<string, number>();
    let worst = 0;
    answer = ({ host }) =>
      new Promise((resolve) => {
        underWay.set(host, (underWay.get(host) ?? 0) + 1);
        worst = Math.max(worst, ...underWay.values());
        finish.push(() => {
          underWay.set(host, (underWay.get(host) ?? 0) - 1);
          resolve(say(200));
        });
      });
    for (let level = 1; level <= 6; level += 1) lane.market('acc_a', level);
    await advance(25);
    let most = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      most = Math.max(most, delivery.inFlight);
      for (const one of finish.splice(0)) one();
      await advance(1);
    }
    expect(most).toBe(3);
    expect(worst).toBe(2);
    expect(sent).toHaveLength(12);
  });

  it('[WH1] receivers of one account that hang do not hold up those of another', async () => {
    lane.open('b');
    for (let index = 0; index < 20; index += 1) await register(`hung${index}`, ['market.created']);
    await register('quick', ['deposit.confirmed'], 'acc_b');
    answer = ({ host }) => (host === 'quick.example' ? say(200) : new Promise<never>(() => {}));
    for (let level = 1; level <= 5; level += 1) lane.market('acc_a', level);
    await advance(25);
    await advance(25);
    expect(delivery.inFlight).toBe(8);
    lane.deposit('acc_b', 5);
    await advance(25);
    await advance(25);
    expect(sent.filter(({ host }) => host === 'quick.example')).toHaveLength(1);
    abandoned = true;
  });

  it('[WH1] failing receivers of many accounts leave half of the places to others', async () => {
    await delivery.stop();
    delivery = open({ perLane: 8, perAccount: 8, perEndpoint: 4 });
    await delivery.start();
    for (const name of ['b', 'c', 'd', 'e']) {
      lane.open(name);
      await register(`hung-${name}`, ['deposit.confirmed'], `acc_${name}`);
    }
    await register('quick', ['deposit.confirmed']);
    answer = ({ host }) => say(host === 'quick.example' ? 200 : 500);
    for (const name of ['b', 'c', 'd', 'e']) lane.deposit(`acc_${name}`, 5);
    await advance(25);
    expect(sent).toHaveLength(4);
    // From now on they are known to fail, and hang besides.
    answer = ({ host }) => (host === 'quick.example' ? say(200) : new Promise<never>(() => {}));
    for (const name of ['b', 'c', 'd', 'e']) {
      const failing = await store.endpoint(`wh_hung-${name}`);
      for (let index = 0; index < 4; index += 1) await delivery.test(failing!, 'order.filled');
    }
    await advance(6_000);
    await advance(25);
    expect(delivery.inFlight).toBe(4);
    lane.deposit('acc_a', 5);
    await advance(25);
    await advance(25);
    expect(sent.filter(({ host }) => host === 'quick.example')).toHaveLength(1);
    abandoned = true;
  });

  it('[WH1] whoever has the fewest attempts under way comes first', async () => {
    await delivery.stop();
    delivery = open({ perLane: 2, perAccount: 2, perEndpoint: 2 });
    await delivery.start();
    lane.open('b');
    for (const name of ['x', 'y', 'z']) await register(name, ['market.created']);
    await register('other', ['deposit.confirmed'], 'acc_b');
    const finish: (() => void)[] = [];
    answer = () => new Promise((resolve) => finish.push(() => resolve(say(200))));
    for (let level = 1; level <= 3; level += 1) lane.market('acc_a', level);
    await advance(25);
    lane.deposit('acc_b', 5);
    await advance(25);
    expect(sent.map(({ host }) => host)).not.toContain('other.example');
    finish.shift()!();
    await advance(25);
    expect(sent.map(({ host }) => host)).toContain('other.example');
    for (let turn = 0; turn < 20; turn += 1) {
      for (const one of finish.splice(0)) one();
      await advance(1);
    }
    expect(sent).toHaveLength(10);
  });

  it('410 switches an endpoint off at once, tells the others, and a change brings it back', async () => {
    await register('x', ['deposit.confirmed']);
    await register('y', ['webhook.disabled']);
    answer = ({ host }) => say(host === 'x.example' ? 410 : 200);
    lane.deposit('acc_a', 5);
    lane.deposit('acc_a', 6);
    await advance(25);
    await passHours(2);
    expect(sent.map(({ host, type }) => `${host} ${type}`)).toEqual([
      'x.example deposit.confirmed',
      'y.example webhook.disabled',
    ]);
    expect(sent[1]?.body.data).toMatchObject({ webhook_id: 'wh_x', reason: 'gone' });
    lane.deposit('acc_a', 7);
    await advance(25);
    const change = { disabledReason: null, disabledAtMs: null, updatedAtMs: clock.wallMs() };
    await delivery.change('wh_x', change);
    answer = () => say(200);
    lane.deposit('acc_a', 8);
    await advance(25);
    // What it missed is not sent by itself, but its number shows the gap and a replay brings it.
    expect(sent.at(-1)?.body).toMatchObject({ sequence: 4 });
    const missed = await delivery.deliveriesSince('wh_x', 0);
    await delivery.replay(missed.filter(({ status }) => status === 'dropped'));
    await advance(25);
    expect(sent.slice(-3).map(({ body }) => body.sequence)).toEqual([1, 2, 3]);
  });

  it('five days of nothing but failures switch an endpoint off; one success starts the days anew', async () => {
    await register('x', ['deposit.confirmed']);
    answer = () => say(503);
    const isActive = async (): Promise<boolean> =>
      (await store.endpoint('wh_x'))?.disabledReason === null;
    lane.deposit('acc_a', 5);
    await advance(25);
    for (let day = 0; day < 4; day += 1) {
      await passHours(24);
      lane.deposit('acc_a', 5);
    }
    answer = () => say(200);
    await passHours(12);
    expect(await isActive()).toBe(true);
    answer = () => say(503);
    for (let day = 0; day < 5; day += 1) {
      lane.deposit('acc_a', 5);
      await passHours(23);
      expect(await isActive()).toBe(true);
    }
    lane.deposit('acc_a', 5);
    await passHours(30);
    expect(await store.endpoint('wh_x')).toMatchObject({ disabledReason: 'failing' });
  });

  it('[P14] a removed, paused or moved endpoint is so for the very next attempt', async () => {
    await register('x', ['deposit.confirmed']);
    await register('y', ['deposit.confirmed']);
    await register('z', ['deposit.confirmed']);
    answer = () => say(500);
    lane.deposit('acc_a', 5);
    await advance(25);
    const z = (await store.endpoint('wh_z'))!;
    await delivery.remove(z);
    const paused = { disabledReason: 'owner', disabledAtMs: 1, updatedAtMs: 1 } as const;
    await delivery.change('wh_y', paused);
    await delivery.change('wh_x', { url: 'https://new.example/', updatedAtMs: 1 });
    sent.length = 0;
    await passHours(3, 60_000);
    expect(new Set(sent.map(({ host }) => host))).toEqual(new Set(['new.example']));
  });

  it('[WH5] tells of a breaker of the lane itself, which no journal has, once to each that asked', async () => {
    await register('x', ['circuit_breaker.changed']);
    await register('y', ['deposit.confirmed']);
    const breaker = {
      lane: 'read',
      market_id: null,
      state: 'open',
      reason: 'stopped',
      since_ms: clock.wallMs(),
      retry_after_ms: null,
    } as const;
    delivery.announceBreaker(lane.name, breaker);
    delivery.announceBreaker(lane.name, breaker);
    await advance(25);
    expect(sent.map(({ host, type, body }) => [host, type, body.data])).toEqual([
      ['x.example', 'circuit_breaker.changed', breaker],
    ]);
  });

  it('sends tests to one endpoint whether it asked for the type or not, marked as such', async () => {
    const x = await register('x', ['deposit.confirmed']);
    await delivery.test(x, 'webhook.ping');
    await delivery.test(x, 'order.filled');
    await advance(25);
    expect(sent.map(({ type }) => type)).toEqual(['webhook.ping', 'order.filled']);
    expect(sent[0]?.body).toMatchObject({ test: true, data: { webhook_id: 'wh_x' } });
  });

  it('filters by market, and sends the events of subaccounts to their owner', async () => {
    const market = lane.market('acc_a', 1);
    const other = lane.market('acc_a', 2);
    const x = await register('x', ['order.accepted']);
    await delivery.change(x.webhookId, { marketIds: [market], updatedAtMs: 1 });
    lane.open('child', 'acc_a');
    lane.open('stranger');
    lane.place('acc_a', market);
    lane.place('acc_a', other);
    lane.place('sub_child', market);
    lane.place('acc_stranger', market);
    await advance(25);
    await advance(25);
    expect(sent.map(({ body }) => body.data.order)).toMatchObject([
      { market_id: market, order_id: 'ord_0000000000000001' },
      { market_id: market, order_id: 'ord_0000000000000003' },
    ]);
  });

  it('tells of keys from the platform store, once, also of what happened while it was away', async () => {
    await register('x', ['key.created', 'key.revoked', 'builder.tier_changed']);
    await platform.addKey(key('1', clock.wallMs() + 1));
    // At once: nothing here waits for the next check.
    await advance(100);
    expect(sent.map(({ type }) => type)).toEqual(['key.created']);
    await delivery.stop();
    const change = { actor: 'ops', reason: 'ticket', atMs: clock.wallMs() + 2 };
    await platform.setKeyTier(key('1', 0).publicId, 'trade_full', change);
    await platform.revokeKey(key('1', 0).publicId, clock.wallMs() + 3);
    await advance(16_000);
    delivery = open({});
    await register('later', ['key.created']);
    await delivery.start();
    await advance(16_000);
    const fresh = sent.filter(({ host }) => host === 'x.example').map(({ type }) => type);
    expect(fresh).toEqual(['key.created', 'builder.tier_changed', 'key.revoked']);
    expect(sent.filter(({ host }) => host === 'later.example')).toEqual([]);
  });

  it('[AP6] tells of apps that are approved or disabled, each time once, also of what happened while it was away', async () => {
    const { holderId } = await register('x', ['app.approved', 'app.disabled']);
    const change = (status: AppStatus) =>
      platform.apps.change(
        'app_a',
        { actor: 'opr_1', reason: 'ticket', atMs: clock.wallMs() + 1 },
        (app) => ({ ...app, status }),
      );
    await platform.apps.add(app('a', { ownerId: holderId, status: 'in_review' }), 9);
    await platform.apps.add(app('b', { ownerId: 'usr_other', status: 'in_review' }), 9);
    await change('approved');
    await advance(100);
    expect(sent.map(({ type, body }) => [type, body.data])).toEqual([
      ['app.approved', { app_id: 'app_a', name: app('a').name, status: 'approved' }],
    ]);
    await delivery.stop();
    await change('disabled');
    await change('approved');
    await advance(16_000);
    delivery = open({});
    await delivery.start();
    await advance(16_000);
    const types = sent.map(({ type }) => type);
    expect(types).toEqual(['app.approved', 'app.disabled', 'app.approved']);
  });

  it('[OAU17] tells of grants that are given and revoked, and ends the webhooks of apps with their grants', async () => {
    const { holderId } = await register('x', ['grant.created', 'grant.revoked']);
    const atMs = clock.wallMs() + 1;
    const given = { userId: holderId, lane: 'sandbox', createdAtMs: atMs } as const;
    const lasting = { ...given, expiresAtMs: atMs + HOUR_MS };
    const { grants } = platform;
    await grants.add(grant('a', lasting), null, 9);
    await grants.add(grant('b', { ...lasting, lane: 'live' }), null, 9);
    await grants.add(grant('c', { ...lasting, userId: 'usr_other' }), null, 9);
    const made = { ...endpoint('wh_app'), url: 'https://app.example/', createdBy: 'grt_a' };
    await delivery.register({ ...made, createdAtMs: atMs, environment: 'sandbox' });
    await advance(100);
    const data = { grant_id: 'grt_a', app_id: 'app_a', scopes: grant('a').scopes };
    expect(sent.map(({ type, body }) => [type, body.data])).toEqual([['grant.created', data]]);
    expect(await store.endpoint('wh_app')).not.toBeNull();
    await grants.end('grt_a', 'user', atMs + 50);
    await advance(16_000);
    expect(sent.map(({ type }) => type)).toEqual(['grant.created', 'grant.revoked']);
    expect(await store.endpoint('wh_app')).toBeNull();
  });

  it('[WS16] tells another tier with the limits that held when it was given, as operators have set them', async () => {
    await register('x', ['builder.tier_changed']);
    const { publicId } = key('1', 0);
    await platform.addKey(key('1', clock.wallMs() + 1));
    const by = { actor: 'ops', reason: 'ticket', atMs: clock.wallMs() };
    const raised = { orderNotionalMax: null, dailyNotionalMax: null, rateMultiplier: 7 };
    await TierCeilings.of(platform).set('trade_capped', raised, by);
    await platform.setKeyRate(publicId, 3, by);
    await platform.setKeyTier(publicId, 'trade_capped', { ...by, atMs: clock.wallMs() + 2 });
    await advance(100);
    expect(sent.map(({ body }) => body.data)).toEqual([
      {
        key_id: publicId,
        from: 'self_serve',
        to: 'trade_capped',
        reason: 'ticket',
        limits: { order_notional_max: null, daily_notional_max: null, rate_multiplier: 21 },
      },
    ]);
  });

  it('stands still while the store fails, and misses nothing', async () => {
    await register('x', ['deposit.confirmed']);
    const { take } = store;
    store.take = async () => {
      throw new Error('disk full');
    };
    lane.deposit('acc_a', 5);
    await advance(25);
    lane.deposit('acc_a', 6);
    await advance(6_000);
    expect(errors.length).toBeGreaterThan(0);
    store.take = take;
    await advance(6_000);
    await advance(25);
    expect(sent.map(({ body }) => body.sequence)).toEqual([1, 2]);
  });
});

function key(name: string, createdAtMs: number): KeyRecord {
  return {
    publicId: `sk_test_${name.padStart(16, '0')}`,
    salt: 'salt',
    keyHash: 'hash',
    holderId: 'usr_1',
    userId: null,
    label: '',
    permissions: ['read'],
    tier: 'self_serve',
    mintedAt: 'sandbox',
    bornSelfServe: false,
    rateMultiplier: 1,
    accounts: { live: 'acc_live', sandbox: 'acc_a' },
    createdAtMs,
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: null,
    mintedBy: null,
    isSteppedUp: true,
    allowedNetworks: [],
    partnerScopes: [],
  };
}
