// Readers that never read: memory stays flat, the others are not held up, and the slow ones are told.
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { asAccountId, asMarketId, type CommandBody } from '@sibyl/engine';
import { lots, pips, usdt } from '@sibyl/money';
import { afterEach, expect, test } from 'vitest';
import { limitBuy } from '../limit-order.ts';
import { CLOSE, closingOf, PING, type RawFrame, RawSocket, TEXT } from './raw-socket.ts';
import { type Client, type Frame, openStage, type Stage, submit } from './stage.ts';

const READERS = 20;
const trader = asAccountId('acc_hot');
let stage: Stage;

afterEach(() => stage.close());

/** A socket that subscribes and then does not read. */
async function openSilent(params: readonly string[]): Promise<RawSocket> {
  const raw = await RawSocket.open(stage.url);
  raw.socket.pause();
  raw.command({ op: 'SUBSCRIBE', params });
  return raw;
}

function order(marketId: string, price: number, size: number): CommandBody {
  return limitBuy(trader, asMarketId(marketId), { price: pips(price), lots: lots(size) });
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

test('[P11] [WS5] [WS10] [WS11] [WS12] twenty readers that never read cost no memory and no time, and are told', async () => {
  stage = await openStage();
  watchSockets(stage.exchange.gateway.app.server);
  const who = { mode: 'sandbox', parentId: null, referrerId: null } as const;
  await submit(stage, { type: 'open_account', accountId: trader, ...who });
  const amount = usdt(10_000_000_000n);
  await submit(stage, {
    type: 'deposit',
    accountId: trader,
    amount,
    reference: 'start of the trader',
  });
  const marketId = await stage.exchange.market('book', 1);
  const streams = [`orderbook:${marketId}`, `ticker:${marketId}`, 'orderbook', 'ticker'];
  const silent: RawSocket[] = [];
  for (let count = 0; count < READERS; count += 1) silent.push(await openSilent(streams));
  const readers = [
    await openReader([`orderbook:${marketId}:yes`]),
    await openReader([`orderbook:${marketId}`, 'ticker']),
    await openReader(['orderbook', `ticker:${marketId}`]),
  ];

  // Until the kernel holds all that it can of what nobody reads.
  let before = buffered(stage);
  for (let turn = 0; turn < 40; turn += 1) {
    await trade(marketId, 20);
    const now = buffered(stage);
    if (now.blocked === READERS && now.bytes === before.bytes) break;
    before = now;
  }
  expect(buffered(stage).blocked).toBe(READERS);
  const start = buffered(stage);
  let slowestMs = 0;
  for (let turn = 0; turn < 10; turn += 1) {
    await trade(marketId, 30);
    for (const raw of silent) raw.send(PING, 'who does not read gets no answer');
    const sentMs = performance.now();
    readers[0]!.socket.send('{"op":"PING"}');
    stage.exchange.clock.advance(200);
    await readers[0]!.next('pong');
    slowestMs = Math.max(slowestMs, performance.now() - sentMs);
  }
  const end = buffered(stage);
  expect(end.bytes, 'what waits in memory for those who do not read').toBe(start.bytes);
  expect(end.bytes).toBeLessThan(READERS * 1_048_576);
  // The machine may be busy; who waited for the silent ones would wait for ever.
  expect(slowestMs).toBeLessThan(10_000);
  const rest = await stage.exchange.ask('getOrderBook', {
    params: { market_id: marketId },
    query: { outcome_id: 'yes' },
  });
  await expect.poll(() => numbered(readers[0]!).at(-1)?.seq).toBe(rest.data.seq);
  for (const reader of readers) expectNoGap(reader);

  // One of them reads again: it is told what it missed, or gets it in one piece.
  const [first, ...others] = silent;
  first!.socket.resume();
  const stream = `orderbook:${marketId}`;
  const reached = numbered(readers[1]!).findLast((frame) => frame.stream === stream)?.seq;
  await expect.poll(() => lastCovered(first!, stream)).toBe(reached);

  // Half of the others begin to read when they are closed: whole messages, what was missed, and why it is over.
  const late = others.slice(0, others.length / 2);
  stage.exchange.clock.advance(11_000);
  for (const raw of late) raw.socket.resume();
  for (const raw of late) {
    await expect.poll(() => raw.read().frames.at(-1)?.opcode).toBe(CLOSE);
    expectTold(raw.read().frames);
    expect(raw.read().leftBytes).toBe(0);
  }
  // The rest never does: what was begun cannot be finished, so nothing is claimed about it.
  stage.exchange.clock.advance(6_000);
  const never = others.slice(late.length);
  for (const raw of never) raw.socket.resume();
  const endings = await Promise.all(never.map(async (raw) => [await raw.ended, isWhole(raw)]));
  expect(endings).toEqual(never.map(() => ['reset', false]));
});

async function openReader(params: readonly string[]): Promise<Client> {
  const reader = await stage.connect();
  await reader.ask({ op: 'SUBSCRIBE', params }, 'subscribed');
  await reader.next('orderbook');
  return reader;
}

function numbered({ frames }: Client): readonly Frame[] {
  return frames.filter(({ seq }) => seq !== undefined);
}

/** Every message of every stream came, each right after the one before it. */
function expectNoGap(client: Client): void {
  const last = new Map<string, number>();
  for (const { stream = '', seq = 0, prev_seq: prev } of numbered(client)) {
    if (prev !== undefined) expect(prev, stream).toBe(last.get(stream));
    last.set(stream, seq);
  }
  expect(numbered(client).length).toBeGreaterThan(100);
  expect(client.frames.some(({ type }) => type === 'resync_required')).toBe(false);
}

function expectTold(frames: readonly RawFrame[]): void {
  const texts = frames.filter(({ opcode }) => opcode === TEXT);
  const last = JSON.parse(texts.at(-1)!.payload.toString());
  expect(last).toMatchObject({ type: 'resync_required', data: { reason: 'slow_consumer' } });
  const { code, reason } = closingOf(frames.at(-1)!);
  expect([code, reason]).toEqual([4008, 'The reader stayed too slow for its subscriptions.']);
}

function isWhole(raw: RawSocket): boolean {
  const { frames, leftBytes } = raw.read();
  return leftBytes === 0 && frames.at(-1)?.opcode === CLOSE;
}

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

/** The last number of the stream; whatever arrived of it has no gap that is not spoken of. */
function lastCovered(raw: RawSocket, stream: string): number {
  let last = -1;
  for (const { opcode, payload } of raw.read().frames) {
    if (opcode !== TEXT) continue;
    const frame: Frame = JSON.parse(payload.toString());
    if (frame.stream !== stream || frame.seq === undefined) continue;
    if (frame.prev_seq !== undefined && last >= 0) {
      expect(frame.prev_seq).toBeLessThanOrEqual(last);
    }
    last = frame.seq;
  }
  return last;
}
