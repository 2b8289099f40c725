// Average prices computed by hand.
import { describe, expect, it } from 'vitest';
import { averageOf, worthOf } from './average.ts';

const price = (micro: bigint): bigint[] => [micro, 1_000_000n - micro];

describe('average prices', () => {
  it('[AV1] counts time that the market has not traded at its opening prices', () => {
    const runs = [{ fromMs: 0, toMs: 30, prices: price(500_000n) }];
    const { sums, divisor } = averageOf(runs, 30, 100, 10, price(600_000n));
    // 70 ms at 0.6 and 30 ms at 0.5 are 0.57 on average.
    expect(sums).toEqual([570_000n * divisor, 430_000n * divisor]);
  });

  it('[AV1] takes the slice that the window cuts in proportion', () => {
    const runs = [
      { fromMs: 0, toMs: 5, prices: price(200_000n) },
      { fromMs: 5, toMs: 10, prices: price(400_000n) },
      { fromMs: 10, toMs: 32, prices: price(800_000n) },
    ];
    // The window begins at 7: three tenths of the first slice's 3.0, and 22 ms at 0.8, are 18.5 of 25.
    const average = averageOf(runs, 32, 25, 10, price(500_000n));
    expect(average.sums).toEqual([740_000n * average.divisor, 260_000n * average.divisor]);
    expect(worthOf([1_000_001n, 0n], average)).toBe(740_000n);
    expect(worthOf([1_000_001n, 2_000_000n], average)).toBe(1_260_000n);
  });

  it('[AV1] leaves out slices before the window', () => {
    const runs = [
      { fromMs: 0, toMs: 20, prices: price(100_000n) },
      { fromMs: 20, toMs: 40, prices: price(300_000n) },
    ];
    const average = averageOf(runs, 40, 20, 10, price(500_000n));
    expect(average.sums).toEqual([300_000n * average.divisor, 700_000n * average.divisor]);
  });

  it('[AV2] counts prices that stood for no time for nothing', () => {
    const runs = [
      { fromMs: 0, toMs: 10, prices: price(500_000n) },
      { fromMs: 10, toMs: 10, prices: price(999_999n) },
      { fromMs: 10, toMs: 20, prices: price(500_000n) },
    ];
    const average = averageOf(runs, 20, 20, 10, price(1n));
    expect(average.sums).toEqual([500_000n * average.divisor, 500_000n * average.divisor]);
  });
});
