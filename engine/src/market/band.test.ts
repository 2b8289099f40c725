// Price bands: how far an order may trade from the price of ten seconds ago, and the halt of a market that keeps at it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeWorld, type Placed, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';
import { boundFrom } from './band.ts';
import { shownPrices } from './mid.ts';

const SECOND = 1000;

interface Scene {
  readonly world: World;
  readonly market: Market;
}

function scene(deposit = 1000, outcomes = 2, template = {}): Scene {
  const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
  world.open('t u');
  return { world, market: world.market({ deposit, outcomes, template }) };
}

/** Price of an outcome in pips, as a fraction. */
const priceOf = (market: Market, outcome = 0) => Number(shownPrices(market)[outcome]) / 100;

/** The dearest (or, selling, the least) that a fill of the order came to, in pips per share. */
const worst = ({ trades }: Placed, side: 'buy' | 'sell') => {
  const prices = trades.map(({ cost, lots }) => Number(cost) / lots);
  return side === 'buy' ? Math.max(...prices) : Math.min(...prices);
};

const CUT = { status: 'cancelled', cancelReason: 'price_band' };

describe('[PB1] the bound of an order', () => {
  test.each([
    ['buy', 500_000, 7000],
    ['buy', 500_099, 7000],
    ['buy', 500_100, 7001],
    ['sell', 500_000, 3000],
    ['sell', 500_001, 3001],
    ['sell', 500_100, 3001],
    ['buy', 799_899, 9998],
    ['buy', 799_900, 9999],
    ['buy', 990_000, 9999],
    ['sell', 200_100, 1],
    ['sell', 200_101, 2],
    ['sell', 10_000, 1],
  ] as const)('%s from %i µ: %i pips, whole and inside the band', (side, reference, bound) => {
    expect(boundFrom(reference, 2000, side)).toBe(bound);
  });

  test('a buy stops at 2000 pips above, whatever it asks for, and what is left is cancelled', () => {
    for (const text of ['buy 100000 yes', 'buy 100000 yes @ 0.95', 'buy 100000 yes @ 0.95 ioc']) {
      const { world, market } = scene();
      const placed = world.place('t', market, text);
      expect(placed.order).toMatchObject(CUT);
      expect(priceOf(market)).toBeLessThanOrEqual(7000);
      expect(priceOf(market)).toBeGreaterThan(6999);
      expect(market.openOrders).toBe(0);
      expect(world.reserved('t')).toBe(0n);
      checkAll(world.state);
    }
  });

  test('a sell stops at 2000 pips below', () => {
    const { world, market } = scene();
    world.mint('t', market, 100_000);
    for (const text of ['sell 50000 yes', 'sell 50000 yes @ 0.01']) {
      expect(world.place('t', market, text).order).toMatchObject(CUT);
    }
    expect(priceOf(market)).toBeGreaterThanOrEqual(3000);
    expect(priceOf(market)).toBeLessThan(3001);
    checkAll(world.state);
  });

  test('an order whose limit is at the bound or inside is not cut: its rest rests', () => {
    const { world, market } = scene();
    const placed = world.place('t', market, 'buy 100000 yes @ 0.7');
    expect(placed.order.status).toBe('partially_filled');
    const other = scene();
    const beyond = other.world.place('t', other.market, 'buy 100000 yes @ 0.701');
    expect(beyond.order).toMatchObject(CUT);
    expect(beyond.order.filledLots).toBe(placed.order.filledLots);
    expect([market.openOrders, other.market.openOrders]).toEqual([1, 0]);
  });

  test('orders in the book are met up to the bound and not beyond', () => {
    const { world, market } = scene();
    world.mint('u', market, 1000);
    world.place('u', market, 'sell 10 yes @ 0.7');
    world.place('u', market, 'sell 10 yes @ 0.701');
    const placed = world.place('t', market, 'buy 100000 yes');
    expect(worst(placed, 'buy')).toBe(7000);
    expect(placed.order).toMatchObject(CUT);
    expect(market.openOrders).toBe(1);
  });

  test('holds for every outcome in its own price', () => {
    const { world, market } = scene(1000, 4);
    const placed = world.place('t', market, 'buy 100000 o2');
    expect(placed.order).toMatchObject(CUT);
    expect(priceOf(market, 2)).toBeLessThanOrEqual(4500);
    expect(priceOf(market, 2)).toBeGreaterThan(4499);
  });

  test('cross legs are exempt: they trade at their limits, however far', () => {
    const { world, market } = scene(500, 3);
    world.place('u', market, 'buy 5000 o1 @ 0.33');
    const placed = world.place('t', market, 'buy 200 o0');
    const legs = placed.trades.flatMap(({ makers }) => makers.map(({ price }) => price));
    expect(new Set(legs)).toEqual(new Set([3300]));
    expect(priceOf(market, 0)).toBeLessThanOrEqual(5333.33);
  });

  test('fills of execution mid are exempt', () => {
    const { world, market } = scene();
    world.mint('u', market, 10);
    world.place('t', market, 'buy 100000 yes @ 0.7 ioc');
    world.pass(60 * SECOND);
    world.place('t', market, 'buy 100000 yes @ 0.9 ioc');
    const placed = world.place('u', market, 'buy 10 yes', { execution: 'mid' });
    expect(placed.order.status).toBe('filled');
  });

  test('an amendment is bounded as a new order is', () => {
    const { world, market } = scene();
    const { id } = world.place('t', market, 'buy 100000 yes @ 0.4');
    const amended = world.amend('t', id, 0.9, null);
    expect(amended.order).toMatchObject(CUT);
    expect(amended.order.filledLots).toBeGreaterThan(0);
    expect(world.reserved('t')).toBe(0n);
    checkAll(world.state);
  });

  test('a template’s band is narrower; a fast market has none', () => {
    const narrow = scene(1000, 2, { bandPips: 50 });
    narrow.world.place('t', narrow.market, 'buy 100000 yes');
    expect(Math.ceil(priceOf(narrow.market))).toBe(5050);
    const roundConfig = { durationSec: 600, lockOffsetMs: 0 };
    const fast = scene(1000, 2, { marketType: 'fast', roundConfig });
    const placed = fast.world.place('t', fast.market, 'buy 100000 yes @ 0.99 ioc');
    expect(placed.order.cancelReason).toBe('ioc_remainder');
    expect(priceOf(fast.market)).toBeGreaterThan(9899);
  });
});

