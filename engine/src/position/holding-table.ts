// The holdings of a lane: found by account and market, and listed by either.
import type { Account } from '../account/account.ts';
import { Defect } from '../assert.ts';
import type { Market } from '../market/market.ts';
import { createHolding, type Holding } from './holding.ts';

const INITIAL_PLACES = 64;
const EMPTY = 0;

/**
 * Nearly every order of a busy lane opens a holding, so they are found by numbers: a table of text for each account and
 * each market would be most of the memory that an order touches.
 */
export class HoldingTable {
  /** By number; the first is nobody's, so that an empty place is told from a taken one. */
  readonly #holdings: (Holding | null)[] = [null];
  readonly #vacant: number[] = [];
  /** Numbers by a hash of account and market; whoever finds its place taken is in one of those after it. */
  #places = new Int32Array(INITIAL_PLACES);
  #size = 0;

  find(account: Account, market: Market): Holding | undefined {
    return this.#holdings[this.#places[this.#placeOf(account, market)]!] ?? undefined;
  }

  open(account: Account, market: Market): Holding {
    if (2 * (this.#size + 1) > this.#places.length) this.#grow();
    const place = this.#placeOf(account, market);
    if (this.#places[place] !== EMPTY) throw new Defect(`${account.id} has a holding already`);
    const number = this.#vacant.pop() ?? this.#holdings.length;
    const holding = createHolding(account, market, number);
    this.#holdings[number] = holding;
    this.#places[place] = number;
    this.#size += 1;
    market.holdings.add(holding);
    account.holdings.add(holding);
    return holding;
  }

  close(holding: Holding): void {
    const { account, market, number } = holding;
    const place = this.#placeOf(account, market);
    if (this.#places[place] !== number) throw new Defect(`${account.id} has no such holding`);
    this.#vacate(place);
    this.#size -= 1;
    this.#holdings[number] = null;
    this.#vacant.push(number);
    market.holdings.remove(holding);
    account.holdings.remove(holding);
  }

  /** Where the pair is, or where it would go. */
  #placeOf(account: Account, market: Market): number {
    const places = this.#places;
    const mask = places.length - 1;
    let place = hashOf(account, market) & mask;
    while (places[place] !== EMPTY) {
      const holding = this.#holdings[places[place]!]!;
      if (holding.account === account && holding.market === market) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Empties a place, and moves back those behind it that would not be found past a gap. */
  #vacate(place: number): void {
    const places = this.#places;
    const mask = places.length - 1;
    let gap = place;
    for (let next = (gap + 1) & mask; places[next] !== EMPTY; next = (next + 1) & mask) {
      const { account, market } = this.#holdings[places[next]!]!;
      const home = hashOf(account, market) & mask;
      if (((next - home) & mask) < ((next - gap) & mask)) continue;
      places[gap] = places[next]!;
      gap = next;
    }
    places[gap] = EMPTY;
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Int32Array(2 * before.length);
    for (const number of before) {
      if (number === EMPTY) continue;
      const { account, market } = this.#holdings[number]!;
      this.#places[this.#placeOf(account, market)] = number;
    }
  }
}

function hashOf(account: Account, market: Market): number {
  // Numbers are far below 2³¹ and the factors below 2²²: the sum is a safe integer, of which 32 bits are taken.
  const mixed = (account.number * 0x27d4eb + market.number * 0x165667) | 0;
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** The holdings of one account or of one market, in no order that may matter. */
export class HoldingList {
  readonly #of: 'account' | 'market';
  readonly #holdings: Holding[] = [];

  constructor(of: 'account' | 'market') {
    this.#of = of;
  }

  get size(): number {
    return this.#holdings.length;
  }

  add(holding: Holding): void {
    this.#put(holding, this.#holdings.length);
  }

  /** The last one takes its place. */
  remove(holding: Holding): void {
    const place = this.#of === 'account' ? holding.placeInAccount : holding.placeInMarket;
    if (this.#holdings[place] !== holding) throw new Defect('a holding is not listed');
    const last = this.#holdings.pop()!;
    if (last !== holding) this.#put(last, place);
  }

  values(): Iterable<Holding> {
    return this.#holdings;
  }

  #put(holding: Holding, place: number): void {
    this.#holdings[place] = holding;
    if (this.#of === 'account') holding.placeInAccount = place;
    else holding.placeInMarket = place;
  }
}
