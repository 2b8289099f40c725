// Books as data: levels and queues against a plain sorted list, and the ladder that the public sees.

import { type Lots, type Pips, pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inPips, makeWorld } from '../../test/world.ts';
import { lotsToPrice } from '../amm/quote.ts';
import { depthOf } from '../market/depth.ts';
import { createBooks, isCrossed, mirror, oppositeSide, ownSide } from './book.ts';
import { append, detach } from './level.ts';
import type { Order } from './order.ts';
import { PriceSide } from './side.ts';

/** An order as far as a queue knows it. */
function entry(id: number, lots: number): Order {
  return { id, lots, filledLots: 0, level: null, previous: null, next: null } as unknown as Order;
}

interface Resting {
  readonly price: number;
  readonly order: Order;
}

/** What is in the side, best first, as `price: ids`. */
function shown(side: PriceSide): string[] {
  const lines: string[] = [];
  for (let level = side.best; level !== null; level = side.after(level)) {
    const ids: number[] = [];
    for (let order = level.first; order !== null; order = order.next) ids.push(order.id);
    lines.push(`${level.price}: ${ids.join(' ')} = ${level.lots}/${level.count}`);
  }
  return lines;
}

/** The same from a plain list: sorted by price, then by the time of arrival. */
function expected(resting: readonly Resting[], kind: 'bid' | 'ask'): string[] {
  const prices = [...new Set(resting.map(({ price }) => price))];
  prices.sort((a, b) => (kind === 'bid' ? b - a : a - b));
  return prices.map((price) => {
    const here = resting.filter((one) => one.price === price);
    const lots = here.reduce((sum, { order }) => sum + order.lots, 0);
    return `${price}: ${here.map(({ order }) => order.id).join(' ')} = ${lots}/${here.length}`;
  });
}

describe('one side', () => {
  const price = fc.oneof(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 4990, max: 5010 }),
    fc.constantFrom(1, 31, 32, 33, 1023, 1024, 1025, 9967, 9968, 9999),
  );
  const actions = fc.array(fc.record({ price, leaves: fc.nat(), isLeaving: fc.boolean() }), {
    maxLength: 120,
    size: 'max',
  });

  test.each(['bid', 'ask'] as const)('[OB2] %s levels are as in a plain sorted list', (kind) => {
    fc.assert(
      fc.property(actions, (steps) => {
        const side = new PriceSide(kind);
        const resting: Resting[] = [];
        steps.forEach((step, index) => {
          if (step.isLeaving && resting.length > 0) {
            const [gone] = resting.splice(step.leaves % resting.length, 1);
            const level = gone!.order.level!;
            detach(level, gone!.order, gone!.order.lots);
            if (level.first === null) side.vacate(level);
          } else {
            const order = entry(index, (index % 7) + 1);
            append(side.occupy(pips(step.price)), order, order.lots);
            resting.push({ price: step.price, order });
          }
          expect(shown(side)).toEqual(expected(resting, kind));
        });
      }),
      { numRuns: 150 },
    );
  });
});

describe('coordinates', () => {
  const binary = createBooks(2);

  test.each([
    ['buy', 0, 'bids', 6200],
    ['sell', 0, 'asks', 6200],
    ['buy', 1, 'asks', 3800],
    ['sell', 1, 'bids', 3800],
  ] as const)('[OB1] %s outcome %i @6200 rests in %s @%i', (side, outcome, name, at) => {
    expect(ownSide(binary, outcome, side)).toBe(binary.books[0]![name]);
    const other = name === 'bids' ? 'asks' : 'bids';
    expect(oppositeSide(binary, outcome, side)).toBe(binary.books[0]![other]);
    expect(mirror(binary, outcome, 6200 as Pips)).toBe(at);
  });

  test('[OB1] more outcomes have a book each', () => {
    const three = createBooks(3);
    expect(three.books).toHaveLength(3);
    expect(ownSide(three, 1, 'buy')).toBe(three.books[1]!.bids);
    expect(mirror(three, 1, 6200 as Pips)).toBe(6200);
  });

  test('[OB6] a bid at or above an ask is crossed', () => {
    const [book] = createBooks(2).books;
    append(book!.bids.occupy(pips(5000)), entry(1, 1), 1 as Lots);
    append(book!.asks.occupy(pips(5001)), entry(2, 1), 1 as Lots);
    expect(isCrossed(book!)).toBe(false);
    append(book!.asks.occupy(pips(5000)), entry(3, 1), 1 as Lots);
    expect(isCrossed(book!)).toBe(true);
  });
});

