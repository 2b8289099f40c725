// What every webhook store must do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AttemptRecord,
  type DeliveryStatus,
  type EndpointRecord,
  type EventRecord,
  type NewDelivery,
  UNUSED_ENDPOINT,
  type WebhookStore,
} from '../../src/ports/webhooks.ts';

export interface WebhookStoreHarness {
  open(): Promise<WebhookStore>;
  readonly isDurable: boolean;
  dispose(): Promise<void>;
}

const MANY = 1_000_000;

export function describeWebhookStore(
  name: string,
  prepare: () => Promise<WebhookStoreHarness>,
): void {
  describe(`webhook store (${name})`, () => {
    let harness: WebhookStoreHarness;
    let store: WebhookStore;

    beforeEach(async () => {
      harness = await prepare();
      store = await harness.open();
    });

    afterEach(async () => {
      await store.close();
      await harness.dispose();
    });

    const take = (seq: number, deliveries: readonly NewDelivery[], pendingMax = MANY) =>
      store.take({ environment: 'live', seq, deliveries, atMs: 100 + seq }, pendingMax);

    const settle = (deliveryId: string, status: DeliveryStatus, number = 1) =>
      store.settle({
        deliveryId,
        attempt: attempt(number),
        status,
        nextAttemptAtMs: status === 'pending' ? 5000 : null,
        judge: ({ health, disabledReason, disabledAtMs }) => ({
          health: { ...health, lastAttemptAtMs: 7 },
          disabledReason,
          disabledAtMs,
        }),
      });

    const dueIds = async (nowMs = MANY) =>
      (await store.due('wh_a', nowMs, 100)).map(({ deliveryId }) => deliveryId);

    it('[IF54] keeps every field of an endpoint, and one of each URL for an account', async () => {
      const full: EndpointRecord = {
        ...endpoint('wh_a'),
        marketIds: ['m_1', 'm_2'],
        balanceLowThreshold: 12_345_678_901_234_567_890n,
        disabledReason: 'gone',
        disabledAtMs: 9,
        previousSecret: 'sealed before',
        rotatedAtMs: 8,
        health: {
          failureStreak: 3,
          failingSinceMs: 4,
          lastAttemptAtMs: 5,
          lastSuccessAtMs: 6,
        },
      };
      expect(await store.addEndpoint(full)).toBe('added');
      expect(await store.endpoint('wh_a')).toEqual(full);
      expect(await store.endpoint('wh_none')).toBeNull();
      expect(await store.addEndpoint({ ...endpoint('wh_b'), url: full.url })).toBe('taken');
      const foreign = { ...endpoint('wh_c'), url: full.url, accountId: 'acc_other' };
      expect(await store.addEndpoint(foreign)).toBe('added');
      expect((await store.endpointsIn('live')).map(({ webhookId }) => webhookId)).toEqual([
        'wh_a',
        'wh_c',
      ]);
      expect(await store.endpointsIn('sandbox')).toEqual([]);
    });

    it('[IF54] adds no more to an account than it may have, however many come at once', async () => {
      await store.addEndpoint({ ...endpoint('wh_z'), accountId: 'acc_other' });
      const names = Array.from({ length: 8 }, (_, index) => `wh_${index}`);
      const added = await Promise.all(
        names.map((name) => store.addEndpoint(endpoint(name), undefined, 3)),
      );
      expect(added.filter((one) => one === 'added')).toHaveLength(3);
      expect(added.filter((one) => one === 'full')).toHaveLength(5);
      const page = { limit: 100, after: null };
      expect(await store.endpointsOf('acc_1', page)).toHaveLength(3);
    });

    it('[IF56] changes an endpoint, but not to a URL that another has', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await store.addEndpoint(endpoint('wh_b'));
      const { url } = endpoint('wh_b');
      expect(await store.changeEndpoint('wh_a', { url, updatedAtMs: 2 })).toBe('taken');
      const changed = await store.changeEndpoint('wh_a', {
        url: 'https://new.example/',
        eventTypes: ['order.filled'],
        updatedAtMs: 3,
      });
      expect(changed).toEqual(await store.endpoint('wh_a'));
      expect(changed).toMatchObject({ eventTypes: ['order.filled'], updatedAtMs: 3 });
      expect(await store.changeEndpoint('wh_none', { updatedAtMs: 3 })).toBeNull();
    });

    it('[PA16] pages endpoints, newest first', async () => {
      for (const [index, name] of ['wh_a', 'wh_b', 'wh_c', 'wh_d'].entries()) {
        await store.addEndpoint({ ...endpoint(name), createdAtMs: index >> 1 });
      }
      const first = await store.endpointsOf('acc_1', { limit: 3, after: null });
      expect(first.map(({ webhookId }) => webhookId)).toEqual(['wh_d', 'wh_c', 'wh_b']);
      const rest = await store.endpointsOf('acc_1', { limit: 3, after: first.at(-1)! });
      expect(rest.map(({ webhookId }) => webhookId)).toEqual(['wh_a']);
      expect(await store.endpointsOf('acc_2', { limit: 3, after: null })).toEqual([]);
    });

    it('[P10] records events with the place they reach, numbered for each endpoint', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await store.addEndpoint(endpoint('wh_b'));
      expect(await store.cursor('live')).toBeNull();
      await take(7, [
        delivery('1', 'wh_a', 'x'),
        delivery('2', 'wh_b', 'x'),
        delivery('3', 'wh_a', 'y'),
      ]);
      expect(await store.cursor('live')).toBe(7);
      expect(await store.cursor('sandbox')).toBeNull();
      expect(await store.delivery('dlv_3')).toEqual({
        position: expect.any(Number),
        deliveryId: 'dlv_3',
        webhookId: 'wh_a',
        event: event('3', 'y'),
        sequence: 2,
        replayOf: null,
        status: 'pending',
        isHead: true,
        attempts: 0,
        nextAttemptAtMs: 107,
        createdAtMs: 107,
      });
      expect(await store.endpoint('wh_a')).toMatchObject({ lastSequence: 2, pendingCount: 2 });
      // The same event a second time is passed over, and for a removed endpoint nothing is kept.
      await store.add([{ ...delivery('1', 'wh_a', 'x'), deliveryId: 'dlv_again' }], 200);
      await store.add([delivery('9', 'wh_none', 'x')], 200);
      expect(await store.endpoint('wh_a')).toMatchObject({ lastSequence: 2, pendingCount: 2 });
      expect(await store.delivery('dlv_again')).toBeNull();
    });

    it('[P10] lets only the first pending delivery of an aggregate be tried', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await take(1, [delivery('1', 'wh_a', 'x'), delivery('2', 'wh_a', 'x')]);
      await take(2, [delivery('3', 'wh_a', 'y'), delivery('4', 'wh_a', 'x')]);
      expect(await dueIds()).toEqual(['dlv_1', 'dlv_3']);
      expect(await dueIds(101)).toEqual(['dlv_1']);
      expect(await dueIds(100)).toEqual([]);
      await settle('dlv_1', 'pending');
      expect(await dueIds(4999)).toEqual(['dlv_3']);
      expect(await dueIds(5000)).toEqual(['dlv_3', 'dlv_1']);
      await settle('dlv_1', 'succeeded', 2);
      expect(await dueIds()).toEqual(['dlv_2', 'dlv_3']);
      await settle('dlv_2', 'exhausted', 8);
      expect(await dueIds()).toEqual(['dlv_3', 'dlv_4']);
      const attempts = await store.attemptsOf(['dlv_4', 'dlv_1']);
      expect(attempts.map((of) => of.map(({ number }) => number))).toEqual([[], [1, 2]]);
      expect(await store.endpoint('wh_a')).toMatchObject({ pendingCount: 2 });
    });

    it('[P10] says when something falls due', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await store.addEndpoint(endpoint('wh_b'));
      await take(1, [delivery('1', 'wh_a', 'x'), delivery('2', 'wh_b', 'x')]);
      expect(await store.dueTimes()).toEqual(
        new Map([
          ['wh_a', 101],
          ['wh_b', 101],
        ]),
      );
      await settle('dlv_1', 'pending');
      expect(await store.dueTime('wh_a')).toBe(5000);
      await settle('dlv_2', 'succeeded');
      expect(await store.dueTimes()).toEqual(new Map([['wh_a', 5000]]));
      expect(await store.dueTime('wh_b')).toBeNull();
      await store.changeEndpoint('wh_a', { disabledReason: 'owner', updatedAtMs: 1 });
      expect((await store.dueTimes()).size).toBe(0);
    });

    it('[IF56] drops what is pending when an endpoint ceases to be active, and what comes then', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await take(1, [delivery('1', 'wh_a', 'x'), delivery('2', 'wh_a', 'x')]);
      await store.changeEndpoint('wh_a', { disabledReason: 'owner', updatedAtMs: 1 });
      await take(2, [delivery('3', 'wh_a', 'x')]);
      await store.changeEndpoint('wh_a', { disabledReason: null, updatedAtMs: 2 });
      await take(3, [delivery('4', 'wh_a', 'x')]);
      expect(await dueIds()).toEqual(['dlv_4']);
      expect(await store.endpoint('wh_a')).toMatchObject({ pendingCount: 1, lastSequence: 4 });
      const missed = await store.finishedSince('wh_a', 0, 10);
      expect(missed.map(({ deliveryId, status }) => `${deliveryId} ${status}`)).toEqual([
        'dlv_1 dropped',
        'dlv_2 dropped',
        'dlv_3 dropped',
      ]);
    });

    it('[IF3c] drops what is pending when the verdict on an attempt disables the endpoint', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await take(1, [delivery('1', 'wh_a', 'x'), delivery('2', 'wh_a', 'y')]);
      const judged = await store.settle({
        deliveryId: 'dlv_1',
        attempt: attempt(1),
        status: 'pending',
        nextAttemptAtMs: 9,
        judge: ({ health }) => ({ health, disabledReason: 'gone', disabledAtMs: 50 }),
      });
      expect(judged).toMatchObject({ disabledReason: 'gone', disabledAtMs: 50 });
      expect(await dueIds()).toEqual([]);
      expect((await store.delivery('dlv_2'))?.status).toBe('dropped');
      expect(await settle('dlv_none', 'succeeded')).toBeNull();
    });

    it('[P10] records what is too much as dropped, so that its numbers are missing', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await take(1, [delivery('1', 'wh_a', 'x'), delivery('2', 'wh_a', 'y')], 1);
      expect((await store.delivery('dlv_2'))?.status).toBe('dropped');
      expect(await store.endpoint('wh_a')).toMatchObject({ pendingCount: 1, lastSequence: 2 });
    });

    it('[IF60] sends again under new ids, the same event and number, in order of their own', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await take(1, [
        delivery('1', 'wh_a', 'x'),
        delivery('2', 'wh_a', 'x'),
        delivery('3', 'wh_a', 'x'),
      ]);
      for (const id of ['dlv_1', 'dlv_2']) await settle(id, 'succeeded');
      const [one, two] = await store.finishedSince('wh_a', 0, 10);
      await store.replay(
        [
          { deliveryId: 'dlv_r1', of: one! },
          { deliveryId: 'dlv_r2', of: two! },
        ],
        300,
      );
      expect(await dueIds()).toEqual(['dlv_3', 'dlv_r1']);
      const again = await store.delivery('dlv_r1');
      expect(again).toMatchObject({ event: event('1', 'x'), sequence: 1, replayOf: 'dlv_1' });
      expect(await store.finishedSince('wh_a', 0, 10)).toHaveLength(2);
      expect(await store.finishedSince('wh_a', 1001, 10)).toHaveLength(0);
      await settle('dlv_r1', 'succeeded');
      expect(await dueIds()).toEqual(['dlv_3', 'dlv_r2']);
    });

    it('[WH4] brings the next attempt forward, and never puts it off', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await take(1, [delivery('1', 'wh_a', 'x'), delivery('2', 'wh_a', 'y')]);
      await settle('dlv_1', 'pending');
      await settle('dlv_2', 'succeeded');
      await store.hasten('dlv_1', 300);
      expect(await dueIds(300)).toEqual(['dlv_1']);
      await store.hasten('dlv_1', 400);
      expect(await store.dueTime('wh_a')).toBe(300);
      await store.hasten('dlv_2', 300);
      expect(await dueIds(300)).toEqual(['dlv_1']);
    });

    it('[IF59] lists deliveries, newest first, by progress and type', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await store.addEndpoint(endpoint('wh_b'));
      await take(1, [
        delivery('1', 'wh_a', 'x'),
        delivery('2', 'wh_a', 'x'),
        delivery('3', 'wh_a', 'y'),
        delivery('4', 'wh_b', 'x'),
        { ...delivery('5', 'wh_a', 'z'), event: { ...event('5', 'z'), type: 'market.created' } },
      ]);
      await settle('dlv_1', 'pending');
      await settle('dlv_3', 'succeeded');
      const ids = async (page: Partial<Parameters<WebhookStore['deliveriesOf']>[1]>) => {
        const all = { limit: 10, beforePosition: null, status: null, eventType: null };
        const found = await store.deliveriesOf('wh_a', { ...all, ...page });
        return found.map(({ deliveryId }) => deliveryId).join(' ');
      };
      expect(await ids({})).toBe('dlv_5 dlv_3 dlv_2 dlv_1');
      expect(await ids({ limit: 2 })).toBe('dlv_5 dlv_3');
      const { position } = (await store.delivery('dlv_3'))!;
      expect(await ids({ beforePosition: position })).toBe('dlv_2 dlv_1');
      expect(await ids({ status: 'retrying' })).toBe('dlv_1');
      expect(await ids({ status: 'waiting' })).toBe('dlv_2');
      expect(await ids({ status: 'pending' })).toBe('dlv_5');
      expect(await ids({ status: 'succeeded' })).toBe('dlv_3');
      expect(await ids({ eventType: 'market.created' })).toBe('dlv_5');
    });

    it('[IF57] forgets everything of a removed endpoint', async () => {
      await store.addEndpoint(endpoint('wh_a'));
      await take(1, [delivery('1', 'wh_a', 'x')]);
      expect(await store.removeEndpoint('wh_a')).toBe(true);
      expect(await store.removeEndpoint('wh_a')).toBe(false);
      expect(await store.delivery('dlv_1')).toBeNull();
      expect(await settle('dlv_1', 'succeeded')).toBeNull();
    });

    it('[IF59] prunes old deliveries and answers; what is still pending gives way to the next', async () => {
      await store.addEndpoint(endpoint('wh_a'), saved(50));
      await take(1, [delivery('1', 'wh_a', 'x'), delivery('2', 'wh_a', 'y')]);
      await take(9, [delivery('3', 'wh_a', 'x')]);
      await settle('dlv_2', 'succeeded');
      expect(await store.savedAnswer('scope', 'key', 50)).toEqual(saved(50));
      expect(await store.savedAnswer('scope', 'key', 51)).toBeNull();
      await store.prune(105, 51);
      expect(await store.delivery('dlv_1')).toBeNull();
      expect(await store.delivery('dlv_2')).toBeNull();
      expect(await dueIds()).toEqual(['dlv_3']);
      expect(await store.endpoint('wh_a')).toMatchObject({ pendingCount: 1 });
      expect(await store.savedAnswer('scope', 'key', 0)).toBeNull();
    });

    it('[OA10] keeps the answer to what was refused, over a restart too', async () => {
      await store.saveAnswer(saved(7));
      if (harness.isDurable) {
        await store.close();
        store = await harness.open();
      }
      expect(await store.savedAnswer('scope', 'key', 7)).toEqual(saved(7));
    });

    it('[P10] has all of it after a restart', async () => {
      if (!harness.isDurable) return;
      await store.addEndpoint(endpoint('wh_a'), saved(1));
      await take(4, [delivery('1', 'wh_a', 'x'), delivery('2', 'wh_a', 'x')]);
      await settle('dlv_1', 'pending');
      await store.close();
      store = await harness.open();
      expect(await store.cursor('live')).toBe(4);
      expect(await store.dueTimes()).toEqual(new Map([['wh_a', 5000]]));
      expect(await store.attemptsOf(['dlv_1'])).toEqual([[attempt(1)]]);
      expect(await store.savedAnswer('scope', 'key', 0)).toEqual(saved(1));
      expect((await store.endpoint('wh_a'))?.health.lastAttemptAtMs).toBe(7);
    });
  });
}

