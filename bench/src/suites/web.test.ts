import { expect, test } from 'vitest';
import { findFailures } from '../harness/report.ts';
import { conclude } from './web.ts';

const within = { listKb: 240, marketKb: 300, longestTaskMs: 60, cpuPercent: 20, updatesPerSec: 50 };

test('[BN7] a page within its budgets passes, and one beyond any of them fails', () => {
  expect(findFailures(conclude(within))).toEqual([]);
  expect(findFailures(conclude({ ...within, listKb: 251 }))).toHaveLength(1);
  expect(findFailures(conclude({ ...within, marketKb: 321 }))).toHaveLength(1);
  expect(findFailures(conclude({ ...within, longestTaskMs: 101 }))).toHaveLength(1);
  expect(findFailures(conclude({ ...within, cpuPercent: 31 }))).toHaveLength(1);
});