describe('depth', () => {
  const ladder = (levels: readonly { price: number; lots: number }[]): string =>
    levels.map(({ price, lots }) => `${price}×${lots}`).join(' ');

  test('[OB7] both faces of a two-outcome book appear on one ladder, seen from either outcome', () => {
    const world = makeWorld();
    world.open('a b c');
    const market = world.market({ deposit: 0 });
    world.mint('a', market, 100);
    world.place('a', market, 'sell 10 yes @ 0.60');
    world.place('b', market, 'buy 20 no @ 0.40'); // a bid of NO is an ask of YES at 0.60
    world.place('b', market, 'buy 5 no @ 0.35');
    world.place('c', market, 'buy 7 yes @ 0.55');
    world.place('a', market, 'sell 3 no @ 0.46'); // an ask of NO is a bid of YES at 0.54
    const yes = depthOf(market, 0, 10);
    expect(ladder(yes.bids)).toBe('5500×700 5400×300');
    expect(ladder(yes.asks)).toBe('6000×3000 6500×500');
    const no = depthOf(market, 1, 10);
    expect(ladder(no.bids)).toBe('4000×3000 3500×500');
    expect(ladder(no.asks)).toBe('4500×700 4600×300');
    expect(ladder(depthOf(market, 0, 1).asks)).toBe('6000×3000');
  });

  test('[OB7] the pool is shown by tick, with resting orders added where they stand', () => {
    const world = makeWorld();
    world.open('a');
    const market = world.market({ deposit: 1000 });
    world.mint('a', market, 100);
    world.place('a', market, 'sell 10 yes @ 0.502');
    const { asks, bids } = depthOf(market, 0, 3);
    const view = market.pool!.view;
    const within = (price: number, side: 'buy' | 'sell'): number =>
      lotsToPrice(view, 0, inPips(price), side);
    expect(asks.map(({ price }) => price)).toEqual([5010, 5020, 5030]);
    expect(asks[0]!.lots).toBe(within(0.501, 'buy'));
    expect(asks[1]!.lots).toBe(within(0.502, 'buy') - within(0.501, 'buy') + 1000);
    expect(asks[2]!.lots).toBe(within(0.503, 'buy') - within(0.502, 'buy'));
    expect(bids.map(({ price }) => price)).toEqual([4990, 4980, 4970]);
    expect(bids[0]!.lots).toBe(within(0.499, 'sell'));
  });

  test('[OB7] whoever buys what a level shows pays no more than its price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.boolean(), (shares, buys) => {
        const world = makeWorld();
        world.open('a t');
        const market = world.market({ deposit: 100, outcomes: 3 });
        world.place('a', market, `buy ${shares} o1`);
        world.mint('t', market, 1000);
        const side = buys ? 'buy' : 'sell';
        const depth = depthOf(market, 1, 6);
        let sum = 0;
        for (const { price, lots } of buys ? depth.asks : depth.bids) {
          sum += lots;
          const copy = makeWorld();
          copy.open('a t');
          const same = copy.market({ deposit: 100, outcomes: 3 });
          copy.place('a', same, `buy ${shares} o1`);
          copy.mint('t', same, 1000);
          const order = copy.place('t', same, `${side} ${sum / 100} o1 @ ${price / 10_000} ioc`);
          expect(order.order.filledLots).toBe(sum);
        }
      }),
      { numRuns: 10 },
    );
  });
});
