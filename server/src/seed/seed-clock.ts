// The clock of a lane that is being seeded: it stands still until it is told to go on.

import type { Clock } from '@sibyl/lane';

export class SeedClock implements Clock {
  readonly #startMs: number;
  #nowMs: number;

  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
  }

  advanceTo(atMs: number): void {
    if (atMs > this.#nowMs) this.#nowMs = atMs;
  }

  wallMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs - this.#startMs;
  }

  bootMs(): number {
    return this.monotonicMs();
  }

  /** Timers of the engine run inside the next command; alarms of the lane would only add ticks. */
  setAlarm(): () => void {
    return () => undefined;
  }
}
