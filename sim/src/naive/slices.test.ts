// Slices computed by hand from lists of prices.
import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import { describe, expect, it } from 'vitest';
import { gridOf, type PriceRun, slicesOf } from './slices.ts';

const run = (fromMs: number, toMs: number, price: number, begins = false): PriceRun => ({
  fromMs,
  toMs,
  prices: [BigInt(price), BigInt(1_000_000 - price)],
  isDeep: false,
  begins,
});
const first = (slices: ReturnType<typeof slicesOf>) =>
  slices.map(({ atMs, ms, prices }) => [atMs, ms, Number(prices[0])]);

describe('slices of trading time', () => {
  it('[VD1] takes the grid from the planned life', () => {
    const { fairValue } = DEFAULT_PARAMETERS;
    expect(gridOf(60_000, fairValue)).toBe(1_000);
    expect(gridOf(86_400_000, fairValue)).toBe(168_750);
    expect(gridOf(365 * 86_400_000, fairValue)).toBe(900_000);
  });

  it('[VD1] averages what stood within one cell of the grid, rounded down', () => {
    const runs = [run(7, 12, 100, true), run(12, 15, 201), run(15, 23, 300)];
    expect(first(slicesOf(runs, 10))).toEqual([
      [7, 3, 100],
      [10, 10, Math.floor((2 * 100 + 3 * 201 + 5 * 300) / 10)],
      [20, 3, 300],
    ]);
  });

  it('[VD1] ends a slice when trading stops', () => {
    const runs = [run(0, 4, 100, true), run(4, 6, 200, true), run(8, 9, 300, true)];
    expect(first(slicesOf(runs, 10))).toEqual([
      [0, 4, 100],
      [4, 2, 200],
      [8, 1, 300],
    ]);
  });
});
