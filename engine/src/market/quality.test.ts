import { type Lots, lots } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTime, passChecks, passToCheck } from '../../test/maker-checks.ts';
import { makeWorld, ofType, PLAIN_PARAMETERS, type World } from '../../test/world.ts';
import type { QualityRun } from '../state/holding.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';
import {
  enoughPoints,
  markScore,
  noteScore,
  orderPoints,
  twoSided,
  windowQuality,
} from './quality.ts';
import { marksOf } from './sample.ts';

const { quality } = DEFAULT_PARAMETERS;
const MINUTE = 60_000;

describe('[QS1] the formula', () => {
  test('vector 26: points, score and quality', () => {
    const bid = orderPoints(lots(40_000), 100, quality);
    const ask = orderPoints(lots(60_000), 150, quality);
    expect([bid, ask]).toEqual([177777777, 150000000]);
    const score = markScore(twoSided(bid, ask, 5000), 2, quality);
    expect(score).toBe(3000);
    const runs: QualityRun[] = [];
    for (let mark = 361; mark <= 1440; mark += 1) noteScore(runs, mark, score);
    expect(windowQuality(runs, 1440, quality)).toBe(2250);
    // 4.1250 bps in units of 10^-8: 30000 + 50000·Q/10000.
    expect(30_000 + (50_000 * 2250) / 10_000).toBe(41_250);
  });

  test('an order counts up to, not at, the greatest distance', () => {
    expect(orderPoints(lots(100), 299, quality)).toBe(11);
    expect(orderPoints(lots(100), 300, quality)).toBe(0);
  });

  test('sides of any size score as exact fractions do, though their sums stop at enough', () => {
    const side = fc.array(
      fc.record({ size: fc.integer({ min: 1, max: 100_000_000_000 }), distance: fc.nat(320) }),
      { maxLength: 3 },
    );
    const sides = fc.array(fc.record({ bids: side, asks: side, mid: fc.nat(9999) }), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(
        sides,
        fc.constantFrom(0, 59),
        fc.constantFrom(1, 1000),
        (quoted, bare, scale) => {
          const outcomes = [...quoted, ...Array.from({ length: bare }, () => UNQUOTED)];
          const parameters = { ...quality, targetLots: quality.targetLots * scale };
          const sum = (orders: Side) =>
            orders.reduce((total, { size, distance }) => {
              const points = total + orderPoints(size as Lots, distance, parameters);
              return Math.min(points, enoughPoints(parameters));
            }, 0);
          const total = outcomes.reduce(
            (points, { bids, asks, mid }) => points + twoSided(sum(bids), sum(asks), mid),
            0,
          );
          const score = markScore(total, outcomes.length, parameters);
          expect(score).toBe(exactScore(outcomes, BigInt(parameters.targetLots)));
        },
      ),
    );
  });

  const UNQUOTED = { bids: [], asks: [], mid: 5000 };

  test('points are the exact fraction, rounded down, whatever the size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000_000 }), fc.nat(299), (size, distance) => {
        const exact = (BigInt(size) * 10_000n * BigInt(300 - distance) ** 2n) / 90_000n;
        expect(orderPoints(size as Lots, distance, quality)).toBe(Number(exact));
      }),
      { numRuns: 2000 },
    );
  });

  type Side = readonly { readonly size: number; readonly distance: number }[];

  /** The fine print in bigints, without any bound. */
  function exactScore(
    outcomes: readonly { readonly bids: Side; readonly asks: Side; readonly mid: number }[],
    targetLots: bigint,
  ): number {
    const sum = (orders: Side) =>
      orders
        .filter(({ distance }) => distance < 300)
        .map(
          ({ size, distance }) => (BigInt(size) * 10_000n * BigInt(300 - distance) ** 2n) / 90_000n,
        )
        .reduce((total, points) => total + points, 0n);
    let total = 0n;
    for (const { bids, asks, mid } of outcomes) {
      const [weaker = 0n, stronger = 0n] = [sum(bids), sum(asks)].sort((a, b) => (a < b ? -1 : 1));
      const isMiddle = mid >= 1000 && mid <= 9000;
      total += isMiddle && stronger / 3n > weaker ? stronger / 3n : weaker;
    }
    const average = outcomes.length > 2 ? total / BigInt(outcomes.length) : total;
    const score = (average * 10_000n) / (targetLots * 10_000n);
    return score > 10_000n ? 10_000 : Number(score);
  }

  test('one side alone counts a third in the middle and nothing at the ends', () => {
    expect(twoSided(100, 0, 1000)).toBe(33);
    expect(twoSided(0, 100, 9000)).toBe(33);
    expect(twoSided(100, 0, 999)).toBe(0);
    expect(twoSided(100, 0, 9001)).toBe(0);
    expect(twoSided(100, 20, 5000)).toBe(33);
    expect(twoSided(100, 40, 5000)).toBe(40);
  });

  test('the window: at least 60 marks, at most 1440, and the oldest leave', () => {
    const runs: QualityRun[] = [];
    noteScore(runs, 1, 6000);
    expect(windowQuality(runs, 1, quality)).toBe(100);
    expect(windowQuality(runs, 60, quality)).toBe(100);
    expect(windowQuality(runs, 61, quality)).toBe(Math.floor(6000 / 61));
    expect(windowQuality(runs, 1440, quality)).toBe(Math.floor(6000 / 1440));
    expect(windowQuality(runs, 1441, quality)).toBe(0);
    expect(runs).toEqual([]);
  });
});