describe('[PB2] the reference', () => {
  /** Where a buy of anything is stopped, and how far that is from even odds. */
  const stopsAt = ({ world, market }: Scene) => {
    world.place('t', market, 'buy 1000000 yes');
    return Math.round(priceOf(market));
  };

  test('is the price left before the hundredth step before this one: a new price counts after 10 s', () => {
    // A move in the step that begins at the market's opening, then the moments around ten seconds later.
    for (const [offsetMs, waitedMs, expected] of [
      [0, 9_999, 7000],
      [0, 10_000, 7000],
      [0, 10_099, 7000],
      [0, 10_100, 8000],
      [99, 10_000, 7000],
      [99, 10_001, 8000],
      [100, 10_099, 7000],
      [100, 10_100, 8000],
    ] as const) {
      const { world, market } = scene(5000);
      world.pass(30 * SECOND + offsetMs);
      world.place('t', market, 'buy 1000000 yes @ 0.6 ioc');
      world.pass(waitedMs);
      expect([offsetMs, waitedMs, stopsAt({ world, market })]).toEqual([
        offsetMs,
        waitedMs,
        expected,
      ]);
    }
  });

  test('is what the last command of a step left, not what an earlier one showed', () => {
    const { world, market } = scene(5000);
    world.pass(30 * SECOND);
    world.place('t', market, 'buy 1000000 yes @ 0.6 ioc');
    world.place('t', market, 'buy 1000000 no @ 0.5 ioc');
    world.pass(10_100);
    expect(stopsAt({ world, market })).toBe(7000);
  });

  test('creeps: nobody moves a price by more than the band in ten seconds, however many orders', () => {
    const move = fc.record({ ms: fc.nat(4000), up: fc.boolean(), who: fc.constantFrom('t', 'u') });
    fc.assert(
      fc.property(fc.array(move, { maxLength: 20, size: 'max' }), (moves) => {
        const { world, market } = scene(1000);
        for (const name of ['t', 'u']) world.mint(name, market, 50_000);
        const history = [{ atMs: world.nowMs - 60_000, price: priceOf(market) }];
        for (const { ms, up, who } of moves) {
          world.pass(ms);
          const before = history.filter(({ atMs }) => {
            return atMs < 100 * (Math.floor(world.nowMs / 100) - 100);
          });
          const reference = before.at(-1)!.price;
          const placed = world.place(who, market, `${up ? 'buy' : 'sell'} 3000 yes`);
          if (placed.refusal !== null) continue;
          for (const { cost, lots } of placed.trades) {
            const beyond = (Number(cost) / lots - reference) * (up ? 1 : -1);
            expect(beyond).toBeLessThanOrEqual(2000);
          }
          history.push({ atMs: world.nowMs, price: priceOf(market) });
          if (market.halted) return;
        }
      }),
      { numRuns: 60 },
    );
  });

  test('after a halt is the price at its end, after RS7 that at which the market was given back', () => {
    const halted = scene(5000);
    const { world, market } = halted;
    world.pass(30 * SECOND);
    world.place('t', market, 'buy 1000000 yes @ 0.7 ioc');
    const marketId = market.id;
    world.do({ type: 'halt_market', marketId, untilMs: world.nowMs + SECOND, reason: 'x' });
    world.pass(SECOND);
    expect(stopsAt(halted)).toBe(9000);
    const given = scene(5000);
    given.world.pass(30 * SECOND);
    given.world.place('t', given.market, 'buy 1000000 yes @ 0.7 ioc');
    const result = { kind: 'outcome', outcomeId: 'yes' } as const;
    const proposal = { proposerId: null, result, evidence: ['e'], bond: 0n as never };
    given.world.do({ type: 'propose_resolution', marketId: given.market.id, ...proposal });
    const early = { marketId: given.market.id, ruling: 'too_early', result: null } as const;
    given.world.do({ type: 'rule_resolution', ...early });
    expect(stopsAt(given)).toBe(9000);
  });

  test('in a market younger than that is its opening price', () => {
    const young = scene(5000);
    young.world.place('t', young.market, 'buy 1000000 yes @ 0.65 ioc');
    young.world.pass(9_900);
    expect(stopsAt(young)).toBe(7000);
  });
});

