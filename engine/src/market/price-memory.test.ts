// What a market remembers of its prices: exact averages over trading time, against a diary of all that it showed.
import type { Pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Fraction, PriceDiary } from '../../test/diary.ts';
import { makeWorld, PLAIN_PARAMETERS, type World } from '../../test/world.ts';
import type { CommandBody } from '../command.ts';
import { stateHash } from '../hash.ts';
import type { Parameters } from '../parameters.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Market } from './market.ts';
import { shownPrices } from './mid.ts';
import { averagePrices } from './price-memory.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function withAverage(windowMs: number, sliceMs: number): Parameters {
  return {
    ...PLAIN_PARAMETERS,
    fairValue: { ...PLAIN_PARAMETERS.fairValue, shortWindowMs: windowMs, sliceMaxMs: sliceMs },
  };
}

const halt = ({ id }: Market): CommandBody => ({
  type: 'halt_market',
  marketId: id,
  untilMs: null,
  reason: 'x',
});

/** Stops the market, so that all it traded is counted, and gives its averages in µ, rounded to the nearest. */
function averages(world: World, market: Market): readonly number[] {
  if (!market.halted && market.status === 'active') world.do(halt(market));
  const { totals, whole } = averagePrices(world.state, market);
  return totals.map((total) => Math.round(Number((total * 1_000_000_000n) / whole) / 1000));
}

