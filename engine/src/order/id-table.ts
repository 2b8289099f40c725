// A table by sequential id: what a Map does, without hashing every id.
import { assert } from '../assert.ts';

/**
 * Ids are given out in order, so neighbours in the table are neighbours in time. Chunks of 64 ids are found through
 * one small map and dropped when empty; a long-lived entry keeps its own chunk alive and no more.
 */
export class IdTable<T> {
  readonly #chunks = new Map<number, Chunk<T>>();
  #size = 0;
  /** The chunk last used: new entries, and most lookups, are among the latest. */
  #number = -1;
  #chunk: Chunk<T> | null = null;

  get size(): number {
    return this.#size;
  }

  get(id: number): T | undefined {
    const chunk = this.#find(numberOf(id));
    return chunk === null ? undefined : (chunk.slots[id & MASK] ?? undefined);
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  /** Gives the chunk that now holds the entry: with it the entry is taken out without a search. */
  set(id: number, value: T): Chunk<T> {
    const number = numberOf(id);
    const chunk = this.#find(number) ?? this.#open(number);
    const slot = id & MASK;
    if (chunk.slots[slot] === null) {
      chunk.count += 1;
      this.#size += 1;
    }
    chunk.slots[slot] = value;
    return chunk;
  }

  delete(id: number): boolean {
    const chunk = this.#find(numberOf(id));
    if (chunk === null || chunk.slots[id & MASK] === null) return false;
    this.take(chunk, id);
    return true;
  }

  /** Takes out an entry that the chunk holds. */
  take(chunk: Chunk<T>, id: number): void {
    const slot = id & MASK;
    assert(chunk.slots[slot] !== null, 'an entry is taken out of its own chunk');
    chunk.slots[slot] = null;
    chunk.count -= 1;
    this.#size -= 1;
    if (chunk.count > 0) return;
    this.#chunks.delete(numberOf(id));
    this.#number = -1;
    this.#chunk = null;
  }

  /** By chunk as they were opened, by id within each; ascending when ids were set in order. */
  *values(): Generator<T> {
    for (const chunk of this.#chunks.values()) {
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const value = chunk.slots[slot];
        if (value !== null && value !== undefined) yield value;
      }
    }
  }

  #find(number: number): Chunk<T> | null {
    if (number === this.#number) return this.#chunk;
    const chunk = this.#chunks.get(number);
    if (chunk === undefined) return null;
    this.#number = number;
    this.#chunk = chunk;
    return chunk;
  }

  #open(number: number): Chunk<T> {
    const slots: (T | null)[] = [];
    for (let slot = 0; slot < SLOTS; slot += 1) slots.push(null);
    const chunk = { count: 0, slots };
    this.#chunks.set(number, chunk);
    this.#number = number;
    this.#chunk = chunk;
    return chunk;
  }
}

export interface Chunk<T> {
  count: number;
  readonly slots: (T | null)[];
}

const SLOTS = 64;
const MASK = 63;

/** Not by a shift: ids may outgrow 32 bits. */
function numberOf(id: number): number {
  return (id - (id & MASK)) / SLOTS; // exact: the remainder was taken off
}
