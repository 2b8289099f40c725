// Attacks on cancellations that once paid, replayed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeWorld, NO_REBATES, ofType, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import type { Market } from '../market/market.ts';
import { averagePricesNow } from '../market/price-memory.ts';
import { DEFAULT_PARAMETERS } from '../parameters.ts';

const USDT = 1_000_000n;
const GANG = ['issuer', 'winner', 'loser', 'mate'] as const;

function cancel(world: World, market: Market) {
  return world.do({ type: 'cancel_market', marketId: market.id, reason: 'test' }).events;
}

const wealth = (world: World, names: readonly string[]) =>
  names.reduce((sum, name) => sum + world.free(name) + world.reserved(name), 0n);

/**
 * Sets are made, their yes shares sold for nearly nothing and bought back for nearly everything: the one in the
 * middle takes cash out, and two are left with a claim to have all they paid returned.
 */
function manufactureClaims(world: World, market: Market, sets: number): void {
  world.mint('issuer', market, sets);
  world.place('mate', market, 'buy 1000000 no @ 0.99 ioc');
  world.place('issuer', market, `sell ${sets} yes @ 0.01`);
  world.place('winner', market, `buy ${sets} yes @ 0.01`);
  world.place('loser', market, `buy ${2 * sets} yes @ 0.99`);
  world.place('winner', market, `sell ${sets} yes @ 0.99`);
}

describe('[RF4] manufactured claims', () => {
  test.each([0, 1, 30])('take no more than a fiftieth of the deposit, %i hours later', (hours) => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open(`honest ${GANG.join(' ')}`);
    const market = world.market({ deposit: 1000 });
    const honest = world.free('honest');
    world.place('honest', market, 'buy 10 yes');
    world.pass(60_000);
    const before = wealth(world, GANG);
    manufactureClaims(world, market, 5000);
    world.pass(hours * 3_600_000);
    const [cancelled] = ofType(cancel(world, market), 'market_cancelled');
    const gained = wealth(world, GANG) - before;
    const lost = honest - world.free('honest');
    expect(gained - lost).toBeLessThanOrEqual(20n * USDT + 1n);
    expect(cancelled!.returned).toBeGreaterThanOrEqual(980n * USDT);
    checkAll(world.state);
  });

  test('thin out what others paid beyond the worth of their shares, and nothing else', () => {
    const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
    world.open(`honest ${GANG.join(' ')}`);
    const market = world.market({ deposit: 1000 });
    // He moves the price himself, so that part of what he paid is more than his shares show on average.
    const placed = world.place('honest', market, 'buy 1500 yes');
    const netBefore = placed.order.filledCost + placed.order.feesPaid;
    const honest = world.free('honest');
    const before = wealth(world, GANG);
    const sets = 5000;
    /** Through the band step by step; the waits are too uneven for a halt. */
    const push = (name: string, text: string): void => {
      for (let turn = 0; turn < 10; turn += 1) {
        world.place(name, market, text);
        world.pass(turn % 2 === 0 ? 21_000 : 10_200);
      }
    };
    world.mint('issuer', market, sets);
    push('mate', 'buy 1000000 no @ 0.99 ioc');
    world.place('issuer', market, `sell ${sets} yes @ 0.02`);
    world.place('winner', market, `buy ${sets} yes @ 0.02`);
    push('loser', 'buy 1000000 yes @ 0.95 ioc');
    world.place('winner', market, `sell ${sets} yes @ 0.96`);
    world.place('loser', market, `buy ${sets} yes @ 0.96`);
    const { totals, whole } = averagePricesNow(world.state, market);
    const worth = (BigInt(placed.order.filledLots) * 10_000n * totals[0]!) / whole;
    const [cancelled] = ofType(cancel(world, market), 'market_cancelled');
    // He is paid at least what his shares were worth, and the deposit all but a fiftieth.
    expect(world.free('honest') - honest).toBeGreaterThanOrEqual(worth);
    expect(cancelled!.returned).toBeGreaterThanOrEqual(980n * USDT);
    const lost = netBefore - (world.free('honest') - honest);
    expect(wealth(world, GANG) - before - lost).toBeLessThanOrEqual(20n * USDT + 1n);
  });

  test('a holder cannot switch the rule: an honest market is refunded in full whatever he adds', () => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open('a b c');
    const market = world.market({ deposit: 1000 });
    const before = ['a', 'b', 'c'].map((name) => world.free(name));
    world.place('a', market, 'buy 100 yes');
    world.place('b', market, 'buy 300 no');
    world.mint('c', market, 90);
    cancel(world, market);
    expect(['a', 'b', 'c'].map((name) => world.free(name))).toEqual(before);
    expect(world.free('maker')).toBe(1001n * USDT);
  });
});

describe('[RF5] washed volume', () => {
  const wash = fc.array(
    fc.record({
      lots: fc.integer({ min: 1, max: 50_000 }),
      cents: fc.integer({ min: 1, max: 99 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const seed = fc.array(
    fc.record({
      outcome: fc.constantFrom('yes', 'no'),
      lots: fc.integer({ min: 1, max: 60_000 }),
    }),
    { maxLength: 6 },
  );

  /** Two who trade with each other at whatever price, by buying both outcomes; gives the rebates they were paid. */
  function washOnce(world: World, market: Market, lots: number, cents: number): bigint {
    let rebates = 0n;
    const placed = [
      world.place('washer', market, `buy ${lots / 100} yes @ ${cents / 100}`),
      world.place('mate', market, `buy ${lots / 100} no @ ${(100 - cents) / 100}`),
    ];
    for (const { makers } of placed.flatMap(({ trades }) => trades)) {
      for (const { accountId, rebate } of makers) {
        if (/washer|mate/.test(accountId)) rebates += rebate;
      }
    }
    return rebates;
  }

  test('before a cancellation gains no more than the rebates published', () => {
    fc.assert(
      fc.property(seed, wash, (trades, washes) => {
        const world = makeWorld();
        world.open('a b washer mate');
        const market = world.market({ deposit: 300 });
        for (const [index, { outcome, lots }] of trades.entries()) {
          world.place(index % 2 === 0 ? 'a' : 'b', market, `buy ${lots / 100} ${outcome}`);
        }
        const before = wealth(world, ['washer', 'mate']);
        let rebates = 0n;
        for (const { lots, cents } of washes) rebates += washOnce(world, market, lots, cents);
        cancel(world, market);
        expect(wealth(world, ['washer', 'mate']) - before).toBeLessThanOrEqual(rebates);
        checkAll(world.state);
      }),
      { numRuns: 100 },
    );
  });
});
