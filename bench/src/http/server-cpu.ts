// CPU time of the server's process, read from within: all its threads, in the units of the operating system.
import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '../harness/gc-pauses.ts';
import type { Measurement } from '../suite.ts';

const WINDOW_MS = 100;
/** Use of one core under which nothing is left over from the load. */
const IDLE_SHARE = 0.05;
const WAIT_MAX_MS = 10_000;

/** Before the load. */
export async function readCpuFresh(): Promise<Measurement> {
  await waitUntilIdle();
  collectGarbage();
  return { cpuMs: cpuMs() };
}

/** After the load, once everything that it left behind is done: history is part of the price of an order. */
export async function readCpuSettled(): Promise<Measurement> {
  await waitUntilIdle();
  return { cpuMs: cpuMs() };
}

async function waitUntilIdle(): Promise<void> {
  const started = performance.now();
  for (let before = cpuMs(); performance.now() - started < WAIT_MAX_MS; ) {
    await sleep(WINDOW_MS);
    const after = cpuMs();
    if (after - before < WINDOW_MS * IDLE_SHARE) return;
    before = after;
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
