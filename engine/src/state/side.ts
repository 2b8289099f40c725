// One side of a book: occupied price levels from best to worst, found by price in a few steps.
import { PIPS_ONE, type Pips } from '@sibyl/money';
import { assert } from '../kit/assert.ts';
import { createLevel, type Level } from './level.ts';

type SideKind = 'bid' | 'ask';

/**
 * Prices are ranked so that the best has the lowest rank on either side. An order that comes to rest finds memory that
 * nobody has touched for long, so as little of it as can be is on the way: a table of levels in which the rank is the
 * index, and a bit for each occupied level that finds the next one. Levels do not know their neighbours: whoever comes to
 * rest or leaves would have to touch them.
 */
export class PriceSide {
  readonly kind: SideKind;
  #best: Level | null = null;
  /** Its rank, known without reading it. */
  #bestRank = NO_RANK;
  /** No level beyond this rank is occupied. */
  #lastRank = NO_RANK;
  /**
   * Every level that ever held an order, occupied or not, at its rank modulo the length or, where that is taken, in one
   * of the slots after it. Books are narrow: mostly no two levels want the same slot.
   */
  #levels: (Level | null)[] = emptyTable(INITIAL_SLOTS);
  #count = 0;
  readonly #occupied = new Int32Array(WORDS);

  constructor(kind: SideKind) {
    this.kind = kind;
  }

  get best(): Level | null {
    return this.#best;
  }

  /** Of the best level, if there is one: most orders go no further. */
  get bestPrice(): Pips {
    return this.#priceOf(this.#bestRank);
  }

  /** The next occupied level, which is worse; null after the last. */
  after(level: Level): Level | null {
    return this.#nextOccupied(this.#rank(level.price));
  }

  /** The level at a price, occupied or not, ready for an order. */
  occupy(price: Pips): Level {
    const rank = this.#rank(price);
    const level = this.#find(price, rank) ?? this.#make(price, rank);
    if (level.first === null) this.#join(level, rank);
    return level;
  }

  /** Takes an empty level out of the line; it is kept for the next order at its price. */
  vacate(level: Level): void {
    assert(level.first === null, 'only an empty level is vacated');
    const rank = this.#rank(level.price);
    this.#occupied[rank >>> BITS] = this.#occupied[rank >>> BITS]! & ~(1 << (rank & MASK));
    if (rank === this.#bestRank) this.#setBest(this.#nextOccupied(rank));
  }

  #find(price: Pips, rank: number): Level | null {
    const levels = this.#levels;
    const mask = levels.length - 1;
    for (let slot = rank & mask; ; slot = (slot + 1) & mask) {
      const level = levels[slot]!;
      if (level === null || level.price === price) return level;
    }
  }

  #make(price: Pips, rank: number): Level {
    if (2 * (this.#count + 1) > this.#levels.length) this.#grow();
    const level = createLevel(this, price);
    this.#put(level, rank);
    this.#count += 1;
    return level;
  }

  #put(level: Level, rank: number): void {
    const levels = this.#levels;
    const mask = levels.length - 1;
    let slot = rank & mask;
    while (levels[slot] !== null) slot = (slot + 1) & mask;
    levels[slot] = level;
  }

  #grow(): void {
    const before = this.#levels;
    this.#levels = emptyTable(2 * before.length);
    for (const level of before) if (level !== null) this.#put(level, this.#rank(level.price));
  }

  /** Puts a level that was vacant into the line. */
  #join(level: Level, rank: number): void {
    this.#occupied[rank >>> BITS] = this.#occupied[rank >>> BITS]! | (1 << (rank & MASK));
    if (rank > this.#lastRank) this.#lastRank = rank;
    if (this.#best === null || rank < this.#bestRank) {
      this.#best = level;
      this.#bestRank = rank;
    }
  }

  /** The best level worse than the rank. */
  #nextOccupied(rank: number): Level | null {
    const occupied = this.#occupied;
    const lastWord = this.#lastRank >>> BITS;
    let word = rank >>> BITS;
    let later = occupied[word]! & above(rank & MASK);
    while (later === 0) {
      if (word >= lastWord) {
        this.#lastRank = rank;
        return null;
      }
      word += 1;
      later = occupied[word]!;
    }
    const next = word * WIDTH + lowestBit(later);
    return this.#find(this.#priceOf(next), next);
  }

  #setBest(level: Level | null): void {
    this.#best = level;
    this.#bestRank = level === null ? NO_RANK : this.#rank(level.price);
  }

  #rank(price: Pips): number {
    assert(price > 0 && price < PIPS_ONE, 'a book holds prices between 0 and 1');
    return this.kind === 'bid' ? PIPS_ONE - price : price;
  }

  #priceOf(rank: number): Pips {
    return (this.kind === 'bid' ? PIPS_ONE - rank : rank) as Pips;
  }
}

function emptyTable(size: number): (Level | null)[] {
  return new Array<Level | null>(size).fill(null);
}

/** No price has it. */
const NO_RANK = 0;
const INITIAL_SLOTS = 32;
const BITS = 5;
const MASK = 31;
const WIDTH = 32;
/** Enough for every rank below PIPS_ONE. */
const WORDS = 313;

/** The bits above a position; a shift by 32 would be a shift by none. */
function above(position: number): number {
  return position === MASK ? 0 : -1 << (position + 1);
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