export function endpoint(webhookId: string): EndpointRecord {
  return {
    ...UNUSED_ENDPOINT,
    webhookId,
    environment: 'live',
    accountId: 'acc_1',
    holderId: 'usr_1',
    url: `https://${webhookId.replace('_', '-')}.example/`,
    eventTypes: ['trade.executed'],
    marketIds: [],
    balanceLowThreshold: 10_000_000n,
    secret: 'sealed',
    fromSeq: 0,
    createdAtMs: 1,
    updatedAtMs: 1,
  };
}

export function event(name: string, aggregate: string): EventRecord {
  return {
    eventId: `evt_${name}`,
    environment: 'live',
    type: 'trade.executed',
    aggregate,
    createdAtMs: 1000,
    data: `{"name":"${name}"}`,
    isTest: false,
  };
}

export function delivery(name: string, webhookId: string, aggregate: string): NewDelivery {
  const eventName = webhookId === 'wh_a' ? name : `${name}-${webhookId}`;
  return { deliveryId: `dlv_${name}`, webhookId, event: event(eventName, aggregate) };
}

function attempt(number: number): AttemptRecord {
  return {
    number,
    atMs: 40 + number,
    httpStatus: 500,
    failure: null,
    latencyMs: 3,
    answerBytes: 2,
  };
}

function saved(atMs: number) {
  return { scope: 'scope', key: 'key', bodyHash: 'h', answer: '{}', atMs };
}
