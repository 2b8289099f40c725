// The ledger accounts of traders, by the slot that the lane keeps each of them in: whose they are, and their balances.
import type { AccountIndex, Ledger, SlotNames } from '@sibyl/engine';
import type { Numbering } from './statements.ts';

const INITIAL_SLOTS = 1024;

/** What is known of a slot: nothing yet, that it is no trader's, or the asset and this. */
const UNKNOWN = 0;
const FOREIGN = 1;
const TRADER = 2;

/** Columns: three words and one that is free, then the balance in two; or three cells, of which it is the last. */
const ACCOUNT = 0;
const MARKET = 1;
const TRAITS = 2;
const WORDS = 6;
const BALANCE = 2;
const CELLS = 3;

export class TraderSlots {
  readonly #number: Numbering;
  /** Under which slots mean the accounts that they do here; with others everything is sorted anew. */
  #names: SlotNames = [];
  /** All that is known of a slot in one place: there are more of them than the caches hold. Two views of it. */
  #words = new Int32Array(INITIAL_SLOTS * WORDS);
  #balances = new BigInt64Array(this.#words.buffer);
  /** The market that was found last. */
  #marketId = '';
  #market = 0;
  /** Balances of accounts whose slot is not known under the present names. */
  readonly #strays = new Map<string, bigint>();

  constructor(number: Numbering) {
    this.#number = number;
  }

  /** Takes the names and balances of a ledger as it stands; whose a slot is shows when it is first asked for. */
  begin(ledger: Ledger): void {
    const names = ledger.slotNames;
    this.turnTo(names);
    while (names.length * WORDS > this.#words.length) this.#grow();
    for (let slot = 0; slot < names.length; slot += 1) {
      this.#balances[slot * CELLS + BALANCE] = ledger.balance(slot as AccountIndex);
    }
  }

  /** Slots are from now on those of this table. */
  turnTo(names: SlotNames): void {
    if (names !== this.#names) this.#sort(names);
  }

  /** The asset of a trader's account, see StatementRow; -1 for any other account. */
  assetOf(slot: number): number {
    const offset = slot * WORDS + TRAITS;
    const traits = offset < this.#words.length ? this.#words[offset]! : UNKNOWN;
    return (traits === UNKNOWN ? this.#learn(slot) : traits) - TRADER;
  }

  /** Number of the trader. */
  accountOf(slot: number): number {
    return this.#words[slot * WORDS + ACCOUNT]!;
  }

  /** Number of the market whose shares they are; 0 for money. */
  marketOf(slot: number): number {
    return this.#words[slot * WORDS + MARKET]!;
  }

  balanceOf(slot: number): bigint {
    return this.#balances[slot * CELLS + BALANCE]!;
  }

  add(slot: number, amount: bigint): void {
    const offset = slot * CELLS + BALANCE;
    this.#balances[offset] = BigInt.asIntN(64, this.#balances[offset]! + amount);
  }

  #learn(slot: number): number {
    while (slot * WORDS >= this.#words.length) this.#grow();
    const name = this.#names[slot]!;
    const traits = isTrader(name) ? TRADER + this.#enter(slot, name) : FOREIGN;
    this.#words[slot * WORDS + TRAITS] = traits;
    return traits;
  }

  /** Gives the asset. */
  #enter(slot: number, name: string): number {
    const colon = name.indexOf(':', ACCOUNT_START);
    const isFree = name.charCodeAt(colon + 1) === LETTER_F;
    const part = isFree ? FREE_LENGTH : RESERVED_LENGTH;
    const marketStart = colon + 2 + part;
    const dot = marketStart < name.length ? name.lastIndexOf('.') : NO_DOT;
    const assetIndex = dot === NO_DOT ? 0 : Number(name.slice(dot + 1)) + 1;
    this.#words[slot * WORDS + ACCOUNT] = this.#number.account(name.slice(ACCOUNT_START, colon));
    this.#words[slot * WORDS + MARKET] =
      dot === NO_DOT ? 0 : this.#marketIn(name, marketStart, dot);
    this.#findStray(slot, name);
    return assetIndex * 2 + (isFree ? 0 : 1);
  }

  /** Those who trade with each other mostly come into a market together: the second finds it without a copy. */
  #marketIn(name: string, start: number, end: number): number {
    if (end - start !== this.#marketId.length || !name.startsWith(this.#marketId, start)) {
      this.#marketId = name.slice(start, end);
      this.#market = this.#number.market(this.#marketId);
    }
    return this.#market;
  }

  #findStray(slot: number, name: string): void {
    const balance = this.#strays.get(name);
    if (balance === undefined) return;
    this.#balances[slot * CELLS + BALANCE] = balance;
    this.#strays.delete(name);
  }

  /** Accounts that kept their slot stay; of the others those that have a balance are found again by name. */
  #sort(names: SlotNames): void {
    const before = this.#names;
    this.#names = names;
    for (let slot = 0; slot * WORDS < this.#words.length; slot += 1) {
      const name = before[slot];
      if (name === names[slot]) continue;
      const balance = this.balanceOf(slot);
      if (name !== undefined && balance !== 0n && isTrader(name)) this.#strays.set(name, balance);
      this.#words[slot * WORDS + TRAITS] = UNKNOWN;
      this.#balances[slot * CELLS + BALANCE] = 0n;
    }
  }

  #grow(): void {
    const words = new Int32Array(2 * this.#words.length);
    words.set(this.#words);
    this.#words = words;
    this.#balances = new BigInt64Array(words.buffer);
  }
}

/** `user:` begins like no other name of the chart: a look at two characters is much cheaper than a comparison. */
function isTrader(name: string): boolean {
  return name.charCodeAt(0) === LETTER_U && name.charCodeAt(4) === COLON;
}

const NO_DOT = -1;
const LETTER_F = 0x66;
const LETTER_U = 0x75;
const COLON = 0x3a;
const ACCOUNT_START = 'user:'.length;
const FREE_LENGTH = 'free'.length;
const RESERVED_LENGTH = 'reserved'.length;
