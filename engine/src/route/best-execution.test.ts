// Best execution: a walk against taking the cheapest lot each time, and one order against many small ones.

import { type Lots, lots, usdt } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { action, open, perform, type Setting } from '../../test/trading.ts';
import { accountName, orderOf, Placed, type World } from '../../test/world.ts';
import { quote } from '../amm/quote.ts';
import type { OrderView } from '../state/event.ts';
import type { Market } from '../state/market.ts';

const actions = fc.array(action, { maxLength: 25, size: 'max' });

/** A taker who has no orders of its own. */
function withTaker(setting: Setting): { world: World; market: Market } {
  const { world, market } = open(setting);
  world.open('taker');
  world.mint('taker', market, 5000);
  return { world, market };
}

function take(world: World, market: Market, outcome: number, side: string, size: number): Placed {
  const text = `${side} ${size / 100} ${market.outcomes[outcome]!.id}`;
  return new Placed(world.run(orderOf('taker', market, text)));
}

/** Lots at each price of a two-outcome book that the taker could meet, best first. */
function resting(market: Market, outcome: number, side: 'buy' | 'sell'): number[] {
  const [book] = market.books;
  const levels = (side === 'buy') === (outcome === 0) ? book!.asks : book!.bids;
  const prices: number[] = [];
  for (let level = levels.best; level !== null; level = levels.after(level)) {
    const price = outcome === 0 ? level.price : 10_000 - level.price;
    for (let lot = 0; lot < level.lots; lot += 1) prices.push(price);
  }
  return prices;
}

/** The cheapest (or dearest) lot each time, of pool or book, written as plainly as possible. */
function lotByLot(market: Market, outcome: number, side: 'buy' | 'sell', size: number): bigint {
  const view = market.pool!.view.copy();
  const book = resting(market, outcome, side);
  let total = 0n;
  let left = size;
  while (left > 0) {
    const one = quote(view, outcome, lots(1), side);
    const price = book[0];
    const isPool =
      price === undefined ||
      (side === 'buy' ? one.amount <= BigInt(price) : one.amount >= BigInt(price));
    if (isPool) {
      total += one.amount;
      view.move(outcome, one.q);
    } else {
      total += BigInt(price);
      book.shift();
    }
    left -= 1;
  }
  return total;
}

