// Attacks on cancelled markets, with the figures of the design beside the rule that answers them.
import { describe, expect, test } from 'vitest';
import { cancelTraded, codeOf, DAY, HOUR, voiding } from '../../test/resolution.ts';
import { makeWorld, ofType, PLAIN_PARAMETERS, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import type { Market } from '../state/market.ts';
import { type FairValue, fairValue } from './fair-value.ts';

const DAWN = 100 * DAY;

/** What the names have gained or lost since, in USDT. */
function wealth(world: World, names: readonly string[]): number {
  const micro = names.reduce((sum, name) => sum + world.free(name) + world.reserved(name), 0n);
  return Number(micro) / 1_000_000;
}

function valued(world: World, market: Market): FairValue {
  const value = fairValue(world.state, market, null);
  if ('code' in value) throw new Error(value.code);
  return value;
}

/** After 30 quiet days a friend of the creator moves the pool to 0.90 and sells all to an honest buyer; then a day passes. */
function staleSale() {
  const world = makeWorld({ nowMs: DAWN });
  world.open('honest friend');
  const market = world.market({ deposit: 500 });
  world.pass(30 * DAY);
  const start = { honest: wealth(world, ['honest']), gang: wealth(world, ['friend', 'maker']) };
  const bought = world.place('friend', market, 'buy 5000 yes @ 0.9 ioc').order;
  world.place('friend', market, `sell ${bought.filledLots / 100} yes @ 0.901`);
  const paid = world.place('honest', market, `buy ${bought.filledLots / 100} yes @ 0.901`).order;
  expect(Number(paid.filledCost + paid.feesPaid) / 1_000_000).toBeCloseTo(1_429.8, 1);
  world.pass(DAY);
  world.do({ type: 'halt_market', marketId: market.id, untilMs: null, reason: 'x' });
  return { world, market, start };
}

describe('[VD8] G1: a sale at a new price, cancelled by old ones', () => {
  test('is refused without a window; the last day costs the buyer no more than the rebate', () => {
    const { world, market, start } = staleSale();
    expect(codeOf(world, voiding(world, market))).toBe('VALIDATION_FAILED');
    const window = { fromMs: world.nowMs - DAY, toMs: world.nowMs };
    cancelTraded(world, market, { window });
    expect(wealth(world, ['honest']) - start.honest).toBeCloseTo(-0.42, 1);
    expect(wealth(world, ['friend', 'maker']) - start.gang - 500).toBeLessThan(0.43);
    checkAll(world.state);
  });

  test('pinned: the default window would cost 636 of 1,430', () => {
    const { world, market, start } = staleSale();
    expect(valued(world, market).payout).toEqual([5000, 5000]);
    const window = { fromMs: DAWN + 20 * DAY, toMs: DAWN + 25 * DAY };
    cancelTraded(world, market, { window });
    expect(wealth(world, ['honest']) - start.honest).toBeCloseTo(-635.99, 0);
  });

  test('[VD15] with the creator’s own wording as its cause leaves 371.71 to insurance', () => {
    const { world, market } = staleSale();
    const window = { fromMs: DAWN + 20 * DAY, toMs: DAWN + 25 * DAY };
    const events = cancelTraded(world, market, { window, cause: 'question' });
    const [end] = ofType(events, 'market_cancelled');
    expect(Number(end!.poolPaid) / 1_000_000).toBe(500);
    expect(Number(end!.excess) / 1_000_000).toBeCloseTo(371.71, 1);
    checkAll(world.state);
  });
});

describe('[VD3] G2: a book without a pool', () => {
  test('follows the price that the honest buyer paid: 36.67 of 900, whatever is washed', () => {
    const world = makeWorld({ nowMs: DAWN });
    world.open('honest seller washer');
    const market = world.market();
    world.mint('seller', market, 1000);
    world.place('seller', market, 'sell 1000 yes @ 0.9');
    world.pass(2 * 60_000);
    const start = wealth(world, ['honest']);
    world.place('honest', market, 'buy 1000 yes @ 0.9');
    for (let hour = 0; hour < 10; hour += 1) {
      // Crossed at once: no maker has rested.
      world.mint('washer', market, 100);
      world.place('seller', market, 'buy 100 yes @ 0.01');
      world.place('washer', market, 'sell 100 yes @ 0.01');
      world.pass(HOUR);
    }
    expect(market.memory.book.price).toBe(863_636);
    expect(codeOf(world, voiding(world, market))).toBe('VALIDATION_FAILED');
    const window = { fromMs: DAWN + 2 * HOUR, toMs: DAWN + 10 * HOUR };
    cancelTraded(world, market, { window });
    expect(market.payout).toEqual([8636, 1364]);
    expect(wealth(world, ['honest']) - start).toBeCloseTo(-36.67, 1);
    checkAll(world.state);
  });
});

describe('[VD4] G4: a loser who would rather have the stake back', () => {
  test('gets what the shares were worth before the lock, and the winner keeps the rise', () => {
    const world = makeWorld({ nowMs: DAWN });
    world.open('loser winner');
    const template = { durationSec: (10 * DAY) / 1000 };
    const market = world.market({ deposit: 500, template });
    const paid = world.place('loser', market, 'buy 3000 no').order;
    world.pass(DAY);
    const won = world.place('winner', market, 'buy 20000 yes @ 0.95 ioc').order;
    world.pass(9 * DAY);
    expect(market.status).toBe('locked');
    const before = [wealth(world, ['loser']), wealth(world, ['winner'])];
    cancelTraded(world, market);
    expect(market.payout).toEqual([9500, 500]);
    const [loser, winner] = [wealth(world, ['loser']), wealth(world, ['winner'])];
    expect(Number(paid.filledCost) / 1_000_000).toBeGreaterThan(2_500);
    // 3,000 shares at 0.05, and the fees.
    expect(loser - before[0]!).toBeCloseTo(152.9, 1);
    expect(winner - before[1]!).toBeGreaterThan(Number(won.filledCost) / 1_000_000);
    checkAll(world.state);
  });
});

describe('[VD14] fee farms', () => {
  test.each([0, 10_000])(
    'washes at 0.999 with quality %i draw on no fees of other holders',
    (quality) => {
      const world = makeWorld({ nowMs: DAWN, parameters: PLAIN_PARAMETERS });
      world.open('honest maker2 washer mate');
      const market = world.market({ creator: 'maker2' });
      world.mint('maker2', market, 1000);
      world.mint('mate', market, 10_000);
      world.place('maker2', market, 'sell 1000 yes @ 0.5');
      const gang = wealth(world, ['washer', 'mate']) + 10_000;
      const honest = wealth(world, ['honest']);
      world.place('honest', market, 'buy 1000 yes @ 0.5');
      const rebate = 0.0003 * 500;
      for (let wash = 0; wash < 20; wash += 1) {
        world.place('mate', market, 'sell 10000 yes @ 0.999');
        if (wash === 0) world.holding('mate', market)!.quality = quality;
        world.place('washer', market, 'buy 10000 yes @ 0.999');
        world.place('washer', market, 'sell 10000 yes @ 0.999');
        world.place('mate', market, 'buy 10000 yes @ 0.999');
      }
      world.pass(HOUR);
      const window = { fromMs: DAWN, toMs: world.nowMs };
      cancelTraded(world, market, { window });
      const [yes] = market.payout!;
      expect(wealth(world, ['washer', 'mate']) - gang).toBeCloseTo(0, 5);
      const worth = (1000 * yes!) / 10_000;
      expect(wealth(world, ['honest']) - honest).toBeCloseTo(worth - 500 - rebate, 4);
      checkAll(world.state);
    },
  );
});