describe('[QS2] bounds and monotony', () => {
  const side = fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 200_000 }), distance: fc.nat(400) }),
    { maxLength: 4 },
  );

  function qualityOf(bids: Orders, asks: Orders, mid: number, present: readonly boolean[]): number {
    const points = (orders: Orders) =>
      orders.reduce((sum, one) => sum + orderPoints(one.size as Lots, one.distance, quality), 0);
    const score = markScore(twoSided(points(bids), points(asks), mid), 2, quality);
    expect(score).toBeLessThanOrEqual(10_000);
    const runs: QualityRun[] = [];
    present.forEach((isPresent, index) => {
      noteScore(runs, index + 1, isPresent ? score : 0);
    });
    return windowQuality(runs, present.length, quality);
  }
  type Orders = readonly { readonly size: number; readonly distance: number }[];

  test('more size, a tighter price or more presence never lowers quality', () => {
    fc.assert(
      fc.property(
        fc.record({
          bids: side,
          asks: side,
          mid: fc.integer({ min: 1, max: 9999 }),
          present: fc.array(fc.boolean(), { minLength: 1, maxLength: 100 }),
          at: fc.nat(99),
          more: fc.integer({ min: 1, max: 100_000 }),
          closer: fc.integer({ min: 1, max: 400 }),
        }),
        ({ bids, asks, mid, present, at, more, closer }) => {
          const before = qualityOf(bids, asks, mid, present);
          expect(before).toBeGreaterThanOrEqual(0);
          expect(before).toBeLessThanOrEqual(10_000);
          const larger = bids.map((one, i) =>
            i === at % 4 ? { ...one, size: one.size + more } : one,
          );
          expect(qualityOf(larger, asks, mid, present)).toBeGreaterThanOrEqual(before);
          const tighter = asks.map((one) => ({
            ...one,
            distance: Math.max(0, one.distance - closer),
          }));
          expect(qualityOf(bids, tighter, mid, present)).toBeGreaterThanOrEqual(before);
          const longer = present.map((one, i) => one || i === at % present.length);
          expect(qualityOf(bids, asks, mid, longer)).toBeGreaterThanOrEqual(before);
        },
      ),
    );
  });

  test('runs give the same as adding up every mark', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 80, maxLength: 200 }), (scores) => {
        const parameters = { ...quality, windowSamples: 50, windowSamplesMin: 10 };
        const runs: QualityRun[] = [];
        scores.forEach((score, index) => {
          noteScore(runs, index + 1, score * 1000);
          const marks = Math.min(50, Math.max(10, index + 1));
          const recent = scores.slice(0, index + 1).slice(-50);
          const sum = recent.reduce((total, one) => total + one * 1000, 0);
          expect(windowQuality(runs, index + 1, parameters)).toBe(Math.floor(sum / marks));
        });
      }),
    );
  });
});

