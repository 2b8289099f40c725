import { pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BITS, realWeight } from '../../test/high-precision.ts';
import { calmState, poolState } from '../../test/pool-states.ts';
import { comparePrice, displayedPrices, marginalMicro, marginalPips } from './price.ts';
import { PoolView } from './view.ts';

/** p·10^6 with BITS fractional bits. */
function realMicro(b: bigint, q: readonly bigint[], outcome: number): bigint {
  const here = q[outcome] ?? 0n;
  const sum = q.reduce((total, value) => total + realWeight(value - here, b), 0n);
  return (1_000_000n << (2n * BITS)) / sum;
}

/** Moves away and back, so that the cached reference differs from a fresh view's. */
function wander(view: PoolView, distance: number): PoolView {
  const start = view.q(0);
  view.move(0, start + BigInt(distance) * view.b);
  view.move(0, start);
  return view;
}

describe('displayed prices', () => {
  it('[AM14] sum to exactly one and lie within one µ of the real price', () => {
    fc.assert(
      fc.property(poolState(64), ({ b, q }) => {
        const prices = displayedPrices(new PoolView(b, q));
        expect(prices.reduce((sum, one) => sum + one, 0n)).toBe(1_000_000n);
        for (const one of prices) expect(one >= 0n).toBe(true);
        if (q.length > 6) return;
        prices.forEach((one, outcome) => {
          const error = (one << BITS) - realMicro(b, q, outcome);
          expect(error < 1n << BITS && -error < 1n << BITS).toBe(true);
        });
      }),
    );
  });

  it('[AM14] the missing units go to the largest remainders, ties to the lower outcome', () => {
    const equal = (n: number): readonly bigint[] =>
      displayedPrices(new PoolView(1_000_000n, new Array<bigint>(n).fill(5n)));
    expect(equal(2)).toEqual([500_000n, 500_000n]);
    expect(equal(3)).toEqual([333_334n, 333_333n, 333_333n]);
    expect(equal(7).slice(0, 2)).toEqual([142_858n, 142_857n]);
    expect(equal(64)).toEqual(new Array(64).fill(15_625n));
    const b = 1_000_000_000n;
    // 0.2 : 0.2 : 0.6 up to rounding; the first two tie for one unit.
    expect(displayedPrices(new PoolView(b, [0n, 0n, 1_098_612_289n]))).toEqual([
      200_000n,
      200_000n,
      600_000n,
    ]);
  });

  it('[AM14] the ranking follows the real remainders', () => {
    fc.assert(
      fc.property(calmState(6), ({ b, q }) => {
        const reals = q.map((_, outcome) => realMicro(b, q, outcome));
        const floors = reals.map((value) => value >> BITS);
        const missing = 1_000_000 - Number(floors.reduce((sum, value) => sum + value, 0n));
        const ranked = reals
          .map((value, outcome) => ({ outcome, rest: value - ((floors[outcome] ?? 0n) << BITS) }))
          .sort((x, y) => (x.rest > y.rest ? -1 : x.rest < y.rest ? 1 : x.outcome - y.outcome));
        for (const { outcome } of ranked.slice(0, missing))
          floors[outcome] = (floors[outcome] ?? 0n) + 1n;
        fc.pre(new Set(q).size === q.length);
        expect(displayedPrices(new PoolView(b, q))).toEqual(floors);
      }),
    );
  });

  it('[AM6] permuting outcomes permutes prices', () => {
    fc.assert(
      fc.property(calmState(8), ({ b, q }) => {
        fc.pre(new Set(q).size === q.length);
        const mirrored = displayedPrices(new PoolView(b, q.toReversed())).toReversed();
        expect(mirrored).toEqual(displayedPrices(new PoolView(b, q)));
      }),
    );
  });

  it('[AM10] do not depend on what the view did before', () => {
    fc.assert(
      fc.property(poolState(64), fc.integer({ min: -15, max: 15 }), ({ b, q }, distance) => {
        const fresh = new PoolView(b, q);
        const travelled = wander(new PoolView(b, q), distance);
        expect(displayedPrices(travelled)).toEqual(displayedPrices(fresh));
        q.forEach((_, outcome) => {
          expect(marginalMicro(travelled, outcome)).toBe(marginalMicro(fresh, outcome));
        });
      }),
    );
  });

  it('[AM10] asked for before a move or a shift, they are those of the quantities after it', () => {
    const step = fc.tuple(fc.nat(63), fc.integer({ min: -900, max: 900 }), fc.boolean());
    fc.assert(
      fc.property(poolState(8), fc.array(step, { maxLength: 6 }), ({ b, q }, steps) => {
        const view = new PoolView(b, q);
        for (const [who, change, isShift] of steps) {
          displayedPrices(view);
          const copy = view.copy();
          const outcome = who % view.outcomes;
          if (isShift) copy.shift(BigInt(change));
          else copy.move(outcome, copy.q(outcome) + (b * BigInt(change)) / 1000n);
          expect(displayedPrices(copy)).toEqual(
            displayedPrices(new PoolView(b, copy.quantities())),
          );
          view.moveAll(copy.quantities().map((to, index) => ({ outcome: index, q: to })));
          expect(displayedPrices(view)).toEqual(displayedPrices(copy));
        }
      }),
    );
  });
});

describe('marginal prices', () => {
  it('[AM15] compare with pips as the real price does', () => {
    fc.assert(
      fc.property(
        calmState(8),
        fc.nat(7),
        fc.integer({ min: 1, max: 9999 }),
        ({ b, q }, who, t) => {
          const outcome = who % q.length;
          const order = realMicro(b, q, outcome) - (BigInt(t * 100) << BITS);
          const expected = order > 0n ? 1 : order < 0n ? -1 : 0;
          expect(comparePrice(new PoolView(b, q), outcome, pips(t))).toBe(expected);
        },
      ),
    );
  });

  it('[AM15] equality is seen exactly', () => {
    for (let distance = 0; distance < 12; distance++) {
      const view = wander(new PoolView(2n ** 50n - 1n, [3n, 3n, 3n, 3n]), distance);
      expect(comparePrice(view, 2, pips(2500))).toBe(0);
      expect(comparePrice(view, 2, pips(2499))).toBe(1);
      expect(comparePrice(view, 2, pips(2501))).toBe(-1);
      expect(marginalMicro(view, 1)).toBe(250_000n);
    }
  });

  it('[AM15] pips are the nearest, inside 1 to 9999', () => {
    fc.assert(
      fc.property(calmState(8), ({ b, q }) => {
        const nearest = marginalPips(new PoolView(b, q), 0);
        const error = realMicro(b, q, 0) - (BigInt(nearest * 100) << BITS);
        expect(error < 51n << BITS && -error <= 50n << BITS).toBe(true);
      }),
    );
    const b = 1_000_000n;
    expect(marginalPips(new PoolView(b, [0n, -40n * b]), 0)).toBe(9999);
    expect(marginalPips(new PoolView(b, [0n, -40n * b]), 1)).toBe(1);
  });
});
