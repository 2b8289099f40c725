// One side of a book: occupied price levels linked from best to worst, found by price in a few steps.
import { PIPS_ONE, type Pips } from '@sibyl/money';
import { assert } from '../assert.ts';
import { createLevel, type Level } from './level.ts';

type SideKind = 'bid' | 'ask';

/**
 * Prices are ranked so that the best has the lowest rank on either side. Levels are kept in pages of 32 ranks, made
 * when first used, because most of the 9999 prices of most books never hold an order. A bit for each occupied level,
 * and a bit for each page that has one, find the neighbours of a new level.
 */
export class PriceSide {
  readonly kind: SideKind;
  #best: Level | null = null;
  #worst: Level | null = null;
  readonly #pages: (Page | null)[] = [];
  /** The occupied levels of each page. */
  readonly #occupied: number[] = [];
  /** The pages that have any. */
  readonly #summary: number[] = [];

  constructor(kind: SideKind) {
    this.kind = kind;
    for (let page = 0; page < PAGES; page += 1) {
      this.#pages.push(null);
      this.#occupied.push(0);
    }
    for (let word = 0; word < SUMMARY_WORDS; word += 1) this.#summary.push(0);
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
    const page = this.#pages[rank >>> BITS];
    if (page !== null && page !== undefined) {
      const level = page[rank & MASK];
      if (level !== null && level !== undefined && level.first !== null) return level;
    }
    return this.#join(rank, price);
  }

  /** Takes an empty level out of the line; it is kept for the next order at its price. */
  vacate(level: Level): void {
    assert(level.first === null, 'only an empty level is vacated');
    const rank = this.#rank(level.price);
    const page = rank >>> BITS;
    const bits = this.#occupied[page]! & ~(1 << (rank & MASK));
    this.#occupied[page] = bits;
    if (bits === 0) {
      this.#summary[page >>> BITS] = this.#summary[page >>> BITS]! & ~(1 << (page & MASK));
    }
    if (level.better === null) this.#best = level.worse;
    else level.better.worse = level.worse;
    if (level.worse === null) this.#worst = level.better;
    else level.worse.better = level.better;
    level.better = null;
    level.worse = null;
  }

  /** Puts the level of a price that was vacant into the line. */
  #join(rank: number, price: Pips): Level {
    const number = rank >>> BITS;
    const page = this.#page(number);
    const level = page[rank & MASK] ?? createLevel(this, price);
    page[rank & MASK] = level;
    this.#link(level, this.#nextOccupied(rank));
    this.#occupied[number] = this.#occupied[number]! | (1 << (rank & MASK));
    this.#summary[number >>> BITS] = this.#summary[number >>> BITS]! | (1 << (number & MASK));
    return level;
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
    const number = rank >>> BITS;
    const later = this.#occupied[number]! & above(rank & MASK);
    if (later !== 0) return this.#pages[number]![lowestBit(later)]!;
    let word = number >>> BITS;
    let pages = this.#summary[word]! & above(number & MASK);
    while (pages === 0) {
      word += 1;
      if (word === SUMMARY_WORDS) return null;
      pages = this.#summary[word]!;
    }
    const next = word * WIDTH + lowestBit(pages);
    return this.#pages[next]![lowestBit(this.#occupied[next]!)]!;
  }

  #page(number: number): Page {
    const known = this.#pages[number];
    if (known !== null && known !== undefined) return known;
    const page: Page = [];
    for (let slot = 0; slot < WIDTH; slot += 1) page.push(null);
    this.#pages[number] = page;
    return page;
  }

  #rank(price: Pips): number {
    assert(price > 0 && price < PIPS_ONE, 'a book holds prices between 0 and 1');
    return this.kind === 'bid' ? PIPS_ONE - price : price;
  }
}

type Page = (Level | null)[];

const BITS = 5;
const MASK = 31;
const WIDTH = 32;
/** Enough for every rank below PIPS_ONE. */
const PAGES = 313;
const SUMMARY_WORDS = 10;

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
