// How long commits took: those of the last minute, so that everybody can see whether the disk keeps up.

import type { Journal } from '../journal/journal.ts';
import type { Clock } from '../time/clock.ts';

const WINDOW_MS = 60_000;
/** More than a quick disk does in a minute are not kept: the newest tell as much. */
const KEPT_MAX = 8_192;

export class CommitTimes {
  readonly #clock: Clock;
  readonly #atMs = new Float64Array(KEPT_MAX);
  readonly #tookUs = new Uint32Array(KEPT_MAX);
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(tookMs: number): void {
    const index = this.#count % KEPT_MAX;
    this.#atMs[index] = this.#clock.monotonicMs();
    this.#tookUs[index] = Math.round(tookMs * 1000);
    this.#count += 1;
  }

  /** In microseconds, that so many of a hundred did not exceed; null without commits. */
  percentiles(...percents: readonly number[]): readonly (number | null)[] {
    const sinceMs = this.#clock.monotonicMs() - WINDOW_MS;
    const kept = Math.min(this.#count, KEPT_MAX);
    const recent = this.#tookUs.subarray(0, kept).filter((_, at) => this.#atMs[at]! >= sinceMs);
    const sorted = recent.sort();
    return percents.map((percent) => {
      const rank = Math.ceil((sorted.length * percent) / 100);
      return sorted[Math.max(0, rank - 1)] ?? null;
    });
  }
}

/** The same journal, with the time of each commit noted. */
export function timed(journal: Journal, times: CommitTimes): Journal {
  return {
    lead: () => journal.lead(),
    async append(commit, epoch) {
      const beganMs = performance.now();
      await journal.append(commit, epoch);
      times.note(performance.now() - beganMs);
    },
    read: (fromSeq) => journal.read(fromSeq),
    head: () => journal.head(),
    get isOnReserve() {
      return journal.isOnReserve;
    },
    refillReserve: () => journal.refillReserve(),
    close: () => journal.close(),
  };
}
