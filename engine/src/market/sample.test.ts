// When makers are looked at: once a minute, at a second that only the lane's secret tells.
import { describe, expect, test, vi } from 'vitest';
import { checkSecond, checkTime, passToCheck } from '../../test/maker-checks.ts';
import {
  accountName,
  makeWorld,
  OPERATOR,
  ofType,
  PLAIN_PARAMETERS,
  START_MS,
  type World,
} from '../../test/world.ts';
import { apply } from '../engine.ts';
import { stateHash } from '../hash.ts';
import { checkAll } from '../invariants.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import { checkMs, marksOf } from './sample.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** What `quote` is worth at a look, and in a window of the least length. */
const SCORE = 3555;
const QUALITY = 59;
const SECRET = 'nobody outside knows';

function quote(world: World, market: Market, expiresAtMs: number | null = null): void {
  const timeInForce = expiresAtMs === null ? 'gtc' : 'gtd';
  world.place('m', market, `buy 400 yes @ 0.49 ${timeInForce}`, { expiresAtMs });
  world.place('m', market, `buy 400 no @ 0.49 ${timeInForce}`, { expiresAtMs });
}

function makeScene(lookSecret = SECRET): World {
  const quality = { ...PLAIN_PARAMETERS.quality, lookSecret };
  const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, quality } });
  world.open('m rich', 10_000_000);
  return world;
}

const pooled = (world: World, deposit = 1000) => world.market({ deposit, creator: 'rich' });

/** Makes markets until one is wanted. */
function marketWhere(world: World, isWanted: (market: Market) => boolean, deposit = 1000): Market {
  for (let tries = 0; tries < 1000; tries += 1) {
    const market = pooled(world, deposit);
    if (isWanted(market)) return market;
  }
  throw new Error('no such market');
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

describe('[QS4] the second of a look', () => {
  test('is drawn from the secret, the market and the minute', () => {
    for (const secret of ['', SECRET, 'x'.repeat(200)]) {
      const world = makeScene(secret);
      const market = pooled(world);
      for (let mark = 0; mark < 200; mark += 1) {
        const drawnMs = mark * MINUTE + checkSecond(market.id, mark, secret) * SECOND;
        expect(checkMs(world.state, market, mark)).toBe(drawnMs);
        // Asked again, and after another, it is the same.
        expect(checkMs(world.state, market, mark)).toBe(drawnMs);
      }
    }
  });

  test('another secret draws other seconds, and every second is drawn', () => {
    const market = pooled(makeScene());
    const marks = Array.from({ length: 2000 }, (_, mark) => mark);
    const drawn = marks.map((mark) => checkSecond(market.id, mark, SECRET));
    expect(new Set(drawn).size).toBe(60);
    const others = marks.filter((mark) => checkSecond(market.id, mark, 'else') !== drawn[mark]);
    expect(others.length).toBeGreaterThan(1900);
  });

  test('is a sixtieth of the period, rounded down to milliseconds', () => {
    const quality = { ...PLAIN_PARAMETERS.quality, sampleMs: 1999, lookSecret: SECRET };
    const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, quality } });
    const market = world.market({ deposit: 100 });
    for (const mark of [1, 50, 51, 52]) {
      const second = checkSecond(market.id, mark, SECRET);
      expect(checkMs(world.state, market, mark)).toBe(mark * 1999 + second * 33);
    }
  });
});

describe('[QS1] looks', () => {
  test('come once a minute, for each market at its own second', () => {
    const world = makeScene();
    const markets = [pooled(world), pooled(world, 0)];
    for (const market of markets) quote(world, market);
    const seen = new Set<string>();
    for (let second = 1; second < 240; second += 1) {
      const { events } = world.pass(SECOND);
      for (const { marketId } of ofType(events, 'quality_sampled')) {
        seen.add(`${world.nowMs} ${marketId}`);
      }
    }
    const expected = [1, 2, 3].flatMap((count) =>
      markets.map((market) => `${checkTime(world, market, count)} ${market.id}`),
    );
    expect([...seen].sort()).toEqual(expected.sort());
    expect(world.holding('m', markets[0]!)?.samples).toEqual([{ from: 1, count: 3, score: SCORE }]);
  });

  test('[SN1] of one moment come in ascending order of id', () => {
    const world = makeScene();
    const one = pooled(world);
    const other = marketWhere(
      world,
      (market) => market.id < one.id && checkTime(world, market, 1) === checkTime(world, one, 1),
    );
    for (const market of [one, other]) quote(world, market);
    const { events } = passToCheck(world, one, 1);
    const sampled = ofType(events, 'quality_sampled').map(({ marketId }) => marketId);
    expect(sampled).toEqual([other.id, one.id]);
  });

  test('belong to a mark: in the minute of its opening a market has none', () => {
    const world = makeScene();
    const market = pooled(world);
    quote(world, market);
    expect(checkTime(world, market, 0)).toBeGreaterThan(world.nowMs + 5 * SECOND);
    expect(ofType(world.pass(MINUTE - 1).events, 'quality_sampled')).toEqual([]);
    expect([marksOf(world.state, market), world.holding('m', market)?.samples]).toEqual([0, null]);
    passToCheck(world, market, 1);
    expect(world.holding('m', market)?.quality).toBe(QUALITY);
  });

  test('come also while a market is halted, and not once it has locked', () => {
    const world = makeScene();
    const market = pooled(world);
    quote(world, market);
    world.do({ type: 'halt_market', marketId: market.id, untilMs: null, reason: 'x' });
    passToCheck(world, market, 1);
    expect(world.holding('m', market)?.quality).toBe(QUALITY);
    const winningOutcomeId = 'yes';
    const end = { type: 'mock_oracle', accountId: accountName('rich'), winningOutcomeId } as const;
    world.nowMs = checkTime(world, market, 2) - 1;
    world.do({ ...end, marketId: market.id });
    expect(ofType(world.pass(1).events, 'quality_sampled')).toEqual([]);
  });
});

