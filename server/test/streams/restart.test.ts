// Over a restart of the real server: another epoch is never taken for continuity, and the new book is right.

import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startSeeded } from '../seeded-sandbox.ts';
import { startServer, temporaryFolder } from '../server-process.ts';

const data = temporaryFolder();
afterAll(() => data.remove());

interface Frame {
  readonly type: string;
  readonly seq: number;
  readonly prev_seq?: number;
  // biome-ignore lint/suspicious/noExplicitAny: what is looked at is compared.
  readonly data: any;
}

class Reader {
  readonly frames: Frame[] = [];
  readonly #socket: WebSocket;
  code = 0;

  constructor(baseUrl: string) {
    this.#socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/sandbox/ws`);
    this.#socket.on('message', (text: Buffer) => this.frames.push(JSON.parse(text.toString())));
    this.#socket.on('close', (code) => {
      this.code = code;
    });
    this.#socket.on('error', () => undefined);
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  async find(test: (frame: Frame) => boolean): Promise<Frame> {
    for (let turn = 0; turn < 2_000; turn += 1) {
      const found = this.frames.find(test);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error('it did not come');
  }

  /** The book by the frames of its stream, and the number it has. */
  book(): { seq: number; bids: [string, string][]; asks: [string, string][] } {
    const sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
    let seq = -1;
    for (const frame of this.frames) {
      if (!frame.type.startsWith('orderbook') || (frame.prev_seq !== undefined && frame.seq <= seq))
        continue;
      if (frame.prev_seq !== undefined) expect(frame.prev_seq).toBeLessThanOrEqual(seq);
      seq = frame.seq;
      if (frame.type === 'orderbook_checksum') continue;
      for (const side of ['bids', 'asks'] as const) {
        if (frame.type === 'orderbook') sides[side].clear();
        for (const [price, size] of frame.data[side]) {
          if (size === '0.000000') sides[side].delete(price);
          else sides[side].set(price, size);
        }
      }
    }
    const by = (sign: number) => (a: [string, string], b: [string, string]) =>
      sign * (Number(a[0]) - Number(b[0]));
    return { seq, bids: [...sides.bids].sort(by(-1)), asks: [...sides.asks].sort(by(1)) };
  }

  end(): void {
    this.#socket.terminate();
  }
}

async function get(url: string) {
  const response = await fetch(url);
  const { data: found } = (await response.json()) as { data: never };
  return found as never as { seq: number; bids: never; asks: never } & {
    market_id: string;
    outcomes: { id: string }[];
  }[];
}

/** Bots trade on: the two are compared at a moment when they have the same number. */
async function expectSame(reader: Reader, url: string): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    const rest = await get(url);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const book = reader.book();
    if (book.seq !== rest.seq) continue;
    expect(book).toMatchObject({ bids: rest.bids, asks: rest.asks });
    expect(book.bids.length + book.asks.length).toBeGreaterThan(2);
    return;
  }
  throw new Error('never at the same number');
}

test('[P11] [IF51] a restart is another epoch: resync, a fresh snapshot, and the same book as REST', async () => {
  const environment = { BOTS: 'on' };
  let server = await startSeeded({ dataDir: data.folder, environment });
  const [market] = await get(
    `${server.baseUrl}/sandbox/v1/markets?status=active&category=technology&limit=1`,
  );
  const marketId = market!.market_id;
  const outcomeId = market!.outcomes[0]!.id;
  const stream = `orderbook:${marketId}:${outcomeId}`;
  const path = `/sandbox/v1/orderbook/${marketId}?outcome_id=${outcomeId}&depth=100`;
  const first = new Reader(server.baseUrl);
  const welcome = await first.find(({ type }) => type === 'welcome');
  first.send({ op: 'SUBSCRIBE', params: [stream] });
  await first.find(({ type }) => type === 'orderbook');
  await expectSame(first, `${server.baseUrl}${path}`);
  await server.stop('SIGTERM');
  await first.find(({ type }) => type === 'going_away');
  expect(first.code).toBe(1001);
  const { seq } = first.book();

  server = await startServer({ dataDir: data.folder, environment });
  const second = new Reader(server.baseUrl);
  const again = await second.find(({ type }) => type === 'welcome');
  expect(again.data.epoch).not.toBe(welcome.data.epoch);
  second.send({ op: 'RESUME', epoch: welcome.data.epoch, streams: { [stream]: seq } });
  const resync = await second.find(({ type }) => type === 'resync_required');
  expect(resync.data).toMatchObject({ stream, reason: 'epoch_changed', snapshot: true });
  await second.find(({ type }) => type === 'orderbook');
  await expectSame(second, `${server.baseUrl}${path}`);
  second.end();
  await server.stop('SIGTERM');
});

test('[WS8] after a kill -9, cancel_on_disconnect counts as lost and cancels when its grace is over', async () => {
  const environment = { LANES: 'sandbox' };
  let server = await startServer({ dataDir: data.folder, environment });
  const call = async (method: string, path: string, token: string, body?: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${server.baseUrl}/sandbox${path}`, { method, headers, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: what is looked at is compared.
    return ((await response.json()) as any).data;
  };
  const minted = await fetch(`${server.baseUrl}/sandbox/v1/sandbox-keys`, { method: 'POST' });
  const { key_id: key } = ((await minted.json()) as { data: { key_id: string } }).data;
  await call('POST', '/v1/sandbox/faucet', key, {});
  const [market] = await get(
    `${server.baseUrl}/sandbox/v1/markets?status=active&category=technology&limit=1`,
  );
  const order = { side: 'buy', order_type: 'limit', price: '0.1', size: '10' };
  const at = { market_id: market!.market_id, outcome_id: market!.outcomes[0]!.id };
  const { order_id: orderId } = await call('POST', '/v1/orders', key, { ...order, ...at });
  const reader = new Reader(server.baseUrl);
  await reader.find(({ type }) => type === 'welcome');
  reader.send({ op: 'AUTH', token: key, cancel_on_disconnect: true, grace_ms: 500 });
  await reader.find(({ type }) => type === 'authenticated');
  await server.stop('SIGKILL');

  server = await startServer({ dataDir: data.folder, environment });
  const find = () => call('GET', `/v1/orders/${orderId}`, key);
  const patience = { timeout: 120_000, interval: 500 };
  await expect.poll(async () => (await find()).status, patience).toBe('cancelled');
  expect((await find()).cancel_reason).toBe('disconnect');
  await server.stop('SIGTERM');
});
