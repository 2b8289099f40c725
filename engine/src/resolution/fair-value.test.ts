// Fair value from the prices of a window: windows, the middle half, pips, and when a window must be named.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf, DAY, HOUR, voiding } from '../../test/resolution.ts';
import { makeWorld, NO_REBATES, PLAIN_PARAMETERS, type World } from '../../test/world.ts';
import { openingPrices, shownPrices } from '../market/mid.ts';
import { countPrices, createSlices, type PriceSlice } from '../market/price-slices.ts';
import type { TimeWindow } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import type { Parameters } from '../state/parameters.ts';
import {
  type FairValue,
  fairValue,
  isMoved,
  isShallow,
  lastDayValue,
  middleHalf,
  tradingTimeMs,
} from './fair-value.ts';

/** At the beginning of a day: quarter-hours and hours are whole. */
const DAWN = 100 * DAY;
const GRID = 900_000;

function halt(world: World, { id }: Market): void {
  world.do({ type: 'halt_market', marketId: id, untilMs: null, reason: 'x' });
}

interface Stretch {
  readonly ms: number;
  readonly prices: readonly number[];
}

/** A halted market of a year that showed these prices. */
function showing(stretches: readonly Stretch[], outcomes = 2): { world: World; market: Market } {
  const world = makeWorld({ nowMs: DAWN });
  const template = { durationSec: (365 * DAY) / 1000 };
  const market = world.market({ deposit: 1000, outcomes, template });
  const slices = Object.assign(market.memory.slices, createSlices(), { countedMs: DAWN });
  for (const { ms, prices } of stretches) {
    world.pass(ms);
    countPrices(world.state, slices, prices, false, GRID);
  }
  halt(world, market);
  return { world, market };
}

function valued(
  { world, market }: { world: World; market: Market },
  window: TimeWindow | null = null,
  excluded: readonly number[] = [],
): FairValue {
  const value = fairValue(world.state, market, window, excluded);
  if ('code' in value) throw new Error(value.code);
  return value;
}

const binary = (ms: number, price: number): Stretch => ({ ms, prices: [price, 1_000_000 - price] });

describe('[VD4] the default window', () => {
  test('vector A: a third of the trading time, its middle half', () => {
    const world = makeWorld({ parameters: NO_REBATES, nowMs: DAWN });
    world.open('t a');
    const template = { durationSec: (10 * DAY) / 1000 };
    const market = world.market({ deposit: 1000, template });
    world.pass(6 * HOUR);
    world.place('t', market, 'buy 100 yes');
    world.pass(6 * HOUR);
    world.place('a', market, 'buy 500 yes');
    expect(shownPrices(market)).toEqual([602_499n, 397_501n]);
    world.pass(8 * HOUR);
    world.place('t', market, 'sell 100 yes');
    expect(shownPrices(market)).toEqual([585_786n, 414_214n]);
    world.pass(4 * HOUR);
    const before = valued({ world, market });
    expect(before.payout).toEqual([5941, 4059]);
    halt(world, market);
    world.pass(DAY);
    expect(valued({ world, market })).toEqual({
      payout: [5941, 4059],
      windowMs: 8 * HOUR,
      span: { fromMs: DAWN + 16 * HOUR, toMs: DAWN + DAY },
      sources: { pool: 8 * HOUR, depth: 0, trades: 0, opening: 0 },
    });
    expect(before).toEqual(valued({ world, market }));
  });

  test('is at most seven days, and its oldest slice counts in proportion', () => {
    const scene = showing([binary(23 * DAY, 300_000), binary(HOUR / 8, 300_008)]);
    expect(tradingTimeMs(scene.world.state, scene.market)).toBe(23 * DAY + HOUR / 8);
    expect(valued(scene).windowMs).toBe(7 * DAY);
    const short = showing([binary(30_000, 400_000), binary(15_000, 600_000)]);
    expect(valued(short)).toMatchObject({ windowMs: 15_000, payout: [4667, 5333] });
  });

  test('is empty in a market that never traded, which pays its opening prices', () => {
    const world = makeWorld();
    const prior = [1000, 9000] as never;
    const market = world.market({ deposit: 100, template: { prior } });
    expect(valued({ world, market })).toEqual({
      payout: [1000, 9000],
      windowMs: 0,
      span: null,
      sources: { pool: 0, depth: 0, trades: 0, opening: 0 },
    });
    expect(openingPrices(market)).toEqual([100_000n, 900_000n]);
  });
});

const slice = fc.record({
  ms: fc.integer({ min: 1, max: 900_000 }),
  price: fc.integer({ min: 1, max: 999_999 }),
});

function slicesOf(parts: readonly { ms: number; price: number }[]): readonly PriceSlice[] {
  let atMs = 0;
  return parts.map(({ ms, price }) => {
    const fromMs = atMs;
    atMs += ms;
    return { fromMs, toMs: atMs, deepMs: 0, prices: [price, 1_000_000 - price] };
  });
}

