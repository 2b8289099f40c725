import { describe, expect, test } from 'vitest';
import { changeData, conflatedFrames } from './conflate.ts';
import type { BookChange, Entry } from './instance.ts';

interface Frame {
  readonly type: string;
  readonly seq: number;
  readonly prev_seq: number;
  readonly data: {
    readonly market_id: string;
    readonly outcome_id: string;
    readonly seq: number;
    readonly prev_seq: number;
    readonly bids: readonly [string, string][];
    readonly asks: readonly [string, string][];
  };
}

/** A generator of its own: what is expected does not come from the code under test. */
function dice(seed: number): (bound: number) => number {
  let value = seed;
  return (bound) => {
    value = (Math.imul(value, 1_103_515_245) + 12_345) & 0x7fffffff;
    return value % bound;
  };
}

function framesOf(buffers: readonly Buffer[]): Frame[] {
  return buffers.map((buffer) => {
    const text = buffer.toString();
    return JSON.parse(text.slice(text.indexOf('{')));
  });
}

function apply(books: Map<string, string>, { data }: Pick<Frame, 'data'>): void {
  for (const side of ['bids', 'asks'] as const) {
    for (const [price, size] of data[side] ?? []) {
      const level = `${data.market_id} ${data.outcome_id} ${side} ${price}`;
      if (Number(size) === 0) books.delete(level);
      else books.set(level, size);
    }
  }
}

function randomEntries(seed: number, count: number): Entry[] {
  const draw = dice(seed);
  const numbers = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => {
    const outcomeId = ['yes', 'no'][draw(2)]!;
    const seq = (numbers.get(outcomeId) ?? 10) + 1;
    numbers.set(outcomeId, seq);
    const isSum = draw(5) === 0;
    const level = (): readonly [string, string] => [`0.${1 + draw(9)}`, `${draw(3)}`];
    const levels = (): BookChange['bids'] =>
      isSum ? [] : Array.from({ length: 1 + draw(3) }, level);
    const change: BookChange = {
      marketId: 'm_1',
      outcomeId,
      seq,
      prevSeq: seq - 1,
      bids: levels(),
      asks: levels(),
      atMs: index,
    };
    const type = isSum ? 'orderbook_checksum' : 'orderbook_delta';
    return { type, atMs: index, data: changeData(change), key: null, change, seq: 101 + index };
  });
}

describe('[P11] what a slow reader gets instead of everything', () => {
  test('leads to the same books, over numbers without a gap', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const entries = randomEntries(seed, 1 + (seed % 40));
      const all = new Map<string, string>();
      for (const { data, type } of entries) {
        if (type === 'orderbook_delta') apply(all, { data: JSON.parse(data) });
      }
      const frames = framesOf(conflatedFrames('orderbook:m_1', 100, entries));
      const some = new Map<string, string>();
      let last = 100;
      for (const frame of frames) {
        expect(frame.prev_seq).toBe(last);
        expect(frame.seq).toBeGreaterThan(last);
        last = frame.seq;
        if (frame.type === 'orderbook_delta') apply(some, frame);
      }
      expect(last).toBe(100 + entries.length);
      expect(frames.length).toBeLessThanOrEqual(2);
      expect([...some].sort()).toEqual([...all].sort());
      for (const outcomeId of ['yes', 'no']) {
        const own = entries.filter(({ change }) => change?.outcomeId === outcomeId);
        const told = frames.find(({ data }) => data.outcome_id === outcomeId);
        expect(told?.data.seq).toBe(own.at(-1)?.change?.seq);
      }
    }
  });

  test('keeps every trade and the newest ticker', () => {
    const entry = (seq: number, type: string, key: string | null): Entry => ({
      seq,
      type,
      key,
      atMs: 0,
      data: `${seq}`,
    });
    const entries = [
      entry(1, 'ticker', 'ticker yes'),
      entry(2, 'trade_print', null),
      entry(3, 'ticker', 'ticker no'),
      entry(4, 'trade_print', null),
      entry(5, 'ticker', 'ticker yes'),
    ];
    const frames = framesOf(conflatedFrames('ticker', 0, entries));
    const numbers = frames.map(({ type, seq, prev_seq }) => [type, prev_seq, seq]);
    expect(numbers).toEqual([
      ['trade_print', 0, 2],
      ['ticker', 2, 3],
      ['trade_print', 3, 4],
      ['ticker', 4, 5],
    ]);
  });
});
