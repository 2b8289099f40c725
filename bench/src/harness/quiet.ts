// Waits for the machine to be quiet before a sample, within a budget for the whole run.
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const WINDOW_MS = 300;
const BUSY_MAX = 0.12;
const WAIT_MAX_MS = 12_000;

export class QuietGate {
  #budgetMs: number;

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** True when use fell under the bound; false when patience or the budget ran out first. */
  async wait(): Promise<boolean> {
    const started = performance.now();
    const patienceMs = Math.min(WAIT_MAX_MS, this.#budgetMs);
    for (;;) {
      const quiet = (await measureUse()) < BUSY_MAX;
      const waitedMs = performance.now() - started;
      if (!quiet && waitedMs < patienceMs) continue;
      this.#budgetMs -= waitedMs - WINDOW_MS;
      return quiet;
    }
  }
}

/** The share of all cores' time that was not idle during one window. */
async function measureUse(): Promise<number> {
  const before = readTimes();
  await sleep(WINDOW_MS);
  const after = readTimes();
  const total = after.total - before.total;
  return total === 0 ? 0 : 1 - (after.idle - before.idle) / total;
}

function readTimes(): { readonly total: number; readonly idle: number } {
  let total = 0;
  let idle = 0;
  for (const { times } of cpus()) {
    total += times.user + times.nice + times.sys + times.irq + times.idle;
    idle += times.idle;
  }
  return { total, idle };
}
