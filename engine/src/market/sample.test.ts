// When markets are sampled: prices at whole minutes, makers at each market's own second.
import { describe, expect, test, vi } from 'vitest';
import { makeWorld, OPERATOR, ofType, START_MS, type World } from '../../test/world.ts';
import { apply } from '../engine.ts';
import { stateHash } from '../hash.ts';
import { asMarketId } from '../identity.ts';
import { checkAll } from '../invariants.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { State } from '../state.ts';
import { lookSlotOf } from './look-slots.ts';
import type { Market } from './market.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** What `quote` is worth at a look, and in a window of the least length. */
const SCORE = 3555;
const QUALITY = 59;

function quote(world: World, market: Market, expiresAtMs: number | null = null): void {
  const timeInForce = expiresAtMs === null ? 'gtc' : 'gtd';
  world.place('m', market, `buy 400 yes @ 0.49 ${timeInForce}`, { expiresAtMs });
  world.place('m', market, `buy 400 no @ 0.49 ${timeInForce}`, { expiresAtMs });
}

const secondMs = (market: Market) => market.lookSlot * SECOND;

/** Makes markets until one is wanted. */
function marketWhere(world: World, isWanted: (market: Market) => boolean, deposit = 1000): Market {
  for (let tries = 0; tries < 1000; tries += 1) {
    const market = world.market({ deposit, creator: 'rich' });
    if (isWanted(market)) return market;
  }
  throw new Error('no such market');
}

function makeScene(): World {
  const world = makeWorld();
  world.open('m rich', 10_000_000);
  return world;
}

/** Lets time pass one alarm after the other, as a lane does to which nobody speaks; gives the times it woke at. */
function idle(world: World, ms: number): readonly number[] {
  const endMs = world.nowMs + ms;
  const woken: number[] = [];
  for (;;) {
    const dueMs = world.state.timers.nextDueMs();
    if (dueMs === null || dueMs > endMs) break;
    world.nowMs = dueMs;
    world.run({ type: 'tick' });
    woken.push(dueMs);
  }
  world.nowMs = endMs;
  return woken;
}

describe('[QS1] the second of a market', () => {
  test('follows from the text of its id', () => {
    const ids = ['m_0000000000000000', 'm_0000000000000001', 'm_0123456789abcdef'];
    // By the fine print, computed elsewhere.
    expect(ids.map((id) => lookSlotOf(asMarketId(id)))).toEqual([47, 48, 18]);
    const world = makeScene();
    const market = world.market();
    let hash = 0n;
    for (const letter of market.id) {
      hash = (16_807n * hash + BigInt(letter.charCodeAt(0))) % (2n ** 31n - 1n);
    }
    expect(market.lookSlot).toBe(Number(hash % 60n));
  });

  test('two markets are looked at at different seconds, once a minute each', () => {
    const world = makeScene();
    const one = marketWhere(world, ({ lookSlot }) => lookSlot >= 5 && lookSlot < 50);
    const other = marketWhere(world, ({ lookSlot }) => lookSlot > one.lookSlot, 0);
    quote(world, one);
    quote(world, other);
    const seen: [number, string][] = [];
    for (let second = 1; second < 180; second += 1) {
      for (const event of ofType(world.pass(SECOND).events, 'quality_sampled')) {
        seen.push([second, event.marketId]);
      }
    }
    expect(seen).toEqual([
      [60 + one.lookSlot, one.id],
      [60 + other.lookSlot, other.id],
      [120 + one.lookSlot, one.id],
      [120 + other.lookSlot, other.id],
    ]);
    expect(world.holding('m', one)?.samples).toEqual([{ from: 1, count: 2, score: SCORE }]);
  });

  test('markets of one second are looked at in ascending order of id', () => {
    const world = makeScene();
    const one = marketWhere(world, () => true);
    const other = marketWhere(
      world,
      ({ id, lookSlot }) => lookSlot === one.lookSlot && id < one.id,
    );
    for (const market of [one, other]) quote(world, market);
    const { events } = world.pass(MINUTE + secondMs(one));
    const sampled = ofType(events, 'quality_sampled').map(({ marketId }) => marketId);
    expect(sampled).toEqual([other.id, one.id]);
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(restored.looks.at(one.lookSlot).map(({ id }) => id)).toEqual(
      world.state.looks.at(one.lookSlot).map(({ id }) => id),
    );
  });

  test('a market without a mark is not looked at, nor one that locked before its second', () => {
    const world = makeScene();
    const older = marketWhere(world, ({ lookSlot }) => lookSlot >= 10);
    world.pass(MINUTE);
    const sameSecond = ({ lookSlot }: Market) => lookSlot === older.lookSlot;
    const young = marketWhere(world, sameSecond);
    quote(world, young);
    expect(ofType(world.pass(secondMs(older)).events, 'quality_sampled')).toEqual([]);
    expect([young.samplesTaken, world.holding('m', young)?.samples]).toEqual([0, null]);
    world.pass(MINUTE);
    expect(world.holding('m', young)?.quality).toBe(QUALITY);
    world.pass(MINUTE - secondMs(older));
    world.do({
      type: 'mock_oracle',
      accountId: older.creator.id,
      marketId: young.id,
      winningOutcomeId: 'yes',
    });
    const wait = world.pass(secondMs(older));
    expect(ofType(wait.events, 'quality_sampled')).toEqual([]);
    expect(young.samplesTaken).toBe(2);
  });
});

