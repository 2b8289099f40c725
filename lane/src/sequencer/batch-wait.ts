// A short wait under load for more commands: a commit costs much the same for thirty commands as for sixty.
import type { LaneLimits } from './lane-options.ts';

type BatchWaitLimits = Pick<LaneLimits, 'batchMax' | 'gatherPerMs' | 'gatherMaxMs'>;

/**
 * While one batch is being made durable the next one forms, so clients fall into two camps that commit in turns. Those
 * who were just answered come back one after the other; waiting for them, longer for many than for few, makes one batch of
 * both camps.
 */
export class BatchWait {
  readonly #max: number;
  readonly #perMs: number;
  readonly #maxMs: number;
  #wanted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ batchMax, gatherPerMs, gatherMaxMs }: BatchWaitLimits) {
    this.#max = batchMax;
    this.#perMs = gatherPerMs;
    this.#maxMs = gatherMaxMs;
  }

  /** Calls back when the time is up; `isOpen` notices when enough have come before that. */
  open(wanted: number, done: () => void): void {
    clearTimeout(this.#timer);
    this.#wanted = Math.min(wanted, this.#max);
    const waitMs = Math.min(Math.ceil(this.#wanted / this.#perMs), this.#maxMs);
    this.#timer = setTimeout(() => {
      this.#wanted = 0;
      done();
    }, waitMs);
  }

  /** Whether to go on waiting, now that so many are there. */
  isOpen(count: number): boolean {
    if (this.#wanted === 0) return false;
    if (count < this.#wanted) return true;
    this.close();
    return false;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#wanted = 0;
  }
}
