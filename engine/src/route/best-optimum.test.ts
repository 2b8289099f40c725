// Best execution with fees against an optimum worked out without the engine: the cheapest lot each time, of all ways there are.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeWorld, orderOf, Placed, type World } from '../../test/world.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';

const LOT = 10_000;
const CONVERSION = 0.0011;
type Side = 'buy' | 'sell';

/** The published curve: 8 bps, and 12 more at even odds. */
const rate = (price: number) => 0.0008 + 0.0012 * 4 * price * (1 - price);

/** The pool in plain floats: quantities over b, and what a lot of an outcome costs next. */
class PlainPool {
  readonly #b: number;
  readonly #q: number[];

  constructor(market: Market) {
    const { b, q } = market.pool!.record();
    this.#b = Number(b);
    this.#q = q.map(Number);
  }

  #cost(): number {
    const most = Math.max(...this.#q);
    const sum = this.#q.reduce((total, q) => total + Math.exp((q - most) / this.#b), 0);
    return most + this.#b * Math.log(sum);
  }

  /** What moving the outcome by so many µ-shares costs; the pool stays where it then is. */
  move(outcome: number, shares: number): number {
    const before = this.#cost();
    this.#q[outcome]! += shares;
    return this.#cost() - before;
  }

  get outcomes(): number {
    return this.#q.length;
  }
}

/** A lot of the first outcome straight from the pool, or by way of sets and all the others; neither moves it for good. */
function poolWays(pool: PlainPool, side: Side): readonly [direct: number, detour: number] {
  const sign = side === 'buy' ? 1 : -1;
  const straight = Math.abs(pool.move(0, sign * LOT));
  pool.move(0, -sign * LOT);
  let others = 0;
  for (let other = 1; other < pool.outcomes; other += 1) {
    const cost = Math.abs(pool.move(other, -sign * LOT));
    others += cost * (1 - sign * rate(cost / LOT));
  }
  for (let other = 1; other < pool.outcomes; other += 1) pool.move(other, sign * LOT);
  const direct = straight * (1 + sign * rate(straight / LOT));
  return [direct, LOT * (1 + sign * CONVERSION) - others];
}

/** The least that a buy can cost, or the most that a sell can bring, lot by lot. */
function optimum(market: Market, levels: readonly Level[], lots: number, side: Side): number {
  const pool = new PlainPool(market);
  const sign = side === 'buy' ? 1 : -1;
  const left = levels.map((level) => ({ ...level }));
  let total = 0;
  for (let lot = 0; lot < lots; lot += 1) {
    const level = left.find((each) => each.lots > 0);
    const book = level === undefined ? Number.NaN : bookLot(level.price, side, market);
    const pooled = poolWays(pool, side);
    const best = side === 'buy' ? Math.min(...pooled) : Math.max(...pooled);
    if (level !== undefined && sign * book <= sign * best) {
      level.lots -= 1;
      total += book;
    } else {
      pool.move(0, sign * LOT);
      total += best;
    }
  }
  return total;
}

interface Level {
  readonly price: number;
  lots: number;
}

/** From the book as it is; with two outcomes also by way of sets, for the other face of the same order. */
function bookLot(price: number, side: Side, market: Market): number {
  const sign = side === 'buy' ? 1 : -1;
  const direct = LOT * price * (1 + sign * rate(price));
  if (market.outcomes.length > 2) return direct;
  const other = LOT * (1 - price) * (1 - sign * rate(1 - price));
  const detour = LOT * (1 + sign * CONVERSION) - other;
  return side === 'buy' ? Math.min(direct, detour) : Math.max(direct, detour);
}

/** What the router's fills come to with fees taken lot by lot: a fill is charged at its average price (FE1). */
function routed(before: PlainPool, placed: Placed, side: Side): number {
  const sign = side === 'buy' ? 1 : -1;
  let total = 0;
  for (const { source, lots, costMicro } of placed.trades) {
    if (source === 'book') {
      total += costMicro * (1 + sign * rate(costMicro / lots / LOT));
      continue;
    }
    let fees = 0;
    for (let lot = 0; lot < lots; lot += 1) {
      const cost = Math.abs(before.move(0, sign * LOT));
      fees += cost * rate(cost / LOT);
    }
    total += costMicro + sign * fees;
  }
  return total;
}

const setting = fc.record({
  outcomes: fc.constantFrom(2, 2, 3, 5, 16, 64),
  deposit: fc.constantFrom(100, 1000, 20_000),
  pushed: fc.integer({ min: 0, max: 300 }),
  levels: fc.array(
    fc.record({ ticks: fc.integer({ min: 1, max: 150 }), lots: fc.integer({ min: 1, max: 400 }) }),
    {
      maxLength: 4,
    },
  ),
  lots: fc.integer({ min: 1, max: 1500 }),
  side: fc.constantFrom<Side>('buy', 'sell'),
});
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never;

function scene({ outcomes, deposit, pushed, levels, lots, side }: Setting) {
  const { band, fee } = DEFAULT_PARAMETERS;
  const parameters = {
    ...DEFAULT_PARAMETERS,
    band: { ...band, pips: 10_000 },
    fee: { ...fee, rebatesPaid: false },
  };
  const world = makeWorld({ parameters });
  world.open('pusher maker2 taker');
  const market = world.market({ outcomes, deposit });
  const { id } = market.outcomes[0]!;
  if (pushed > 0) world.place('pusher', market, `buy ${pushed} ${id}`);
  world.mint('maker2', market, 100);
  world.mint('taker', market, 100);
  return { world, market, book: restLevels(world, market, levels, side), lots, side, id };
}

/** Orders of others on the side that the taker meets, best price first; those that would trade with the pool are left out. */
function restLevels(world: World, market: Market, levels: Setting['levels'], side: Side): Level[] {
  const { id } = market.outcomes[0]!;
  const shown = currentTicks(market);
  const placed: Level[] = [];
  for (const { ticks, lots } of levels) {
    const tick = side === 'buy' ? shown + ticks : shown - ticks;
    if (tick < 1 || tick > 999) continue;
    const verb = side === 'buy' ? 'sell' : 'buy';
    const order = world.place('maker2', market, `${verb} ${lots / 100} ${id} @ ${tick / 1000}`, {
      postOnly: true,
    });
    if (order.refusal === null && order.order.status === 'pending') {
      placed.push({ price: tick / 1000, lots });
    }
  }
  return placed.sort((a, b) => (side === 'buy' ? a.price - b.price : b.price - a.price));
}

/** The pool's price in ticks of 0.001, by the cost of a lot. */
function currentTicks(market: Market): number {
  return Math.round((new PlainPool(market).move(0, LOT) / LOT) * 1000);
}

describe('best execution with fees', () => {
  test('[FE9][RT8] no choice of book, pool and sets, lot by lot, is better than the router', () => {
    fc.assert(
      fc.property(setting, (drawn) => {
        const { world, market, book, lots, side, id } = scene(drawn);
        const best = optimum(market, book, lots, side);
        const before = new PlainPool(market);
        const order = { ...orderOf('taker', market, `${side} 1 ${id}`), lots: lots as never };
        const placed = new Placed(world.run(order));
        expect(placed.order.filledLots).toBe(lots);
        const found = routed(before, placed, side);
        // A µ and a lot's convexity for each step (RT8), and what floats leave.
        const slack = (placed.trades.length + 1) * (1 + (LOT * LOT) / Number(market.pool!.b)) + 1;
        expect(side === 'buy' ? found - best : best - found).toBeLessThanOrEqual(slack);
      }),
      { numRuns: 40 },
    );
  });
});
