// The double-entry ledger: every balance of a lane, changed only by balanced entries.
import { assert, Defect } from '../kit/assert.ts';
import type { OrderId, TradeId } from '../kit/identity.ts';
import { HIGH_UNIT, LOW_WORD, nearMicro } from '../kit/micro.ts';
import type { LedgerReason } from '../state/event.ts';
import type { EventList } from '../state/turn.ts';
import { LedgerPosted, type ReferenceKind, type SlotNames, TapePage } from './tape.ts';

/** A ledger account's index in the balance table. */
export type AccountIndex = number & { readonly __brand: 'AccountIndex' };

export const NO_ACCOUNT = -1 as AccountIndex;

/** `debit` accounts may not fall below zero, `contra` accounts may not rise above it. */
export type AccountSign = 'debit' | 'contra';

/** Largest absolute balance: far above all money there is, and far below where int64 would wrap. */
export const BALANCE_MAX = 1n << 62n;

const USDT = -1;
const OUTCOMES_MAX = 64;
const INITIAL_CAPACITY = 1024;
/** Slots that have rested are used again in heaps of at least so many. */
const RESTING_MIN = 1024;

export class Ledger {
  /** A slot keeps its name after it was given back: entries that were written before may still be read. */
  #names: (string | undefined)[] = [];
  /** Two cells an account: its balance, then its sign and asset (see kindOf), which every posting reads with it. */
  #balances = new BigInt64Array(2 * INITIAL_CAPACITY);
  /** The same as words: kinds, what is open, and the sign and size of balances, are read without making a bigint. */
  #words = new Int32Array(this.#balances.buffer);
  /** Slots to be used again, by how many lie together. */
  readonly #vacant = new Map<number, AccountIndex[]>();
  /** Slots given back under the present names, which become vacant with the next table of names. */
  readonly #resting = new Map<number, AccountIndex[]>();
  #restingCount = 0;
  #nextMarket = 1;
  /** The entry being written is the last of the tape, from start to end; the arrays are those of its page. */
  #page = new TapePage(this.#names);
  #slots = this.#page.slots;
  #amounts = this.#page.amounts;
  #start = 0;
  #end = 0;
  readonly #sums = new BigInt64Array(OUTCOMES_MAX + 1);
  /** The same as words: whether a sum is zero is asked for every posting. */
  readonly #sumWords = new Int32Array(this.#sums.buffer);

  openUsdt(name: string, sign: AccountSign = 'debit'): AccountIndex {
    return this.#openAt(this.reserveSlots(1), name, kindOf(0, USDT, sign));
  }

  /** `market` is a number from `numberMarket`: share accounts of one market share it. */
  openShares(
    name: string,
    market: number,
    outcome: number,
    sign: AccountSign = 'debit',
  ): AccountIndex {
    return this.openSharesAt(this.reserveSlots(1), name, market, outcome, sign);
  }

  /** Opens a share account in a slot that was reserved. */
  openSharesAt(
    slot: AccountIndex,
    name: string,
    market: number,
    outcome: number,
    sign: AccountSign = 'debit',
  ): AccountIndex {
    assert(outcome >= 0 && outcome < OUTCOMES_MAX, `outcome index out of range: ${outcome}`);
    return this.#openAt(slot, name, kindOf(market, outcome, sign));
  }

