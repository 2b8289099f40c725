import { expect, test } from 'vitest';
import { findFailures } from '../harness/report.ts';
import { conclude } from './memory.ts';

test('[BN7] more than a gigabyte fails the run, and so does an order that was refused', () => {
  const within = { peakMb: 900, rssMb: 700, heapMb: 400, externalMb: 100, orders: 600_000 };
  expect(findFailures(conclude({ ...within, failures: 0 }))).toEqual([]);
  expect(findFailures(conclude({ ...within, peakMb: 2048, failures: 0 }))).toEqual([
    '1 GB/most memory is 0.50x, under its must of 1x',
  ]);
  expect(findFailures(conclude({ ...within, failures: 3 }))).toEqual(['3 orders failed']);
});
