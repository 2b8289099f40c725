// One side of a book: occupied price levels linked from best to worst, found by price in a few steps.
import { PIPS_ONE, type Pips } from '@sibyl/money';
import { assert } from '../assert.ts';
import { Level } from './level.ts';

type SideKind = 'bid' | 'ask';

/**
 * Prices are ranked so that the best has the lowest rank on either side. A rank's 10 + 5 bits choose a group and a
 * word, its last 5 bits a slot; groups and words are made when first used, because most of the 9999 prices of most
 * books never hold an order. The bits of occupied slots find the neighbours of a new level.
 */
export class PriceSide {
  readonly kind: SideKind;
  #best: Level | null = null;
  #worst: Level | null = null;
  readonly #groups: (Group | null)[] = [];

  constructor(kind: SideKind) {
    this.kind = kind;
    for (let index = 0; index < GROUPS; index += 1) this.#groups.push(null);
  }

  get best(): Level | null {
    return this.#best;
  }

  get worst(): Level | null {
    return this.#worst;
  }

  /** The level at a price, occupied or not, ready for an order. */
  occupy(price: Pips): Level {
    const rank = this.#rank(price);
    const group = this.#group(rank >>> GROUP_BITS);
    const word = (rank >>> WORD_BITS) & WORD_MASK;
    const slots = slotsOf(group, word);
    const bit = 1 << (rank & WORD_MASK);
    const known = slots[rank & WORD_MASK];
    if (known !== undefined && known !== null && (group.words[word]! & bit) !== 0) return known;
    const level = known ?? new Level(this, price);
    slots[rank & WORD_MASK] = level;
    this.#link(level, this.#nextOccupied(rank));
    group.words[word] = group.words[word]! | bit;
    group.occupied |= 1 << word;
    return level;
  }

  /** Takes an empty level out of the line; it is kept for the next order at its price. */
  vacate(level: Level): void {
    assert(level.first === null, 'only an empty level is vacated');
    const rank = this.#rank(level.price);
    const group = this.#groups[rank >>> GROUP_BITS]!;
    const word = (rank >>> WORD_BITS) & WORD_MASK;
    const bits = group.words[word]! & ~(1 << (rank & WORD_MASK));
    group.words[word] = bits;
    if (bits === 0) group.occupied &= ~(1 << word);
    if (level.better === null) this.#best = level.worse;
    else level.better.worse = level.worse;
    if (level.worse === null) this.#worst = level.better;
    else level.worse.better = level.better;
    level.better = null;
    level.worse = null;
  }

  #link(level: Level, worse: Level | null): void {
    const better = worse === null ? this.#worst : worse.better;
    level.worse = worse;
    level.better = better;
    if (worse === null) this.#worst = level;
    else worse.better = level;
    if (better === null) this.#best = level;
    else better.worse = level;
  }

  /** The best level worse than the rank. */
  #nextOccupied(rank: number): Level | null {
    let index = rank >>> GROUP_BITS;
    let group = this.#groups[index]!;
    let word = (rank >>> WORD_BITS) & WORD_MASK;
    const later = group.words[word]! & above(rank & WORD_MASK);
    if (later !== 0) return group.slots[word]![lowestBit(later)]!;
    let words = group.occupied & above(word);
    while (words === 0) {
      index += 1;
      if (index === GROUPS) return null;
      const next = this.#groups[index];
      if (next === null || next === undefined) continue;
      group = next;
      words = group.occupied;
    }
    word = lowestBit(words);
    return group.slots[word]![lowestBit(group.words[word]!)]!;
  }

  #group(index: number): Group {
    const known = this.#groups[index];
    if (known !== null && known !== undefined) return known;
    const group: Group = { occupied: 0, words: [], slots: [] };
    for (let word = 0; word < WORDS; word += 1) {
      group.words.push(0);
      group.slots.push(null);
    }
    this.#groups[index] = group;
    return group;
  }

  #rank(price: Pips): number {
    assert(price > 0 && price < PIPS_ONE, 'a book holds prices between 0 and 1');
    return this.kind === 'bid' ? PIPS_ONE - price : price;
  }
}

interface Group {
  /** A bit for each word that has any. */
  occupied: number;
  readonly words: number[];
  readonly slots: ((Level | null)[] | null)[];
}

const WORD_BITS = 5;
const WORD_MASK = 31;
const WORDS = 32;
const GROUP_BITS = 10;
const GROUPS = 10;

function slotsOf(group: Group, word: number): (Level | null)[] {
  const known = group.slots[word];
  if (known !== null && known !== undefined) return known;
  const slots: (Level | null)[] = [];
  for (let slot = 0; slot < WORDS; slot += 1) slots.push(null);
  group.slots[word] = slots;
  return slots;
}

/** The bits above a position; a shift by 32 would be a shift by none. */
function above(position: number): number {
  return position === WORD_MASK ? 0 : -1 << (position + 1);
}

/** The position of the lowest set bit of a word that has one. */
function lowestBit(word: number): number {
  let bits = word;
  let position = 0;
  if ((bits & 0xffff) === 0) {
    position += 16;
    bits >>>= 16;
  }
  if ((bits & 0xff) === 0) {
    position += 8;
    bits >>>= 8;
  }
  if ((bits & 0xf) === 0) {
    position += 4;
    bits >>>= 4;
  }
  if ((bits & 0x3) === 0) {
    position += 2;
    bits >>>= 2;
  }
  return (bits & 1) === 0 ? position + 1 : position;
}
