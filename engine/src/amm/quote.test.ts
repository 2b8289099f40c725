import { floorDiv, type Lots, lots, MAX_LOTS, type Pips, pips, sharesOf } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BITS, realWeight } from '../../test/high-precision.ts';
import { calmState, poolState } from '../../test/pool-states.ts';
import { logOf } from './cost.ts';
import { lnRatio, ONE } from './fixed-point.ts';
import { createPool, type Pool } from './pool.ts';
import { lotsForBudget, lotsToPrice, quote } from './quote.ts';
import { targetAtPrice } from './target.ts';
import { PoolView } from './view.ts';

const USDT = 1_000_000n;

function pool(deposit: bigint, outcomes: number): Pool {
  const result = createPool(deposit * USDT, outcomes);
  if (!result.ok) throw new Error(result.reason);
  return result.pool;
}

/** The taker fee of the fee chapter, so that vector 13 can be checked on the pool alone. */
function takerFee(cost: bigint, size: Lots): bigint {
  const shares = sharesOf(size);
  const rate = 80_000n + (480_000n * cost * (shares - cost)) / (shares * shares);
  return (cost * rate + 99_999_999n) / 100_000_000n;
}

const price = fc.integer({ min: 1, max: 9999 }).map(pips);

describe('quote', () => {
  const buys: readonly (readonly [bigint, number, number, number, bigint])[] = [
    [1000n, 2, 0, 100, 50866261n],
    [1000n, 2, 0, 1000, 584962501n],
    [1000n, 2, 1, 5000, 4044394121n],
    [500n, 3, 0, 50, 17284245n],
    [1000n, 64, 0, 100, 1929792n],
  ];
  it.each(buys)(
    '[AM12] %s USDT, %s outcomes, outcome %s: %s shares cost %s',
    (d, n, i, shares, cost) => {
      expect(quote(pool(d, n).view, i, lots(shares * 100), 'buy').amount).toBe(cost);
    },
  );

  it('[AM4] 40 then 60 shares cost what 100 cost', () => {
    const view = pool(1000n, 2).view.copy();
    const first = quote(view, 0, lots(4000), 'buy');
    view.move(0, first.q);
    const second = quote(view, 0, lots(6000), 'buy');
    expect([first.amount, second.amount]).toEqual([20138625n, 30727636n]);
  });

  it('[AM4] selling what was bought returns exactly what was paid', () => {
    const view = pool(1000n, 2).view.copy();
    view.move(0, quote(view, 0, lots(10_000), 'buy').q);
    const back = quote(view, 0, lots(10_000), 'sell');
    expect(back).toEqual({ amount: 50866261n, delta: -50866261n, q: 0n });
  });

  it('[AM4] however a trade is split and whatever loop is walked, the changes telescope', () => {
    const trades = fc.array(fc.tuple(fc.nat(15), fc.integer({ min: -90_000, max: 90_000 })), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(poolState(16), trades, ({ b, q }, walk) => {
        const view = new PoolView(b, q);
        const start = view.cost();
        let moved = 0n;
        for (const [who, size] of walk) {
          const outcome = who % q.length;
          const side = size < 0 ? 'sell' : 'buy';
          const { delta, q: next } = quote(view, outcome, lots(size < 0 ? -size : size), side);
          moved += delta;
          view.move(outcome, next);
        }
        expect(view.cost() - start).toBe(moved);
        q.forEach((value, outcome) => {
          const before = view.cost();
          view.move(outcome, value);
          moved += view.cost() - before;
        });
        expect(moved).toBe(0n);
      }),
    );
  });

  it('[AM12] in the band a lot costs between 0 and itself, near its marginal price', () => {
    fc.assert(
      fc.property(calmState(8), fc.nat(7), ({ b, q }, who) => {
        const view = new PoolView(b, q);
        const outcome = who % q.length;
        if (lotsToPrice(view, outcome, pips(9999), 'buy') < 1) return;
        const { delta } = quote(view, outcome, lots(1), 'buy');
        expect(delta >= 0n && delta <= 10_000n).toBe(true);
        const sum = q.reduce((total, value) => total + realWeight(value - view.q(outcome), b), 0n);
        const marginal = (10_000n << (2n * BITS)) / sum;
        const error = (delta << BITS) - marginal;
        const bound = (101n << BITS) / 100n + (100_000_000n << BITS) / (8n * b);
        expect(error < bound && -error < bound).toBe(true);
      }),
    );
  });

  it('[AM12] no free tickets: a buy costs at least one pip a share, the excess over the change is kept', () => {
    const b = 1_000_000_000n;
    const view = new PoolView(b, [0n, -30n * b]);
    const far = quote(view, 1, lots(500), 'buy');
    expect(far.delta).toBe(0n);
    expect(far.amount).toBe(500n);
    expect(quote(view, 1, lots(500), 'sell').amount).toBe(0n);
  });
});

