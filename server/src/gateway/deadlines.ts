// An end to waiting: a request whose handler does not answer in time is told so, whatever comes later.
import type { Clock } from '../ports/clock.ts';

const LOOK_EVERY_MS = 1_000;

/** A request that waits for its handler. */
export interface Waiting {
  readonly sinceMs: number;
  giveUp(): void;
}

/** One look a second over those that wait costs less than a timer for each. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** Oldest first, as a set keeps the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #stop: () => void;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#stop = this.#lookLater();
  }

  /** Monotonic, for `sinceMs`. */
  nowMs(): number {
    return this.#clock.monotonicMs();
  }

  enter(waiting: Waiting): void {
    this.#waiting.add(waiting);
  }

  leave(waiting: Waiting): void {
    this.#waiting.delete(waiting);
  }

  close(): void {
    this.#stop();
  }

  #lookLater(): () => void {
    return this.#clock.setAlarm(LOOK_EVERY_MS, () => {
      this.#stop = this.#lookLater();
      const latestMs = this.#clock.monotonicMs() - this.#timeoutMs;
      for (const waiting of this.#waiting) {
        if (waiting.sinceMs > latestMs) return;
        this.#waiting.delete(waiting);
        waiting.giveUp();
      }
    });
  }
}
