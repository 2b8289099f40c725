// Ticks that stop early: bounded work after downtime, going on where the last one stopped (CM11).
import { describe, expect, test } from 'vitest';
import { tradingMs } from '../test/clocks.ts';
import {
  accountName,
  makeWorld,
  OPERATOR,
  ofType,
  PLAIN_PARAMETERS,
  spelled,
  type World,
} from '../test/world.ts';
import { apply } from './engine.ts';
import { stateHash } from './hash.ts';
import { checkAll } from './invariants.ts';
import { decodeSnapshot } from './snapshot/decode.ts';
import { encodeSnapshot } from './snapshot/encode.ts';
import type { Market } from './state/market.ts';
import type { Outcome } from './state/outcome.ts';
import { DEFAULT_PARAMETERS } from './state/parameters.ts';

const SECOND = 1000;

function makeScene(timerUnits: number): { world: World; market: Market } {
  const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, timerUnits } });
  world.open('a b');
  return { world, market: world.market({ creator: 'b' }) };
}

/** Orders that expire one after the other, a second apart, or all in the same millisecond. */
function expiring(world: World, market: Market, count: number, apartMs = SECOND): void {
  const fromMs = world.nowMs + SECOND;
  for (let index = 0; index < count; index += 1) {
    const expiresAtMs = fromMs + index * apartMs;
    world.place('a', market, 'buy 1 yes @ 0.1 gtd', { expiresAtMs });
  }
}

const expired = ({ events }: Outcome) => ofType(events, 'order_cancelled').length;

describe('[CM11] a tick', () => {
  test('stops early; time is that of the last timer that rang, and the next tick goes on from there', () => {
    const { world, market } = makeScene(4);
    const fromMs = world.nowMs;
    expiring(world, market, 10);
    world.nowMs += 30 * SECOND;
    let done = 0;
    let ticks = 0;
    while (world.state.nowMs < world.nowMs) {
      const tick = world.run({ type: 'tick' });
      done += expired(tick);
      ticks += 1;
      const isLast = done === 10 && tick.atMs === world.nowMs;
      expect(isLast || tick.atMs === fromMs + done * SECOND).toBe(true);
      expect(world.state.nowMs).toBe(tick.atMs);
      checkAll(world.state);
    }
    expect([done, ticks > 2]).toEqual([10, true]);
  });

  test('counts a unit for a timer and one for the order that it cancels', () => {
    const { world, market } = makeScene(4);
    expiring(world, market, 3);
    expect(expired(world.pass(30 * SECOND))).toBe(2);
    expect(expired(world.run({ type: 'tick' }))).toBe(1);
  });

  test('that came to exactly so many with nothing left has passed its time', () => {
    const { world, market } = makeScene(4);
    const accountId = accountName('a');
    for (let index = 0; index < 3; index += 1) world.place('a', market, 'buy 1 yes @ 0.1');
    // Its timer and three orders.
    world.do({ type: 'heartbeat', accountId, timeoutMs: 5000, marketId: null });
    const only = world.pass(30 * SECOND);
    expect([expired(only), only.atMs]).toEqual([3, world.nowMs]);
  });

  test('counts what a timer did: a silent maker’s orders are withdrawn as a whole, then it stops', () => {
    const { world, market } = makeScene(4);
    const accountId = accountName('a');
    for (let index = 0; index < 9; index += 1) world.place('a', market, 'buy 1 yes @ 0.1');
    world.do({ type: 'heartbeat', accountId, timeoutMs: 5000, marketId: null });
    world.place('b', market, 'buy 1 yes @ 0.1 gtd', { expiresAtMs: world.nowMs + 6000 });
    const first = world.pass(30 * SECOND);
    expect([expired(first), first.atMs]).toEqual([9, world.nowMs - 25 * SECOND]);
    expect(expired(world.run({ type: 'tick' }))).toBe(1);
  });

  test.each([
    [30, false],
    [31, true],
  ])('counts a holder that it paid as the outcomes he had: of %i units', (timerUnits, isDone) => {
    const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, timerUnits } });
    world.open('a b c');
    const market = world.market({ deposit: 1000, outcomes: 8, creator: 'c' });
    for (const name of ['a', 'b']) world.mint(name, market, 1);
    const result = { kind: 'outcome', outcomeId: 'o0' } as const;
    const proposal = { proposerId: null, result, evidence: ['e'], bond: 0n as never };
    world.do({ type: 'propose_resolution', marketId: market.id, ...proposal });
    const other = world.market({ creator: 'c' });
    world.place('a', other, 'buy 1 yes @ 0.1 gtd', { expiresAtMs: world.nowMs + 7_200_001 });
    // The first mark, the last mark and the last look of the other market, four each, the window's timer, the order that the look reads, and two holders of eight.
    const { atMs } = world.pass(7_200_001);
    expect(market.status).toBe('resolved');
    expect(atMs === world.nowMs).toBe(isDone);
  });

  test('commands of others do all that is due: no answer depends on work left over', () => {
    const { world, market } = makeScene(4);
    expiring(world, market, 6);
    world.nowMs += 30 * SECOND;
    const placed = world.place('b', market, 'buy 1 no @ 0.1');
    expect(expired(placed.outcome)).toBe(6);
    expect(placed.outcome.atMs).toBe(world.nowMs);
  });

  test('has 5,000 units by default', () => {
    expect(DEFAULT_PARAMETERS.timerUnits).toBe(5000);
  });
});

