// The search runs as a whole on states so small that nothing in them is slow.
import { expect, test } from 'vitest';
import { findFailures } from '../harness/report.ts';
import { Watch } from '../worst/watch.ts';
import { conclude, SCENARIOS } from './worst.ts';

const SCALE = 0.0005;

test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  '[BN3] %s: every state can be built and every command is accepted',
  async (_name, scenario) => {
    const watch = new Watch(() => undefined);
    scenario.run(watch, SCALE);
    const measured = await watch.conclude();
    expect(Object.keys(measured).length).toBeGreaterThan(0);
    for (const ms of Object.values(measured)) expect(ms).toBeGreaterThanOrEqual(0);
  },
);

test('[BN7] one command over its must fails the run, and the slowest ten are shown', () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`command ${at}`, at]));
  expect(findFailures(conclude([many], []))).toEqual([]);
  const report = conclude([many, { 'a slow one (3 events)': 250 }], []);
  expect(report.figures).toHaveLength(10);
  expect(report.figures[0]).toMatchObject({ name: 'a slow one (3 events)', value: 250 });
  expect(findFailures(report)).toEqual(['100 ms/slowest command is 0.40x, under its must of 1x']);
  expect(report.notes).toEqual(['1 of 13 kinds of command took more than 100 ms']);
});
