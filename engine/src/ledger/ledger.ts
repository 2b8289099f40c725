// The double-entry ledger: every balance of a lane, changed only by balanced entries.
import { assert, Defect } from '../assert.ts';
import type { LedgerReason } from '../event.ts';
import { HIGH_UNIT, LOW_WORD, nearMicro } from '../micro.ts';
import type { EventList } from '../turn.ts';

/** A ledger account's place in the balance table. */
export type AccountIndex = number & { readonly __brand: 'AccountIndex' };

export const NO_ACCOUNT = -1 as AccountIndex;

/** `debit` accounts may not fall below zero, `contra` accounts may not rise above it. */
export type AccountSign = 'debit' | 'contra';

/** Largest absolute balance: far above all money there is, and far below where int64 would wrap. */
export const BALANCE_MAX = 1n << 62n;

const USDT = -1;
const OUTCOMES_MAX = 64;
const INITIAL_CAPACITY = 1024;
const INITIAL_ENTRY = 64;

export class Ledger {
  /** Undefined marks a closed slot. */
  readonly #names: (string | undefined)[] = [];
  /** Two places an account: its balance, then its sign and asset (see kindOf), which every posting reads with it. */
  #balances = new BigInt64Array(2 * INITIAL_CAPACITY);
  /** The same as words: kinds, and the sign and size of balances, are read without making a bigint. */
  #words = new Int32Array(this.#balances.buffer);
  /** Slots given back, by how many lie together. */
  readonly #vacant = new Map<number, AccountIndex[]>();
  #nextMarket = 1;
  /** The entry being written; flat, because bigints kept here would be the collector's work. */
  #touched = new Int32Array(INITIAL_ENTRY);
  #amounts = new BigInt64Array(INITIAL_ENTRY);
  #touchedCount = 0;
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
      this.#names[slot] = undefined;
    }
    const vacant = this.#vacant.get(count);
    if (vacant === undefined) this.#vacant.set(count, [first]);
    else vacant.push(first);
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
    return this.#names[slot] !== undefined;
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
    const name = this.#names[account];
    assert(name !== undefined, `no ledger account at ${account}`);
    return name;
  }

  /** Adds a movement to the entry being written; zero movements are left out. */
  post(account: AccountIndex, amount: bigint): void {
    if (amount === 0n) return;
    const count = this.#touchedCount;
    if (count === this.#touched.length) this.#growEntry();
    this.#balances[2 * account] = BigInt.asIntN(64, this.#balances[2 * account]! + amount);
    this.#touched[count] = account;
    this.#amounts[count] = amount;
    this.#touchedCount = count + 1;
    const slot = slotOf(this.#kind(account));
    this.#sums[slot] = BigInt.asIntN(64, this.#sums[slot]! + amount);
  }

  /** The same for an amount of one order, given as a safe integer. */
  postMicro(account: AccountIndex, amount: number): void {
    if (amount === 0) return;
    const count = this.#touchedCount;
    if (count === this.#touched.length) this.#growEntry();
    const exact = nearMicro(amount);
    this.#balances[2 * account] = BigInt.asIntN(64, this.#balances[2 * account]! + exact);
    this.#touched[count] = account;
    this.#amounts[count] = exact;
    this.#touchedCount = count + 1;
    const slot = slotOf(this.#kind(account));
    this.#sums[slot] = BigInt.asIntN(64, this.#sums[slot]! + exact);
  }

  /**
   * A whole entry that moves an amount of one order from one account to another of its kind; `names` are theirs. This
   * is what reserving and releasing do, the most common of all entries.
   */
  move(
    events: EventList,
    from: AccountIndex,
    to: AccountIndex,
    amount: number,
    reason: LedgerReason,
    reference: string,
    names: readonly string[],
  ): void {
    if (amount === 0) return;
    const exact = nearMicro(amount);
    const kind = this.#kind(from);
    if (kind !== this.#kind(to)) throw new Defect(`${reason} ${reference} moves between assets`);
    this.#balances[2 * from] = BigInt.asIntN(64, this.#balances[2 * from]! - exact);
    this.#balances[2 * to] = BigInt.asIntN(64, this.#balances[2 * to]! + exact);
    this.#assertSign(from, kind);
    this.#assertSign(to, kind);
    const amounts = [nearMicro(-amount), nearMicro(amount)];
    events.push({ type: 'ledger_posted', reason, reference, accounts: names, amounts });
  }

  /** Closes the entry: it must balance in every asset and leave every account with its sign. */
  commit(events: EventList, reason: LedgerReason, reference: string): void {
    const count = this.#touchedCount;
    if (count === 0) return;
    let market = 0;
    for (let index = 0; index < count; index += 1) {
      const account = this.#touched[index]! as AccountIndex;
      const kind = this.#kind(account);
      const slot = slotOf(kind);
      // Not assert: its message would be built for every posting of every entry.
      if ((this.#sumWords[2 * slot]! | this.#sumWords[2 * slot + 1]!) !== 0) {
        throw new Defect(`unbalanced entry ${reason} ${reference}`);
      }
      if (slot > 0) {
        assert(market === 0 || market === marketOf(kind), 'an entry spans two markets');
        market = marketOf(kind);
      }
      this.#assertSign(account, kind);
    }
    const accounts = this.#namesTouched(count);
    const amounts = this.#amountsTouched(count);
    this.#touchedCount = 0;
    events.push({ type: 'ledger_posted', reason, reference, accounts, amounts });
  }

  /** Sets a balance that a snapshot stored; the sweep that follows proves that all of them balance. */
  restore(account: AccountIndex, balance: bigint): void {
    this.#balances[2 * account] = balance;
    this.#assertSign(account, this.#kind(account));
  }

  /** True between entries; a command that ends inside one is a defect. */
  get isSettled(): boolean {
    return this.#touchedCount === 0;
  }

  /** Every open account in order of slot: name, balance, sign and asset. */
  *accounts(): Generator<LedgerAccount> {
    for (let index = 0; index < this.#names.length; index += 1) {
      const name = this.#names[index];
      if (name === undefined) continue;
      yield {
        index: index as AccountIndex,
        name,
        balance: this.#balances[2 * index]!,
        contra: isContra(this.#kind(index)),
        asset: slotOf(this.#kind(index)) === 0 ? 'USDT' : name.slice(name.lastIndexOf(':') + 1),
      };
    }
  }

  /** Written out for the most common entry: reserving and releasing move one amount between two accounts. */
  #namesTouched(count: number): readonly string[] {
    const names = this.#names;
    const touched = this.#touched;
    if (count === 2) return [names[touched[0]!]!, names[touched[1]!]!];
    const taken = new Array<string>(count);
    for (let index = 0; index < count; index += 1) taken[index] = names[touched[index]!]!;
    return taken;
  }

  #amountsTouched(count: number): readonly bigint[] {
    const amounts = this.#amounts;
    if (count === 2) return [amounts[0]!, amounts[1]!];
    const taken = new Array<bigint>(count);
    for (let index = 0; index < count; index += 1) taken[index] = amounts[index]!;
    return taken;
  }

  #openAt(slot: AccountIndex, name: string, kind: number): AccountIndex {
    this.#names[slot] = name;
    this.#balances[2 * slot] = 0n;
    this.#words[4 * slot + 2] = kind;
    return slot;
  }

  #kind(account: number): number {
    return this.#words[4 * account + 2]!;
  }

  #grow(): void {
    const balances = new BigInt64Array(2 * this.#balances.length);
    balances.set(this.#balances);
    this.#balances = balances;
    this.#words = new Int32Array(balances.buffer);
  }

  #growEntry(): void {
    const touched = new Int32Array(2 * this.#touched.length);
    touched.set(this.#touched);
    this.#touched = touched;
    const amounts = new BigInt64Array(touched.length);
    amounts.set(this.#amounts);
    this.#amounts = amounts;
  }

  #assertSign(account: AccountIndex, kind: number): void {
    const high = this.#words[4 * account + 1 - LOW_WORD]!;
    const isRight = isContra(kind)
      ? (high < 0 && high >= -HIGH_MAX) || this.#balances[2 * account] === 0n
      : high >= 0 && high < HIGH_MAX;
    if (!isRight) throw new Defect(`wrong sign: ${this.#names[account]}`);
  }
}

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
