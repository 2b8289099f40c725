import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MemoryWebhookStore } from '../../src/adapters/memory/webhooks.ts';
import { eventOf } from '../../src/delivery/event-record.ts';
import { webhookNotices } from '../../src/notices/command-notices.ts';
import { LaneMemory } from '../../src/notices/lane-memory.ts';
import type { WebhookStore } from '../../src/ports/webhooks.ts';
import { openWebhooks } from '../../src/stores/open-stores.ts';
import { endpoint } from '../ports/webhooks-suite.ts';
import { ChaosWorld, NOON_MS, settled, signersOf } from './chaos.ts';

const DAY_MS = 86_400_000;
const STEPS_MS = [25, 25, 25, 1_000, 6_000, 11_000, 400_000, 3_000_000, 15_000_000];
const TYPES = [
  'order.accepted',
  'order.partially_filled',
  'order.filled',
  'order.cancelled',
  'trade.executed',
  'position.updated',
  'market.created',
  'market.resolved',
];

async function run(store: WebhookStore, seed: number): Promise<ChaosWorld> {
  const world = new ChaosWorld(store, seed);
  await world.delivery.start();
  world.lane.open('a');
  world.lane.open('b');
  await world.register('wh_a', 'acc_a', TYPES);
  await world.register('wh_b', 'acc_b', TYPES);
  const markets = [world.lane.market('acc_a', 1), world.lane.market('acc_a', 2)];
  for (let step = 0; step < 120; step += 1) {
    const market = markets[step % 2]!;
    if (step < 100) world.trade(market);
    if (step === 105) world.lane.resolve('acc_a', markets[0]!);
    const draw = world.chance();
    if (draw < 0.1) world.lightFuse();
    if (draw > 0.96) {
      await world.pass(1);
      await world.rotate('wh_a');
    }
    await world.pass(STEPS_MS[Math.floor(world.chance() * STEPS_MS.length)]!);
    if (world.isDead || draw < 0.03) {
      await world.kill(market);
      await settled();
    }
  }
  world.heal();
  if (world.isDead) await world.kill(markets[1]!);
  for (let turn = 0; turn < 200; turn += 1) {
    await world.pass(turn < 100 ? 25 : 3_600_000);
    await settled();
  }
  await world.delivery.stop();
  return world;
}

/** Every event of the journal that an endpoint was registered for, as the journal alone tells it. */
function expected(world: ChaosWorld, accountId: string): Map<string, string> {
  const memory = new LaneMemory();
  const wanted = new Map<string, string>();
  const [first] = world.lane.committed;
  if (first === undefined) return wanted;
  for (const committed of world.lane.committed) {
    for (const notice of webhookNotices(committed, memory, () => true)) {
      if (!TYPES.includes(notice.webhook)) continue;
      if (notice.accountId !== null && notice.accountId !== accountId) continue;
      const event = eventOf('sandbox', committed, notice, world.lane.state, endpoint('wh_a'));
      wanted.set(event.eventId, event.aggregate);
    }
  }
  return wanted;
}

async function check(world: ChaosWorld, webhookId: string, accountId: string): Promise<void> {
  const wanted = expected(world, accountId);
  const arrivals = world.arrivals.filter((arrival) => arrival.webhookId === webhookId);
  const log = await world.store.deliveriesOf(webhookId, {
    limit: 100_000,
    beforePosition: null,
    status: null,
    eventType: null,
  });
  expect(wanted.size).toBeGreaterThan(60);
  expect(log.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
    [...wanted.keys()].map((_id, index) => index + 1),
  );
  // Delivered at least once, or every one of its attempts failed.
  const arrived = new Set(arrivals.filter((one) => one.isAccepted).map(({ eventId }) => eventId));
  const exhausted = new Set<string>();
  for (const { event, status } of log) {
    if (status === 'exhausted') exhausted.add(event.eventId);
    if (status === 'exhausted') continue;
    expect([event.eventId, status, arrived.has(event.eventId)]).toEqual([
      event.eventId,
      'succeeded',
      true,
    ]);
  }
  expect(new Set(log.map(({ event }) => event.eventId))).toEqual(new Set(wanted.keys()));
  // First deliveries of an aggregate come in the order of the journal; the body never changes.
  const predecessors = predecessorsIn(wanted);
  const bodies = new Map<string, string>();
  const lastOf = new Map<string, string>();
  const accepted = new Set<string>();
  for (const { eventId, body, isAccepted } of arrivals) {
    expect(bodies.get(eventId) ?? body).toBe(body);
    const aggregate = wanted.get(eventId);
    if (aggregate === undefined) throw new Error(`${eventId} was not meant for ${webhookId}`);
    if (!bodies.has(eventId)) {
      const before = lastOf.get(aggregate);
      expect([eventId, before]).toEqual([eventId, predecessors.get(eventId)]);
      // The one before has arrived for good, or was given up.
      const isOver = before === undefined || accepted.has(before) || exhausted.has(before);
      expect([eventId, before, isOver]).toEqual([eventId, before, true]);
      lastOf.set(aggregate, eventId);
    }
    bodies.set(eventId, body);
    if (isAccepted) accepted.add(eventId);
  }
}

