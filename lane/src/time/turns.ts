// Sequential reads of a lane that take long: between two portions everybody else is served, and one reader goes on at a time.

/** How long a reader goes on before it lets others go first. */
const PORTION_MS = 4;

export class Turns {
  readonly #waiting: (() => void)[] = [];
  #beganMs = Number.NEGATIVE_INFINITY;

  /** To be awaited between steps of less than a few milliseconds each. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#beganMs < PORTION_MS) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#turn();
    });
  }

  #turn(): void {
    setImmediate(() => {
      this.#beganMs = performance.now();
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#turn();
    });
  }
}
