// The book price by the figures of the design's example C, on the reference alone.
import { describe, expect, it } from 'vitest';
import { Bench } from '../../test/bench.ts';
import { fairPayout } from './fair-value.ts';
import { at } from './pool.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

function bookBench(): Bench {
  return new Bench(0n, 2, {}, { durationSec: 30 * 3_600 });
}

const priceOf = (bench: Bench): bigint => at(bench.exchange.world.markets, 0).book.price;

function pass(bench: Bench, ms: number): void {
  bench.nowMs += ms;
  bench.run({ type: 'tick' });
}

describe('the price of a book without a pool', () => {
  it('[VD3] takes trades against rested orders, then depth, then a lone ask (C)', () => {
    const bench = bookBench();
    expect(priceOf(bench)).toBe(500_000n);
    bench.order({ accountId: 'acc_A', outcomeId: 'no', price: 1000, lots: 100_000 });
    pass(bench, 2 * MINUTE);
    bench.order({ accountId: 'acc_B', outcomeId: 'yes', price: 9000, lots: 100_000 });
    pass(bench, 2 * MINUTE);
    expect(priceOf(bench)).toBe(863_636n);
    bench.order({ accountId: 'acc_A', outcomeId: 'yes', price: 8000, lots: 10_000 });
    bench.order({ accountId: 'acc_T', outcomeId: 'no', price: 1400, lots: 10_000 });
    pass(bench, 30_000);
    expect(priceOf(bench)).toBe(863_636n);
    pass(bench, 2 * MINUTE);
    expect(priceOf(bench)).toBe(830_000n);
    expect(at(bench.exchange.world.markets, 0).book.isDeep).toBe(true);
    bench.run({ type: 'cancel_orders', accountId: 'acc_A', ...ALL });
    bench.run({ type: 'cancel_orders', accountId: 'acc_T', ...ALL });
    pass(bench, 2 * MINUTE);
    expect(priceOf(bench)).toBe(830_000n);
    bench.order({ accountId: 'acc_T', outcomeId: 'no', price: 3000, lots: 10_000 });
    pass(bench, 3 * MINUTE);
    expect(priceOf(bench)).toBe(700_000n);
    expect(at(bench.exchange.world.markets, 0).book.isDeep).toBe(false);
  });

  it('[VD3] takes nothing from orders that cross at once', () => {
    const bench = bookBench();
    bench.order({ accountId: 'acc_A', outcomeId: 'no', price: 1000, lots: 100_000 });
    bench.order({ accountId: 'acc_B', outcomeId: 'yes', price: 9000, lots: 100_000 });
    pass(bench, 2 * MINUTE);
    expect(priceOf(bench)).toBe(500_000n);
  });

  it('[VD3] asks for a twentieth of the sets outstanding', () => {
    const bench = bookBench();
    bench.mint('acc_A', 400_000);
    bench.order({ accountId: 'acc_A', outcomeId: 'yes', price: 8000, lots: 19_999 });
    bench.order({ accountId: 'acc_T', outcomeId: 'no', price: 1400, lots: 20_000 });
    pass(bench, 3 * MINUTE);
    expect(priceOf(bench)).toBe(500_000n);
    bench.order({ accountId: 'acc_A', outcomeId: 'yes', price: 7990, lots: 1 });
    pass(bench, 3 * MINUTE);
    expect(priceOf(bench)).toBe(829_500n);
  });

  it('[VD2][VD7] pays the prices that stood while the market traded', () => {
    const bench = bookBench();
    const { world } = bench.exchange;
    bench.order({ accountId: 'acc_A', outcomeId: 'yes', price: 8000, lots: 10_000 });
    bench.order({ accountId: 'acc_T', outcomeId: 'no', price: 1400, lots: 10_000 });
    pass(bench, 12 * HOUR);
    const fromMs = bench.nowMs;
    pass(bench, 12 * HOUR);
    const market = at(world.markets, 0);
    expect(fairPayout(world, market, null, [])).toEqual([8300, 1700]);
    expect(fairPayout(world, market, { fromMs, toMs: bench.nowMs }, [])).toEqual([8300, 1700]);
    expect(fairPayout(world, market, { fromMs, toMs: fromMs + HOUR }, [])).toBe('window');
  });
});

const ALL = { marketId: null, outcomeId: null, side: null, orderIds: null };