/** The event of the same aggregate before each. */
function predecessorsIn(wanted: ReadonlyMap<string, string>): Map<string, string | undefined> {
  const lastOf = new Map<string, string>();
  const predecessors = new Map<string, string | undefined>();
  for (const [eventId, aggregate] of wanted) {
    predecessors.set(eventId, lastOf.get(aggregate));
    lastOf.set(aggregate, eventId);
  }
  return predecessors;
}

function checkSignatures(world: ChaosWorld): { readonly doubles: number } {
  let doubles = 0;
  for (const arrival of world.arrivals) {
    const secrets = world.secrets.get(arrival.webhookId) ?? [];
    const { t, ours, standard } = signersOf(arrival, secrets);
    expect(t).toBe(Math.floor(arrival.atMs / 1000));
    const current = secrets.findLastIndex(({ fromMs }) => fromMs <= arrival.atMs);
    const isInGrace = current > 0 && arrival.atMs - secrets[current]!.fromMs < DAY_MS;
    const valid = isInGrace ? [current, current - 1] : [current];
    expect(ours).toEqual(valid);
    expect(standard).toEqual(valid);
    if (isInGrace) doubles += 1;
  }
  return { doubles };
}

describe('[P10] a hostile receiver and a process that keeps dying', () => {
  const seeds = [11, 12, 13, 14, 15, 16, 17, 18];
  let kills = 0;
  afterAll(() => expect(kills).toBeGreaterThan(3 * seeds.length));

  it.each(seeds)('seed %i: every event arrives, in order, properly signed', async (seed) => {
    const world = await run(new MemoryWebhookStore(), seed);
    expect(world.errors).toEqual([]);
    // Chance is drawn as answers come, so that one run may come to fewer deaths than another of its seed.
    expect(world.kills).toBeGreaterThan(0);
    kills += world.kills;
    await check(world, 'wh_a', 'acc_a');
    await check(world, 'wh_b', 'acc_b');
    checkSignatures(world);
  });

  it('the same on disk', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sibyl-chaos-'));
    const store = await openWebhooks(folder);
    const world = await run(store, 21);
    await check(world, 'wh_a', 'acc_a');
    await check(world, 'wh_b', 'acc_b');
    checkSignatures(world);
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('[IF58] signs twice for a day after a rotation, then once with the new secret', async () => {
    const world = new ChaosWorld(new MemoryWebhookStore(), 5);
    world.isHostile = false;
    await world.delivery.start();
    world.lane.open('a');
    world.lane.open('b');
    await world.register('wh_a', 'acc_a', TYPES);
    const market = world.lane.market('acc_a');
    const tradeAt = async (elapsedMs: number): Promise<number[]> => {
      await world.pass(elapsedMs);
      world.arrivals.length = 0;
      world.lane.place('acc_a', market, {});
      await world.pass(25);
      await settled();
      const [arrival] = world.arrivals;
      return signersOf(arrival!, world.secrets.get('wh_a') ?? []).ours;
    };
    expect(await tradeAt(0)).toEqual([0]);
    await world.rotate('wh_a');
    expect(await tradeAt(1)).toEqual([1, 0]);
    expect(await tradeAt(DAY_MS - 1000)).toEqual([1, 0]);
    expect(await tradeAt(1000)).toEqual([1]);
    expect(world.clock.wallMs()).toBeGreaterThan(NOON_MS + DAY_MS);
    await world.delivery.stop();
  });
});
