// What a start has opened so far, so that all of it can be closed.

/** What was opened, to be closed in reverse: whatever uses something goes before it. */
export class Parts {
  readonly #closers: (() => Promise<unknown> | undefined)[] = [];

  add<T>(part: T, close: (part: T) => Promise<unknown> | undefined): T {
    this.#closers.push(() => close(part));
    return part;
  }

  /** A part that fails keeps no other from closing; the first failure is thrown in the end. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