describe('[VD5] the middle half', () => {
  test('sums exactly half of the window, by price', () => {
    fc.assert(
      fc.property(fc.array(slice, { minLength: 1, maxLength: 40 }), (parts) => {
        const slices = slicesOf(parts);
        const windowMs = slices.at(-1)!.toMs;
        const [first] = middleHalf(2, slices, windowMs);
        // Every millisecond on its own, four times over: the middle 2W of 4W.
        const ordered = [...parts].sort((a, b) => a.price - b.price);
        let [at, sum] = [0n, 0n];
        for (const { ms, price } of ordered) {
          const [from, to] = [at, at + 4n * BigInt(ms)];
          const [low, high] = [BigInt(windowMs), 3n * BigInt(windowMs)];
          const inside = (to < high ? to : high) - (from > low ? from : low);
          if (inside > 0n) sum += inside * BigInt(price);
          at = to;
        }
        expect(first).toBe(sum);
      }),
    );
  });

  test('a quarter of the window replaced by anything leaves it within the range of the rest', () => {
    fc.assert(
      fc.property(
        fc.array(slice, { minLength: 2, maxLength: 40 }),
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 40, maxLength: 40 }),
        (parts, others) => {
          const windowMs = parts.reduce((sum, { ms }) => sum + ms, 0);
          let leftMs = windowMs / 4;
          const rest: number[] = [];
          const changed = parts.map(({ ms, price }, index) => {
            if (ms <= leftMs) {
              leftMs -= ms;
              return { ms, price: others[index]! };
            }
            rest.push(price);
            return { ms, price };
          });
          const [first] = middleHalf(2, slicesOf(changed), windowMs);
          const twice = 2n * BigInt(windowMs);
          expect(first! >= twice * BigInt(Math.min(...rest))).toBe(true);
          expect(first! <= twice * BigInt(Math.max(...rest))).toBe(true);
        },
      ),
    );
  });
});

const three: readonly Stretch[] = [
  { ms: 8 * HOUR, prices: [300_000, 500_000, 200_000] },
  { ms: 8 * HOUR, prices: [350_000, 450_000, 200_000] },
  { ms: 8 * HOUR, prices: [600_000, 380_000, 20_000] },
];
const WHOLE: TimeWindow = { fromMs: DAWN, toMs: DAWN + DAY };

describe('[VD6] the payout', () => {
  test('vector B: three outcomes, and with the third excluded', () => {
    const scene = showing(three, 3);
    expect(valued(scene, WHOLE).payout).toEqual([3833, 4467, 1700]);
    expect(valued(scene, WHOLE, [2]).payout).toEqual([4618, 5382, 0]);
  });

  test('sums to 10,000 pips, and outcomes that swap places swap their pips', () => {
    const prices = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 3, maxLength: 3 });
    const stretch = fc.record({ ms: fc.integer({ min: 1, max: 4 * HOUR }), prices });
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 6 }), (stretches) => {
        const { payout } = valued(showing(stretches, 3));
        expect(payout.reduce((sum: number, pips) => sum + pips, 0)).toBe(10_000);
        const swapped = stretches.map(({ ms, prices: [a, b, c] }) => ({
          ms,
          prices: [c!, b!, a!],
        }));
        const other = valued(showing(swapped, 3)).payout.toReversed();
        // Equal remainders go to the lower outcome, wherever it stands now.
        const apart = payout.map((pips, outcome) => Math.abs(pips - other[outcome]!));
        expect(Math.max(...apart)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });

  test('of nothing but excluded outcomes is refused', () => {
    const { world, market } = showing(three, 3);
    expect(fairValue(world.state, market, WHOLE, [0, 1, 2])).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'excluded' },
    });
  });
});

describe('[VD7] a named window', () => {
  const at = (fromHour: number, toHour: number): TimeWindow => ({
    fromMs: DAWN + fromHour * HOUR,
    toMs: DAWN + toHour * HOUR,
  });
  const refusal = ({ world, market }: ReturnType<typeof showing>, window: TimeWindow) => {
    const value = fairValue(world.state, market, window, []);
    return 'code' in value ? value.details.field : 'ok';
  };

  test('counts the slices wholly inside, cut on the grid', () => {
    const scene = showing([binary(80 * HOUR, 300_000), binary(40 * HOUR, 700_000)]);
    expect(valued(scene, at(40, 80))).toMatchObject({ windowMs: 40 * HOUR, payout: [3000, 7000] });
    const odd = { fromMs: at(40, 0).fromMs + 1, toMs: at(0, 80).toMs - 1 };
    expect(valued(scene, odd)).toMatchObject({
      windowMs: 40 * HOUR - 2 * GRID,
      span: { fromMs: at(40, 0).fromMs + GRID, toMs: at(0, 80).toMs - GRID },
    });
  });

  test('is a day or a third of the trading time at least, a week at most', () => {
    const long = showing([binary(20 * DAY, 300_000)]);
    expect(refusal(long, at(400, 424))).toBe('ok');
    expect(refusal(long, at(400, 423.75))).toBe('window');
    expect(refusal(long, at(300, 468))).toBe('ok');
    expect(refusal(long, at(300, 468.25))).toBe('window');
    const short = showing([binary(30 * HOUR, 300_000)]);
    expect(refusal(short, at(10, 20))).toBe('ok');
    expect(refusal(short, at(10, 19.75))).toBe('window');
  });

  test('ends at most seven days of trading time before the stop', () => {
    const scene = showing([binary(20 * DAY, 300_000)]);
    expect(refusal(scene, at(280, 312))).toBe('ok');
    expect(refusal(scene, { ...at(280, 0), toMs: at(0, 312).toMs - 1 })).toBe('window');
  });

  test('leaves out a halt and the time of a recovery', () => {
    const world = makeWorld({ nowMs: DAWN });
    world.open('t');
    const template = { durationSec: (10 * DAY) / 1000 };
    const market = world.market({ deposit: 1000, template });
    world.pass(10 * HOUR);
    halt(world, market);
    world.pass(10 * HOUR);
    world.do({ type: 'resume_market', marketId: market.id });
    world.place('t', market, 'buy 500 yes');
    const shown = shownPrices(market).map((price) => Math.round(Number(price) / 100));
    world.pass(5 * HOUR);
    world.nowMs += 20 * HOUR;
    world.do({ type: 'recover' });
    world.pass(5 * HOUR);
    const scene = { world, market };
    expect(tradingTimeMs(world.state, market)).toBe(20 * HOUR);
    expect(valued(scene, at(20, 50))).toMatchObject({ windowMs: 10 * HOUR, payout: shown });
    expect(valued(scene, at(0, 50))).toMatchObject({ windowMs: 20 * HOUR });
    // Twelve hours of journal time, five of them traded.
    expect(refusal(scene, at(25, 50))).toBe('window');
  });
});

