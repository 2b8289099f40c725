// Fees to the µ: the published vectors, and the fast path against the definition.

import { lots, pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';
import { rebateOf, rebateOfSafe } from './rebate.ts';
import { splitFee } from './split.ts';
import { builderFee, builderFeeSafe, rateAtPrice, takerFee, takerFeeAtPrice } from './taker.ts';

const FEES = DEFAULT_PARAMETERS.fee;
const HUNDRED = 100_000_000n;

const size = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: 100_000_000_000 }),
);
const price = fc.integer({ min: 1, max: 9999 });
const peak = fc.integer({ min: 8, max: 20 });
const quality = fc.integer({ min: 0, max: 10_000 });

describe('taker fee', () => {
  test.each([
    [10, 81n],
    [100, 848n],
    [1000, 12_320n],
    [2500, 42_500n],
    [5000, 100_000n],
    [7500, 127_500n],
    [9000, 110_880n],
    [9900, 83_905n],
    [9990, 80_399n],
  ])('[FE1] vectors 17 and 18: 100 shares at %i pips cost %i', (at, fee) => {
    const cost = (HUNDRED * BigInt(at)) / 10_000n;
    expect(takerFee(cost, HUNDRED, 20, FEES)).toBe(fee);
    expect(takerFeeAtPrice(lots(10_000), pips(at), 20, FEES)).toBe(Number(fee));
  });

  test('[FE1] vector 19: one lot at 10 pips pays the least there is', () => {
    expect(takerFee(10n, 10_000n, 20, FEES)).toBe(1n);
    expect(takerFeeAtPrice(lots(1), pips(10), 20, FEES)).toBe(1);
  });

  test('[FE1] vector 8: the average price of a pool fill sets the rate', () => {
    expect(takerFee(50_866_261n, HUNDRED, 20, FEES)).toBe(101_714n);
  });

  test('[FE1] the fast path at a whole price is the definition', () => {
    fc.assert(
      fc.property(size, price, peak, (s, p, top) => {
        const cost = BigInt(s) * BigInt(p);
        const general = takerFee(cost, BigInt(s) * 10_000n, top, FEES);
        expect(BigInt(takerFeeAtPrice(lots(s), pips(p), top, FEES))).toBe(general);
      }),
      { numRuns: 5000 },
    );
  });

  test('[FE1] the fast path is the definition at every price around its limits', () => {
    for (let p = 1; p < 10_000; p += 1) {
      const edge = (40_000_000_000 - (40_000_000_000 % p)) / p;
      for (const s of [1, 3, edge, edge + 1]) {
        const general = takerFee(BigInt(s) * BigInt(p), BigInt(s) * 10_000n, 20, FEES);
        if (BigInt(takerFeeAtPrice(lots(s), pips(p), 20, FEES)) !== general) {
          throw new Error(`${s} lots at ${p}`);
        }
      }
    }
  });

  test('[FE2] the rate lies between 8 bps and the peak, is symmetric and falls from one half', () => {
    fc.assert(
      fc.property(price, peak, (p, top) => {
        const rate = rateAtPrice(pips(p), top, FEES);
        expect(rate).toBeGreaterThanOrEqual(80_000);
        expect(rate).toBeLessThanOrEqual(top * 10_000);
        expect(rateAtPrice(pips(10_000 - p), top, FEES)).toBe(rate);
        if (p < 5000) expect(rateAtPrice(pips(p + 1), top, FEES)).toBeGreaterThanOrEqual(rate);
      }),
    );
    expect(rateAtPrice(pips(5000), 20, FEES)).toBe(200_000);
    expect(rateAtPrice(pips(6130), 20, FEES)).toBe(193_870);
  });
});

