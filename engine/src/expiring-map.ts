// A map whose entries are forgotten a fixed time after they were put in, oldest first.
import { assert } from './assert.ts';

interface Timed {
  readonly atMs: number;
}

/** Entries must be put in in order of time; a key is put in again only after it has expired. */
export class ExpiringMap<V extends Timed> {
  readonly #entries = new Map<string, V>();
  /** Keys by age: taking the oldest from the map itself would rescan what was deleted before it. */
  #queue: string[] = [];
  #head = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  put(key: string, value: V): void {
    assert(!this.#entries.has(key), `remembered twice: ${key}`);
    this.#entries.set(key, value);
    this.#queue.push(key);
  }

  /** Forgets every entry made at or before the given time. */
  expire(untilMs: number): void {
    while (this.#head < this.#queue.length) {
      const key = this.#queue[this.#head]!;
      const entry = this.#entries.get(key);
      assert(entry !== undefined, `queued but not remembered: ${key}`);
      if (entry.atMs > untilMs) break;
      this.#entries.delete(key);
      this.#head += 1;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Oldest first. */
  entries(): IterableIterator<[string, V]> {
    return this.#entries.entries();
  }
}
