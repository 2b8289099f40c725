// RESUME: everything again in its own words, or a clear statement that something is missing.
import { type AccountId, asMarketId, type CommandBody } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { ManualClock } from '@sibyl/lane/testing';
import { lots, pips } from '@sibyl/money';
import { afterEach, describe, expect, test } from 'vitest';
import { LaneWatch } from '../../src/streams/lane-watch.ts';
import { limitBuy } from '../limit-order.ts';
import { type Client, openStage, pause, type Stage, submit } from './stage.ts';

let stage: Stage | null = null;

afterEach(async () => {
  await stage?.close();
  stage = null;
});

function order(accountId: AccountId, marketId: string, price: number): CommandBody {
  return limitBuy(accountId, asMarketId(marketId), { price: pips(price), lots: lots(100) });
}

async function authenticated(open: Stage, token: string): Promise<[Client, AccountId]> {
  const client = await open.connect();
  const { data } = await client.ask({ op: 'AUTH', token }, 'authenticated');
  return [client, data.account_id];
}

describe('[P11] RESUME', () => {
  test('[WS9] takes its part of what snapshots may take, and begins anew when that is used up', async () => {
    stage = await openStage({ hasLimits: true, snapshotBytesBurst: 20_000 });
    const token = await stage.exchange.trader();
    const marketId = await stage.exchange.market('book', 1);
    const [client, mine] = await authenticated(stage, token);
    await client.ask({ op: 'SUBSCRIBE', params: ['account'] }, 'subscribed');
    await client.next('account');
    for (let price = 1000; price < 1100; price += 10) {
      await submit(stage, order(mine, marketId, price));
    }
    await client.settle();
    const resume = { op: 'RESUME', epoch: stage.streams.epoch, streams: { account: 1 } };
    const first = await client.ask(resume, 'resumed');
    expect(first.data.streams[0].replayed).toBeGreaterThan(10);
    let again = first;
    for (let count = 0; count < 5 && again.data.streams.length > 0; count += 1) {
      again = await client.ask(resume, 'resumed');
    }
    expect(again.data.streams).toEqual([]);
    const lost = await client.next('resync_required');
    expect(lost.data).toMatchObject({ stream: 'account', reason: 'buffer_overrun' });
  });

  test('gives a private stream again exactly as another reader got it', async () => {
    stage = await openStage();
    const token = await stage.exchange.trader();
    const marketId = await stage.exchange.market('book', 1);
    const [lost, mine] = await authenticated(stage, token);
    const [witness] = await authenticated(stage, token);
    for (const client of [lost, witness]) {
      await client.ask({ op: 'SUBSCRIBE', params: ['account'] }, 'subscribed');
      await client.next('account');
    }
    await submit(stage, order(mine, marketId, 1000));
    await lost.next('order_accepted');
    await lost.settle();
    const last = lost.frames.findLast(({ stream }) => stream === 'account')?.seq ?? 0;
    lost.socket.terminate();
    for (let price = 1010; price < 1300; price += 10) {
      await submit(stage, order(mine, marketId, price));
    }
    const [back] = await authenticated(stage, token);
    const streams = { account: last };
    const resume = { op: 'RESUME', epoch: stage.streams.epoch, streams };
    const { data } = await back.ask(resume, 'resumed');
    expect(data.streams[0].replayed).toBe(data.streams[0].to_seq - last);
    await back.settle();
    await pause(50);
    const missed = (client: Client) =>
      client.frames.filter(({ stream, seq = 0 }) => stream === 'account' && seq > last);
    expect(missed(back).length).toBe(data.streams[0].replayed);
    expect(missed(back)).toEqual(missed(witness));
    for (const epoch of [{ epoch: 'e_another' }, {}]) {
      const other = await back.ask({ op: 'RESUME', ...epoch, streams }, 'resumed');
      expect(other.data.streams, 'numbers of another epoch mean nothing').toEqual([]);
      const resync = await back.next('resync_required');
      expect(resync.data).toMatchObject({ stream: 'account', reason: 'epoch_changed' });
    }
    const stranger = await stage.connect();
    const refused = await stranger.ask(resume, 'resumed');
    expect(refused.data).toMatchObject({ streams: [], rejected: [{ code: 'AUTH_REQUIRED' }] });
  });

  test('says so where the messages are gone, or never were', async () => {
    stage = await openStage({ replayBytesMax: 20_000 });
    const token = await stage.exchange.trader();
    const marketId = await stage.exchange.market('book', 1);
    const [client, mine] = await authenticated(stage, token);
    const stream = `orderbook:${marketId}:yes`;
    const params = ['account', 'trade_executed', stream];
    await client.ask({ op: 'SUBSCRIBE', params }, 'subscribed');
    for (let price = 1000; price < 2500; price += 10) {
      await submit(stage, order(mine, marketId, price));
    }
    expect(stage.streams.replayBytes()).toBeLessThanOrEqual(20_000);
    client.socket.terminate();
    const [back] = await authenticated(stage, token);
    const { epoch } = stage.streams;
    const streams = { account: 1, trade_executed: 99, [stream]: 1, ticker: 5 };
    const { data } = await back.ask({ op: 'RESUME', epoch, streams }, 'resumed');
    expect(data.streams).toEqual([]);
    await back.next('account');
    await back.settle();
    const resyncs = back.frames.filter(({ type }) => type === 'resync_required');
    const reasons = Object.fromEntries(
      resyncs.map(({ data: said }) => [said.stream, [said.reason, said.snapshot]]),
    );
    expect(reasons).toEqual({
      account: ['buffer_overrun', true],
      trade_executed: ['gap', false],
      [stream]: ['buffer_overrun', true],
      ticker: ['gap', true],
    });
  });
});