describe('[PB5] the bands of other outcomes', () => {
  test('end a sell that lifts one of them beyond its own, whatever the order of outcomes', () => {
    const { world, market } = scene(1000, 5);
    world.mint('u', market, 100_000);
    const orders = [1, 2, 3, 4].map((outcome) =>
      world.place('u', market, `sell 50000 o${outcome} @ 0.001`),
    );
    // The first two come to their limits, which others then reach.
    const reasons = orders.map(({ order }) => order.cancelReason);
    expect(reasons).toEqual([null, null, 'price_band', 'price_band']);
    expect(priceOf(market, 0)).toBeGreaterThan(3990);
    expect(priceOf(market, 0)).toBeLessThanOrEqual(4000);
    checkAll(world.state);
    world.pass(11_000);
    expect(world.place('u', market, 'sell 50000 o4 @ 0.001').order.filledLots).toBeGreaterThan(0);
  });

  test('end a buy that lowers one of them, and a fok is rejected', () => {
    const { world, market } = scene(1000, 3, { bandPips: 1000 });
    world.mint('u', market, 100_000);
    world.place('u', market, 'sell 50000 o1');
    expect(priceOf(market, 1)).toBeLessThan(2340);
    // What is left of its band the buy may take, and no more.
    const fok = world.place('t', market, 'buy 400 o0 @ 0.999 fok');
    expect(fok.order.rejectReason).toBe('fok_unfilled');
    world.place('t', market, 'buy 50000 o0');
    world.place('t', market, 'buy 50000 o2');
    expect(priceOf(market, 1)).toBeGreaterThanOrEqual(2333);
  });

  test.each([
    ['buy', 1000],
    ['sell', 3000],
  ] as const)('end small orders that %s the others by turns, exactly there', (side, end) => {
    const { world, market } = scene(1000, 5, { bandPips: 1000 });
    world.mint('t', market, 100_000);
    const isCut = ({ order }: Placed) => order.cancelReason === 'price_band';
    for (let order = 0; order < 400; order += 1) {
      if (isCut(world.place('t', market, `${side} 10 o${1 + (order % 4)}`))) break;
    }
    // Within what a lot moves it.
    expect(Math.abs(priceOf(market, 0) - end)).toBeLessThan(0.02);
    expect(Math.sign(priceOf(market, 0) - end)).not.toBe(side === 'buy' ? -1 : 1);
  });

  test('bound no post_only order, and nothing in a market that has none', () => {
    const { world, market } = scene(1000, 3, { bandPips: 1000 });
    world.mint('u', market, 100_000);
    world.place('u', market, 'sell 50000 o1');
    const resting = world.place('u', market, 'sell 10 o1 @ 0.9', { postOnly: true });
    expect(resting.order.status).toBe('pending');
    const taking = world.place('u', market, 'sell 10 o1 @ 0.1', { postOnly: true });
    expect(taking.order.rejectReason).toBe('post_only_would_take');
  });
});

