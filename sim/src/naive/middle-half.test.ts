// The figures of the design's examples A, B and C, from prices alone.
import { describe, expect, it } from 'vitest';
import { lastOf, middleHalves, payoutBy } from './middle-half.ts';

const HOUR = 3_600_000;
const hours = (count: number, ...prices: readonly number[]) => ({
  ms: count * HOUR,
  prices: prices.map((price) => BigInt(price)),
});

describe('the price of a cancelled market', () => {
  it('[VD4][VD5][VD6] takes the middle half of the last third (A)', () => {
    const slices = [
      hours(16, 500_000, 500_000),
      hours(4, 602_499, 397_501),
      hours(4, 585_786, 414_214),
    ];
    const halves = middleHalves(lastOf(slices, 8 * HOUR), 2);
    expect(halves).toEqual([34_222_608_000_000n, 23_377_392_000_000n]);
    expect(payoutBy(halves, [])).toEqual([5941, 4059]);
  });

  it('[VD5][VD6] pays nothing for an excluded outcome (B)', () => {
    const slices = [
      hours(8, 300_000, 500_000, 200_000),
      hours(8, 350_000, 450_000, 200_000),
      hours(8, 600_000, 380_000, 20_000),
    ];
    const halves = middleHalves(slices, 3);
    expect(payoutBy(halves, [])).toEqual([3833, 4467, 1700]);
    expect(payoutBy(halves, [2])).toEqual([4618, 5382, 0]);
    expect(payoutBy(halves, [0, 1, 2])).toBeNull();
    const ruledOut = slices.map((slice) => ({ ...slice, prices: [1_000_000n, 0n, 0n] }));
    expect(payoutBy(middleHalves(ruledOut, 3), [0])).toBeNull();
  });

  it('[VD4] cuts the oldest slice by weight (C)', () => {
    const slices = [
      hours(12, 863_636, 136_364),
      hours(12, 830_000, 170_000),
      hours(6, 700_000, 300_000),
    ];
    const window = lastOf(slices, 10 * HOUR);
    expect(window.map(({ ms }) => ms / HOUR)).toEqual([4, 6]);
    expect(payoutBy(middleHalves(window, 2), [])).toEqual([7390, 2610]);
  });

  it('[VD5] counts half a millisecond of an odd window', () => {
    const slices = [
      { ms: 1, prices: [100n] },
      { ms: 1, prices: [300n] },
      { ms: 1, prices: [200n] },
    ];
    // Of twelve quarters the middle six: one of the lowest, four of the middle one, one of the highest.
    expect(middleHalves(slices, 1)).toEqual([100n + 4n * 200n + 300n]);
  });

  it('[VD5] stays within the rest when a quarter of the time is replaced', () => {
    for (const wrong of [0n, 1_000_000n]) {
      const rest = [410_000n, 430_000n, 470_000n].map((price) => ({ ms: 25, prices: [price] }));
      const [half = 0n] = middleHalves([...rest, { ms: 25, prices: [wrong] }], 1);
      expect(half).toBeGreaterThanOrEqual(2n * 100n * 410_000n);
      expect(half).toBeLessThanOrEqual(2n * 100n * 470_000n);
    }
  });
});
