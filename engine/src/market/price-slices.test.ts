// Prices by slices of trading time: what a cancellation pays by, in journal time to the millisecond.
import type { Pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutOnGrid, PriceDiary } from '../../test/price-diary.ts';
import { makeWorld, PLAIN_PARAMETERS, type World } from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { CommandBody } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import type { Parameters } from '../state/parameters.ts';
import { shownPrices } from './mid.ts';
import { sliceLengthMs } from './price-memory.ts';
import { type PriceSlice, slicesOf } from './price-slices.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function withSlices(sliceMs: number, windowMs = PLAIN_PARAMETERS.fairValue.windowMs): Parameters {
  const bounds = { windowMs, sliceMinMs: sliceMs, sliceMaxMs: sliceMs };
  return { ...PLAIN_PARAMETERS, fairValue: { ...PLAIN_PARAMETERS.fairValue, ...bounds } };
}

const halt = ({ id }: Market): CommandBody => ({
  type: 'halt_market',
  marketId: id,
  untilMs: null,
  reason: 'x',
});

function slices({ memory, outcomes }: Market): readonly PriceSlice[] {
  return slicesOf(memory.slices, outcomes.length);
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

describe('[VD1] slices of a market', () => {
  test('are what a diary of moves, halts, read-only spells and recoveries cuts on the grid', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.array(step, { maxLength: 40 }),
        (sliceMs, steps) => {
          const world = makeWorld({ parameters: withSlices(sliceMs) });
          world.open('t');
          const market = world.market({ deposit: 100, outcomes: 3 });
          world.mint('t', market, 1000);
          const diary = new PriceDiary(world, market);
          for (const one of steps) {
            world.nowMs += one.ms;
            diary.note(one.what === 'recover');
            perform(world, market, one);
          }
          if (!market.halted) world.do(halt(market));
          const exact = diary.slices(sliceMs);
          expect(cutOnGrid(slices(market), sliceMs)).toEqual(exact);
          const ms = exact.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
          expect(market.memory.slices.tradedMs).toBe(ms);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each([
    [1, 1_000],
    [600, 1_171],
    [DAY / 1000, 168_750],
    [(10 * DAY) / 1000, 900_000],
    [(365 * DAY) / 1000, 900_000],
  ])('a planned life of %i s is cut into slices of %i ms', (durationSec, sliceMs) => {
    const world = makeWorld();
    const market = world.market({ deposit: 100, template: { durationSec } });
    expect(sliceLengthMs(world.state, market)).toBe(sliceMs);
  });

  test('that touch and have equal prices are one, and 14 days of them are kept', () => {
    const world = makeWorld({ nowMs: 100 * DAY });
    world.open('t');
    const market = world.market({ deposit: 1000 });
    world.pass(30 * DAY);
    world.place('t', market, 'buy 100 yes');
    expect(slices(market)).toHaveLength(1);
    for (let day = 0; day < 15; day += 1) {
      world.pass(DAY);
      world.place('t', market, 'buy 1 yes');
    }
    world.do(halt(market));
    const kept = slices(market);
    expect(kept).toHaveLength(14);
    const shown = shownPrices(market).map(Number);
    expect(shown[0]).toBeGreaterThan(kept[0]!.prices[0]!);
    expect(kept.map(({ fromMs, toMs }) => toMs - fromMs)).toEqual(Array(14).fill(DAY));
    expect(market.memory.slices.tradedMs).toBe(45 * DAY);
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
      world.do({ type: 'recover' });
      world.place('t', market, text);
      const restored = decodeSnapshot(encodeSnapshot(world.state));
      expect(stateHash(restored)).toBe(stateHash(world.state));
      expect(slices(restored.markets.get(market.id)!)).toEqual(slices(market));
    }
  });

  test('of 1,000 busy markets are at most 40 MB of a snapshot', () => {
    const world = makeWorld({ nowMs: 100 * DAY });
    world.open('t');
    const market = world.market({ deposit: 1000 });
    for (let quarter = 0; quarter < 14 * 96; quarter += 1) {
      world.pass(15 * MINUTE);
      world.place('t', market, quarter % 2 === 0 ? 'buy 1 yes' : 'buy 1 no');
    }
    const before = [...encodeSnapshot(world.state)].find((line) => line.includes('"market"'))!;
    expect(market.memory.slices.closed.length).toBeGreaterThan(1000);
    expect(before.length).toBeLessThan(40_000);
  });
});

describe('[VD2] prices of a slice', () => {
  test('are the displayed ones of a pool, at the prior from the start', () => {
    const world = makeWorld();
    world.open('t');
    const prior = [1000, 9000] as Pips[];
    const market = world.market({ deposit: 100, template: { prior } });
    world.pass(HOUR);
    world.do(halt(market));
    expect(slices(market)[0]!.prices).toEqual(shownPrices(market).map(Number));
  });

  test('without a pool change at the looks of each minute alone, and not in a halt', () => {
    const world = makeWorld();
    world.open('t u');
    const market = world.market();
    world.mint('t', market, 1000);
    world.place('t', market, 'sell 100 yes @ 0.6');
    world.place('u', market, 'buy 100 yes @ 0.5');
    world.pass(MINUTE - 1);
    expect(market.memory.book.price).toBe(500_000);
    world.pass(2 * MINUTE);
    expect(market.memory.book).toMatchObject({ price: 550_000, isDeep: true });
    world.do(halt(market));
    world.cancel('u', 2);
    world.pass(5 * MINUTE);
    expect(market.memory.book).toMatchObject({ price: 550_000, isDeep: true });
    world.do({ type: 'resume_market', marketId: market.id });
    world.pass(2 * MINUTE);
    expect(market.memory.book).toMatchObject({ price: 550_000, isDeep: false });
  });
});
