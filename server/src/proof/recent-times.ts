// When each of many subjects last did something, for limits of so many within a time.
import type { Clock } from '@sibyl/lane';

const SUBJECTS_MAX = 50_000;

export class RecentTimes {
  readonly #clock: Clock;
  readonly #windowMs: number;
  /** Monotonic times of each subject, oldest first. */
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock, windowMs: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  /** How long until the subject has fewer than so many times within the window; 0 if it has. */
  waitMs(subject: string, max: number): number {
    const times = this.#recent(subject);
    if (times.length < max) return 0;
    return times[times.length - max]! + this.#windowMs - this.#clock.monotonicMs();
  }

  add(subject: string): void {
    const times = this.#recent(subject);
    times.push(this.#clock.monotonicMs());
    this.#times.set(subject, times);
    if (this.#times.size > SUBJECTS_MAX) this.#dropOldest();
  }

  /** As if the last one had not been. */
  takeBack(subject: string): void {
    this.#times.get(subject)?.pop();
  }

  forget(subject: string): void {
    this.#times.delete(subject);
  }

  #recent(subject: string): number[] {
    const since = this.#clock.monotonicMs() - this.#windowMs;
    return (this.#times.get(subject) ?? []).filter((atMs) => atMs > since);
  }

  #dropOldest(): void {
    for (const subject of this.#times.keys()) {
      this.#times.delete(subject);
      return;
    }
  }
}