describe('split', () => {
  const parts = (fee: number, q: number, present: boolean, cost: number): number[] => {
    const rebate = Number(rebateOf(BigInt(cost), q, 8, FEES));
    const split = splitFee(fee, rebate, present, present, present, FEES);
    const { maker, creator, builder, referrer, oracle, insurance, treasury } = split;
    return [maker, creator, builder, referrer, oracle, insurance, treasury].map(Number);
  };

  test('[FE3][FE4] vector 20: 100 at 5000, Q 0', () => {
    expect(parts(100_000, 0, true, 50_000_000)).toEqual([
      15_000, 21_250, 17_000, 4250, 8500, 8500, 25_500,
    ]);
  });

  test('[FE3][FE4] vector 21: Q 10000', () => {
    expect(parts(100_000, 10_000, true, 50_000_000)).toEqual([
      40_000, 15_000, 12_000, 3000, 6000, 6000, 18_000,
    ]);
  });

  test('[FE3][FE4] vector 22: Q 2250', () => {
    expect(parts(100_000, 2250, true, 50_000_000)).toEqual([
      20_625, 19_843, 15_875, 3968, 7937, 7937, 23_815,
    ]);
  });

  test('[FE3][FE4] vectors 23 and 24: 37 at 6130, Q 3333, all present and none', () => {
    expect(takerFeeAtPrice(lots(3700), pips(6130), 20, FEES)).toBe(43_972);
    expect(parts(43_972, 3333, true, 22_681_000)).toEqual([
      10_584, 8347, 6677, 1669, 3338, 3338, 10_019,
    ]);
    expect(parts(43_972, 3333, false, 22_681_000)).toEqual([10_584, 0, 0, 0, 3338, 3338, 26_712]);
  });

  test('[FE4] the seven parts sum to the fee, none is negative and the rebate is within it', () => {
    fc.assert(
      fc.property(size, price, peak, quality, fc.boolean(), fc.boolean(), (s, p, top, q, a, b) => {
        const fee = takerFeeAtPrice(lots(s), pips(p), top, FEES);
        const rebate = rebateOfSafe(s * p, q, 8, FEES);
        expect(rebate).toBeLessThanOrEqual(fee);
        const split = splitFee(fee, rebate, a, b, !a, FEES);
        const all = Object.values(split.toJSON());
        expect(all.every((part) => part >= 0n)).toBe(true);
        expect(all.reduce((sum: bigint, part) => sum + part, 0n)).toBe(BigInt(fee));
        if (!a) expect(split.creator).toBe(0n);
        if (!b) expect(split.builder).toBe(0n);
      }),
      { numRuns: 2000 },
    );
  });

  test('[FE4] parts of large fees are floors of the exact products', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000_000 }), (fee) => {
        const split = splitFee(fee, 0, true, true, true, FEES);
        expect(split.creator).toBe((BigInt(fee) * 2500n) / 10_000n);
        expect(split.builder).toBe((BigInt(fee) * 2000n) / 10_000n);
        expect(split.referrer).toBe((BigInt(fee) * 500n) / 10_000n);
      }),
    );
  });

  test('[FE3] the fast rebate is the definition, and more quality never pays less', () => {
    const base = fc.oneof(
      fc.integer({ min: 0, max: 1_000_000_000 }),
      fc.integer({ min: 0, max: 1_000_000_000_000_000 }),
    );
    fc.assert(
      fc.property(base, quality, fc.integer({ min: 3, max: 8 }), (amount, q, top) => {
        const rebate = rebateOfSafe(amount, q, top, FEES);
        expect(BigInt(rebate)).toBe(rebateOf(BigInt(amount), q, top, FEES));
        if (q > 0) expect(rebateOfSafe(amount, q - 1, top, FEES)).toBeLessThanOrEqual(rebate);
      }),
      { numRuns: 3000 },
    );
  });

  test('[FE3] rebates that are not paid are nothing', () => {
    const unpaid = { ...FEES, rebatesPaid: false };
    expect(rebateOf(50_000_000n, 10_000, 8, unpaid)).toBe(0n);
    expect(rebateOfSafe(50_000_000, 10_000, 8, unpaid)).toBe(0);
  });

  test('[FE6] vector 25: a builder fee of 25 bps', () => {
    expect(builderFee(22_681_000n, 25)).toBe(56_702n);
    expect(builderFeeSafe(22_681_000, 25)).toBe(56_702);
    expect(builderFeeSafe(22_681_000, 0)).toBe(0);
  });
});
