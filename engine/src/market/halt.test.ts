// The halt of a market that keeps trading to its band.
import { describe, expect, test } from 'vitest';
import { makeWorld, ofType, START_MS, type World } from '../../test/world.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';

const SECOND = 1000;
const CUT = { status: 'cancelled', cancelReason: 'price_band' };

interface Scene {
  readonly world: World;
  readonly market: Market;
}

function scene(deposit = 1000, template = {}): Scene {
  const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
  world.open('t u');
  return { world, market: world.market({ deposit, template }) };
}

describe('[PB4] the halt', () => {
  /** An order that trades up to its band; true when the market halted upon it. */
  function hit({ world, market }: Scene): boolean {
    const placed = world.place('t', market, 'buy 100000 yes');
    expect(placed.order.cancelReason).toBe('price_band');
    return ofType(placed.outcome.events, 'market_halted').length > 0;
  }

  /** Narrow, so that there is always something left to trade to. */
  const narrow = () => scene(1000, { bandPips: 20 });
  const window = (count: number) => 10 * SECOND * count;
  /** To a moment of the window of so many from the whole minute at which the world begins. */
  const goTo = ({ world }: Scene, count: number, ms = 200) => {
    world.pass(START_MS + window(count) + ms - world.nowMs);
  };

  test('comes in the third window in a row, for a minute, after the order that did it', () => {
    const one = narrow();
    const { world, market } = one;
    // A little later in each, so that the band has followed the price to which the last one traded.
    const hits = [3, 4, 5].map((count) => {
      goTo(one, count, 1000 * count);
      return hit(one);
    });
    expect(hits).toEqual([false, false, true]);
    expect(market).toMatchObject({ halted: true, haltReason: 'circuit_breaker' });
    expect(market.haltedUntilMs).toBe(world.nowMs + 60 * SECOND);
    expect(world.place('t', market, 'buy 1 yes').refusal).toBe('MARKET_HALTED');
    world.pass(60 * SECOND);
    expect(market.halted).toBe(false);
  });

  test('not for two windows, nor for many orders in one, nor after a window without', () => {
    const one = narrow();
    goTo(one, 3);
    expect(hit(one)).toBe(false);
    one.world.mint('t', one.market, 20_000);
    for (let turn = 0; turn < 5; turn += 1) {
      one.world.place('t', one.market, 'sell 5 yes');
      expect(hit(one)).toBe(false);
    }
    goTo(one, 4, 9000);
    expect(hit(one)).toBe(false);
    goTo(one, 6);
    expect(hit(one)).toBe(false);
    goTo(one, 7, 9000);
    expect(hit(one)).toBe(false);
    goTo(one, 8, 9999);
    expect(hit(one)).toBe(true);
  });

  test('not for orders that the band stopped before they traded', () => {
    const one = narrow();
    for (const count of [3, 4, 5, 6]) {
      goTo(one, count, 0);
      // Already at the band of the price of ten seconds ago: the second trades nothing.
      if (count === 3) hit(one);
      else one.world.place('t', one.market, 'buy 1 yes @ 0.001 ioc');
    }
    expect(one.market.halted).toBe(false);
    const two = narrow();
    goTo(two, 3);
    hit(two);
    for (const [count, ms] of [
      [3, 300],
      [3, 400],
    ] as const) {
      goTo(two, count, ms);
      const placed = two.world.place('t', two.market, 'buy 100 yes');
      expect([placed.trades.length, placed.order.cancelReason]).toEqual([0, 'price_band']);
    }
    expect(two.market.memory.hits).toBe(1);
  });

  function untilHalt(one: Scene, from: number): number {
    for (let count = from; count < from + 400; count += 1) {
      goTo(one, count, 9000);
      if (!one.market.halted && hit(one)) return one.world.nowMs;
      // Back to where it was, so that there is always room.
      if (!one.market.halted) one.world.place('t', one.market, 'sell 3000 yes @ 0.5 ioc');
    }
    throw new Error('never halted');
  }

  test('at most once an hour, counted from the last, to the window', () => {
    const one = narrow();
    one.world.mint('t', one.market, 100_000);
    const firstMs = untilHalt(one, 3);
    const secondMs = untilHalt(one, 12);
    expect(secondMs - firstMs).toBe(3_600_000);
  });

  test('halts begin the count anew', () => {
    const one = narrow();
    for (const count of [3, 4]) {
      goTo(one, count, 1000 * count);
      hit(one);
    }
    const marketId = one.market.id;
    one.world.do({ type: 'halt_market', marketId, untilMs: null, reason: 'x' });
    one.world.do({ type: 'resume_market', marketId });
    for (const [count, halted] of [
      [5, false],
      [6, false],
      [7, true],
    ] as const) {
      goTo(one, count, 1000 * count);
      expect(hit(one)).toBe(halted);
    }
  });

  test('not without a pool', () => {
    const { world, market } = scene(0);
    world.mint('u', market, 100);
    for (let turn = 0; turn < 5; turn += 1) {
      world.place('u', market, 'sell 1 yes @ 0.2');
      const far = world.place('u', market, 'sell 1 yes @ 0.9').id;
      expect(world.place('t', market, 'buy 2 yes').order).toMatchObject(CUT);
      world.cancel('u', far);
      world.pass(10 * SECOND);
    }
    expect(market.halted).toBe(false);
  });

  test('[OR16] comes after the order’s own events', () => {
    const one = narrow();
    for (const count of [3, 4]) {
      goTo(one, count, 1000 * count);
      hit(one);
    }
    goTo(one, 5, 5000);
    const { world, market } = one;
    const { events } = world.place('t', market, 'buy 100000 yes').outcome;
    expect(events.at(-1)).toEqual({
      type: 'market_halted',
      marketId: market.id,
      reason: 'circuit_breaker',
      untilMs: world.nowMs + 60_000,
    });
  });
});
