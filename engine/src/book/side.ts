// One side of a book: occupied price levels linked from best to worst, found by price in a few steps.
import { PIPS_ONE, type Pips } from '@sibyl/money';
import { assert } from '../assert.ts';
import { createLevel, type Level } from './level.ts';

type SideKind = 'bid' | 'ask';

/**
 * Prices are ranked so that the best has the lowest rank on either side. An order that comes to rest finds memory that
 * nobody has touched for long, so as little of it as can be is on the way: a table of levels in which the rank is the
 * place, and a bit for each occupied level that finds the neighbours of a new one.
 */
export class PriceSide {
  readonly kind: SideKind;
  #best: Level | null = null;
  #worst: Level | null = null;
  /** Ranks of the two, known without a look at them. */
  #bestRank = NO_RANK;
  #worstRank = NO_RANK;
  /**
   * Every level that ever held an order, occupied or not, at its rank modulo the length or, where that is taken, in one
   * of the places after it. Books are narrow: mostly no two levels want the same place.
   */
  #levels: (Level | null)[] = emptyTable(INITIAL_PLACES);
  #count = 0;
  readonly #occupied = new Int32Array(WORDS);

  constructor(kind: SideKind) {
    this.kind = kind;
  }

  get best(): Level | null {
    return this.#best;
  }

  get worst(): Level | null {
    return this.#worst;
  }

  /** Of the best level, if there is one: most orders go no further. */
  get bestPrice(): Pips {
    return this.#priceOf(this.#bestRank);
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
    const { better, worse } = level;
    this.#occupied[rank >>> BITS] = this.#occupied[rank >>> BITS]! & ~(1 << (rank & MASK));
    if (better === null) this.#setBest(worse);
    else better.worse = worse;
    if (worse === null) this.#setWorst(better);
    else worse.better = better;
    level.better = null;
    level.worse = null;
  }

  #find(price: Pips, rank: number): Level | null {
    const levels = this.#levels;
    const mask = levels.length - 1;
    for (let place = rank & mask; ; place = (place + 1) & mask) {
      const level = levels[place]!;
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
    let place = rank & mask;
    while (levels[place] !== null) place = (place + 1) & mask;
    levels[place] = level;
  }

  #grow(): void {
    const before = this.#levels;
    this.#levels = emptyTable(2 * before.length);
    for (const level of before) if (level !== null) this.#put(level, this.#rank(level.price));
  }

  /** Puts a level that was vacant into the line. */
  #join(level: Level, rank: number): void {
    const worse = this.#nextOccupied(rank);
    const better = worse === null ? this.#worst : worse.better;
    level.worse = worse;
    level.better = better;
    if (worse === null) this.#setWorst(level);
    else worse.better = level;
    if (better === null) this.#setBest(level);
    else better.worse = level;
    this.#occupied[rank >>> BITS] = this.#occupied[rank >>> BITS]! | (1 << (rank & MASK));
  }

  /** The best level worse than the rank. */
  #nextOccupied(rank: number): Level | null {
    if (this.#worst === null || rank > this.#worstRank) return null;
    const occupied = this.#occupied;
    let word = rank >>> BITS;
    let later = occupied[word]! & above(rank & MASK);
    while (later === 0) {
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

  #setWorst(level: Level | null): void {
    this.#worst = level;
    this.#worstRank = level === null ? NO_RANK : this.#rank(level.price);
  }

  #rank(price: Pips): number {
    assert(price > 0 && price < PIPS_ONE, 'a book holds prices between 0 and 1');
    return this.kind === 'bid' ? PIPS_ONE - price : price;
  }

  #priceOf(rank: number): Pips {
    return (this.kind === 'bid' ? PIPS_ONE - rank : rank) as Pips;
  }
}

function emptyTable(places: number): (Level | null)[] {
  return new Array<Level | null>(places).fill(null);
}

/** No price has it. */
const NO_RANK = 0;
const INITIAL_PLACES = 32;
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
