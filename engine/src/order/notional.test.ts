// The notional of an order is what it comes to: held against the largest bet after its walk, before anything is done.
import { usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { makeWorld, type World } from '../../test/world.ts';
import type { Market } from '../state/market.ts';

const TEN = usdt(10_000_000n);

function scene(minBet = usdt(0n), deposit = 0): { world: World; market: Market } {
  const world = makeWorld();
  world.open('a b');
  const market = world.market({ deposit, template: { maxBet: TEN, minBet } });
  for (const name of ['a', 'b']) world.mint(name, market, 1000);
  return { world, market };
}

const LARGE = { code: 'VALIDATION_FAILED', details: { field: 'size' } };

describe('[OR2] the largest bet', () => {
  test('of a limit buy: limit × size as entered, though it would fill for less', () => {
    const { world, market } = scene();
    world.place('b', market, 'sell 100 yes @ 0.1');
    expect(world.place('a', market, 'buy 20.02 yes @ 0.5').refusal).toBe('VALIDATION_FAILED');
    expect(world.place('a', market, 'buy 20 yes @ 0.5').order.filledCost).toBe(2_000_000n);
  });

  test('of a sell: its proceeds and limit × what will rest', () => {
    const { world, market } = scene();
    world.place('b', market, 'buy 10 yes @ 0.5');
    // 5 at once; what waits for 0.4 may come to 5 more.
    const { answer } = world.place('a', market, 'sell 22.51 yes @ 0.4').outcome;
    expect(answer).toMatchObject({ rejection: LARGE });
    expect(world.place('a', market, 'sell 22.5 yes @ 0.4').order.filledCost).toBe(5_000_000n);
  });

  test('of a sell that does not rest: its proceeds alone', () => {
    const { world, market } = scene();
    world.place('b', market, 'buy 20 yes @ 0.5');
    world.place('b', market, 'buy 20 yes @ 0.4');
    expect(world.place('a', market, 'sell 20.01 yes').refusal).toBe('VALIDATION_FAILED');
    expect(world.place('a', market, 'sell 20.01 yes @ 0.001 ioc').refusal).toBe(
      'VALIDATION_FAILED',
    );
    expect(world.place('a', market, 'sell 900 yes @ 0.5 ioc').order.filledCost).toBe(TEN);
  });

  test('of an amended buy: new price × new total; of a sell: the proceeds so far with the rest', () => {
    const { world, market } = scene();
    const buy = world.place('a', market, 'buy 20 yes @ 0.4').id;
    world.place('b', market, 'sell 10 yes @ 0.4');
    expect(world.amend('a', buy, 0.501, null).refusal).toBe('VALIDATION_FAILED');
    expect(world.amend('a', buy, 0.5, null).refusal).toBeNull();
    world.cancel('a', buy);
    const sell = world.place('a', market, 'sell 15 yes @ 0.6').id;
    world.place('b', market, 'buy 10 yes @ 0.6');
    // Six have come in: the other five shares may ask for four, which is 0.8 each.
    expect(world.amend('a', sell, 0.801, null).refusal).toBe('VALIDATION_FAILED');
    expect(world.amend('a', sell, 0.8, null).refusal).toBeNull();
  });

  test('[OR12] a smaller size in place is not held against it', () => {
    const { world, market } = scene();
    const { id } = world.place('a', market, 'sell 15 yes @ 0.6');
    expect(world.amend('a', id, null, 10).refusal).toBeNull();
  });
});

describe('[OR2] the least bet', () => {
  test('is held against limit × size as entered, of a market order against its planned cost', () => {
    const { world, market } = scene(usdt(1_000_000n));
    world.place('b', market, 'sell 100 yes @ 0.1');
    // It fills for 0.2, and yet it asked for 1.
    expect(world.place('a', market, 'buy 2 yes @ 0.5').refusal).toBeNull();
    expect(world.place('a', market, 'buy 1.99 yes @ 0.5').refusal).toBe('VALIDATION_FAILED');
    expect(world.place('a', market, 'buy 9.99 yes').refusal).toBe('VALIDATION_FAILED');
    expect(world.place('a', market, 'buy 10 yes').refusal).toBeNull();
  });
});
