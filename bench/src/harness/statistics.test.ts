import { expect, test } from 'vitest';
import { meanOf, percentile, spreadOf } from './statistics.ts';

test('[BN4] the median of an odd number of values is the middle one, of an even number the mean of two', () => {
  expect(spreadOf([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9 });
  expect(spreadOf([4, 1, 2, 9])).toEqual({ median: 3, min: 1, max: 9 });
  expect(() => spreadOf([])).toThrow('no samples');
});

test('[BN4] percentiles are values that occurred', () => {
  const values = Float64Array.from({ length: 1000 }, (_, index) => index + 1);
  expect(percentile(values, 0.5)).toBe(500);
  expect(percentile(values, 0.99)).toBe(990);
  expect(percentile(values, 0.999)).toBe(999);
  expect(percentile(Float64Array.of(7), 0.5)).toBe(7);
});

test('[BN4] turns make one sample by the mean of every field, and a field that one of them lacks is no number', () => {
  const turns = [
    { orders: 10, cpuMs: 1, p50Ms: 3 },
    { orders: 30, cpuMs: 4, p50Ms: 5 },
  ];
  expect(meanOf(turns)).toEqual({ orders: 20, cpuMs: 2.5, p50Ms: 4 });
  expect(meanOf([...turns, { orders: 2, cpuMs: 1 }]).p50Ms).toBeNaN();
  expect(() => meanOf([])).toThrow('no turns');
});