  /** Neighbouring slots for accounts that are used together; those never opened hold nothing. */
  reserveSlots(count: number): AccountIndex {
    const again = this.#vacant.get(count)?.pop();
    if (again !== undefined) return again;
    const first = this.#names.length as AccountIndex;
    for (let index = 0; index < count; index += 1) this.#names.push(undefined);
    while (2 * this.#names.length > this.#balances.length) this.#grow();
    return first;
  }

  /** Gives back slots that were reserved together; whatever was open there must be empty. */
  releaseSlots(first: AccountIndex, count: number): void {
    for (let index = 0; index < count; index += 1) {
      const slot = (first + index) as AccountIndex;
      assert(this.balance(slot) === 0n, `closing ${this.#names[slot]} with a balance`);
      this.#words[4 * slot + OPEN] = 0;
    }
    const resting = this.#resting.get(count);
    if (resting === undefined) this.#resting.set(count, [first]);
    else resting.push(first);
    this.#restingCount += count;
    if (this.#restingCount >= RESTING_MIN && 4 * this.#restingCount >= this.#names.length) {
      this.#renewNames();
    }
  }

  numberMarket(): number {
    const number = this.#nextMarket;
    this.#nextMarket += 1;
    return number;
  }

  marketNumber(account: AccountIndex): number {
    return marketOf(this.#kind(account));
  }

  isOpen(slot: AccountIndex): boolean {
    return this.#words[4 * slot + OPEN] === 1;
  }

  /** Which account each slot is, for those who keep something by slot. */
  get slotNames(): SlotNames {
    return this.#names;
  }

  /** Only an empty account may be closed; its slot is used again. */
  close(account: AccountIndex): void {
    this.releaseSlots(account, 1);
  }

  balance(account: AccountIndex): bigint {
    return account === NO_ACCOUNT ? 0n : this.#balances[2 * account]!;
  }

  /** The balance as a number: exact up to 2⁵³, and beyond that still larger than any amount of one order. */
  balanceSafe(account: AccountIndex): number {
    if (account === NO_ACCOUNT) return 0;
    const low = this.#words[4 * account + LOW_WORD]! >>> 0;
    return this.#words[4 * account + 1 - LOW_WORD]! * HIGH_UNIT + low;
  }

  name(account: AccountIndex): string {
    assert(this.isOpen(account), `no ledger account at ${account}`);
    return this.#names[account]!;
  }

  /** Adds a movement to the entry being written; zero movements are left out. */
  post(account: AccountIndex, amount: bigint): void {
    if (amount === 0n) return;
    if (this.#end === this.#slots.length) this.#turnPage();
    const end = this.#end;
    this.#balances[2 * account] = BigInt.asIntN(64, this.#balances[2 * account]! + amount);
    this.#slots[end] = account;
    this.#amounts[end] = amount;
    this.#end = end + 1;
    const slot = slotOf(this.#kind(account));
    this.#sums[slot] = BigInt.asIntN(64, this.#sums[slot]! + amount);
  }

  /** The same for an amount of one order, given as a safe integer. */
  postMicro(account: AccountIndex, amount: number): void {
    if (amount === 0) return;
    if (this.#end === this.#slots.length) this.#turnPage();
    const end = this.#end;
    const exact = nearMicro(amount);
    this.#balances[2 * account] = BigInt.asIntN(64, this.#balances[2 * account]! + exact);
    this.#slots[end] = account;
    this.#amounts[end] = exact;
    this.#end = end + 1;
    const slot = slotOf(this.#kind(account));
    this.#sums[slot] = BigInt.asIntN(64, this.#sums[slot]! + exact);
  }

  /**
   * A whole entry that moves an amount of one order from one account to another of its kind. This is what reserving
   * and releasing do, the most common of all entries.
   */
  move(
    events: EventList,
    from: AccountIndex,
    to: AccountIndex,
    amount: number,
    reason: LedgerReason,
    orderId: OrderId,
  ): void {
    if (amount === 0) return;
    if (!this.isSettled) throw new Defect(`${reason} of order ${orderId} inside another entry`);
    const exact = nearMicro(amount);
    const kind = this.#kind(from);
    if (kind !== this.#kind(to)) {
      throw new Defect(`${reason} of order ${orderId} moves between assets`);
    }
    this.#balances[2 * from] = BigInt.asIntN(64, this.#balances[2 * from]! - exact);
    this.#balances[2 * to] = BigInt.asIntN(64, this.#balances[2 * to]! + exact);
    this.#assertSign(from, kind);
    this.#assertSign(to, kind);
    if (this.#end + 2 > this.#slots.length) this.#turnPage();
    const start = this.#end;
    this.#slots[start] = from;
    this.#amounts[start] = nearMicro(-amount);
    this.#slots[start + 1] = to;
    this.#amounts[start + 1] = exact;
    this.#start = start + 2;
    this.#end = start + 2;
    events.push(new LedgerPosted(this.#page, start, 2, reason, 'order', orderId));
  }

  /** Closes the entry: it must balance in every asset and leave every account with its sign. */
  commit(events: EventList, reason: LedgerReason, reference: string): void {
    this.#commit(events, reason, 'text', reference);
  }

  /** The same for an entry that belongs to a trade. */
  commitTrade(events: EventList, reason: LedgerReason, tradeId: TradeId): void {
    this.#commit(events, reason, 'trade', tradeId);
  }

  /** Sets a balance that a snapshot stored; the sweep that follows proves that all of them balance. */
  restore(account: AccountIndex, balance: bigint): void {
    this.#balances[2 * account] = balance;
    this.#assertSign(account, this.#kind(account));
  }

  /** True between entries; a command that ends inside one is a defect. */
  get isSettled(): boolean {
    return this.#start === this.#end;
  }

  /** Every open account in order of slot: name, balance, sign and asset. */
  *accounts(): Generator<LedgerAccount> {
    for (let index = 0; index < this.#names.length; index += 1) {
      if (!this.isOpen(index as AccountIndex)) continue;
      const name = this.#names[index]!;
      yield {
        index: index as AccountIndex,
        name,
        balance: this.#balances[2 * index]!,
        contra: isContra(this.#kind(index)),
        asset: slotOf(this.#kind(index)) === 0 ? 'USDT' : name.slice(name.lastIndexOf(':') + 1),
      };
    }
  }

  #commit(
    events: EventList,
    reason: LedgerReason,
    kind: ReferenceKind,
    reference: number | string,
  ): void {
    const start = this.#start;
    const end = this.#end;
    if (start === end) return;
    let market = 0;
    for (let index = start; index < end; index += 1) {
      const account = this.#slots[index]! as AccountIndex;
      const traits = this.#kind(account);
      const slot = slotOf(traits);
      // Not assert: its message would be built for every posting of every entry.
      if ((this.#sumWords[2 * slot]! | this.#sumWords[2 * slot + 1]!) !== 0) {
        throw new Defect(`unbalanced entry ${reason} ${reference}`);
      }
      if (slot > 0) {
        assert(market === 0 || market === marketOf(traits), 'an entry spans two markets');
        market = marketOf(traits);
      }
      this.#assertSign(account, traits);
    }
    this.#start = end;
    events.push(new LedgerPosted(this.#page, start, end - start, reason, kind, reference));
  }

  #openAt(slot: AccountIndex, name: string, kind: number): AccountIndex {
    this.#names[slot] = name;
    this.#balances[2 * slot] = 0n;
    this.#words[4 * slot + KIND] = kind;
    this.#words[4 * slot + OPEN] = 1;
    return slot;
  }

  #kind(account: number): number {
    return this.#words[4 * account + KIND]!;
  }

  #grow(): void {
    const balances = new BigInt64Array(2 * this.#balances.length);
    balances.set(this.#balances);
    this.#balances = balances;
    this.#words = new Int32Array(balances.buffer);
  }

  /** Goes on in a new page, and takes along what the entry being written has so far. */
  #turnPage(): void {
    this.#begin(this.#page.continued(this.#start, this.#end));
  }

  /** Lets slots be used again that rested: under new names, so that entries of the old ones stay what they were. */
  #renewNames(): void {
    if (!this.isSettled) return;
    const names = this.#names.slice();
    for (const [count, resting] of this.#resting) {
      for (const first of resting) names.fill(undefined, first, first + count);
      const vacant = this.#vacant.get(count);
      this.#vacant.set(count, vacant === undefined ? resting : vacant.concat(resting));
    }
    this.#resting.clear();
    this.#restingCount = 0;
    this.#names = names;
    this.#begin(new TapePage(names));
  }

  #begin(page: TapePage): void {
    this.#end -= this.#start;
    this.#start = 0;
    this.#page = page;
    this.#slots = page.slots;
    this.#amounts = page.amounts;
  }

  #assertSign(account: AccountIndex, kind: number): void {
    const high = this.#words[4 * account + 1 - LOW_WORD]!;
    const isRight = isContra(kind)
      ? (high < 0 && high >= -HIGH_MAX) || this.#balances[2 * account] === 0n
      : high >= 0 && high < HIGH_MAX;
    if (!isRight) throw new Defect(`wrong sign: ${this.#names[account]}`);
  }
}

/** Words of an account beside its balance: its kind, and 1 while it is open. */
const KIND = 2;
const OPEN = 3;
/** The high word of BALANCE_MAX. */
const HIGH_MAX = 1 << 30;
const MARKETS_MAX = 1 << 23;

/** Market number, slot of the asset in the sums (0 for USDT, else the outcome's index and one) and sign. */
function kindOf(market: number, outcome: number, sign: AccountSign): number {
  assert(market < MARKETS_MAX, 'more markets than the ledger can number');
  return (market << 8) | ((outcome + 1) << 1) | (sign === 'contra' ? 1 : 0);
}

function marketOf(kind: number): number {
  return kind >> 8;
}

function slotOf(kind: number): number {
  return (kind >> 1) & 127;
}

function isContra(kind: number): boolean {
  return (kind & 1) === 1;
}

export interface LedgerAccount {
  readonly index: AccountIndex;
  readonly name: string;
  readonly balance: bigint;
  readonly contra: boolean;
  readonly asset: string;
}