describe('[QS3] looks that one command passes', () => {
  test('of several at one market the last is taken, at its own time', () => {
    const world = makeScene();
    const [gone, there] = [pooled(world), pooled(world)];
    quote(world, gone, checkTime(world, gone, 5) - 1);
    quote(world, there, checkTime(world, there, 5) + 1);
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

  test.each([0, 1000])('each belongs to the mark of its own minute (deposit %i)', (deposit) => {
    const world = makeScene();
    const endMs = START_MS + 7 * MINUTE + 30 * SECOND;
    const early = marketWhere(world, (market) => checkTime(world, market, 7) <= endMs, deposit);
    const late = marketWhere(world, (market) => checkTime(world, market, 7) > endMs, deposit);
    for (const market of [early, late]) quote(world, market);
    const { events } = world.pass(endMs - world.nowMs);
    const sampled = ofType(events, 'quality_sampled').map(({ marketId }) => marketId);
    expect(sampled).toEqual([late.id, early.id]);
    expect(world.holding('m', early)?.samples).toEqual([{ from: 7, count: 1, score: SCORE }]);
    expect(world.holding('m', late)?.samples).toEqual([{ from: 6, count: 1, score: SCORE }]);
  });

  test.each([1000, 0])(
    'a jump of three days takes one look at each market (deposit %i)',
    (deposit) => {
      const world = makeScene();
      const markets = Array.from({ length: 20 }, () => pooled(world, deposit));
      for (const market of markets) quote(world, market);
      const armed = vi.spyOn(world.state.timers, 'set');
      const { events } = world.pass(3 * 1440 * MINUTE + 30 * SECOND);
      expect(ofType(events, 'quality_sampled')).toHaveLength(20);
      // The first look or mark, the last of both, and what is waited for next.
      expect(armed.mock.calls.length).toBeLessThanOrEqual(4 * 20);
      for (const market of markets) {
        const mark = checkTime(world, market, 4320) <= world.nowMs ? 4320 : 4319;
        expect(world.holding('m', market)).toMatchObject({
          samples: [{ from: mark, count: 1, score: SCORE }],
          quality: Math.floor(SCORE / 1440),
        });
      }
      checkAll(world.state);
    },
  );

  test('a market that opens within the jump has its marks and its look', () => {
    const world = makeScene();
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
    expect([later.status, marksOf(world.state, later)]).toEqual(['active', 840]);
    quote(world, later);
    passToCheck(world, later, 841);
    expect(world.holding('m', later)?.quality).toBe(Math.floor(SCORE / 841));
  });
});

describe('[QS3] how often an idle lane is woken', () => {
  test('for the looks of its markets, no more', () => {
    const world = makeScene();
    const markets = Array.from({ length: 12 }, () => pooled(world));
    expect(idle(world, MINUTE - 1)).toEqual([]);
    const woken = idle(world, 10 * MINUTE);
    const counts = Array.from({ length: 10 }, (_, index) => index + 1);
    const checks = markets.flatMap((market) =>
      counts.map((count) => checkTime(world, market, count)),
    );
    expect(woken).toEqual([...new Set(checks)].sort((a, b) => a - b));
  });

  test('[SF3] for whole minutes too where there is no pool', () => {
    const world = makeScene();
    const market = pooled(world, 0);
    const counts = Array.from({ length: 5 }, (_, index) => index + 1);
    const expected = counts.flatMap((count) => [
      START_MS + count * MINUTE,
      checkTime(world, market, count),
    ]);
    expect(idle(world, 6 * MINUTE - 1)).toEqual([...new Set(expected)]);
  });

  test('not for a market that is no longer active', () => {
    const world = makeScene();
    const market = pooled(world);
    idle(world, 2 * MINUTE);
    world.do({
      type: 'mock_oracle',
      accountId: market.creator.id,
      marketId: market.id,
      winningOutcomeId: 'yes',
    });
    // What was waited for rings once more, and finds nothing to do.
    expect(idle(world, 1440 * MINUTE).length).toBeLessThanOrEqual(1);
  });
});

describe('[SN2] snapshots between marks and looks', () => {
  test('taken at any second, they have the same future', () => {
    const world = makeScene();
    const markets = [1000, 0, 1000].map((deposit) => pooled(world, deposit));
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
