import { type StreamMessageType, streamMessages } from '@sibyl/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket as OtherWebSocket } from 'ws';
import { TestSocketServer } from '../../test/socket-server.ts';
import { SibylConnectionError, SibylError } from '../errors.ts';
import { createSocket, type SibylSocket } from './socket.ts';
import type { SocketOptions } from './socket-options.ts';
import { reconnectPauseMs } from './socket-options.ts';
import { StreamOverrun } from './subscription.ts';

const market = 'm_0123456789abcdef';
const tickerName = `ticker:${market}:yes` as const;

let server: TestSocketServer;
const open: SibylSocket[] = [];

beforeEach(async () => {
  server = new TestSocketServer();
  await server.listen();
});

afterEach(async () => {
  for (const socket of open.splice(0)) socket.close();
  await server.close();
});

function socketOf(options: SocketOptions = {}): SibylSocket {
  const socket = createSocket({
    url: server.url,
    reconnectMsMin: 5,
    reconnectMsMax: 20,
    ...options,
  });
  open.push(socket);
  return socket;
}

describe('connection', () => {
  it('[SK11] is open after the greeting, and knows when it last heard of the server', async () => {
    const socket = socketOf();
    expect([socket.state, socket.isStale, socket.lastHeardMs]).toEqual(['idle', true, null]);
    const before = Date.now();
    await socket.connect();
    expect([socket.state, socket.isStale, socket.identity]).toEqual(['open', false, null]);
    expect(socket.lastHeardMs).toBeGreaterThanOrEqual(before);
    expect(server.ops()).toEqual([]);
  });

  it('[SK11] takes any WebSocket that is handed in', async () => {
    const socket = socketOf({ WebSocket: OtherWebSocket });
    await socket.connect();
    expect((await socket.ping()).roundTripMs).toBeGreaterThan(0);
  });

  it('[SK11] sends AUTH first, with what the caller wants on disconnect', async () => {
    const socket = socketOf({ token: 'sk_test_good', cancelOnDisconnect: true, graceMs: 100 });
    const subscription = socket.subscribe('account');
    await socket.connect();
    await subscription.ready;
    expect(socket.identity).toEqual({
      userId: 'usr_01J0000000000005',
      accountId: 'acc_01J0000000000004',
      expiresAtMs: null,
    });
    expect(server.ops()).toEqual(['AUTH', 'SUBSCRIBE']);
    expect(server.current.commands[0]).toMatchObject({
      token: 'sk_test_good',
      cancel_on_disconnect: true,
      grace_ms: 100,
    });
  });

  it('[SK11] a refused credential ends it for good', async () => {
    const socket = socketOf({ token: 'sk_test_bad' });
    const subscription = socket.subscribe('account');
    await expect(socket.connect()).rejects.toMatchObject({ code: 'AUTH_INVALID' });
    expect(socket.state).toBe('closed');
    await expect(subscription.ready).rejects.toBeInstanceOf(SibylError);
    await pause(60);
    expect(server.connections).toHaveLength(1);
  });

  it('[SK11] a first attempt that fails is reported, and can be repeated', async () => {
    await server.stop();
    const socket = socketOf();
    await expect(socket.connect()).rejects.toBeInstanceOf(SibylConnectionError);
    expect(socket.state).toBe('idle');
    await server.restart();
    await socket.connect();
    expect(socket.state).toBe('open');
  });

  it('[SK11] derives the address of the socket from that of the service', () => {
    const seen: string[] = [];
    class Recorder extends OtherWebSocket {
      constructor(url: string) {
        seen.push(url);
        super(server.url);
      }
    }
    for (const baseUrl of ['http://127.0.0.1:1/sandbox/', 'https://sibyl.test']) {
      const socket = createSocket({ baseUrl, WebSocket: Recorder });
      open.push(socket);
      socket.connect().catch(() => undefined);
    }
    expect(seen).toEqual(['ws://127.0.0.1:1/sandbox/ws', 'wss://sibyl.test/ws']);
  });

  it('[SK12] measures latency and sets the language, also on later connections', async () => {
    const socket = socketOf({ locale: 'es' });
    await socket.connect();
    expect(await socket.setLocale('de-AT')).toBe('de');
    const { roundTripMs, clockOffsetMs } = await socket.ping();
    expect(roundTripMs).toBeGreaterThan(0);
    expect(clockOffsetMs).toBeLessThan(-1e12);
    server.cut();
    await until(() => server.connections.length === 2 && socket.state === 'open');
    expect(server.current.commands[0]).toMatchObject({ op: 'LOCALE', locale: 'de-AT' });
  });

  it('[SK12] goes without a language that is refused', async () => {
    server.intercept = (connection, { op, id }) => {
      if (op !== 'LOCALE') return false;
      connection.notice('error', { id, op, code: 'VALIDATION_FAILED', message: 'No.' });
      return true;
    };
    const faults: string[] = [];
    const socket = socketOf({ locale: 'xx-klingon' });
    socket.on('fault', ({ message }) => faults.push(message));
    await socket.connect();
    expect([socket.state, faults]).toEqual(['open', ['VALIDATION_FAILED: No.']]);
    await expect(socket.setLocale('yy')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('[SK12] sends again what was dropped when it was throttled', async () => {
    const socket = socketOf();
    await socket.connect();
    let dropped = 0;
    server.intercept = (connection) => {
      if (dropped++ > 0) return false;
      connection.notice('throttled', { retry_after_ms: 20, frames_dropped: 1 });
      return true;
    };
    await socket.ping();
    expect(server.ops()).toEqual(['PING', 'PING']);
  });

  it('[SK12] gives a connection up that leaves a command unanswered', async () => {
    const socket = socketOf({ timeoutMs: 400 });
    await socket.connect();
    server.intercept = () => true;
    await expect(socket.ping()).rejects.toMatchObject({ name: 'SibylTimeoutError' });
    server.intercept = () => false;
    await until(() => server.connections.length === 2 && socket.state === 'open');
  });
});

describe('subscriptions', () => {
  it('[SK13] are asked for together, each typed by its stream', async () => {
    const socket = socketOf();
    await socket.connect();
    const prices: string[] = [];
    const one = socket.subscribe(tickerName, {
      onFrame: (frame) => {
        if (frame.type === 'ticker') prices.push(frame.data.price);
      },
    });
    const two = socket.subscribe('markets_snapshot');
    await Promise.all([one.ready, two.ready]);
    expect(server.current.commands).toMatchObject([
      { op: 'SUBSCRIBE', params: [tickerName, 'markets_snapshot'] },
    ]);
    tick('0.51');
    tick('0.52');
    await until(() => prices.length === 2);
    expect(prices).toEqual(['0.51', '0.52']);
    expect([one.lastSeq, one.isSynced]).toEqual([2, true]);
  });

  it('[SK13] can be iterated over, and leave when the loop ends', async () => {
    const socket = socketOf();
    await socket.connect();
    const subscription = socket.subscribe(tickerName);
    await subscription.ready;
    for (const price of ['0.1', '0.2', '0.3']) tick(price);
    const seen: string[] = [];
    for await (const frame of subscription) {
      if (frame.type === 'ticker') seen.push(frame.data.price);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(['0.1', '0.2', '0.3']);
    await until(() => server.ops().includes('UNSUBSCRIBE'));
  });

  it('[SK13] one refusal does not touch the others', async () => {
    const socket = socketOf();
    await socket.connect();
    const good = socket.subscribe(tickerName);
    const unknown = socket.subscribe('ticker:nowhere');
    const secret = socket.subscribe('account');
    await good.ready;
    await expect(unknown.ready).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(iterate(secret)).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(good.isSynced).toBe(true);
  });

  it('[SK13] leave the stream to others that still listen', async () => {
    const socket = socketOf();
    await socket.connect();
    const seqs: number[] = [];
    const first = socket.subscribe(tickerName);
    const second = socket.subscribe(tickerName, { onFrame: ({ seq }) => seqs.push(seq) });
    await Promise.all([first.ready, second.ready]);
    first.close();
    await pause(10);
    tick('0.5');
    await until(() => seqs.length === 1);
    expect(server.ops()).not.toContain('UNSUBSCRIBE');
  });

  it('[SK13] fail loudly when the loop cannot keep up', async () => {
    const socket = socketOf();
    await socket.connect();
    const subscription = socket.subscribe(tickerName, { bufferMax: 2 });
    await subscription.ready;
    for (const price of ['0.1', '0.2', '0.3']) tick(price);
    await until(() => !subscription.isSynced);
    const seen: number[] = [];
    const loop = async () => {
      for await (const { seq } of subscription) seen.push(seq);
    };
    await expect(loop()).rejects.toBeInstanceOf(StreamOverrun);
    expect(seen).toEqual([1, 2]);
  });
});

describe('sequence', () => {
  it('[SK14] a gap is filled by RESUME; nothing is delivered twice or out of order', async () => {
    const { seqs } = await listening();
    tick('0.1');
    server.current.loses = ({ seq }) => seq === 2 || seq === 3;
    tick('0.2');
    tick('0.3');
    tick('0.4');
    tick('0.5');
    server.current.loses = () => false;
    await until(() => seqs.length === 5);
    expect(seqs).toEqual([1, 2, 3, 4, 5]);
    const resume = server.current.commands.find(({ op }) => op === 'RESUME');
    expect(resume).toMatchObject({ epoch: 'e_1', streams: { [tickerName]: 1 } });
  });

  it('[SK14] repetitions are dropped, merged frames count for all they cover', async () => {
    const { seqs } = await listening();
    const first = tick('0.1');
    server.current.send(first);
    server.stream(tickerName).seq = 4;
    tick('0.2', 1);
    tick('0.3');
    await until(() => seqs.length === 3);
    expect(seqs).toEqual([1, 5, 6]);
    expect(server.ops()).not.toContain('RESUME');
  });

  it('[SK14] a loss on a quiet stream shows at the second heartbeat that names it', async () => {
    const { seqs } = await listening();
    tick('0.1');
    server.current.loses = ({ seq }) => seq === 2;
    tick('0.2');
    server.current.loses = () => false;
    server.heartbeat();
    await pause(20);
    expect([seqs, server.ops().includes('RESUME')]).toEqual([[1], false]);
    server.heartbeat();
    await until(() => seqs.length === 2);
    expect(seqs).toEqual([1, 2]);
  });

  it('[SK14] a stream that the server has forgotten is asked for again', async () => {
    const { seqs } = await listening();
    tick('0.1');
    await until(() => seqs.length === 1);
    server.current.names.clear();
    tick('0.2');
    server.heartbeat();
    await pause(20);
    expect(server.ops()).toEqual(['SUBSCRIBE']);
    server.heartbeat();
    await until(() => seqs.length === 2);
    expect([seqs, server.ops()]).toEqual([
      [1, 2],
      ['SUBSCRIBE', 'RESUME'],
    ]);
  });

  it('[SK14] a snapshot that never comes is asked for again', async () => {
    const { socket } = await listening();
    const name = 'markets_snapshot';
    const data = streamMessages.markets_snapshot.example;
    server.stream(name).snapshot = () => ({ type: name, data });
    server.current.loses = ({ type }) => type === name;
    const snapshots: string[] = [];
    const subscription = socket.subscribe(name, { onFrame: ({ type }) => snapshots.push(type) });
    await subscription.ready;
    server.current.loses = () => false;
    for (const _beat of [1, 2]) server.heartbeat();
    await until(() => snapshots.length === 1);
    expect(subscription.isSynced).toBe(true);
  });

  it('[SK14] what cannot be had again is announced', async () => {
    const resyncs: string[] = [];
    const { seqs, socket } = await listening();
    socket.on('resync', ({ stream, reason, snapshot }) =>
      resyncs.push(`${stream} ${reason} ${snapshot}`),
    );
    server.keepMax = 1;
    server.current.loses = ({ seq }) => Number(seq) < 3;
    for (const price of ['0.1', '0.2', '0.3']) tick(price);
    await until(() => resyncs.length === 1);
    expect(resyncs).toEqual([`${tickerName} buffer_overrun false`]);
    tick('0.4');
    await until(() => seqs.length === 1);
    expect(seqs).toEqual([4]);
  });
});

describe('coming back', () => {
  it('[SK15] continues every stream after a lost connection, by RESUME', async () => {
    const { seqs, socket } = await listening();
    const states: string[] = [];
    socket.on('state', (state) => states.push(state));
    tick('0.1');
    await until(() => seqs.length === 1);
    server.cut();
    await until(() => server.current.names.size === 0);
    tick('0.2');
    tick('0.3');
    await until(() => seqs.length === 3);
    expect(seqs).toEqual([1, 2, 3]);
    expect(server.current.commands).toMatchObject([
      { op: 'RESUME', epoch: 'e_1', streams: { [tickerName]: 1 } },
    ]);
    expect(states).toEqual(['waiting', 'connecting', 'open']);
  });

  it('[SK15] takes another epoch for a new beginning', async () => {
    const reasons: string[] = [];
    const { seqs, socket } = await listening();
    socket.on('resync', ({ reason }) => reasons.push(reason));
    tick('0.1');
    await until(() => seqs.length === 1);
    await server.restart();
    await until(() => socket.state === 'open' && reasons.length === 1);
    tick('0.2');
    await until(() => seqs.length === 2);
    expect([reasons, seqs]).toEqual([['epoch_changed'], [1, 1]]);
  });

  it('[SK15] keeps trying while the server is away', async () => {
    const { socket, seqs } = await listening();
    await server.stop();
    await until(() => socket.state === 'waiting');
    await pause(80);
    expect(socket.isStale).toBe(true);
    await server.restart();
    await until(() => socket.state === 'open');
    await until(() => server.current.names.size === 1);
    tick('0.2');
    await until(() => seqs.length === 1);
  });

  it('[SK15] waits as long as going_away says', async () => {
    const socket = socketOf();
    await socket.connect();
    const startMs = performance.now();
    server.current.notice('going_away', { reconnect_after_ms: 150 });
    server.current.socket.close(1001);
    await until(() => server.connections.length === 2);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(145);
  });

  it('[SK15] notices silence although the connection is still there', async () => {
    server.heartbeatMs = 300;
    const faults: string[] = [];
    const socket = socketOf();
    await socket.connect();
    socket.on('fault', ({ message }) => faults.push(message));
    const beats = setInterval(() => server.heartbeat(), 50);
    await pause(1_200);
    expect([server.connections.length, socket.isStale]).toEqual([1, false]);
    clearInterval(beats);
    await until(() => server.connections.length === 2);
    expect(faults[0]).toMatch('silent');
  });

  it('[SK15] pauses grow, are spread, and have a ceiling', () => {
    const settings = { reconnectMsMin: 100, reconnectMsMax: 1_000 };
    const least = [1, 2, 3, 4, 5, 50].map((attempt) =>
      reconnectPauseMs(settings, attempt, () => 0),
    );
    const most = [1, 2, 3, 4, 5, 50].map((attempt) => reconnectPauseMs(settings, attempt, () => 1));
    expect(least).toEqual([50, 100, 200, 400, 500, 500]);
    expect(most).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('[SK15] does not come back with a credential that was revoked', async () => {
    const socket = socketOf({ token: 'sk_test_good' });
    await socket.connect();
    const subscription = socket.subscribe('account');
    await subscription.ready;
    server.current.notice('auth_revoked', { reason: 'key_revoked' });
    server.current.socket.close(4001);
    await expect(iterate(subscription)).rejects.toMatchObject({
      code: 'AUTH_INVALID',
      details: { reason: 'revoked' },
    });
    await pause(60);
    expect([socket.state, server.connections.length]).toEqual(['closed', 1]);
  });

  it('[SK15] asks for another credential where the caller can give one', async () => {
    const given = ['sk_test_good', 'ses_second', 'ses_third'];
    for (const token of given) server.tokens.add(token);
    const source = vi.fn(() => Promise.resolve(given.shift() ?? ''));
    const socket = socketOf({ token: source });
    await socket.connect();
    server.current.notice('auth_expiring');
    await until(() => server.ops().length === 2);
    server.current.socket.close(4001);
    await until(() => server.connections.length === 2 && socket.state === 'open');
    const tokens = server.connections.flatMap(({ commands }) => commands.map(({ token }) => token));
    expect(tokens).toEqual(['sk_test_good', 'ses_second', 'ses_third']);
  });

  it('[SK15] close ends everything quietly', async () => {
    const { socket, subscription } = await listening();
    socket.close();
    await iterate(subscription);
    await pause(40);
    expect([socket.state, server.connections.length]).toEqual(['closed', 1]);
    expect(() => socket.connect()).toThrow('closed');
  });

  it('[SK15] is not disturbed by frames it does not know', async () => {
    const { seqs } = await listening();
    const { socket } = server.current;
    for (const text of ['no json', '[]', '{"type":1}', '{"type":"brand_new","data":{}}']) {
      socket.send(text);
    }
    socket.send(Buffer.from([1, 2, 3]));
    tick('0.1');
    await until(() => seqs.length === 1);
  });
});

async function listening() {
  const socket = socketOf();
  await socket.connect();
  const seqs: number[] = [];
  const subscription = socket.subscribe(tickerName, { onFrame: ({ seq }) => seqs.push(seq) });
  await subscription.ready;
  return { socket, seqs, subscription };
}

function tick(price: string, from?: number) {
  const type: StreamMessageType = 'ticker';
  const { seq } = server.stream(tickerName);
  const data = { ...streamMessages.ticker.example, market_id: market, price, seq: seq + 1 };
  return server.publish(tickerName, type, data, from);
}

async function iterate(frames: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _frame of frames) count += 1;
  return count;
}

async function until(holds: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(holds()).toBe(true), { timeout: 40_000, interval: 2 });
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
