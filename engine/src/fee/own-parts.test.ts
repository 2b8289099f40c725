// Parts of a fee that would go back to the one who pays it, and volume that costs next to nothing.
import { describe, expect, test } from 'vitest';
import { accountName, makeWorld, type World } from '../../test/world.ts';
import type { BuilderFee } from '../state/command.ts';

function split(world: World, name: string, builder: BuilderFee | null) {
  const market = world.market({ deposit: 1000, creator: 'c' });
  return world.place(name, market, 'buy 100 yes', { builder }).trades[0]!.split;
}

describe('[FE4] the treasury gets', () => {
  test('the part of a builder whose app is of the taker’s own user, and not its fee on top', () => {
    const world = makeWorld();
    world.open('a c');
    const app = { appId: 'app_1', feeBps: 10, capBps: 50 };
    const others = split(world, 'a', app);
    const own = split(world, 'a', { ...app, isOwn: true });
    expect(others.builder).toBeGreaterThan(0n);
    expect(own.builder).toBe(0n);
    expect(own.treasury).toBe(others.treasury + others.builder);
    const kept = [...world.state.ledger.accounts()].filter(({ name }) => name.includes('builder'));
    expect(kept.every(({ balance }) => balance > 0n)).toBe(true);
    expect(kept).toHaveLength(2);
  });

  test('the part of a referrer of the taker’s own family', () => {
    const world = makeWorld();
    world.open('a b c');
    const open = (name: string, parent: string, referrer: string): void => {
      const [accountId, parentId] = [accountName(name), accountName(parent)];
      const referrerId = accountName(referrer);
      world.do({ type: 'open_account', accountId, mode: 'sandbox', parentId, referrerId });
      world.deposit(name, 1000);
    };
    open('sub_own', 'a', 'a');
    open('sub_other', 'a', 'b');
    expect(split(world, 'sub_own', null).referrer).toBe(0n);
    expect(split(world, 'sub_other', null).referrer).toBeGreaterThan(0n);
  });
});

describe('[MK14] volume', () => {
  test('leaves out fills above 9,900 and below 100 pips', () => {
    const world = makeWorld();
    world.open('a b');
    const market = world.market({ template: { tickPips: 1 as never } });
    world.mint('b', market, 1000);
    for (const price of [0.991, 0.0099]) {
      world.place('b', market, `sell 10 yes @ ${price}`);
      world.place('a', market, `buy 10 yes @ ${price}`);
      expect(market.totalVolume).toBe(0n);
    }
    for (const price of [0.99, 0.01]) {
      world.place('b', market, `sell 10 yes @ ${price}`);
      world.place('a', market, `buy 10 yes @ ${price}`);
    }
    expect(market.totalVolume).toBe(10_000_000n);
    expect(market.outcomes[0]!.volume).toBe(10_000_000n);
    expect(market.outcomes[0]!.lastPrice).toBe(10_000n);
  });
});
