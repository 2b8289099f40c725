// A short wait under load: a commit costs much the same for thirty commands as for sixty.

/**
 * While one batch is being made durable the next one forms, so clients fall into two camps that commit in turns. Those
 * who were just answered are back within a millisecond; waiting for them makes one batch of both camps.
 */
export class Gathering {
  readonly #max: number;
  readonly #waitMs: number;
  #wanted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(max: number, waitMs: number) {
    this.#max = max;
    this.#waitMs = waitMs;
  }

  /** Calls back when the time is up; `isOpen` notices when enough have come before that. */
  open(wanted: number, done: () => void): void {
    clearTimeout(this.#timer);
    this.#wanted = Math.min(wanted, this.#max);
    this.#timer = setTimeout(() => {
      this.#wanted = 0;
      done();
    }, this.#waitMs);
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