describe('[QS1] samples of a market', () => {
  function quotes(world: World, market: Market): void {
    world.place('m', market, 'buy 400 yes @ 0.49');
    // Selling yes at 0.515 is buying no at 0.485: one coordinate for both faces.
    world.place('m', market, 'buy 600 no @ 0.485');
  }

  const qualityOf = (world: World, market: Market, name: string) =>
    world.holding(name, market)?.quality;

  test('vector 26 in a market: 3000 a mark, over at least an hour', () => {
    const world = makeWorld();
    world.open('m');
    const market = world.market({ deposit: 1000 });
    quotes(world, market);
    const checkMs = checkTime(world, market, 1);
    const before = world.pass(checkMs - world.nowMs - 1);
    expect(ofType(before.events, 'quality_sampled')).toEqual([]);
    const { events } = world.pass(1);
    expect(ofType(events, 'quality_sampled')).toEqual([
      {
        type: 'quality_sampled',
        marketId: market.id,
        scores: [{ accountId: 'acc_m', quality: 50 }],
      },
    ]);
    passChecks(world, market, 2, 90);
    expect(qualityOf(world, market, 'm')).toBe(3000);
  });

  test('a maker that left is still averaged, over marks at which it was absent', () => {
    const world = makeWorld();
    world.open('m');
    const market = world.market({ deposit: 1000 });
    quotes(world, market);
    passToCheck(world, market, 1);
    expect(qualityOf(world, market, 'm')).toBe(Math.floor(3000 / 60));
    for (const { id } of world.state.orderLists.of(world.account('m'))) world.cancel('m', id);
    passChecks(world, market, 2, 120);
    expect(qualityOf(world, market, 'm')).toBe(Math.floor(3000 / 120));
    passChecks(world, market, 121, 1441);
    expect(qualityOf(world, market, 'm')).toBe(0);
    expect(market.rated).toEqual([]);
  });

  test('[QS3] only the last of the looks passed at once is taken, the others count as absent', () => {
    const world = makeWorld();
    world.open('m');
    const market = world.market({ deposit: 1000 });
    quotes(world, market);
    passToCheck(world, market, 120);
    expect(qualityOf(world, market, 'm')).toBe(Math.floor(3000 / 120));
    expect(marksOf(world.state, market)).toBe(120);
  });

  test('orders count from five seconds of rest and from the minimum size', () => {
    const world = makeWorld();
    world.open('m n');
    const market = world.market({ deposit: 1000, template: { minLots: 100 } });
    world.nowMs = checkTime(world, market, 1) - 4999;
    quotes(world, market);
    world.nowMs += 4999;
    world.run({ type: 'tick' });
    expect(qualityOf(world, market, 'm')).toBe(0);
    passToCheck(world, market, 2);
    expect(qualityOf(world, market, 'm')).toBe(50);
  });

  test('without a pool the mid is that of bid and ask; scores are sorted by account', () => {
    const world = makeWorld();
    world.open('b a');
    const market = world.market();
    world.place('b', market, 'buy 500 yes @ 0.3');
    world.place('a', market, 'sell 1 yes @ 0.31');
    world.place('b', market, 'buy 500 no @ 0.69');
    world.place('a', market, 'buy 50 yes @ 0.3');
    const { events } = passToCheck(world, market, 1);
    const [sampled] = ofType(events, 'quality_sampled');
    // The mid is 0.305: 50 pips away on both sides, (250/300)² of the size.
    const both = Math.floor((10_000 * Math.floor((500e6 * 250 * 250) / 90_000)) / 500e6);
    const third = Math.floor(
      (10_000 * Math.floor(Math.floor((50e6 * 250 * 250) / 90_000) / 3)) / 500e6,
    );
    expect(sampled?.scores).toEqual([
      { accountId: 'acc_a', quality: Math.floor(third / 60) },
      { accountId: 'acc_b', quality: Math.floor(both / 60) },
    ]);
  });

  test('for more outcomes each has its own mid, and the average counts', () => {
    const world = makeWorld();
    world.open('m');
    const market = world.market({ deposit: 1000, outcomes: 4 });
    world.mint('m', market, 1000);
    // All mids are 0.25: one outcome of four is quoted, 100 pips away on either side.
    world.place('m', market, 'buy 500 o2 @ 0.24');
    world.place('m', market, 'sell 500 o2 @ 0.26');
    passToCheck(world, market, 1);
    const points = Math.floor((500e6 * 200 * 200) / 90_000);
    const score = Math.floor((10_000 * Math.floor(points / 4)) / 500e6);
    expect(qualityOf(world, market, 'm')).toBe(Math.floor(score / 60));
  });

  test('[QS3] looks are waited for only while a market is active', () => {
    const world = makeWorld();
    expect(world.state.timers.nextDueMs()).toBeNull();
    const market = world.market({ deposit: 100, template: { durationSec: 90 } });
    expect(market.sampleDueMs).toBe(checkTime(world, market, 1));
    world.pass(10 * MINUTE);
    expect([market.status, market.sampleDueMs]).toEqual(['locked', 0]);
  });

  const crowd = (lookOrdersMax: number, outcomes: number) => {
    const parameters = { ...PLAIN_PARAMETERS, quality: { ...quality, lookOrdersMax } };
    const world = makeWorld({ parameters });
    world.open('m n o');
    const market = world.market({ deposit: 1000, outcomes });
    for (const name of ['m', 'n', 'o']) world.mint(name, market, 1000);
    return { world, market };
  };

  test('of each side the first orders are looked at, better prices first, then the earlier', () => {
    const { world, market } = crowd(3, 2);
    world.place('n', market, 'buy 100 yes @ 0.48');
    world.place('o', market, 'buy 100 yes @ 0.48');
    world.place('m', market, 'buy 100 yes @ 0.49');
    world.place('m', market, 'buy 100 yes @ 0.485');
    passToCheck(world, market, 1);
    expect(['m', 'n', 'o'].map((name) => qualityOf(world, market, name)! > 0)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('of more books each has its part, rounded down, and what does not count takes a place', () => {
    // Eight for three books: two on each side of each.
    const { world, market } = crowd(8, 3);
    for (const name of ['n', 'o']) world.place(name, market, 'buy 100 o1 @ 0.32');
    for (const name of ['n', 'o']) world.place(name, market, 'sell 100 o1 @ 0.35');
    world.nowMs = checkTime(world, market, 1) - 100;
    world.place('m', market, 'buy 1 o1 @ 0.321');
    world.nowMs += 100;
    world.run({ type: 'tick' });
    // The young bid of m stands before those of n and o and is one of the two: o has asks only.
    const points = (pips: number) => Math.floor((100e6 * (300 - pips) ** 2) / 90_000);
    const score = (value: number) =>
      Math.floor(Math.floor((10_000 * Math.floor(value / 3)) / 500e6) / 60);
    // The mid is 3333 pips.
    expect(qualityOf(world, market, 'n')).toBe(score(Math.min(points(133), points(167))));
    expect(qualityOf(world, market, 'o')).toBe(score(Math.floor(points(167) / 3)));
    expect(qualityOf(world, market, 'm')).toBe(0);
  });
});
