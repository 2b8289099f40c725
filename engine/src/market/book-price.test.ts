// The price of a book without a pool: depth that has rested, else trades.
import { describe, expect, test } from 'vitest';
import { makeWorld, PLAIN_PARAMETERS, type World } from '../../test/world.ts';
import type { Market } from '../state/market.ts';

const MINUTE = 60_000;

interface Scene {
  readonly world: World;
  readonly market: Market;
  /** The price after the next look. */
  readonly look: () => number;
}

function scene(sets = 1000, changes: Partial<typeof PLAIN_PARAMETERS.fairValue> = {}): Scene {
  const fairValue = { ...PLAIN_PARAMETERS.fairValue, ...changes };
  const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, fairValue } });
  world.open('s b');
  const market = world.market();
  world.mint('s', market, sets);
  world.pass(MINUTE);
  const look = () => {
    world.pass(2 * MINUTE);
    return market.memory.book.price;
  };
  return { world, market, look };
}

describe('[VD3] the book price', () => {
  test('is the mean of bid and ask where both have the depth', () => {
    const { world, market, look } = scene();
    world.place('s', market, 'sell 100 yes @ 0.62');
    world.place('b', market, 'buy 60 yes @ 0.6');
    // The other side of the same book, one level further.
    world.place('b', market, 'sell 40 no @ 0.42');
    expect(look()).toBe(500_000);
    world.mint('b', market, 40);
    world.place('b', market, 'sell 40 no @ 0.42');
    expect(look()).toBe(600_000);
    expect(market.memory.book).toMatchObject({ isDeep: true, middle: 600_000 });
  });

  test('asks for a twentieth of the sets outstanding', () => {
    const { world, market, look } = scene(2020);
    world.place('s', market, 'sell 100 yes @ 0.62');
    world.place('b', market, 'buy 101 yes @ 0.6');
    look();
    expect(market.memory.book.isDeep).toBe(false);
    world.place('s', market, 'sell 1 yes @ 0.64');
    expect(look()).toBe(620_000);
    expect(market.memory.book.isDeep).toBe(true);
  });

  test('reads orders that have rested for a minute', () => {
    const { world, market } = scene();
    world.place('s', market, 'sell 100 yes @ 0.62');
    world.place('b', market, 'buy 100 yes @ 0.6');
    for (let second = 0; second < 59; second += 1) world.pass(1000);
    expect(market.memory.book.isDeep).toBe(false);
    for (let second = 0; second < 61; second += 1) world.pass(1000);
    expect(market.memory.book.isDeep).toBe(true);
  });

  test('wants bid and ask within 1,000 pips', () => {
    const { world, market, look } = scene();
    world.place('s', market, 'sell 100 yes @ 0.62');
    const far = world.place('b', market, 'buy 100 yes @ 0.519');
    expect(look()).toBe(519_000);
    expect(market.memory.book.isDeep).toBe(false);
    world.cancel('b', far.id);
    world.place('b', market, 'buy 100 yes @ 0.52');
    expect(look()).toBe(570_000);
  });

  test('reads the first 1,000 orders of a side, rested or not', () => {
    const { world, market, look } = scene(1000, { ordersMax: 3 });
    world.place('s', market, 'sell 100 yes @ 0.62');
    for (const price of [0.6, 0.59, 0.58]) world.place('b', market, `buy 30 yes @ ${price}`);
    world.place('b', market, 'buy 100 yes @ 0.57');
    expect(look()).toBe(500_000);
    expect(market.memory.book.isDeep).toBe(false);
    expect(PLAIN_PARAMETERS.fairValue.ordersMax).toBe(1000);
  });

  test('follows trades against makers that have rested, between bid and ask', () => {
    const { world, market, look } = scene();
    world.place('s', market, 'sell 1000 yes @ 0.9');
    look();
    world.place('b', market, 'buy 1000 yes @ 0.9');
    expect(look()).toBe(863_636);
    world.place('b', market, 'buy 100 yes @ 0.95');
    expect(look()).toBe(950_000);
    expect(market.memory.book).toMatchObject({ isDeep: false, middle: 500_000 });
  });

  test('passes over trades against makers that have just come', () => {
    const { world, market, look } = scene();
    world.place('s', market, 'sell 1000 yes @ 0.9');
    world.place('b', market, 'buy 1000 yes @ 0.9');
    expect(look()).toBe(500_000);
    expect(market.memory.book).toMatchObject({ tradedLots: 0n, pricedAtMs: null });
  });

  test('counts trades of the other outcome at one less their price, and forgets them with depth', () => {
    const { world, market, look } = scene();
    world.place('s', market, 'sell 500 no @ 0.3');
    look();
    world.place('b', market, 'buy 500 no @ 0.3');
    expect(look()).toBe(Math.floor((100 * 500_000 + 500 * 700_000) / 600));
    world.place('s', market, 'sell 100 yes @ 0.62');
    world.place('b', market, 'buy 100 yes @ 0.6');
    expect(look()).toBe(610_000);
    expect(market.memory.book).toMatchObject({ middle: 610_000, tradedLots: 0n, tradedCost: 0n });
  });
});