test('[IF3b] a lane that is degraded, and well again, is told of once each', () => {
  const said: [string, object][] = [];
  let state: 'running' | 'read_only' = 'running';
  const status = () => ({
    state,
    seq: 1,
    durableSeq: 1,
    clockDifferenceMs: null,
    reason: state === 'running' ? null : 'disk',
  });
  const clock = {
    wallMs: () => 5,
    monotonicMs: () => 5,
    bootMs: () => 5,
    setAlarm: () => () => undefined,
  };
  const changed: object[] = [];
  const watch = new LaneWatch(
    { name: 'live', status },
    clock,
    (type, data) => said.push([type, data]),
    (breaker) => changed.push(breaker),
  );
  watch.check();
  state = 'read_only';
  watch.check();
  watch.check();
  expect(watch.openingMessages()).toEqual(said);
  state = 'running';
  watch.check();
  expect(watch.openingMessages()).toEqual([]);
  expect(said).toMatchObject([
    ['circuit_breaker', { lane: 'trade', state: 'open', reason: 'disk', market_id: null }],
    ['circuit_breaker', { lane: 'create', state: 'open', reason: 'disk', market_id: null }],
    ['platform_mode', { mode: 'read_only', reason: 'disk' }],
    ['circuit_breaker', { lane: 'trade', state: 'closed' }],
    ['circuit_breaker', { lane: 'create', state: 'closed' }],
    ['platform_mode', { mode: 'normal' }],
  ]);
  expect(changed).toEqual(
    said.filter(([type]) => type === 'circuit_breaker').map(([, data]) => data),
  );
});

type LaneState = ReturnType<Lane['status']>['state'];

test('[WS15] a breaker names every traffic that stands still, reads and creations too', () => {
  const lanesOf = (name: 'live' | 'sandbox', path: readonly LaneState[]): string[] => {
    const said: string[] = [];
    let state: LaneState = 'running';
    const status = () => ({ state, seq: 1, durableSeq: 1, clockDifferenceMs: null, reason: null });
    const watch = new LaneWatch(
      { name, status },
      new ManualClock(0),
      () => undefined,
      (breaker) => said.push(`${breaker.lane} ${breaker.state}`),
    );
    for (const next of path) {
      state = next;
      watch.check();
    }
    return said;
  };
  expect(lanesOf('live', ['recovering', 'read_only', 'running'])).toEqual([
    'read open',
    'trade open',
    'create open',
    'read closed',
    'trade open',
    'create open',
    'trade closed',
    'create closed',
  ]);
  expect(lanesOf('sandbox', ['stopped', 'running'])).toEqual(['sandbox open', 'sandbox closed']);
});
