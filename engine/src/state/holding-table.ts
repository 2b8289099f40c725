// The holdings of a lane: found by account and market, and listed by either.

import { Defect } from '../kit/assert.ts';
import type { Account } from './account.ts';
import { createHolding, type Holding } from './holding.ts';
import type { Market } from './market.ts';

/** Words of a slot: the number of a holding, and the hash that it is found by. */
const WIDTH = 2;
const INITIAL_SLOTS = 64;
const EMPTY = 0;

/**
 * Nearly every order of a busy lane opens a holding, so they are found by numbers: a table of text for each account and
 * each market would be most of the memory that an order touches.
 */
export class HoldingTable {
  /** By number; the first is nobody's, so that an empty slot is told from a taken one. */
  readonly #holdings: (Holding | null)[] = [null];
  readonly #vacant: number[] = [];
  /**
   * The number, and the hash of account and market that it is found by; whoever finds its slot taken is in one of those
   * after it. With the hash at hand, none but the holding that is looked for is read.
   */
  #slots = new Int32Array(INITIAL_SLOTS * WIDTH);
  #size = 0;

  find(account: Account, market: Market): Holding | undefined {
    if (account.latestMarket === market) return account.latestHolding ?? undefined;
    const holding = this.#holdings[this.#slots[this.#slotOf(account, market)]!];
    if (holding === undefined || holding === null) return undefined;
    account.latestMarket = market;
    account.latestHolding = holding;
    return holding;
  }

  open(account: Account, market: Market): Holding {
    if (2 * WIDTH * (this.#size + 1) > this.#slots.length) this.#grow();
    const slot = this.#slotOf(account, market);
    if (this.#slots[slot] !== EMPTY) throw new Defect(`${account.id} has a holding already`);
    const number = this.#vacant.pop() ?? this.#holdings.length;
    const holding = createHolding(account, market, number);
    this.#holdings[number] = holding;
    this.#slots[slot] = number;
    this.#slots[slot + 1] = hashOf(account, market);
    this.#size += 1;
    market.holdings.add(holding);
    account.holdings.add(holding);
    return holding;
  }

  close(holding: Holding): void {
    const { account, market, number } = holding;
    const slot = this.#slotOf(account, market);
    if (this.#slots[slot] !== number) throw new Defect(`${account.id} has no such holding`);
    this.#vacate(slot);
    this.#size -= 1;
    this.#holdings[number] = null;
    this.#vacant.push(number);
    market.holdings.remove(holding);
    account.holdings.remove(holding);
    if (account.latestHolding !== holding) return;
    account.latestMarket = null;
    account.latestHolding = null;
  }

  /** Where the pair is, or where it would go. */
  #slotOf(account: Account, market: Market): number {
    const slots = this.#slots;
    const last = slots.length - WIDTH;
    const hash = hashOf(account, market);
    let slot = homeOf(hash, last);
    while (slots[slot] !== EMPTY) {
      if (slots[slot + 1] === hash) {
        const holding = this.#holdings[slots[slot]!]!;
        if (holding.account === account && holding.market === market) return slot;
      }
      slot = (slot + WIDTH) & last;
    }
    return slot;
  }

  /** Empties a slot, and moves back those behind it that would not be found past a gap. */
  #vacate(slot: number): void {
    const slots = this.#slots;
    const last = slots.length - WIDTH;
    let gap = slot;
    for (let next = (gap + WIDTH) & last; slots[next] !== EMPTY; next = (next + WIDTH) & last) {
      const home = homeOf(slots[next + 1]!, last);
      if (((next - home) & last) < ((next - gap) & last)) continue;
      slots[gap] = slots[next]!;
      slots[gap + 1] = slots[next + 1]!;
      gap = next;
    }
    slots[gap] = EMPTY;
  }

  #grow(): void {
    const before = this.#slots;
    const slots = new Int32Array(2 * before.length);
    const last = slots.length - WIDTH;
    for (let from = 0; from < before.length; from += WIDTH) {
      if (before[from] === EMPTY) continue;
      let slot = homeOf(before[from + 1]!, last);
      while (slots[slot] !== EMPTY) slot = (slot + WIDTH) & last;
      slots[slot] = before[from]!;
      slots[slot + 1] = before[from + 1]!;
    }
    this.#slots = slots;
  }
}

/** The first slot that a hash is looked for at; `last` is the last one of a table whose length is a power of two. */
function homeOf(hash: number, last: number): number {
  return (hash * WIDTH) & last;
}

function hashOf(account: Account, market: Market): number {
  // Numbers are far below 2³¹ and the factors below 2²²: the sum is a safe integer, of which 32 bits are taken.
  const mixed = (account.number * 0x27d4eb + market.number * 0x165667) | 0;
  return mixed ^ (mixed >>> 15);
}

/**
 * The holdings of one account or of one market, in no order that may matter. A chain through the holdings themselves: a new one
 * touches the list and the one before it, where the end of an array would be three memory cells that nobody has touched for long.
 */
export class HoldingList {
  readonly #of: 'account' | 'market';
  #first: Holding | null = null;
  #size = 0;

  constructor(of: 'account' | 'market') {
    this.#of = of;
  }

  get size(): number {
    return this.#size;
  }

  /** Any of them, null when there is none. */
  get first(): Holding | null {
    return this.#first;
  }

  add(holding: Holding): void {
    this.#join(holding, this.#first);
    this.#join(null, holding);
    this.#size += 1;
  }

  remove(holding: Holding): void {
    const previous = this.#previousOf(holding);
    if (previous === null && this.#first !== holding) throw new Defect('a holding is not listed');
    this.#join(previous, this.#nextOf(holding));
    this.#size -= 1;
  }

  /** Those listed now: they may be closed as they are gone through. */
  values(): readonly Holding[] {
    const holdings: Holding[] = [];
    for (let next = this.#first; next !== null; next = this.#nextOf(next)) holdings.push(next);
    return holdings;
  }

  /** Puts two next to each other; what follows upon nobody is the first. */
  #join(previous: Holding | null, next: Holding | null): void {
    if (previous === null) this.#first = next;
    else if (this.#of === 'account') previous.nextInAccount = next;
    else previous.nextInMarket = next;
    if (next === null) return;
    if (this.#of === 'account') next.previousInAccount = previous;
    else next.previousInMarket = previous;
  }

  #nextOf(holding: Holding): Holding | null {
    return this.#of === 'account' ? holding.nextInAccount : holding.nextInMarket;
  }

  #previousOf(holding: Holding): Holding | null {
    return this.#of === 'account' ? holding.previousInAccount : holding.previousInMarket;
  }
}
