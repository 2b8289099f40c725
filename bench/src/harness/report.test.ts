import { expect, test } from 'vitest';
import { findFailures, type Report, toJson, toTable } from './report.ts';

const REPORT: Report = {
  ratios: [
    { name: 'engine/peer small', value: 8.5, must: 3, goal: 8 },
    { name: 'engine/peer large', value: 14.9, must: 15, goal: 60 },
  ],
  figures: [
    { name: 'throughput', value: 1_234_567.8, unit: 'commands/s', range: [1_000_000, 1_300_000] },
    { name: 'memory', value: 450, unit: 'MB', bound: { must: 600, goal: 300, better: 'less' } },
  ],
  faults: ['checksum of engine W1: fills 1 instead of 2'],
  notes: ['2 of 9 samples were noisy'],
};

test('[BN8] the JSON has exactly the agreed fields', () => {
  const document: unknown = JSON.parse(toJson(REPORT));
  expect(document).toEqual({
    node: process.version,
    cpu: expect.any(String),
    ratios: REPORT.ratios,
    figures: [
      { name: 'throughput', value: 1_234_567.8, unit: 'commands/s' },
      { name: 'memory', value: 450, unit: 'MB' },
    ],
  });
});

test('[BN6] a ratio under its must and a checksum that failed are failures that name themselves', () => {
  expect(findFailures(REPORT)).toEqual([
    'checksum of engine W1: fills 1 instead of 2',
    'engine/peer large is 14.9x, under its must of 15x',
  ]);
  expect(findFailures({ ...REPORT, ratios: REPORT.ratios.slice(0, 1), faults: [] })).toEqual([]);
});

test('[BN6] a ratio that is no number is a failure, never a pass', () => {
  const ratios = [{ name: 'engine/peer', value: Number.NaN, must: 3, goal: 8 }];
  expect(findFailures({ ...REPORT, ratios, faults: [] })).toHaveLength(1);
});

test('[BN8] the table says for each bound where the value stands', () => {
  const table = toTable(REPORT);
  expect(table).toMatch(/engine\/peer small +8\.50x +3x +8x {2}goal reached/);
  expect(table).toMatch(/engine\/peer large +14\.9x +15x +60x {2}UNDER MUST/);
  expect(table).toMatch(/throughput +1,234,568 {2}commands\/s {2}1,000,000 to 1,300,000/);
  expect(table).toMatch(/memory +450 {2}MB +must 600, goal 300: must reached/);
  expect(table).toContain('note: 2 of 9 samples were noisy');
});
