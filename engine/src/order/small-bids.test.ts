// Bids of many outcomes hold prices while they rest, so a bid must reserve enough to be worth its step.
import { describe, expect, test } from 'vitest';
import { makeWorld, type World } from '../../test/world.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';

function scene(outcomes = 3): { world: World; market: Market } {
  const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
  world.open('a b');
  return { world, market: world.market({ deposit: 1000, outcomes }) };
}

describe('[OR17] a bid among more than two outcomes', () => {
  test('reserves at least 1 USDT', () => {
    const { world, market } = scene();
    expect(world.place('a', market, 'buy 9.99 o1 @ 0.1').refusal).toBe('VALIDATION_FAILED');
    const { id } = world.place('a', market, 'buy 20 o1 @ 0.1');
    expect(world.amend('a', id, null, 9.99).refusal).toBe('VALIDATION_FAILED');
    expect(world.amend('a', id, 0.05, 19).refusal).toBe('VALIDATION_FAILED');
    expect(world.amend('a', id, null, 10).refusal).toBeNull();
    expect(world.amend('a', id, 0.05, 20).refusal).toBeNull();
  });

  test('that fills all but less is cancelled like an ioc', () => {
    const there = scene();
    const most = there.world.place('a', there.market, 'buy 100 o1 @ 0.34 ioc').order.filledLots;
    const { world, market } = scene();
    const { order } = world.place('a', market, `buy ${most / 100 + 2} o1 @ 0.34`);
    const reason = 'ioc_remainder';
    expect(order).toMatchObject({ status: 'cancelled', cancelReason: reason, filledLots: most });
    const other = scene();
    const rest = other.world.place('a', other.market, `buy ${most / 100 + 3} o1 @ 0.34`);
    expect(rest.order.status).toBe('partially_filled');
  });

  test('binds no ask, no order that never rests, and no market of two outcomes', () => {
    const { world, market } = scene();
    world.mint('b', market, 100);
    expect(world.place('b', market, 'sell 1 o1 @ 0.9').refusal).toBeNull();
    expect(world.place('a', market, 'buy 1 o1 @ 0.1 ioc').refusal).toBeNull();
    expect(world.place('a', market, 'buy 1 o1').refusal).toBeNull();
    const pair = scene(2);
    expect(pair.world.place('a', pair.market, 'buy 1 yes @ 0.1').refusal).toBeNull();
  });
});
