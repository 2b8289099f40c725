// Complete sets and what positions are worth: exact to the µ, whatever was done.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountName, inLots, makeWorld, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import type { CommandBody } from '../state/command.ts';
import { basisOf, realizedOf } from '../state/holding.ts';
import type { Market } from '../state/market.ts';

const convert = (world: World, action: 'mint' | 'merge', market: Market, shares: number) =>
  world.run({
    type: action === 'mint' ? 'mint_sets' : 'merge_sets',
    accountId: accountName('anna'),
    marketId: market.id,
    lots: inLots(shares),
    caps: null,
    grant: null,
  } as CommandBody).answer;

describe('complete sets', () => {
  for (const outcomes of [2, 3, 64]) {
    it(`[PO1] one USDT is one share of each of ${outcomes} outcomes, and back`, () => {
      const world = makeWorld();
      world.open('anna bert', 1000);
      const market = world.market({ deposit: 100, outcomes, creator: 'bert' });
      const before = world.free('anna');
      expect(convert(world, 'mint', market, 12.34).ok).toBe(true);
      expect(world.free('anna')).toBe(before - 12_340_000n);
      for (let index = 0; index < outcomes; index += 1) {
        expect(world.shares('anna', market, index)).toBe(12_340_000n);
      }
      expect(world.state.ledger.balance(market.escrow)).toBe(112_340_000n);
      expect(convert(world, 'merge', market, 12.34).ok).toBe(true);
      expect(world.free('anna')).toBe(before);
      checkAll(world.state);
    });
  }

  it('[PO1] merging needs every outcome, minting the money, both an open market', () => {
    const world = makeWorld();
    world.open('anna bert', 100);
    const market = world.market({ deposit: 0, creator: 'bert' });
    expect(convert(world, 'mint', market, 100.01)).toMatchObject({
      rejection: { code: 'BALANCE_INSUFFICIENT', details: { required: 100_010_000n } },
    });
    convert(world, 'mint', market, 10);
    world.place('anna', market, 'sell 4 no @ 0.9');
    expect(convert(world, 'merge', market, 7)).toMatchObject({
      rejection: { code: 'BALANCE_INSUFFICIENT', details: { outcome_id: 'no', free: 6_000_000n } },
    });
    world.do({ type: 'halt_market', marketId: market.id, untilMs: null, reason: 'x' });
    expect(convert(world, 'merge', market, 1)).toMatchObject({
      rejection: { code: 'MARKET_HALTED' },
    });
    world.do({ type: 'resume_market', marketId: market.id });
    world.pass(31_536_000_000);
    expect(convert(world, 'mint', market, 1)).toMatchObject({
      rejection: { code: 'MARKET_CLOSED' },
    });
  });
});

describe('basis and result', () => {
  it('[PO2] a sale realises against its part of the basis, fees at once', () => {
    const world = makeWorld();
    world.open('anna bert cleo', 1000);
    const market = world.market({ deposit: 0, creator: 'cleo' });
    world.mint('bert', market, 100);
    world.place('bert', market, 'sell 30 yes @ 0.4');
    world.place('bert', market, 'sell 10 yes @ 0.6');
    world.place('anna', market, 'buy 40 yes @ 0.6');
    const holding = world.holding('anna', market)!;
    // 30 at 0.4 and 10 at 0.6; taker fees 30 at 19.52 bps of 12 USDT and 10 at 19.52 bps of 6 USDT, each rounded up.
    expect(basisOf(holding, 0)).toBe(18_000_000n);
    expect(realizedOf(holding, 0)).toBe(-(23_424n + 11_712n));
    world.place('bert', market, 'buy 10 yes @ 0.7');
    world.place('anna', market, 'sell 10 yes @ 0.7');
    // A quarter of the basis goes: 4.5 USDT; 7 USDT come in; the fee is 18.08 bps of 7 USDT.
    expect(basisOf(holding, 0)).toBe(13_500_000n);
    expect(realizedOf(holding, 0)).toBe(7_000_000n - 4_500_000n - 12_656n - 23_424n - 11_712n);
    checkAll(world.state);
  });

  it('[PO2] minting spreads its cost evenly, what does not divide goes to the first outcome', () => {
    const world = makeWorld();
    world.open('anna bert', 1000);
    const market = world.market({ deposit: 100, outcomes: 3, creator: 'bert' });
    convert(world, 'mint', market, 1);
    const holding = world.holding('anna', market)!;
    expect([0, 1, 2].map((outcome) => basisOf(holding, outcome))).toEqual([
      333_334n,
      333_333n,
      333_333n,
    ]);
    convert(world, 'merge', market, 0.5);
    expect([0, 1, 2].map((outcome) => basisOf(holding, outcome))).toEqual([
      166_667n,
      166_667n,
      166_667n,
    ]);
    checkAll(world.state);
  });

  it('[PO3] cash, basis and stakes equal deposits and results after anything', () => {
    const action = fc.record({
      who: fc.constantFrom('anna', 'bert', 'cleo'),
      what: fc.constantFrom('buy', 'sell', 'mint', 'merge'),
      outcome: fc.constantFrom('yes', 'no'),
      shares: fc.integer({ min: 1, max: 5000 }).map((lots) => lots / 100),
      price: fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), fc.boolean(), (actions, wins) => {
        const world = makeWorld();
        world.open('anna bert cleo', 1000);
        const market = world.market({ deposit: 200, creator: 'bert' });
        for (const { who, what, outcome, shares, price } of actions) {
          if (what === 'mint' || what === 'merge') {
            const type = what === 'mint' ? 'mint_sets' : 'merge_sets';
            const size = inLots(shares);
            const accountId = accountName(who);
            world.run({
              type,
              accountId,
              marketId: market.id,
              lots: size,
              caps: null,
              grant: null,
            } as CommandBody);
          } else {
            world.place(who, market, `${what} ${shares} ${outcome} @ ${price}`);
          }
          checkAll(world.state);
        }
        world.do({
          type: 'mock_oracle',
          accountId: accountName('cleo'),
          marketId: market.id,
          winningOutcomeId: wins ? 'yes' : 'no',
        });
        checkAll(world.state);
        for (const name of ['anna', 'bert', 'cleo']) {
          const account = world.account(name);
          expect(world.free(name)).toBe(account.netDeposits + account.realized);
        }
      }),
      { numRuns: 60 },
    );
  });
});