describe('lots to a price', () => {
  it('[AM11] 1000 USDT, two outcomes, to 6000 pips', () => {
    const view = pool(1000n, 2).view;
    expect(targetAtPrice(view, 0, pips(6000))).toBe(584962499n);
    expect(lotsToPrice(view, 0, pips(6000), 'buy')).toBe(58496);
    expect(quote(view, 0, lots(58496), 'buy').amount).toBe(321926595n);
  });

  it('[AM11] buying stops 1 µ-share short of the target, selling 2', () => {
    const reach = (q: bigint, side: 'buy' | 'sell'): number =>
      lotsToPrice(new PoolView(1_000_000_000n, [q, 0n]), 0, pips(5000), side);
    expect([reach(-10_000n, 'buy'), reach(-10_001n, 'buy')]).toEqual([0, 1]);
    expect([reach(10_001n, 'sell'), reach(10_002n, 'sell')]).toEqual([0, 1]);
  });

  it('[AM11] the price after the lots is inside the level, and one lot plus guard more would pass it', () => {
    fc.assert(
      fc.property(calmState(8), fc.nat(7), price, ({ b, q }, who, t) => {
        const outcome = who % q.length;
        const view = new PoolView(b, q);
        const buy = lotsToPrice(view, outcome, t, 'buy');
        const sell = lotsToPrice(view, outcome, t, 'sell');
        const here = view.q(outcome);
        const order = (at: bigint): number => compareReal(b, q, outcome, at, t);
        if (buy > 0) expect(order(here + sharesOf(buy))).toBeLessThanOrEqual(0);
        if (buy < MAX_LOTS) expect(order(here + sharesOf(buy) + 10_002n)).toBeGreaterThanOrEqual(0);
        if (sell > 0) expect(order(here - sharesOf(sell))).toBeGreaterThanOrEqual(0);
        if (sell < MAX_LOTS) expect(order(here - sharesOf(sell) - 10_003n)).toBeLessThanOrEqual(0);
        expect(buy === 0 || sell === 0).toBe(true);
      }),
    );
  });

  it('[AM10] the target is the defined one, whatever the view did before', () => {
    const history = fc.array(fc.tuple(fc.nat(63), fc.integer({ min: -25, max: 25 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(poolState(64), history, fc.nat(63), price, ({ b, q }, walk, who, t) => {
        const view = new PoolView(b, q);
        const outcome = who % q.length;
        for (const [mover, distance] of walk) {
          targetAtPrice(view, outcome, t);
          view.move(mover % q.length, view.q(mover % q.length) + BigInt(distance) * b);
        }
        const others = view.quantities().filter((_, index) => index !== outcome);
        const { reference, log } = logOf(others, b);
        const offset = lnRatio(BigInt(t), BigInt(10_000 - t));
        const defined = reference + floorDiv(b * (offset + log), ONE);
        expect(targetAtPrice(view, outcome, t)).toBe(defined);
      }),
    );
  });

  it('[AM10] a target that is a whole number is hit exactly from any reference', () => {
    for (let ahead = 0n; ahead < 12n; ahead++) {
      const b = 2n ** 50n - 3n * ahead;
      const view = new PoolView(b, [ahead * b, 7n, 7n, 7n]);
      expect(targetAtPrice(view, 0, pips(2500))).toBe(7n);
      view.move(0, 0n);
      expect(targetAtPrice(view, 0, pips(2500))).toBe(7n);
    }
  });

  it('[AM11] the band is one-sided: an outcome below one pip can still be bought', () => {
    const b = 1_000_000_000n;
    const view = new PoolView(b, [0n, -12n * b, 0n]);
    expect(lotsToPrice(view, 1, pips(1), 'buy')).toBeGreaterThan(0);
    expect(lotsToPrice(view, 1, pips(0), 'sell')).toBe(0);
    expect(lotsToPrice(view, 0, pips(10_000), 'buy')).toBe(lotsToPrice(view, 0, pips(9999), 'buy'));
  });
});

describe('lots for a budget', () => {
  it('[AM13] 25 USDT with fees on 1000 USDT', () => {
    const view = pool(1000n, 2).view;
    const size = lotsForBudget(view, 0, 25n * USDT, lots(1_000_000), (c, s) => c + takerFee(c, s));
    const cost = quote(view, 0, size, 'buy').amount;
    expect([size, cost, takerFee(cost, size)]).toEqual([4947, 24947031n, 49892n]);
  });

  it('[AM13] however heavy the fees, the search ends at the last lot that fits', () => {
    const fees = fc.tuple(fc.bigInt({ min: 1n, max: 5n }), fc.bigInt({ min: 0n, max: 20_000n }));
    fc.assert(
      fc.property(
        calmState(8),
        fees,
        fc.bigInt({ min: 0n, max: 2n ** 36n }),
        (state, fee, money) => {
          const view = new PoolView(state.b, state.q);
          const total = (cost: bigint, size: Lots): bigint => cost * fee[0] + BigInt(size) * fee[1];
          const size = lotsForBudget(view, 0, money, lots(10 ** 7), total);
          const totalOf = (s: number): bigint =>
            total(quote(view, 0, lots(s), 'buy').amount, lots(s));
          if (size > 0) expect(totalOf(size) <= money).toBe(true);
          if (size < 10 ** 7) expect(totalOf(size + 1) > money).toBe(true);
        },
      ),
    );
  });

  it('[AM13] the budget is never exceeded, one more lot would exceed it, the search is short', () => {
    const budget = fc.bigInt({ min: 0n, max: 2n ** 44n });
    fc.assert(
      fc.property(
        calmState(16),
        fc.nat(15),
        budget,
        fc.nat(10 ** 7),
        ({ b, q }, who, money, max) => {
          const view = new PoolView(b, q);
          const outcome = who % q.length;
          let asked = 0;
          const total = (cost: bigint, size: Lots): bigint => {
            asked++;
            return cost + takerFee(cost, size);
          };
          const size = lotsForBudget(view, outcome, money, lots(max), total);
          expect(asked).toBeLessThan(60);
          const totalOf = (s: number): bigint =>
            total(quote(view, outcome, lots(s), 'buy').amount, lots(s));
          if (size > 0) expect(totalOf(size) <= money).toBe(true);
          if (size < max) expect(totalOf(size + 1) > money).toBe(true);
        },
      ),
    );
  });
});

/** The sign of the real marginal price less t with the outcome at quantity `at`, by the 320-bit oracle. */
function compareReal(
  b: bigint,
  q: readonly bigint[],
  outcome: number,
  at: bigint,
  t: Pips,
): number {
  const others = q.filter((_, index) => index !== outcome);
  const rest = others.reduce((total, value) => total + realWeight(value - at, b), 0n);
  const order = (BigInt(10_000 - t) << BITS) - BigInt(t) * rest;
  return order > 0n ? 1 : order < 0n ? -1 : 0;
}