describe('[PB3] what is left of an order beyond the band', () => {
  test('a fok is rejected and trades nothing', () => {
    const { world, market } = scene();
    const placed = world.place('t', market, 'buy 100000 yes fok');
    expect(placed.order).toMatchObject({ status: 'rejected', rejectReason: 'fok_unfilled' });
    expect(priceOf(market)).toBe(5000);
    expect(world.place('t', market, 'buy 10 yes fok').order.status).toBe('filled');
  });

  test('a post_only order is tested at its own limit first', () => {
    const { world, market } = scene();
    const placed = world.place('t', market, 'buy 10 yes @ 0.95', { postOnly: true });
    expect(placed.order.rejectReason).toBe('post_only_would_take');
    expect(world.place('t', market, 'buy 10 yes @ 0.4', { postOnly: true }).order.status).toBe(
      'pending',
    );
  });

  test('a post_only order that would take nothing and yet lies beyond is cancelled', () => {
    // The pool's price is above the limit, which is above what the reference of ten seconds ago allows.
    const { world, market } = scene(1000, 3);
    world.mint('u', market, 5000);
    world.place('u', market, 'sell 1000 o1');
    expect(priceOf(market)).toBeGreaterThan(3450);
    world.do({ type: 'set_parameters', part: 'band', values: { pips: 100 } });
    const placed = world.place('t', market, 'buy 10 o0 @ 0.344', { postOnly: true });
    expect(placed.order).toMatchObject({ ...CUT, filledLots: 0 });
  });

  test('without a pool a market order trades at most the band from its first fill', () => {
    const { world, market } = scene(0);
    world.mint('u', market, 100);
    for (const price of ['0.2', '0.3', '0.4', '0.401']) {
      world.place('u', market, `sell 1 yes @ ${price}`);
    }
    const placed = world.place('t', market, 'buy 10 yes');
    expect(placed.order).toMatchObject({ ...CUT, filledLots: 300 });
    expect(world.place('t', market, 'buy 10 yes @ 0.9 ioc').order.filledLots).toBe(100);
    for (const price of ['0.9', '0.7', '0.699']) {
      world.place('u', market, `buy 1 yes @ ${price}`, { acceptPrice: true });
    }
    expect(world.place('t', market, 'sell 3 yes').order).toMatchObject({ ...CUT, filledLots: 200 });
  });

  test('without a pool and with nothing beyond the band it ends like any other', () => {
    const { world, market } = scene(0);
    world.mint('u', market, 100);
    world.place('u', market, 'sell 1 yes @ 0.2');
    expect(world.place('t', market, 'buy 10 yes').order.cancelReason).toBe('ioc_remainder');
    expect(world.place('t', market, 'buy 10 yes').order.cancelReason).toBe('ioc_remainder');
  });

  test('[OR3] a walk that its budget or own family ended is not ended by its band', () => {
    const { world, market } = scene();
    const maxCost = 5_000_000n as never;
    const cheap = world.place('t', market, 'buy 100000 yes', { maxCost });
    expect(cheap.order.cancelReason).toBe('ioc_remainder');
    world.mint('t', market, 10);
    world.place('t', market, 'sell 10 yes @ 0.6');
    const stpMode = 'cancel_incoming';
    const own = world.place('t', market, 'buy 100000 yes', { stpMode });
    expect(own.order.cancelReason).toBe('self_trade_prevented');
  });
});
