import { bookChecksum, streamMessages } from '@sibyl/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestSocketServer } from '../../test/socket-server.ts';
import { BookLevels, type Level } from './book-levels.ts';
import { checksumOf } from './checksum.ts';
import { createSocket, type SibylSocket } from './socket.ts';
import { StreamState } from './stream-state.ts';

const market = 'm_0123456789abcdef';
const name = `orderbook:${market}:yes`;

/** The naive book of the tests: a map per side, sorted when it is looked at. */
class NaiveBook {
  readonly bids = new Map<string, string>();
  readonly asks = new Map<string, string>();

  set(side: 'bids' | 'asks', [price, size]: Level): void {
    if (Number(size) === 0) this[side].delete(price);
    else this[side].set(price, size);
  }

  levels(): { bids: [string, string][]; asks: [string, string][] } {
    const ascending = (first: [string, string], second: [string, string]) =>
      Number(first[0]) - Number(second[0]);
    return {
      bids: [...this.bids].sort(ascending).reverse(),
      asks: [...this.asks].sort(ascending),
    };
  }
}

const price = fc.integer({ min: 1, max: 12 }).map((ticks) => String(ticks / 100));
// Removals must be frequent, or a fault in them hides behind the levels that are set later.
const size = fc.oneof(
  fc.constantFrom('0', '0.000000'),
  fc.integer({ min: 1, max: 500 }).map((lots) => String(lots / 100)),
);
const change = fc.record({
  side: fc.constantFrom('bids' as const, 'asks' as const),
  level: fc.tuple(price, size),
});

describe('levels', () => {
  it('[SK16] are those of a naive book after any changes, and so is the checksum', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 20, maxLength: 200 }), (changes) => {
        const naive = new NaiveBook();
        const levels = new BookLevels();
        for (const { side, level } of changes) {
          naive.set(side, level);
          levels.change(side === 'bids' ? [level] : [], side === 'asks' ? [level] : []);
        }
        const expected = naive.levels();
        expect({ bids: levels.bids, asks: levels.asks }).toEqual(expected);
        expect(levels.checksum()).toBe(bookChecksum(expected));
        expect([levels.bestBid, levels.bestAsk]).toEqual([
          expected.bids[0] ?? null,
          expected.asks[0] ?? null,
        ]);
      }),
    );
  });

  it('[SK16] sum as the contract says', () => {
    const { bids, asks } = streamMessages.orderbook.example;
    // What a server sent with this book.
    expect(checksumOf(bids, asks)).toBe(4_277_856_479);
    expect(checksumOf([], [])).toBe(2_343_686_810);
  });
});

describe('numbers of a stream', () => {
  it('[SK14] whatever is lost, repeated or merged, what is delivered covers each number once', () => {
    const step = fc.record({ merge: fc.integer({ min: 0, max: 3 }), isLost: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const state = new StreamState();
        state.subscribed(0, 'e', false);
        let seq = 0;
        let heard = 0;
        const offer = (prev: number, to: number) => {
          const frame = {
            type: 'ticker',
            stream: 's',
            seq: to,
            prev_seq: prev,
            data: {},
            whole: {},
          };
          const verdict = state.receive(frame, 'e');
          if (verdict === 'deliver') {
            expect(prev).toBeLessThanOrEqual(heard);
            expect(to).toBeGreaterThan(heard);
            heard = to;
          }
          return verdict;
        };
        for (const { merge, isLost } of steps) {
          const prev = seq;
          seq += 1 + merge;
          if (isLost) continue;
          if (offer(prev, seq) === 'gap') {
            expect(state.isSynced).toBe(false);
            state.resumed('e');
            for (let missed = heard; missed < seq; missed += 1) offer(missed, missed + 1);
          }
          expect(offer(prev, seq)).toBe('drop');
          expect(heard).toBe(seq);
        }
      }),
    );
  });
});