const KINDS = ['buy', 'sell', 'halt', 'resume', 'read_only', 'writable', 'recover'] as const;
const step = fc.record({
  ms: fc.oneof(fc.nat(3), fc.nat(40), fc.nat(400)),
  what: fc.oneof(fc.constantFrom('buy' as const, 'sell' as const), fc.constantFrom(...KINDS)),
  outcome: fc.nat(2),
  lots: fc.integer({ min: 1, max: 30_000 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function commandOf(market: Market, { what }: Step): CommandBody | null {
  switch (what) {
    case 'halt':
      return halt(market);
    case 'resume':
      return { type: 'resume_market', marketId: market.id };
    case 'read_only':
    case 'writable':
      return { type: 'set_read_only', readOnly: what === 'read_only', reason: 'x' };
    case 'recover':
      return { type: 'recover' };
    default:
      return null;
  }
}

function perform(world: World, market: Market, one: Step): void {
  const body = commandOf(market, one);
  if (body !== null) world.run(body);
  else world.place('t', market, `${one.what} ${one.lots / 100} o${one.outcome}`);
}

function equals({ over, under }: Fraction, total: bigint, whole: bigint): boolean {
  // Both are a price: one in µ, the other as a part of the whole.
  return over * whole === total * 1_000_000n * under;
}

describe('[AV1] average prices', () => {
  test('are what a diary of moves, halts, read-only spells and recoveries adds up to, exactly', () => {
    const settings = fc.record({
      // A day has more than one quarter-hour: a window as short as a slice is not meant.
      windowMs: fc.integer({ min: 120, max: 900 }),
      sliceMs: fc.integer({ min: 1, max: 120 }),
      durationSec: fc.constantFrom(1, 2, 1000),
    });
    fc.assert(
      fc.property(settings, fc.array(step, { maxLength: 40 }), (setting, steps) => {
        const { durationSec } = setting;
        const parameters = withAverage(setting.windowMs, setting.sliceMs);
        const world = makeWorld({ parameters });
        world.open('t');
        const market = world.market({ deposit: 100, outcomes: 3, template: { durationSec } });
        world.mint('t', market, 1000);
        const diary = new PriceDiary(world, market);
        for (const one of steps) {
          if (world.nowMs + one.ms >= market.locksAtMs) break;
          world.nowMs += one.ms;
          diary.note(one.what === 'recover');
          perform(world, market, one);
        }
        if (!market.halted) world.do(halt(market));
        const { totals, whole } = averagePrices(world.state, market);
        for (const [outcome, exact] of diary.averages(parameters).entries()) {
          expect(equals(exact, totals[outcome]!, whole)).toBe(true);
        }
        expect(totals.reduce((sum, total) => sum + total, 0n)).toBe(whole);
      }),
      { numRuns: 200 },
    );
  });

  test('cover the last 24 hours of trading, what is missing at opening prices', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 1000 });
    world.pass(HOUR);
    world.place('t', market, 'buy 5000 yes @ 0.6 ioc');
    const [shown] = shownPrices(market);
    world.pass(6 * HOUR);
    // A quarter of the day at 0.6 or a lot less; one hour was traded at 0.5, the other 17 never were.
    const expected = Math.round((500_000 * 18 + Number(shown) * 6) / 24);
    expect(averages(world, market)).toEqual([expected, 1_000_000 - expected]);
  });

  test('forget what is more than a day of trading ago, a quarter-hour in proportion', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 1000 });
    // The quarter-hour from 0:15 is five minutes at 0.5 and ten at the new price.
    world.pass(20 * MINUTE);
    world.place('t', market, 'buy 5000 yes @ 0.6 ioc');
    const shown = Number(shownPrices(market)[0]);
    world.pass(24 * HOUR);
    // 0:20 to 24:20: the window begins in the middle of that quarter-hour, of which ten minutes count as they are in all.
    const early = (10 / 15) * (5 * 500_000 + 10 * shown);
    const expected = Math.round((early + (24 * 60 - 10) * shown) / (24 * 60));
    expect(averages(world, market)[0]).toBe(expected);
    const later = makeWorld();
    later.open('t');
    const other = later.market({ deposit: 1000 });
    later.pass(30 * MINUTE);
    later.place('t', other, 'buy 5000 yes @ 0.6 ioc');
    later.pass(24 * HOUR);
    expect(averages(later, other)[0]).toBe(shown);
  });

  test('cover the planned life where that is shorter, from opening or creation to lock', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 1000, template: { durationSec: 3600 } });
    world.place('t', market, 'buy 5000 yes @ 0.6 ioc');
    const shown = Number(shownPrices(market)[0]);
    world.pass(45 * MINUTE);
    expect(averages(world, market)[0]).toBe(Math.round((shown * 45 + 500_000 * 15) / 60));
    const opening = { paramsSchema: { properties: { opens_at_ms: { type: 'integer' } } } };
    const params = { opens_at_ms: world.nowMs + HOUR };
    const template = { ...opening, durationSec: 1800 } as never;
    const scheduled = world.market({ deposit: 1000, creator: 't', template, params });
    world.pass(HOUR);
    world.place('t', scheduled, 'buy 5000 yes @ 0.6 ioc');
    world.pass(15 * MINUTE);
    expect(averages(world, scheduled)[0]).toBe(Math.round((shown + 500_000) / 2));
  });

  test('leave out halts, read-only time and downtime, and what a closing market shows', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 1000, template: { durationSec: 7200 } });
    world.place('t', market, 'buy 5000 yes @ 0.6 ioc');
    const shown = Number(shownPrices(market)[0]);
    world.pass(10 * MINUTE);
    world.do(halt(market));
    world.pass(10 * MINUTE);
    world.do({ type: 'resume_market', marketId: market.id });
    world.do({ type: 'set_read_only', readOnly: true, reason: 'x' });
    world.pass(10 * MINUTE);
    world.do({ type: 'set_read_only', readOnly: false, reason: 'x' });
    world.nowMs += 10 * MINUTE;
    world.do({ type: 'recover' });
    world.pass(10 * MINUTE);
    const expected = Math.round((shown * 20 + 500_000 * 100) / 120);
    const marketId = market.id;
    const result = { kind: 'outcome', outcomeId: 'yes' } as const;
    const bond = 0n as never;
    const proposal = { marketId, proposerId: null, result, evidence: ['e'], bond } as const;
    world.do({ type: 'propose_resolution', ...proposal });
    expect(averages(world, market)[0]).toBe(expected);
    world.pass(10 * MINUTE);
    expect(averages(world, market)[0]).toBe(expected);
    world.do({ type: 'rule_resolution', marketId, ruling: 'too_early', result: null });
    world.pass(10 * MINUTE);
    expect(averages(world, market)[0]).toBe(Math.round((shown * 30 + 500_000 * 90) / 120));
  });

  test('without a pool are one half each; with a prior they open at it', () => {
    const world = makeWorld();
    world.open('t u');
    const bare = world.market();
    world.mint('t', bare, 10);
    world.place('t', bare, 'sell 5 yes @ 0.9');
    world.place('u', bare, 'buy 5 yes @ 0.9');
    world.pass(HOUR);
    expect(averages(world, bare)).toEqual([500_000, 500_000]);
    const prior = [1000, 9000] as Pips[];
    const market = world.market({ deposit: 100, creator: 't', template: { prior } });
    expect(averages(world, market)).toEqual(shownPrices(market).map(Number));
  });

  test('[SN2] are kept by a snapshot at any moment', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 1000 });
    for (const [minutes, text] of [
      [7, 'buy 100 yes'],
      [20, 'buy 100 no'],
      [1, 'buy 50 yes'],
      [600, 'sell 10 yes'],
    ] as const) {
      world.pass(minutes * MINUTE);
      world.place('t', market, text);
      const restored = decodeSnapshot(encodeSnapshot(world.state));
      expect(stateHash(restored)).toBe(stateHash(world.state));
      const there = restored.markets.get(market.id)!;
      expect(averagePrices(restored, there)).toEqual(averagePrices(world.state, market));
    }
  });
});

describe('[AV2] prices that stand for no time', () => {
  test('count for nothing, also when they are shown at every whole minute', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 1000, template: { durationSec: 3600 } });
    for (let minute = 1; minute < 60; minute += 1) {
      world.pass(MINUTE);
      // Up and down again within the millisecond of the mark.
      world.place('t', market, 'buy 2000 yes');
      world.place('t', market, 'sell 2000 yes');
    }
    expect(averages(world, market)).toEqual([500_000, 500_000]);
  });

  test('a millisecond of displacement every minute is a millisecond', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 1000, template: { durationSec: 3600 } });
    world.pass(MINUTE - 1);
    let displaced = 0;
    for (let minute = 1; minute < 60; minute += 1) {
      const { filledLots } = world.place('t', market, 'buy 10000 yes @ 0.95 ioc').order;
      displaced += Number(shownPrices(market)[0]) - 500_000;
      world.pass(1);
      world.place('t', market, `sell ${filledLots / 100} yes`);
      world.pass(MINUTE - 1);
    }
    const [first] = averages(world, market);
    // A part in 60,000 of the hour: less than half a hundred-thousandth.
    expect(Math.abs(first! - (500_000 + displaced / 3_600_000))).toBeLessThan(2);
    expect(first).toBeLessThan(500_010);
  });
});
