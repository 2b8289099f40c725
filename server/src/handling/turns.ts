// Work of one holder, one after the other; that of others goes on meanwhile.

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(holder: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(holder) ?? Promise.resolve()).then(work);
    const settled = result.catch(() => undefined);
    this.#last.set(holder, settled);
    void settled.then(() => {
      if (this.#last.get(holder) === settled) this.#last.delete(holder);
    });
    return result;
  }
}