describe('[QS3] looks that one command passes', () => {
  test('of several at one market the last is taken, at its own time', () => {
    const world = makeScene();
    const [gone, there] = [
      world.market({ deposit: 1000, creator: 'rich' }),
      world.market({ deposit: 1000, creator: 'rich' }),
    ];
    const lastMs = (market: Market) => START_MS + 5 * MINUTE + secondMs(market);
    quote(world, gone, lastMs(gone) - 1);
    quote(world, there, lastMs(there) + 1);
    const { events } = world.pass(5 * MINUTE + 59_999);
    expect(world.account('m').openOrders).toBe(0);
    expect(ofType(events, 'quality_sampled')).toEqual([
      {
        type: 'quality_sampled',
        marketId: there.id,
        scores: [{ accountId: 'acc_m', quality: QUALITY }],
      },
    ]);
    expect(world.holding('m', there)?.samples).toEqual([{ from: 5, count: 1, score: SCORE }]);
    expect(world.holding('m', gone)?.samples).toBeNull();
  });

  test('also of a market whose second is the whole minute, where prices are counted at each', () => {
    const world = makeScene();
    const market = marketWhere(world, ({ lookSlot }) => lookSlot === 0, 0);
    quote(world, market);
    const { events } = world.pass(5 * MINUTE + 30 * SECOND);
    expect(ofType(events, 'quality_sampled')).toHaveLength(1);
    expect(world.holding('m', market)?.samples).toEqual([{ from: 5, count: 1, score: SCORE }]);
  });

  test.each([0, 1000])('each belongs to the mark of its own minute (deposit %i)', (deposit) => {
    const world = makeScene();
    const early = marketWhere(world, ({ lookSlot }) => lookSlot < 30, deposit);
    const late = marketWhere(world, ({ lookSlot }) => lookSlot > 30, deposit);
    for (const market of [early, late]) quote(world, market);
    const { events } = world.pass(7 * MINUTE + 30 * SECOND);
    const sampled = ofType(events, 'quality_sampled').map(({ marketId }) => marketId);
    expect(sampled).toEqual([late.id, early.id]);
    expect(world.holding('m', early)?.samples).toEqual([{ from: 7, count: 1, score: SCORE }]);
    expect(world.holding('m', late)?.samples).toEqual([{ from: 6, count: 1, score: SCORE }]);
    expect([early.samplesTaken, late.samplesTaken]).toEqual([7, 7]);
  });

  test.each([
    ['pools', 1000, 2 * 20],
    ['books', 0, 3 * 1440 + 2 * 20],
  ])('a jump of three days takes one look at each market: %s', (_, deposit, rings) => {
    const world = makeScene();
    const markets = Array.from({ length: 20 }, () => world.market({ deposit, creator: 'rich' }));
    for (const market of markets) quote(world, market);
    const armed = vi.spyOn(world.state.timers, 'add');
    const { events } = world.pass(3 * 1440 * MINUTE + 30 * SECOND);
    expect(ofType(events, 'quality_sampled')).toHaveLength(20);
    expect(armed.mock.calls.length).toBeLessThan(rings);
    for (const market of markets) {
      const mark = market.lookSlot <= 30 ? 4320 : 4319;
      expect(market.samplesTaken).toBe(4320);
      expect(market.priceRuns.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(
        1440,
      );
      expect(world.holding('m', market)).toMatchObject({
        samples: [{ from: mark, count: 1, score: SCORE }],
        quality: Math.floor(SCORE / 1440),
      });
    }
    checkAll(world.state);
  });

  test('a market that opens within the jump has its marks and its look', () => {
    const world = makeScene();
    world.market({ deposit: 1000, creator: 'rich' });
    const opensAtMs = START_MS + 600 * MINUTE + 5;
    const paramsSchema = {
      type: 'object',
      properties: { opens_at_ms: { type: 'integer' } },
    } as never;
    const later = world.market({
      deposit: 1000,
      creator: 'rich',
      template: { paramsSchema },
      params: { opens_at_ms: opensAtMs },
    });
    world.pass(1440 * MINUTE);
    expect([later.status, later.samplesTaken]).toEqual(['active', 840]);
    quote(world, later);
    world.pass(secondMs(later) < 5 * SECOND ? MINUTE + secondMs(later) : secondMs(later));
    expect(world.holding('m', later)?.quality).toBe(Math.floor(SCORE / later.samplesTaken));
  });
});

describe('[QS3] how often an idle lane is woken', () => {
  test('for whole minutes and the seconds of its markets, no more', () => {
    const world = makeScene();
    const markets = Array.from({ length: 12 }, () =>
      world.market({ deposit: 1000, creator: 'rich' }),
    );
    const seconds = new Set([0, ...markets.map(({ lookSlot }) => lookSlot)]);
    expect(idle(world, MINUTE - 1)).toEqual([]);
    const woken = idle(world, 10 * MINUTE);
    const expected = Array.from({ length: 10 }, (_, minute) =>
      [...seconds].map((second) => START_MS + (minute + 1) * MINUTE + second * SECOND),
    );
    expect(woken).toEqual(expected.flat().sort((a, b) => a - b));
    expect(markets.map(({ samplesTaken }) => samplesTaken)).toEqual(markets.map(() => 10));
  });

  test('not for a market that is no longer active, and not at all without one', () => {
    const world = makeScene();
    const staying = marketWhere(world, ({ lookSlot }) => lookSlot > 0);
    const leaving = marketWhere(world, ({ lookSlot }) => lookSlot > staying.lookSlot);
    for (const market of world.state.markets.values()) {
      if (market !== staying && market !== leaving) end(world, market);
    }
    idle(world, 2 * MINUTE - 1);
    end(world, leaving);
    const perMinute = (minute: number) => [0, secondMs(staying)].map((ms) => minute * MINUTE + ms);
    const woken = idle(world, 3 * MINUTE).map((ms) => ms - START_MS);
    expect(woken).toEqual([...perMinute(2), ...perMinute(3), ...perMinute(4)]);
    end(world, staying);
    idle(world, MINUTE);
    expect(world.state.nextSampleMs).toBe(0);
    expect(idle(world, 1440 * MINUTE)).toEqual([]);
  });

  function end(world: World, { id: marketId, creator }: Market): void {
    world.do({ type: 'mock_oracle', accountId: creator.id, marketId, winningOutcomeId: 'yes' });
  }
});

describe('[SN2] snapshots between marks and looks', () => {
  test('taken at any second, they have the same future', () => {
    const world = makeScene();
    const markets = [1000, 0, 1000].map((deposit) => world.market({ deposit, creator: 'rich' }));
    for (const market of markets) quote(world, market, START_MS + 150 * SECOND);
    const firstSeq = world.state.seq;
    const times: number[] = [];
    const others: State[] = [];
    for (let second = 0; second < 130; second += 1) {
      others.push(decodeSnapshot(encodeSnapshot(world.state)));
      times.push(world.pass(SECOND).atMs);
    }
    let sampled = 0;
    for (const stepMs of [700, 20_000, 45_000, 3_600_000, 10]) {
      const { atMs, events } = world.pass(stepMs);
      times.push(atMs);
      sampled += ofType(events, 'quality_sampled').length;
      const hash = stateHash(world.state);
      for (const state of others) {
        catchUp(state, firstSeq, times);
        expect(stateHash(state)).toBe(hash);
      }
    }
    expect(sampled).toBeGreaterThanOrEqual(markets.length);
  });

  function catchUp(state: State, firstSeq: number, times: readonly number[]): void {
    for (const atMs of times.slice(state.seq - firstSeq)) {
      apply(state, { seq: state.seq + 1, atMs, actor: OPERATOR, type: 'tick' });
    }
  }
});
