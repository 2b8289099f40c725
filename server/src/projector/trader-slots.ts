// The ledger accounts of traders, by the slot that the lane keeps each of them in: whose they are, and their balances.
import type { SlotNames } from '@sibyl/engine';
import type { Numbering } from './statements.ts';

const INITIAL_SLOTS = 1024;

/** What is known of a slot: nothing yet, that it is no trader's, or the asset and this. */
const UNKNOWN = 0;
const FOREIGN = 1;
const TRADER = 2;

export class TraderSlots {
  readonly #number: Numbering;
  /** Under which slots mean the accounts that they do here; with others everything is sorted anew. */
  #names: SlotNames = [];
  /** By slot, all flat: traders come and go for ever, and each of them moves with every order. */
  #traits = new Uint8Array(INITIAL_SLOTS);
  #accounts = new Int32Array(INITIAL_SLOTS);
  #markets = new Int32Array(INITIAL_SLOTS);
  #balances = new BigInt64Array(INITIAL_SLOTS);
  /** Balances of accounts whose slot is not known under the present names. */
  readonly #strays = new Map<string, bigint>();

  constructor(number: Numbering) {
    this.#number = number;
  }

  /** Slots are from now on those of this table. */
  turnTo(names: SlotNames): void {
    if (names !== this.#names) this.#sort(names);
  }

  /** The asset of a trader's account, see StatementRow; -1 for any other account. */
  assetOf(slot: number): number {
    const traits = slot < this.#traits.length ? this.#traits[slot]! : UNKNOWN;
    return (traits === UNKNOWN ? this.#learn(slot) : traits) - TRADER;
  }

  /** Number of the trader. */
  accountOf(slot: number): number {
    return this.#accounts[slot]!;
  }

  /** Number of the market whose shares they are; 0 for money. */
  marketOf(slot: number): number {
    return this.#markets[slot]!;
  }

  balanceOf(slot: number): bigint {
    return this.#balances[slot]!;
  }

  add(slot: number, amount: bigint): void {
    this.#balances[slot] = BigInt.asIntN(64, this.#balances[slot]! + amount);
  }

  #learn(slot: number): number {
    while (slot >= this.#traits.length) this.#grow();
    const name = this.#names[slot]!;
    const traits = isTrader(name) ? TRADER + this.#enter(slot, name) : FOREIGN;
    this.#traits[slot] = traits;
    return traits;
  }

  /** Gives the asset. */
  #enter(slot: number, name: string): number {
    const colon = name.indexOf(':', ACCOUNT_START);
    const isFree = name.charCodeAt(colon + 1) === LETTER_F;
    const part = isFree ? FREE_LENGTH : RESERVED_LENGTH;
    const shares = colon + 1 + part < name.length ? name.slice(colon + 2 + part) : '';
    const dot = shares.lastIndexOf('.');
    const place = shares === '' ? 0 : Number(shares.slice(dot + 1)) + 1;
    this.#accounts[slot] = this.#number('account', name.slice(ACCOUNT_START, colon));
    this.#markets[slot] = shares === '' ? 0 : this.#number('market', shares.slice(0, dot));
    this.#balances[slot] = this.#strays.get(name) ?? 0n;
    this.#strays.delete(name);
    return place * 2 + (isFree ? 0 : 1);
  }

  /** Accounts that kept their slot stay; of the others those that have a balance are found again by name. */
  #sort(names: SlotNames): void {
    const before = this.#names;
    this.#names = names;
    for (let slot = 0; slot < this.#traits.length; slot += 1) {
      if (this.#traits[slot] === UNKNOWN) continue;
      const name = before[slot]!;
      if (name === names[slot]) continue;
      const balance = this.#balances[slot]!;
      if (this.#traits[slot] !== FOREIGN && balance !== 0n) this.#strays.set(name, balance);
      this.#traits[slot] = UNKNOWN;
    }
  }

  #grow(): void {
    const length = 2 * this.#traits.length;
    this.#traits = grown(this.#traits, new Uint8Array(length));
    this.#accounts = grown(this.#accounts, new Int32Array(length));
    this.#markets = grown(this.#markets, new Int32Array(length));
    this.#balances = grown(this.#balances, new BigInt64Array(length));
  }
}

function grown<T extends { set(from: T): void }>(small: T, large: T): T {
  large.set(small);
  return large;
}

/** `user:` begins like no other name of the chart: a look at two characters is much cheaper than a comparison. */
function isTrader(name: string): boolean {
  return name.charCodeAt(0) === LETTER_U && name.charCodeAt(4) === COLON;
}

const LETTER_F = 0x66;
const LETTER_U = 0x75;
const COLON = 0x3a;
const ACCOUNT_START = 'user:'.length;
const FREE_LENGTH = 'free'.length;
const RESERVED_LENGTH = 'reserved'.length;
