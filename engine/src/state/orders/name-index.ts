// Maps hashes of names to positions in the pages of names: flat tables that grow by parts, so that no order waits for all of it.
import { assert } from '../../kit/assert.ts';

/** Tables; each holds the hashes that begin with its number. */
const PARTS = 64;
const PART_SHIFT = 26;
const INITIAL_ROOM = 16;
/** An entry: its position and one, 0 where there is none; then its hash. */
const WIDTH = 2;
/**
 * No entry lies further behind the slot of its hash: names are chosen by clients, who could otherwise have one search
 * go through as many as they like.
 */
const STEPS_MAX = 64;

/** Several positions may be filed under one hash. */
export class NameIndex {
  readonly #tables: Int32Array[] = [];
  readonly #counts = new Int32Array(PARTS);

  /**
   * The first entry under the hash at so many steps or more behind its slot, by its steps; -1 when there is none.
   */
  search(hash: number, steps: number): number {
    const table = this.#tables[hash >>> PART_SHIFT];
    if (table === undefined) return -1;
    const mask = table.length / WIDTH - 1; // exact: lengths are even
    for (let step = steps; step < STEPS_MAX; step += 1) {
      const at = WIDTH * ((hash + step) & mask);
      if (table[at] === 0) return -1;
      if (table[at + 1] === hash) return step;
    }
    return -1;
  }

  /** The position of an entry that was found. */
  positionAt(hash: number, step: number): number {
    const table = this.#tables[hash >>> PART_SHIFT]!;
    const mask = table.length / WIDTH - 1; // exact: lengths are even
    return table[WIDTH * ((hash + step) & mask)]! - 1;
  }

  /** False, and nothing done, where all slots are taken that it could have. */
  add(hash: number, position: number): boolean {
    const part = hash >>> PART_SHIFT;
    while (this.#tables.length <= part) this.#tables.push(new Int32Array(WIDTH * INITIAL_ROOM));
    let table = this.#tables[part]!;
    // At most half full: searches for what is not there are the common ones, and end at the first gap.
    if (2 * WIDTH * (this.#counts[part]! + 1) > table.length) {
      table = grown(table);
      this.#tables[part] = table;
    }
    if (!file(table, hash, position)) return false;
    this.#counts[part] = this.#counts[part]! + 1;
    return true;
  }

  /** False, and nothing done, where the position is not filed under the hash. */
  remove(hash: number, position: number): boolean {
    let step = this.search(hash, 0);
    while (step >= 0 && this.positionAt(hash, step) !== position)
      step = this.search(hash, step + 1);
    if (step < 0) return false;
    const part = hash >>> PART_SHIFT;
    const table = this.#tables[part]!;
    closeGap(table, (hash + step) & (table.length / WIDTH - 1)); // exact: lengths are even
    this.#counts[part] = this.#counts[part]! - 1;
    return true;
  }
}

function file(table: Int32Array, hash: number, position: number): boolean {
  const mask = table.length / WIDTH - 1; // exact: lengths are even
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const at = WIDTH * ((hash + step) & mask);
    if (table[at] !== 0) continue;
    table[at] = position + 1;
    table[at + 1] = hash;
    return true;
  }
  return false;
}

/** Moves up entries that were filed behind this one, so that no search ends before them. */
function closeGap(table: Int32Array, slot: number): void {
  const mask = table.length / WIDTH - 1; // exact: lengths are even
  let gap = slot;
  for (let next = (slot + 1) & mask; table[WIDTH * next] !== 0; next = (next + 1) & mask) {
    const hash = table[WIDTH * next + 1]!;
    // An entry may move up to the slot of its hash, not beyond.
    if (((next - hash) & mask) < ((next - gap) & mask)) continue;
    table[WIDTH * gap] = table[WIDTH * next]!;
    table[WIDTH * gap + 1] = hash;
    gap = next;
  }
  table[WIDTH * gap] = 0;
  table[WIDTH * gap + 1] = 0;
}

/**
 * Twice the room. Taken in the order in which they lie, from behind a gap, no entry comes to lie further from the slot of
 * its hash than it did: each finds room.
 */
function grown(table: Int32Array): Int32Array {
  const wider = new Int32Array(2 * table.length);
  const mask = table.length / WIDTH - 1; // exact: lengths are even
  let gap = 0;
  while (table[WIDTH * gap] !== 0) gap += 1;
  for (let offset = 1; offset <= mask; offset += 1) {
    const at = WIDTH * ((gap + offset) & mask);
    if (table[at] === 0) continue;
    assert(file(wider, table[at + 1]!, table[at]! - 1), 'an index that grows has room for all');
  }
  return wider;
}