describe('live order book', () => {
  let server: TestSocketServer;
  let socket: SibylSocket;
  let truth: NaiveBook;

  beforeEach(async () => {
    server = new TestSocketServer();
    await server.listen();
    truth = new NaiveBook();
    server.stream(name).snapshot = () => {
      const levels = truth.levels();
      const { seq } = server.stream(name);
      const facts = { market_id: market, outcome_id: 'yes', tick_size: '0.01', ts_ms: 1, seq };
      const checksum = bookChecksum(levels);
      return { type: 'orderbook', data: { ...facts, ...levels, epoch: server.epoch, checksum } };
    };
    socket = createSocket({ url: server.url, reconnectMsMin: 2, reconnectMsMax: 5 });
    await socket.connect();
  });

  afterEach(async () => {
    socket.close();
    await server.close();
  });

  it('[SK16] starts with a snapshot and follows its changes', async () => {
    truth.set('bids', ['0.4', '3']);
    const changes: string[] = [];
    const book = socket.orderBook(market, 'yes', { onChange: (_, { kind }) => changes.push(kind) });
    expect(book.isSynced).toBe(false);
    await book.ready;
    expect([book.bids, book.asks, book.isSynced, book.tickSize]).toEqual([
      [['0.4', '3']],
      [],
      true,
      '0.01',
    ]);
    move([['0.41', '1']], [['0.5', '2']]);
    move([['0.4', '0.000000']], []);
    checksum(bookChecksum(truth.levels()));
    await until(() => book.seq === 3);
    expect([book.bestBid, book.bestAsk]).toEqual([
      ['0.41', '1'],
      ['0.5', '2'],
    ]);
    expect([changes, book.mismatches]).toEqual([['snapshot', 'delta', 'delta'], 0]);
    book.close();
    await until(() => server.ops().includes('UNSUBSCRIBE'));
  });

  it('[SK16] asks for a resync when a checksum does not match, and is whole again', async () => {
    const mismatches: number[] = [];
    const book = socket.orderBook(market, 'yes', { onMismatch: ({ seq }) => mismatches.push(seq) });
    await book.ready;
    move([['0.41', '1']], []);
    truth.set('bids', ['0.42', '7']);
    checksum(bookChecksum(truth.levels()));
    await until(() => mismatches.length === 1);
    await until(() => book.isSynced);
    expect(book.bids).toEqual([
      ['0.42', '7'],
      ['0.41', '1'],
    ]);
    expect([mismatches, book.mismatches]).toEqual([[2], 1]);
    expect(server.ops()).toEqual(['SUBSCRIBE', 'SUBSCRIBE']);
  });

  it('[SK16] is refused with the reason of the service', async () => {
    const book = socket.orderBook('nowhere', 'yes');
    await expect(book.ready).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('[SK16] equals the true book after random changes, losses, cuts, overruns and restarts', async () => {
    const random = generator(20_261_115);
    const book = socket.orderBook(market, 'yes');
    await book.ready;
    const reasons = new Set<string>();
    socket.on('resync', ({ reason }) => reasons.add(reason));
    for (let step = 1; step <= 1_500; step += 1) {
      const isLost = random() % 20 === 0;
      server.current.loses = () => isLost;
      const size = random() % 3 === 0 ? '0.000000' : String((1 + (random() % 300)) / 100);
      const level: Level = [String((1 + (random() % 40)) / 100), size];
      if (random() % 2 === 0) move([level], []);
      else move([], [level]);
      server.current.loses = () => false;
      if (random() % 50 === 0) checksum(bookChecksum(truth.levels()));
      if (random() % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (step % 100 !== 0) continue;
      // Every hundredth step the connection goes: by a cut, with too little kept, or by a restart.
      const connections = server.connections.length;
      server.keepMax = step % 300 === 100 ? 3 : 10_000;
      if (step % 300 === 200) server.forget();
      else server.cut();
      for (let more = 5 + (random() % 10); more > 0; more -= 1) move([], [level]);
      await until(() => server.connections.length > connections && book.isSynced);
      server.keepMax = 10_000;
    }
    await until(() => socket.state === 'open' && book.isSynced);
    server.heartbeat();
    server.heartbeat();
    await until(() => book.isSynced && book.seq === server.stream(name).seq);
    expect({ bids: book.bids, asks: book.asks }).toEqual(truth.levels());
    expect(book.mismatches).toBe(0);
    expect(new Set(server.ops())).toEqual(new Set(['SUBSCRIBE', 'RESUME']));
    expect(server.connections.length).toBeGreaterThan(15);
    expect(reasons).toEqual(new Set(['buffer_overrun', 'epoch_changed']));
  });

  function move(bids: Level[], asks: Level[]): void {
    for (const level of bids) truth.set('bids', level);
    for (const level of asks) truth.set('asks', level);
    const { seq } = server.stream(name);
    const numbers = { seq: seq + 1, prev_seq: seq, ts_ms: 1 };
    const outcome = { market_id: market, outcome_id: 'yes' };
    server.publish(name, 'orderbook_delta', { ...outcome, ...numbers, bids, asks });
  }

  function checksum(value: number): void {
    const { seq } = server.stream(name);
    const facts = { market_id: market, outcome_id: 'yes', seq: seq + 1, checksum: value };
    server.publish(name, 'orderbook_checksum', facts);
  }
});

/** A small generator with a fixed seed, so that a failure can be seen again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

async function until(holds: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(holds()).toBe(true), { timeout: 40_000, interval: 2 });
}
