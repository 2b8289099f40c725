// Deadlines of requests: one whose handler does not answer in time is told so, whatever comes later.
import type { Clock } from '@sibyl/lane';

const CHECK_EVERY_MS = 1_000;

/** A request that waits for its handler. */
export interface Waiting {
  readonly sinceMs: number;
  /** Its slot among those that wait; kept here, so that leaving looks nothing up. */
  slot: number;
  giveUp(): void;
}

/** The slot of one that does not wait. */
export const NO_SLOT = -1;

/** One check a second over those that wait costs less than a timer for each. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /**
   * Places that are used again. A set would be copied every few requests; its copies, once old, hold every request
   * they have seen until the next full collection.
   */
  readonly #waiting: (Waiting | null)[] = [];
  readonly #free: number[] = [];
  #stop: () => void;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#stop = this.#checkLater();
  }

  /** Monotonic, for `sinceMs`. */
  nowMs(): number {
    return this.#clock.monotonicMs();
  }

  enter(waiting: Waiting): void {
    waiting.slot = this.#free.pop() ?? this.#waiting.length;
    this.#waiting[waiting.slot] = waiting;
  }

  /** Nothing happens to one that does not wait. */
  leave(waiting: Waiting): void {
    if (waiting.slot === NO_SLOT) return;
    this.#waiting[waiting.slot] = null;
    this.#free.push(waiting.slot);
    waiting.slot = NO_SLOT;
  }

  close(): void {
    this.#stop();
  }

  #checkLater(): () => void {
    return this.#clock.setAlarm(CHECK_EVERY_MS, () => {
      this.#stop = this.#checkLater();
      const latestMs = this.#clock.monotonicMs() - this.#timeoutMs;
      for (const waiting of this.#waiting) {
        if (waiting === null || waiting.sinceMs > latestMs) continue;
        this.leave(waiting);
        waiting.giveUp();
      }
    });
  }
}
