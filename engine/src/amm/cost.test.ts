import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BITS, realCost } from '../../test/high-precision.ts';
import { mix, poolState } from '../../test/pool-states.ts';
import { encodeUtf8 } from '../kit/canonical.ts';
import { sha256Hex } from '../kit/sha256.ts';
import {
  costOf,
  isFunded,
  LIQUIDITY_MAX,
  LIQUIDITY_MIN,
  priorParameters,
  uniformParameters,
} from './cost.ts';
import { createPool, fundPool } from './pool.ts';

const USDT = 1_000_000n;

describe('cost function', () => {
  it('[AM3] never below the real cost and less than 1 + 2^-31 µ above it', () => {
    fc.assert(
      fc.property(poolState(64), ({ b, q }) => {
        const above = (costOf(q, b) << BITS) - realCost(q, b);
        expect(above >= 0n).toBe(true);
        expect(above < (1n << BITS) + (1n << (BITS - 31n))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('[AM3] three hundred states agree to the µ with a model written in another language', () => {
    const costs = Array.from({ length: 300 }, (_, index) => {
      const i = BigInt(index + 1);
      const b = 1_000_000n + (mix(i) % (LIQUIDITY_MAX - 1_000_000n));
      const outcomes = 2 + ((index + 1) % 63);
      const q = Array.from(
        { length: outcomes },
        (_, j) => mix(i * 64n + BigInt(j) + 1n) % (20n * b),
      );
      return costOf(q, b);
    });
    expect(sha256Hex(encodeUtf8(costs.join('\n')))).toBe(
      'c25fd17520658f23f12e9503327019abb972f0583d9eb191f8c319e5cb24eafc',
    );
  });

  it('[AM3] the guard keeps the bound where the other outcomes have vanished from the sum', () => {
    const b = LIQUIDITY_MIN;
    expect(costOf([0n, -200n * b], b)).toBe(1n);
    expect(costOf([0n, -40n * b], b)).toBe(1n);
  });

  it('[AM5] adding x to every quantity adds exactly x', () => {
    fc.assert(
      fc.property(
        poolState(16),
        fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
        ({ b, q }, x) => {
          const shifted = q.map((value) => value + x);
          expect(costOf(shifted, b)).toBe(costOf(q, b) + x);
        },
      ),
    );
  });

  it('[AM6] the order of outcomes does not matter', () => {
    const shuffled = poolState(16).chain(({ b, q }) =>
      fc
        .shuffledSubarray([...q], { minLength: q.length, maxLength: q.length })
        .map((permuted) => ({ b, q, permuted })),
    );
    fc.assert(
      fc.property(shuffled, ({ b, q, permuted }) => {
        expect(costOf(permuted, b)).toBe(costOf(q, b));
      }),
    );
  });
});

describe('parameters from the deposit', () => {
  const uniform: readonly (readonly [bigint, number, bigint, bigint])[] = [
    [1000n, 2, 1442695039n, 999999999n],
    [500n, 3, 455119612n, 499999999n],
    [1000n, 64, 240449173n, 999999998n],
    [100n, 2, 144269502n, 99999999n],
  ];
  it.each(uniform)('[AM7] %s USDT over %s outcomes: b %s, cost at birth %s', (d, n, b, cost) => {
    const parameters = uniformParameters(d * USDT, n);
    expect(parameters.b).toBe(b);
    expect(costOf(parameters.initial, parameters.b)).toBe(cost);
  });

  it('[AM7] prior 0.2 and 0.8 on 1000 USDT', () => {
    const parameters = priorParameters(1000n * USDT, [1n, 4n]);
    expect(parameters).toEqual({ b: 621334933n, initial: [-999999998n, -138646884n] });
    expect(costOf(parameters.initial, parameters.b)).toBe(0n);
    expect(isFunded(999999998n, parameters)).toBe(true);
    expect(isFunded(999999997n, parameters)).toBe(false);
  });

  it('[AM8] a deposit is accepted exactly when it covers the largest loss', () => {
    fc.assert(
      fc.property(poolState(16), fc.bigInt({ min: -3n, max: 3n }), ({ b, q }, offset) => {
        const least = q.toSorted((a, c) => (a < c ? -1 : 1))[0] ?? 0n;
        const needed = costOf(q, b) - least;
        const result = fundPool(needed + offset, { b, initial: q });
        expect(result.ok).toBe(offset >= 0n);
      }),
    );
  });

  it('[AM8] the parameters made from a deposit are always covered by it', () => {
    const prior = fc.array(fc.bigInt({ min: 20n, max: 100n }), { minLength: 2, maxLength: 20 });
    const deposit = fc.bigInt({ min: 5n * USDT, max: 10n ** 15n });
    fc.assert(
      fc.property(deposit, prior, fc.integer({ min: 2, max: 64 }), (d, weights, outcomes) => {
        expect(isFunded(d, uniformParameters(d, outcomes))).toBe(true);
        expect(isFunded(d, priorParameters(d, weights))).toBe(true);
      }),
    );
  });

  it('[AM7] liquidity stays in range, priors at or above 1 %', () => {
    expect(createPool(0n, 2)).toEqual({ ok: false, reason: 'deposit_too_small' });
    expect(createPool(10n ** 16n, 2)).toEqual({ ok: false, reason: 'deposit_too_large' });
    expect(createPool(1000n * USDT, 2, [1n, 100n])).toEqual({ ok: false, reason: 'prior_invalid' });
    expect(createPool(1000n * USDT, 2, [1n, 99n]).ok).toBe(true);
    expect(createPool(1000n * USDT, 3, [1n, 1n])).toEqual({ ok: false, reason: 'prior_invalid' });
    expect(createPool(1000n * USDT, 2, [0n, 1n])).toEqual({ ok: false, reason: 'prior_invalid' });
    const smallest = createPool(693_149n, 2);
    expect(smallest.ok && smallest.pool.b >= LIQUIDITY_MIN).toBe(true);
    const largest = createPool(780_000_000n * USDT, 2);
    expect(largest.ok && largest.pool.b <= LIQUIDITY_MAX).toBe(true);
  });
});