/** (steps + 1) µ, and for each step what one lot moves the pool's price by, times the lot. */
function slack(order: Placed, market: Market): bigint {
  const convexity = 10_000n ** 2n / market.pool!.b + 1n;
  return BigInt(order.trades.length + 1) + convexity * BigInt(order.trades.length + 1);
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

describe('best execution', () => {
  const side = fc.constantFrom('buy', 'sell');
  const size = fc.integer({ min: 1, max: 600 });

  test('[RT8][RT1] two outcomes: the walk costs what the cheapest lot each time costs', () => {
    const outcome = fc.nat(1);
    const deposit = fc.constantFrom(20, 100, 1000);
    fc.assert(
      fc.property(
        actions,
        outcome,
        side,
        size,
        deposit,
        (steps, which, way, lotsWanted, amount) => {
          const { world, market } = withTaker({ outcomes: 2, deposit: amount });
          for (const step of steps) perform(world, market, step);
          const brute = lotByLot(market, which, way, lotsWanted);
          const order = take(world, market, which, way, lotsWanted);
          if (order.refusal !== null || order.order.filledLots < lotsWanted) return;
          const cost: bigint = order.order.filledCost;
          expect(distance(cost, brute)).toBeLessThanOrEqual(slack(order, market));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('[RT8][RT4] more outcomes: one order costs what the same lots one at a time cost', () => {
    const chosen = fc.constantFrom(
      { outcomes: 3, deposit: 500 },
      { outcomes: 4, deposit: 100 },
      { outcomes: 6, deposit: 200 },
    );
    const few = fc.integer({ min: 1, max: 250 });
    fc.assert(
      fc.property(chosen, actions, fc.nat(2), side, few, (setting, steps, which, way, wanted) => {
        const whole = withTaker(setting);
        const stepwise = withTaker(setting);
        for (const step of steps) {
          perform(whole.world, whole.market, step);
          perform(stepwise.world, stepwise.market, step);
        }
        const order = take(whole.world, whole.market, which, way, wanted);
        if (order.refusal !== null || order.order.filledLots < wanted) return;
        let cost = 0n;
        for (let lot = 0; lot < wanted; lot += 1) {
          cost += take(stepwise.world, stepwise.market, which, way, 1).order.filledCost;
        }
        // Each single order rounds for itself: a µ each way on top of the walk's own slack.
        const allowed = slack(order, whole.market) + BigInt(wanted);
        expect(distance(order.order.filledCost, cost)).toBeLessThanOrEqual(allowed);
      }),
      { numRuns: 25 },
    );
  });

  test('[OB1][OB2] buying YES at P and selling NO at 1 − P meet the same orders in the same sequence', () => {
    const chosen = fc.constantFrom({ outcomes: 2, deposit: 0 }, { outcomes: 2, deposit: 300 });
    const tick = fc.integer({ min: 1, max: 999 });
    fc.assert(
      fc.property(chosen, actions, tick, size, (setting, steps, price, wanted) => {
        const meet = (text: string): { makers: string[]; order: OrderView } => {
          const { world, market } = withTaker(setting);
          for (const step of steps) perform(world, market, step);
          const placed = new Placed(world.run(orderOf('taker', market, text)));
          const makers = placed.trades.map(({ makers: [maker], lots: traded }) =>
            maker === undefined ? `pool ${traded}` : `${maker.orderId} ${traded} ${maker.price}`,
          );
          return { makers, order: placed.order };
        };
        const bought = meet(`buy ${wanted / 100} yes @ ${price / 1000} ioc`);
        const sold = meet(`sell ${wanted / 100} no @ ${(1000 - price) / 1000} ioc`);
        const books = (lines: string[]): string[] =>
          lines.filter((line) => !line.startsWith('pool'));
        // The pool’s guard differs by a µ-share between the sides, so a step with it may differ by a lot.
        if (setting.deposit === 0) expect(sold.makers).toEqual(bought.makers);
        else expect(books(sold.makers).map(first)).toEqual(books(bought.makers).map(first));
        const spread = Math.abs(sold.order.filledLots - bought.order.filledLots);
        expect(spread).toBeLessThanOrEqual(setting.deposit === 0 ? 0 : 1);
      }),
      { numRuns: 60 },
    );
  });
});

function first(line: string): string {
  return line.split(' ')[0]!;
}

describe('self-trade prevention', () => {
  const start = (outcomes: number, deposit: number): { world: World; market: Market } => {
    const opened = withTaker({ outcomes, deposit });
    opened.world.open('sub_taker', 1000, 'taker');
    return opened;
  };

  test('[RT6] cancel_incoming ends the walk and cancels the rest of the taker', () => {
    const { world, market } = start(2, 0);
    world.place('a', market, 'sell 1 yes @ 0.5');
    world.mint('sub_taker', market, 100);
    const own = world.place('sub_taker', market, 'sell 1 yes @ 0.51').id;
    world.place('a', market, 'sell 1 yes @ 0.52');
    const stpMode = 'cancel_incoming';
    const { order } = world.place('taker', market, 'buy 3 yes @ 0.6', { stpMode });
    expect(order).toMatchObject({
      status: 'cancelled',
      filledLots: 100,
      cancelReason: 'self_trade_prevented',
    });
    expect(world.state.orders.has(own)).toBe(true);
    expect(world.reserved('taker')).toBe(0n);
  });

  test('[RT6][OR7] a budget that buys no lot ends the walk before an own order is touched', () => {
    const { world, market } = start(2, 0);
    const { id } = world.place('taker', market, 'sell 1 yes @ 0.51');
    const { order } = world.place('taker', market, 'buy 1 yes', { maxCost: usdt(5000n) });
    expect(order).toMatchObject({ status: 'cancelled', cancelReason: 'ioc_remainder' });
    expect(world.state.orders.has(id)).toBe(true);
  });

  test('[RT6] own cross legs are cancelled before they are used, and not while they are out of reach', () => {
    const { world, market } = start(3, 500);
    const own = world.place('taker', market, 'buy 100 o1 @ 0.30').id;
    const far = world.place('sub_taker', market, 'buy 100 o2 @ 0.05').id;
    const near = take(world, market, 0, 'buy', 100);
    expect(world.state.orders.has(own)).toBe(true);
    expect(near.trades).toHaveLength(1);
    const placed = take(world, market, 0, 'buy', 20_000);
    const cancelled = placed.outcome.events.filter(({ type }) => type === 'order_cancelled');
    expect(cancelled).toMatchObject([{ orderId: own, reason: 'self_trade_prevented' }]);
    expect(world.state.orders.has(far)).toBe(true);
    expect(placed.trades.flatMap(({ makers }) => makers)).toEqual([]);
    expect(placed.order.filledLots).toBe(20_000);
  });

  test('[RT6] an own cross leg stops a taker that would rather be cancelled', () => {
    const { world, market } = start(3, 500);
    const own = world.place('taker', market, 'buy 100 o1 @ 0.30').id;
    const stpMode = 'cancel_incoming';
    const { order } = world.place('taker', market, 'buy 200 o0', { stpMode });
    expect(order).toMatchObject({ status: 'cancelled', cancelReason: 'self_trade_prevented' });
    expect(order.filledLots).toBeGreaterThan(0);
    expect(world.state.orders.get(own)!.filledLots).toBe(0);
    expect(accountName('taker')).toBe(order.accountId);
  });

  test('[RT5] all others pinned: every leg and the taker trade one size at what is left of one', () => {
    const { world, market } = start(3, 500);
    world.place('a', market, 'buy 100 o1 @ 0.333');
    world.place('b', market, 'buy 60 o2 @ 0.333');
    const placed = world.place('taker', market, 'buy 60 o0');
    const sets = placed.trades.find(({ makers }) => makers.length === 2)!;
    expect(sets.makers.map(({ lots: size }) => size)).toEqual([sets.lots, sets.lots]);
    expect(sets.cost).toBe(BigInt(sets.lots as Lots) * 3340n);
  });
});
