// A map whose entries are forgotten a fixed time after they were put in, oldest first and a few at a time.
import { assert } from './assert.ts';

interface Timed {
  readonly atMs: number;
}

/** A table of its own for each part of the keys: one of them that grows holds nobody up for long. */
const PARTS = 64;

/**
 * Entries must be put in in order of time; a key is put in again only after it has expired or was removed. What has expired
 * is not found any more, whether it was forgotten already or not.
 */
export class ExpiringMap<V extends Timed> {
  readonly #parts: readonly Map<string, V>[] = Array.from({ length: PARTS }, () => new Map());
  /** Keys and times by age: taking the oldest from a map itself would rescan what was deleted before it. */
  #keys: string[] = [];
  #times: number[] = [];
  #head = 0;
  #expiredMs = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#keys.length - this.#head;
  }

  get(key: string): V | undefined {
    const entry = this.#partOf(key).get(key);
    return entry === undefined || entry.atMs <= this.#expiredMs ? undefined : entry;
  }

  put(key: string, value: V): void {
    assert(this.get(key) === undefined, `remembered twice: ${key}`);
    this.#partOf(key).set(key, value);
    this.#keys.push(key);
    this.#times.push(value.atMs);
  }

  /** Forgets an entry before its time. Linear in the number of entries, so for small maps only. */
  remove(key: string): void {
    assert(this.get(key) !== undefined, `not remembered: ${key}`);
    this.#partOf(key).delete(key);
    const index = this.#keys.lastIndexOf(key);
    this.#keys.splice(index, 1);
    this.#times.splice(index, 1);
  }

  /** Every entry made at or before the given time has expired; at most so many of them are forgotten now. */
  expire(untilMs: number, most: number): void {
    this.#expiredMs = untilMs;
    const end = this.#head + most;
    while (this.#head < end && this.#head < this.#keys.length) {
      const atMs = this.#times[this.#head]!;
      if (atMs > untilMs) break;
      const key = this.#keys[this.#head]!;
      const part = this.#partOf(key);
      // Put in again since, the key has a later position in the queue.
      if (part.get(key)?.atMs === atMs) part.delete(key);
      this.#head += 1;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#keys.length) {
      this.#keys = this.#keys.slice(this.#head);
      this.#times = this.#times.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Oldest first, without what has expired. */
  *entries(): Generator<[string, V]> {
    for (let index = this.#head; index < this.#keys.length; index += 1) {
      const key = this.#keys[index]!;
      const entry = this.get(key);
      if (entry !== undefined && entry.atMs === this.#times[index]) yield [key, entry];
    }
  }

  #partOf(key: string): Map<string, V> {
    let sum = key.length;
    for (let index = key.length - 1; index >= 0 && index > key.length - 5; index -= 1) {
      sum = sum * 31 + key.charCodeAt(index);
    }
    return this.#parts[sum % PARTS]!;
  }
}
