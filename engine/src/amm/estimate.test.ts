import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BITS, realExp, realLog } from '../../test/high-precision.ts';
import { liquidity } from '../../test/pool-states.ts';
import { estimateLog, exponentFactor, SUM_MAX, SUM_MIN, weight } from './estimate.ts';

const WIDEN = BITS - 128n;

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

describe('estimates', () => {
  it('[AM10] a weight is within 2^-100 of itself plus two units of 2^-128', () => {
    const thousandths = fc.integer({ min: -95_000, max: 35_000 });
    fc.assert(
      fc.property(liquidity, thousandths, fc.nat(1_000_000), (b, ratio, jitter) => {
        const difference = (b * BigInt(ratio)) / 1000n + BigInt(jitter);
        const oracle = realExp((difference << BITS) / b);
        const error = magnitude((weight(difference, exponentFactor(b)) << WIDEN) - oracle);
        expect(error <= (oracle >> 100n) + (2n << WIDEN)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('[AM10] a logarithm is within 2^-93', () => {
    const inRange = fc
      .tuple(fc.integer({ min: 100, max: 167 }), fc.bigInt({ min: 0n, max: 1n << 167n }))
      .map(([bits, low]) => (1n << BigInt(bits)) + (low & ((1n << BigInt(bits)) - 1n)));
    const typical = fc.bigInt({ min: 1n << 128n, max: 1n << 134n });
    fc.assert(
      fc.property(fc.oneof(typical, inRange), (sum) => {
        const estimated = estimateLog(sum);
        expect(estimated).toBeDefined();
        const error = magnitude(((estimated ?? 0n) << WIDEN) - realLog(sum << WIDEN));
        expect(error <= 1n << (BITS - 93n)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('[AM10] sums out of bounds are not estimated, weights beyond memory are not formed', () => {
    expect(estimateLog(SUM_MIN - 1n)).toBeUndefined();
    expect(estimateLog(SUM_MAX + 1n)).toBeUndefined();
    expect(estimateLog(0n)).toBeUndefined();
    expect(weight(10n ** 15n, exponentFactor(1_000_000n)) > SUM_MAX).toBe(true);
    expect(weight(-(10n ** 15n), exponentFactor(1_000_000n))).toBe(0n);
  });
});