describe('[CM11][CM12] a recovery', () => {
  test('stops as early, and all that the ticks after it pass was downtime', () => {
    const { world, market } = makeScene(4);
    world.pass(0);
    const before = tradingMs(world.state);
    expiring(world, market, 6);
    world.nowMs += 30 * SECOND;
    expect(world.do({ type: 'recover' }).atMs).toBeLessThan(world.nowMs);
    while (world.state.nowMs < world.nowMs) {
      expect(tradingMs(world.state)).toBe(before);
      world.run({ type: 'tick' });
    }
    expect(tradingMs(world.state)).toBe(before);
    world.pass(SECOND);
    expect(tradingMs(world.state)).toBe(before + SECOND);
  });
});

describe('[CM11][SN2] a snapshot between two ticks of one moment', () => {
  /** Runs the same ticks on the state and on what a snapshot of it restores to. */
  function compare(world: World, ticks: number): number {
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    let seen = 0;
    for (let turn = 0; turn < ticks; turn += 1) {
      const seq = world.state.seq + 1;
      const here = world.run({ type: 'tick' });
      const there = apply(restored, { seq, atMs: world.nowMs, actor: OPERATOR, type: 'tick' });
      expect(spelled(there.events)).toEqual(spelled(here.events));
      expect(there.atMs).toBe(here.atMs);
      expect(stateHash(restored)).toBe(stateHash(world.state));
      seen += expired(here);
    }
    return seen;
  }

  test('has the same future when timers of other moments are left', () => {
    const { world, market } = makeScene(4);
    expiring(world, market, 12);
    world.pass(30 * SECOND);
    expect(compare(world, 6)).toBeGreaterThan(0);
  });

  test('has the same future when timers of the same millisecond are left', () => {
    const { world, market } = makeScene(4);
    expiring(world, market, 12, 0);
    world.pass(30 * SECOND);
    expect(world.state.orders.size).toBeGreaterThan(0);
    expect(compare(world, 6)).toBeGreaterThan(0);
    expect(world.state.orders.size).toBe(0);
  });

  test('has the same future when timers are left whose reason has gone', () => {
    const { world, market } = makeScene(4);
    expiring(world, market, 12);
    for (const { id } of world.state.orderLists.of(world.account('a')).slice(0, 8)) {
      world.cancel('a', id);
    }
    world.nowMs += 30 * SECOND;
    expect(compare(world, 6)).toBe(4);
  });

  test('has the same future when heartbeats were renewed', () => {
    const { world, market } = makeScene(4);
    const accountId = accountName('a');
    for (let index = 0; index < 8; index += 1) {
      world.do({ type: 'heartbeat', accountId, timeoutMs: 5000 + index, marketId: null });
    }
    world.place('a', market, 'buy 1 yes @ 0.1');
    world.nowMs += 30 * SECOND;
    expect(compare(world, 4)).toBe(1);
  });

  test('has the same future when looks of several markets at one second are left', () => {
    const { world } = makeScene(2);
    const markets = Array.from({ length: 120 }, () => world.market({ deposit: 10, creator: 'b' }));
    world.nowMs += 3 * 60 * SECOND;
    // Wherever ticks stop among the looks of 120 markets, some have one in the same second.
    for (let turn = 0; turn < 25; turn += 1) compare(world, 1);
    expect(markets.every(({ status }) => status === 'active')).toBe(true);
  });

  test('[IV1] nothing is wrong in between, whether the lane recovered or was only late', () => {
    const { world } = makeScene(2);
    for (let count = 0; count < 5; count += 1) world.market({ deposit: 10, creator: 'b' });
    for (const type of ['recover', 'tick'] as const) {
      world.nowMs += 60 * 60 * SECOND;
      world.run({ type });
      for (let turn = 0; turn < 30; turn += 1) {
        checkAll(world.state);
        world.run({ type: 'tick' });
      }
      expect(world.state.nowMs).toBe(world.nowMs);
    }
  });
});
