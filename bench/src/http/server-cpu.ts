// CPU time of the server's process, read from within: all its threads, in the units of the operating system.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measurement } from '../suite.ts';

/** Longer than the pause between two checks of makers by the engine, which go on for as long as orders rest. */
const WINDOW_MS = 550;
/** Use of one core under which nothing is left over from the load. */
const IDLE_SHARE = 0.05;
/** Longer than the read model puts off its writing. */
const IDLE_MS = 5_500;
const WAIT_MAX_MS = 20_000;

/**
 * Once everything that was sent before is done: history is written up to five seconds later, and it is part of the
 * price of an order. No collection is forced, which would throw away compiled code that no server loses in its life.
 */
export async function readCpuSettled(): Promise<Measurement> {
  const started = performance.now();
  let idleMs = 0;
  for (let before = cpuMs(); idleMs < IDLE_MS && performance.now() - started < WAIT_MAX_MS; ) {
    await sleep(WINDOW_MS);
    const after = cpuMs();
    idleMs = after - before < WINDOW_MS * IDLE_SHARE ? idleMs + WINDOW_MS : 0;
    before = after;
  }
  return readCpu();
}

export function readCpu(): Measurement {
  return { cpuMs: cpuMs() };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
