// Readers that never read: memory stays flat, the others are not held up, and the slow ones are told.
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { asAccountId, asMarketId, type CommandBody } from '@sibyl/engine';
import { lots, pips, usdt } from '@sibyl/money';
import { afterEach, expect, test } from 'vitest';
import { openStage, pause, type Stage, submit } from './stage.ts';

const READERS = 20;
const trader = asAccountId('acc_hot');
let stage: Stage;

afterEach(() => stage.close());

/** A socket that subscribes and then does not read. */
async function openSilent(params: readonly string[]): Promise<Socket> {
  const socket = connect({ port: Number(new URL(stage.url).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET /sandbox/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  socket.write(masked(JSON.stringify({ op: 'SUBSCRIBE', params })));
  return socket;
}

function masked(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head[0] = 0x81;
  head[1] = 0x80 | 126;
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

function order(marketId: string, price: number, size: number): CommandBody {
  return {
    type: 'place_order',
    accountId: trader,
    marketId: asMarketId(marketId),
    outcomeId: 'yes',
    side: 'buy',
    orderType: 'limit',
    price: pips(price),
    lots: lots(size),
    timeInForce: 'gtc',
    expiresAtMs: null,
    postOnly: false,
    reduceOnly: false,
    stpMode: 'cancel_resting',
    maxCost: null,
    validUntilMs: null,
    clientOrderId: null,
    builder: null,
    caps: null,
    execution: 'hybrid',
  } as CommandBody;
}

/** Moves the whole book up and down, so that every delta is long. */
async function trade(marketId: string, rounds: number): Promise<void> {
  const all = { marketId: null, outcomeId: null, side: null, orderIds: null };
  for (let round = 0; round < rounds; round += 1) {
    const work = [];
    for (let level = 0; level < 60; level += 1) {
      work.push(submit(stage, order(marketId, 10 * (100 + level), 100 + round)));
    }
    await Promise.all(work);
    await submit(stage, { type: 'cancel_orders', accountId: trader, ...all });
  }
}

test('[P11] [T11] twenty readers that never read cost no memory and no time, and are told', async () => {
  stage = await openStage();
  watchSockets(stage.exchange.gateway.app.server);
  const who = { mode: 'sandbox', parentId: null, referrerId: null } as const;
  await submit(stage, { type: 'open_account', accountId: trader, ...who });
  const amount = usdt(10_000_000_000n);
  await submit(stage, { type: 'deposit', accountId: trader, amount, reference: 'start' });
  const marketId = await stage.exchange.market('book', 1);
  const streams = [`orderbook:${marketId}`, `ticker:${marketId}`, 'orderbook', 'ticker'];
  const silent: Socket[] = [];
  for (let count = 0; count < READERS; count += 1) silent.push(await openSilent(streams));
  const reader = await stage.connect();
  await reader.ask({ op: 'SUBSCRIBE', params: [`orderbook:${marketId}:yes`] }, 'subscribed');
  await reader.next('orderbook');

  // Until the kernel holds all that it can of what nobody reads.
  let before = buffered(stage);
  for (let turn = 0; turn < 40; turn += 1) {
    await trade(marketId, 20);
    reader.frames.length = 0;
    const now = buffered(stage);
    if (now.blocked === READERS && now.bytes === before.bytes) break;
    before = now;
  }
  expect(buffered(stage).blocked).toBe(READERS);
  const start = buffered(stage);
  const startMs = performance.now();
  let slowestMs = 0;
  for (let turn = 0; turn < 10; turn += 1) {
    await trade(marketId, 30);
    const sentMs = performance.now();
    reader.socket.send('{"op":"PING"}');
    stage.exchange.clock.advance(200);
    await reader.next('pong');
    slowestMs = Math.max(slowestMs, performance.now() - sentMs);
  }
  expect(performance.now() - startMs).toBeLessThan(20_000);
  const end = buffered(stage);
  expect(end.bytes, 'what waits in memory for those who do not read').toBe(start.bytes);
  expect(end.bytes).toBeLessThan(READERS * 1_048_576);
  expect(slowestMs).toBeLessThan(500);
  const rest = await stage.exchange.ask('getOrderBook', {
    params: { market_id: marketId },
    query: { outcome_id: 'yes' },
  });
  for (let turn = 0; turn < 200 && (reader.frames.at(-1)?.seq ?? 0) < rest.data.seq; turn += 1) {
    await pause(5);
  }
  expect(reader.frames.at(-1)?.seq).toBe(rest.data.seq);
  expect(reader.frames.some(({ type }) => type === 'resync_required')).toBe(false);

  // One of them reads again: it is told what it missed, or gets it in one piece.
  const first = textOf(silent[0]!);
  await pause(300);
  expect(first()).toMatch(/"prev_seq"|resync_required/);
  expectCovered(first(), `orderbook:${marketId}`);
  // The others never do: they are closed with a code that says why.
  const others = silent.slice(1).map((socket) => textOf(socket, true));
  stage.exchange.clock.advance(11_000);
  await pause(100);
  for (const socket of silent) socket.resume();
  const isTold = (text: () => string): boolean => text().includes('slow_consumer');
  for (let turn = 0; turn < 100 && !others.every(isTold); turn += 1) await pause(50);
  expect(others.filter(isTold).length).toBe(others.length);
}, 90_000);

function buffered({ exchange }: Stage): { readonly bytes: number; readonly blocked: number } {
  let bytes = 0;
  let blocked = 0;
  for (const handle of serverSockets(exchange.gateway.app.server)) {
    bytes += handle.writableLength;
    if (handle.writableNeedDrain) blocked += 1;
  }
  return { bytes, blocked };
}

const known = new WeakMap<object, Set<Duplex>>();

function serverSockets(server: object) {
  return known.get(server) ?? new Set<Duplex>();
}

/** Called before any socket is there; they are seen as they turn into streams. */
function watchSockets(server: Server): void {
  const sockets = new Set<Duplex>();
  known.set(server, sockets);
  server.on('upgrade', (_request, socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}

function textOf(socket: Socket, paused = false): () => string {
  const pieces: Buffer[] = [];
  socket.on('data', (data: Buffer) => pieces.push(data));
  if (paused) socket.pause();
  else socket.resume();
  return () => Buffer.concat(pieces).toString('latin1');
}

/** Whatever arrived of the stream has no gap that is not spoken of. */
function expectCovered(text: string, stream: string): void {
  const pattern = /"stream":"([^"]+)","seq":(\d+)(?:,"prev_seq":(\d+))?|"type":"resync_required"/g;
  let last = -1;
  for (const [, name, seq, prev] of text.matchAll(pattern)) {
    if (name !== stream) continue;
    if (prev !== undefined && last >= 0) expect(Number(prev)).toBeLessThanOrEqual(last);
    last = Number(seq);
  }
  expect(last).toBeGreaterThan(0);
}
