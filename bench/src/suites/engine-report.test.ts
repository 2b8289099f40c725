import { expect, test } from 'vitest';
import { DATA_SETS } from '../workload/data-sets.ts';
import { EngineReport } from './engine-report.ts';

const SAMPLE = {
  commands: 100_000,
  wallMs: 1000,
  cpuMs: 2000,
  gcCount: 1,
  gcTotalMs: 2,
  gcMaxMs: 2,
  finalHeapMb: 3,
  finalRssMb: 4,
  complaints: 0,
};

test('[BN5] ratios are of medians per CPU-second, only for what was run', () => {
  const report = new EngineReport();
  for (const cpuMs of [900, 1000, 5000]) {
    report.add('throughput nodejs-order-book W1-100k', { ...SAMPLE, cpuMs }, true);
  }
  for (const cpuMs of [100, 125, 90]) {
    report.add('throughput engine W1-100k', { ...SAMPLE, cpuMs }, true);
  }
  const { ratios, figures, notes } = report.conclude();
  const name = 'engine/nodejs-order-book W1-100k';
  expect(ratios).toEqual([{ name, value: 10, must: 3, goal: 8 }]);
  expect(figures).toContainEqual({
    name: 'engine W1-100k, CPU',
    value: 1_000_000,
    unit: 'commands/CPU-s',
    range: [800_000, 100_000 / 0.09],
  });
  expect(notes).toEqual([]);
});

test('[BN6] a result that is not the required one is a fault, said once', () => {
  const report = new EngineReport();
  const required = { ...DATA_SETS.W1.required };
  report.check('engine', DATA_SETS.W1, { ...SAMPLE, ...required });
  expect(report.conclude().faults).toEqual([]);
  for (let round = 0; round < 2; round += 1) {
    report.check('engine', DATA_SETS.W1, { ...SAMPLE, ...required, quantity: 5 });
  }
  report.check('engine', DATA_SETS.W1, { ...SAMPLE, ...required, complaints: 1 });
  expect(report.conclude().faults).toEqual([
    'checksum of engine W1: quantity 5 instead of 20158858',
    'engine W1: the engine found itself wrong, see above',
  ]);
});

test('[BN5] samples on a busy machine are counted in a note', () => {
  const report = new EngineReport();
  report.add('throughput engine W1', SAMPLE, false);
  report.add('throughput engine W1', SAMPLE, true);
  expect(report.conclude().notes).toEqual([expect.stringMatching(/^1 of 2 samples/)]);
});
