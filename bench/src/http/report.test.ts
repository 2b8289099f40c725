// Ratios are taken between medians of the same run, and answers that were refused void it.
import { expect, test } from 'vitest';
import type { Measurement } from '../suite.ts';
import { BATCH_SERIES, type Contestant, HttpReport, SINGLE_SERIES, seriesOf } from './report.ts';

function sample(orders: number, cpuMs: number, failures = 0): Measurement {
  return { orders, failures, wallMs: 1000, cpuMs, p50Ms: 1, p99Ms: 2 };
}

test('[BN5] each ratio compares what its name says', () => {
  const report = new HttpReport();
  const add = (name: Contestant, orders: number, cpuMs: number): void =>
    report.add(seriesOf(name, 64), sample(orders, cpuMs), true);
  for (const orders of [900, 1000, 5000]) add('sibyl', orders, 500);
  add('bare fastify', 2000, 800);
  add('sibyl, journal off', 1000, 400);
  add('postgres', 100, 10);
  report.add(SINGLE_SERIES, sample(800, 1), true);
  report.add(BATCH_SERIES, sample(2400, 1), true);
  expect(report.conclude().ratios).toEqual([
    { name: 'http durable/bare fastify per cpu-s', value: 0.8, must: 0.7, goal: 0.8 },
    { name: 'http durable/postgres transaction per bet', value: 10, must: 8, goal: 12 },
    { name: 'journal on/off per cpu-s', value: 0.8, must: 0.85, goal: 0.95 },
    { name: 'batch 20/single', value: 3, must: 2.5, goal: 4 },
  ]);
  expect(report.conclude().faults).toEqual([]);
});

test('[BN6] a refused order is a fault, and a busy machine a note', () => {
  const report = new HttpReport();
  report.add(seriesOf('sibyl', 64), sample(10, 1, 3), false);
  const { faults, notes } = report.conclude();
  expect(faults).toEqual([expect.stringMatching(/^sibyl, 64 connections: 3 answers/)]);
  expect(notes).toEqual([expect.stringMatching(/^1 of 1 samples/)]);
});
