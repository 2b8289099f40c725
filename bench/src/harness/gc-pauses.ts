// Collects the pauses of the garbage collector while something is timed.
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

export interface GcPauses {
  readonly count: number;
  readonly totalMs: number;
  readonly maxMs: number;
}

export class GcWatch {
  readonly #entries: PerformanceEntry[] = [];
  readonly #observer: PerformanceObserver;

  constructor() {
    this.#observer = new PerformanceObserver((list) => this.#entries.push(...list.getEntries()));
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** Pauses that began within one of the windows; entries arrive late, so a turn of the loop is waited for. */
  async stop(windows: readonly (readonly [fromMs: number, toMs: number])[]): Promise<GcPauses> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.#entries.push(...this.#observer.takeRecords());
    this.#observer.disconnect();
    const durations = this.#entries
      .filter((entry) =>
        windows.some(([from, to]) => entry.startTime >= from && entry.startTime <= to),
      )
      .map((entry) => entry.duration);
    return {
      count: durations.length,
      totalMs: durations.reduce((sum, duration) => sum + duration, 0),
      maxMs: durations.reduce((most, duration) => Math.max(most, duration), 0),
    };
  }
}

/** A full collection; processes of the bench are started with gc exposed. */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  globalThis.gc();
}

/** Only what was lately allocated. */
export function collectYoung(): void {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  globalThis.gc({ type: 'minor' });
}
