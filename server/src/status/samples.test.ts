import { sampleLines } from '@sibyl/contract';
import { expect, it } from 'vitest';
import { Samples } from './samples.ts';

const DAY_MS = 24 * 3_600_000;
const EVERY_MS = 30_000;

/** A service whose counters are at `count`, looked at at `nowMs`. */
function watched() {
  const service = { nowMs: 1_000, count: 0 };
  const render = async (): Promise<string> =>
    [
      `sibyl_orders_total{lane="live"} ${service.count}`,
      `sibyl_connections ${service.count}`,
      'process_resident_memory_bytes 1572864',
    ].join('\n');
  const samples = new Samples({ wallMs: () => service.nowMs }, render);
  return { service, samples };
}

const at = (line: (typeof sampleLines)[number]): number => sampleLines.indexOf(line);

it('[OP91] turns counters into rates, in thousandths, and leaves out what was not measured', async () => {
  const { service, samples } = watched();
  await samples.take();
  expect(samples.after(0)).toEqual([]);
  service.nowMs += EVERY_MS;
  service.count = 45;
  await samples.take();
  const [sample] = samples.after(0);
  expect(sample?.atMs).toBe(31_000);
  expect(sample?.values[at('orders_live')]).toBe(1_500);
  expect(sample?.values[at('connections')]).toBe(45_000);
  expect(sample?.values[at('memory_mb')]).toBe(1_500);
  expect(sample?.values[at('p99_ms')]).toBe(null);
  // A counter that began anew, and a clock that was set back.
  service.nowMs += EVERY_MS;
  service.count = 3;
  await samples.take();
  expect(samples.after(31_000)[0]?.values[at('orders_live')]).toBe(0);
  service.nowMs -= DAY_MS;
  await samples.take();
  expect(samples.after(0)).toHaveLength(2);
});

it('[OP91] keeps 24 hours, and no more', async () => {
  const { service, samples } = watched();
  for (let count = 0; count <= DAY_MS / EVERY_MS + 10; count += 1) {
    service.nowMs += EVERY_MS;
    await samples.take();
  }
  const kept = samples.after(0);
  expect(kept).toHaveLength(DAY_MS / EVERY_MS);
  expect(kept.at(-1)?.atMs).toBe(service.nowMs);
  expect(samples.after(service.nowMs - EVERY_MS)).toHaveLength(1);
});
