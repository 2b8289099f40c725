// Which deliveries are missing: those of different orders overtake each other, so a number that was passed over may still come.

/** A number that has not come for so long is said to be missing. */
const PATIENCE_MS = 10_000;

/** So many are waited for at once; where more are passed over, the oldest are missing, and of one leap the latest alone are told. */
const AWAITED_MAX = 10_000;

export class MissingNumbers {
  #newest: number | null = null;
  /** Since when each is waited for, the longest first. */
  readonly #awaited = new Map<number, number>();

  /** Takes note of a delivery; those that are missing by now, each told once. */
  receive(sequence: number, nowMs: number): readonly number[] {
    this.#awaited.delete(sequence);
    const newest = this.#newest ?? sequence;
    const first = Math.max(newest + 1, sequence - AWAITED_MAX);
    for (let number = first; number < sequence; number += 1) this.#awaited.set(number, nowMs);
    this.#newest = Math.max(newest, sequence);
    return this.#giveUp(nowMs);
  }

  #giveUp(nowMs: number): readonly number[] {
    const missing: number[] = [];
    for (const [number, sinceMs] of this.#awaited) {
      if (nowMs - sinceMs < PATIENCE_MS && this.#awaited.size <= AWAITED_MAX) break;
      this.#awaited.delete(number);
      missing.push(number);
    }
    return missing;
  }
}
