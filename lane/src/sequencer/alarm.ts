// One alarm that can be moved: setting it again replaces what was set before.
import type { Clock } from '../time/clock.ts';

/** Timers of the host overflow beyond 24 days; a far alarm is reached in steps. */
const STEP_MS = 3_600_000;

export class Alarm {
  readonly #clock: Clock;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(delayMs: number, ring: () => void): void {
    this.cancel();
    const stepMs = Math.max(0, Math.min(delayMs, STEP_MS));
    this.#cancel = this.#clock.setAlarm(stepMs, () => {
      this.#cancel = null;
      if (delayMs > stepMs) this.set(delayMs - stepMs, ring);
      else ring();
    });
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
