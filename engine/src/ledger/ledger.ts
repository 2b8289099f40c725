// The double-entry ledger: every balance of a lane, changed only by balanced entries.
import { assert, Defect } from '../assert.ts';
import type { Event, LedgerReason, Posting } from '../event.ts';
import { HIGH_UNIT, LOW_WORD } from '../micro.ts';

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

export class Ledger {
  /** Undefined marks a closed slot. */
  readonly #names: (string | undefined)[] = [];
  #balances = new BigInt64Array(INITIAL_CAPACITY);
  /** The balances as pairs of words: their sign and size can be read without making a bigint. */
  #words = new Int32Array(this.#balances.buffer);
  /** Sign and asset of each account in one word, see kindOf. */
  #kinds = new Int32Array(INITIAL_CAPACITY);
  readonly #vacant: AccountIndex[] = [];
  #nextMarket = 1;
  /** The entry being written. */
  readonly #touched: AccountIndex[] = [];
  readonly #amounts: bigint[] = [];
  #touchedCount = 0;
  readonly #sums = new BigInt64Array(OUTCOMES_MAX + 1);

  openUsdt(name: string, sign: AccountSign = 'debit'): AccountIndex {
    return this.#open(name, sign, USDT, 0);
  }

  /** `market` is a number from `numberMarket`: share accounts of one market share it. */
  openShares(
    name: string,
    market: number,
    outcome: number,
    sign: AccountSign = 'debit',
  ): AccountIndex {
    assert(outcome >= 0 && outcome < OUTCOMES_MAX, `outcome index out of range: ${outcome}`);
    return this.#open(name, sign, outcome, market);
  }

  numberMarket(): number {
    const number = this.#nextMarket;
    this.#nextMarket += 1;
    return number;
  }

  marketNumber(account: AccountIndex): number {
    return marketOf(this.#kinds[account]!);
  }

  /** Only an empty account may be closed; its slot is used again. */
  close(account: AccountIndex): void {
    assert(this.#balances[account] === 0n, `closing ${this.name(account)} with a balance`);
    this.#names[account] = undefined;
    this.#vacant.push(account);
  }

  balance(account: AccountIndex): bigint {
    return account === NO_ACCOUNT ? 0n : this.#balances[account]!;
  }

  /** The balance as a number: exact up to 2⁵³, and beyond that still larger than any amount of one order. */
  balanceSafe(account: AccountIndex): number {
    if (account === NO_ACCOUNT) return 0;
    const low = this.#words[2 * account + LOW_WORD]! >>> 0;
    return this.#words[2 * account + 1 - LOW_WORD]! * HIGH_UNIT + low;
  }

  name(account: AccountIndex): string {
    const name = this.#names[account];
    assert(name !== undefined, `no ledger account at ${account}`);
    return name;
  }

  /** Adds a movement to the entry being written; zero movements are left out. */
  post(account: AccountIndex, amount: bigint): void {
    if (amount === 0n) return;
    this.#balances[account] = BigInt.asIntN(64, this.#balances[account]! + amount);
    const count = this.#touchedCount;
    this.#touched[count] = account;
    this.#amounts[count] = amount;
    this.#touchedCount = count + 1;
    const slot = slotOf(this.#kinds[account]!);
    this.#sums[slot] = BigInt.asIntN(64, this.#sums[slot]! + amount);
  }

  /** Closes the entry: it must balance in every asset and leave every account with its sign. */
  commit(events: Event[], reason: LedgerReason, reference: string): void {
    const count = this.#touchedCount;
    if (count === 0) return;
    const postings = new Array<Posting>(count);
    let market = 0;
    for (let index = 0; index < count; index += 1) {
      const account = this.#touched[index]!;
      const kind = this.#kinds[account]!;
      const slot = slotOf(kind);
      // Not assert: its message would be built for every posting of every entry.
      if (this.#sums[slot] !== 0n) throw new Defect(`unbalanced entry ${reason} ${reference}`);
      if (slot > 0) {
        assert(market === 0 || market === marketOf(kind), 'an entry spans two markets');
        market = marketOf(kind);
      }
      this.#assertSign(account);
      postings[index] = { account: this.#names[account]!, amount: this.#amounts[index]! };
    }
    this.#touchedCount = 0;
    events.push({ type: 'ledger_posted', reason, reference, postings });
  }

  /** Sets a balance that a snapshot stored; the sweep that follows proves that all of them balance. */
  restore(account: AccountIndex, balance: bigint): void {
    this.#balances[account] = balance;
    this.#assertSign(account);
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
        balance: this.#balances[index]!,
        contra: isContra(this.#kinds[index]!),
        asset: slotOf(this.#kinds[index]!) === 0 ? 'USDT' : name.slice(name.lastIndexOf(':') + 1),
      };
    }
  }

  #open(name: string, sign: AccountSign, outcome: number, market: number): AccountIndex {
    let slot = this.#vacant.pop();
    if (slot === undefined) {
      slot = this.#names.length as AccountIndex;
      if (slot === this.#balances.length) this.#grow();
    }
    this.#names[slot] = name;
    this.#balances[slot] = 0n;
    this.#kinds[slot] = kindOf(market, outcome, sign);
    return slot;
  }

  #grow(): void {
    const capacity = this.#balances.length * 2;
    const balances = new BigInt64Array(capacity);
    balances.set(this.#balances);
    this.#balances = balances;
    this.#words = new Int32Array(balances.buffer);
    const kinds = new Int32Array(capacity);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
  }

  #assertSign(account: AccountIndex): void {
    const high = this.#words[2 * account + 1 - LOW_WORD]!;
    const isRight = isContra(this.#kinds[account]!)
      ? (high < 0 && high >= -HIGH_MAX) || this.#balances[account] === 0n
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