/** Looks every 60 ms, which orders of a millisecond ago count for. */
const QUICK: Parameters = {
  ...PLAIN_PARAMETERS,
  quality: { ...PLAIN_PARAMETERS.quality, sampleMs: 60 },
  fairValue: { ...PLAIN_PARAMETERS.fairValue, restedMs: 1 },
};

/** Vector C: trades at 0.90, then depth at 0.83 from 12 h to 24 h, then an ask alone at 0.70. */
export function vectorC(): { world: World; market: Market } {
  const world = makeWorld({ parameters: QUICK, nowMs: DAWN });
  world.open('s b m');
  const template = { durationSec: (10 * DAY) / 1000 };
  const market = world.market({ template });
  world.mint('s', market, 1000);
  world.place('s', market, 'sell 1000 yes @ 0.9');
  world.pass(2);
  world.place('b', market, 'buy 1000 yes @ 0.9');
  world.pass(100);
  expect(market.memory.book.price).toBe(863_636);
  world.pass(12 * HOUR - 200);
  world.mint('m', market, 100);
  const bid = world.place('m', market, 'buy 100 yes @ 0.8');
  const ask = world.place('m', market, 'sell 100 yes @ 0.86');
  world.pass(98);
  expect(market.memory.book.price).toBe(830_000);
  world.pass(12 * HOUR - 100);
  for (const { id } of [bid, ask]) world.cancel('m', id);
  world.place('m', market, 'sell 100 yes @ 0.7');
  world.pass(100);
  expect(market.memory.book.price).toBe(700_000);
  world.pass(6 * HOUR);
  halt(world, market);
  return { world, market };
}

describe('[VD8] a window must be named', () => {
  test('vector C: where the book had depth in less than half of the default window', () => {
    const scene = vectorC();
    const value = valued(scene);
    expect(value).toMatchObject({ payout: [7390, 2610], windowMs: 10 * HOUR });
    const depthHours = value.sources.depth / HOUR;
    expect(depthHours).toBeCloseTo(4, 3);
    expect(value.sources.depth + value.sources.trades).toBe(10 * HOUR);
    expect(isShallow(scene.market, value)).toBe(true);
    const { world, market } = scene;
    expect(world.run(voiding(world, market)).answer).toMatchObject({
      rejection: { code: 'VALIDATION_FAILED', details: { field: 'window' } },
    });
    const window = { fromMs: DAWN + 12 * HOUR, toMs: DAWN + DAY };
    expect(valued(scene, window).payout).toEqual([8300, 1700]);
    expect(codeOf(world, voiding(world, market, { window }))).toBe('ok');
  });

  test('where the last day pays 500 pips more or less', () => {
    const refused = (price: number) => {
      const { world, market } = showing([binary(20 * DAY, 300_000), binary(DAY, price)]);
      const [week, day] = [valued({ world, market }), lastDayValue(world.state, market)];
      if ('code' in day) throw new Error(day.code);
      expect(isMoved(world.state, week, day)).toBe(price > 350_000);
      return codeOf(world, voiding(world, market));
    };
    expect(refused(350_000)).toBe('ok');
    expect(refused(350_100)).toBe('VALIDATION_FAILED');
  });

  test('never of three days or less: the last day of it is the default window', () => {
    const { world, market } = showing([
      binary(DAY, 100_000),
      binary(DAY, 500_000),
      binary(DAY, 900_000),
    ]);
    expect(lastDayValue(world.state, market)).toEqual(valued({ world, market }));
    expect(codeOf(world, voiding(world, market))).toBe('ok');
  });
});
