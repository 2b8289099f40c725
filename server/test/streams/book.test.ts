// A book rebuilt from its stream is the book over REST, whatever happens on the way.
import { bookChecksum, type OrderBook } from '@sibyl/contract';
import { asAccountId, asMarketId, type CommandBody } from '@sibyl/engine';
import { systemClock } from '@sibyl/lane';
import { lots, pips, usdt } from '@sibyl/money';
import { afterEach, expect, test } from 'vitest';
import { type Client, type Frame, openStage, type Stage, submit } from './stage.ts';

type Side = Map<string, string>;

/** How the size of a level that is gone is written, with all its places. */
const NOTHING = '0.000000';

/** As a careful client keeps it: any gap or wrong sum is an error. */
class LocalBook {
  bids: Side = new Map();
  asks: Side = new Map();
  last = -1;
  resyncs = 0;
  sums = 0;

  add(frame: Frame): void {
    const { type, seq = 0, prev_seq: prev, data } = frame;
    if (type === 'orderbook') {
      this.bids = new Map(data.bids);
      this.asks = new Map(data.asks);
      expect(bookChecksum(this.sides())).toBe(data.checksum);
      expect(data.seq).toBe(seq);
      this.last = seq;
      return;
    }
    if (seq <= this.last) return;
    expect(prev, 'a gap that nobody spoke of').toBeLessThanOrEqual(this.last);
    this.last = seq;
    expect(data.seq).toBe(seq);
    if (type === 'orderbook_checksum') {
      this.sums += 1;
      expect(bookChecksum(this.sides())).toBe(data.checksum);
      return;
    }
    for (const [price, size] of data.bids) put(this.bids, price, size);
    for (const [price, size] of data.asks) put(this.asks, price, size);
  }

  sides(): { bids: [string, string][]; asks: [string, string][] } {
    const by = (sign: number) => (a: [string, string], b: [string, string]) =>
      sign * (Number(a[0]) - Number(b[0]));
    return { bids: [...this.bids].sort(by(-1)), asks: [...this.asks].sort(by(1)) };
  }
}

function put(side: Side, price: string, size: string): void {
  expect(size).toMatch(/^\d+\.\d{6}$/);
  if (size === NOTHING) side.delete(price);
  else side.set(price, size);
}

class Dice {
  #seed: number;
  constructor(seed: number) {
    this.#seed = seed >>> 0;
  }
  below(bound: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * bound);
  }
}

const traders = ['acc_a', 'acc_b', 'acc_c'].map(asAccountId);
let stage: Stage;

afterEach(() => stage.close());

async function openTraders(): Promise<void> {
  for (const accountId of traders) {
    const who = { mode: 'sandbox', parentId: null, referrerId: null } as const;
    await submit(stage, { type: 'open_account', accountId, ...who });
    const amount = usdt(10_000_000_000n);
    await submit(stage, { type: 'deposit', accountId, amount, reference: `start ${accountId}` });
  }
}

function randomCommand(dice: Dice, marketId: string): CommandBody {
  const accountId = traders[dice.below(traders.length)]!;
  if (dice.below(6) === 0) {
    const all = { marketId: null, outcomeId: null, side: null, orderIds: null };
    return { type: 'cancel_orders', accountId, ...all };
  }
  const isLimit = dice.below(4) !== 0;
  return {
    type: 'place_order',
    accountId,
    marketId: asMarketId(marketId),
    outcomeId: dice.below(2) === 0 ? 'yes' : 'no',
    side: dice.below(3) === 0 ? 'sell' : 'buy',
    orderType: isLimit ? 'limit' : 'market',
    price: isLimit ? pips(10 * (300 + dice.below(400))) : null,
    lots: lots(1 + dice.below(3000)),
    timeInForce: isLimit ? 'gtc' : 'ioc',
    expiresAtMs: null,
    postOnly: false,
    reduceOnly: false,
    stpMode: 'cancel_resting',
    maxCost: null,
    validUntilMs: null,
    clientOrderId: null,
    builder: null,
    caps: null,
    grant: null,
    execution: 'hybrid',
    acceptPrice: false,
  } as CommandBody;
}

async function restBook(marketId: string): Promise<OrderBook> {
  const { data } = await stage.exchange.ask('getOrderBook', {
    params: { market_id: marketId },
    query: { outcome_id: 'yes', depth: 100 },
  });
  return data;
}

/** The book that the client has, once it has everything up to the number of the other. */
async function caughtUp(
  client: Client,
  book: LocalBook,
  from: number,
  seq: number,
): Promise<number> {
  let next = from;
  for (let turn = 0; turn < 400; turn += 1) {
    for (; next < client.frames.length; next += 1) {
      const frame = client.frames[next]!;
      if (frame.type === 'resync_required') book.resyncs += 1;
      if (frame.type.startsWith('orderbook')) book.add(frame);
    }
    if (book.last >= seq) return next;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`stood at ${book.last} of ${seq}`);
}

const paces = [
  { pace: 'told at once', options: {} },
  { pace: 'told now and then', options: { clock: systemClock, bookIntervalMs: 8 } },
];

test.each(paces)(
  '[P11] after thousands of random commands, with lost connections, the streamed book is the one over REST: $pace',
  async ({ options }) => {
    stage = await openStage(options);
    await openTraders();
    const marketId = await stage.exchange.market('pool', 7);
    const stream = `orderbook:${marketId}:yes`;
    const dice = new Dice(11);
    const book = new LocalBook();
    const before = await restBook(marketId);
    let client = await stage.connect();
    const { data } = await client.ask({ op: 'SUBSCRIBE', params: [stream] }, 'subscribed');
    expect(data.streams[0].seq).toBe(before.seq);
    let read = 0;
    for (let round = 0; round < 60; round += 1) {
      const work = [];
      for (let index = 0; index < 50; index += 1) {
        work.push(submit(stage, randomCommand(dice, marketId)));
        if (dice.below(5) === 0) await Promise.all(work.splice(0));
      }
      await Promise.all(work);
      if (round % 5 === 0) stage.exchange.clock.advance(1_000);
      const rest = await restBook(marketId);
      read = await caughtUp(client, book, read, rest.seq);
      if (book.last === rest.seq)
        expect(book.sides()).toEqual({ bids: rest.bids, asks: rest.asks });
      if (round % 7 !== 6) continue;
      client.socket.terminate();
      for (let index = 0; index < 40; index += 1)
        await submit(stage, randomCommand(dice, marketId));
      client = await stage.connect();
      read = 0;
      const frame = { op: 'RESUME', epoch: data.epoch, streams: { [stream]: book.last } };
      const resumed = await client.ask(frame, 'resumed');
      expect(resumed.data.streams[0]).toMatchObject({ stream, from_seq: book.last });
      expect(resumed.data.streams[0].replayed).toBeGreaterThan(0);
    }
    const rest = await restBook(marketId);
    await caughtUp(client, book, read, rest.seq);
    expect(book.sides()).toEqual({ bids: rest.bids, asks: rest.asks });
    expect(rest.bids.length + rest.asks.length).toBeGreaterThan(100);
    expect(book.resyncs).toBe(0);
    if (!('clock' in options)) expect(book.sums).toBeGreaterThan(1);
  },
  60_000,
);
