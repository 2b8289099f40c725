// A trading account: its money accounts, its open orders and the counters that limits need.

import type { OwnLimits } from '../compliance/own-limits.ts';
import type { AccountId } from '../kit/identity.ts';
import type { Row, Tallies } from '../kit/tallies.ts';
import { HOUSE_NAME, moneyName } from '../ledger/chart.ts';
import { type AccountIndex, type Ledger, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Credential } from './cap-use.ts';
import type { AccountMode } from './command.ts';
import type { Holding } from './holding.ts';
import { HoldingList } from './holding-table.ts';
import type { Market } from './market.ts';
import { NO_CELL } from './orders/order-lists.ts';

/** An account and its subaccounts: one owner, whose limits are counted together. */
export class Family {
  /** The owner's account. */
  readonly id: AccountId;
  readonly #members: Account[] = [];
  readonly #closed: Account[] = [];
  /** Markets that its accounts made, and those of them that are not final. */
  markets = 0;
  openMarkets = 0;
  #limits: OwnLimits | null = null;

  constructor(id: AccountId) {
    this.id = id;
  }

  /** Those that are open. The owner is the first. */
  get members(): readonly Account[] {
    return this.#members;
  }

  /** Subaccounts that were closed: they keep their ids. */
  get closed(): readonly Account[] {
    return this.#closed;
  }

  get owner(): Account {
    return this.#members[0]!;
  }

  /** What its owner has forbidden himself; null before any. */
  get limits(): OwnLimits | null {
    return this.#limits;
  }

  set limits(limits: OwnLimits | null) {
    this.#limits = limits;
    this.#tellMembers();
  }

  join(account: Account): void {
    this.#members.push(account);
    this.#tellMembers();
  }

  /** A closed subaccount is counted no more. */
  leave(account: Account): void {
    this.#members.splice(this.#members.indexOf(account), 1);
    this.#closed.push(account);
    this.#tellMembers();
  }

  #tellMembers(): void {
    const isAlone = this.#members.length + this.#closed.length === 1;
    const isPlain = isAlone && this.#limits === null;
    for (const member of this.#members) member.isPlain = isPlain;
  }

  /** Its open accounts by id: in this order something is done to all of them. */
  sorted(): readonly Account[] {
    return this.#members.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}

export class Account {
  // What orders touch comes first, so that it shares a cache line or two.
  readonly free: AccountIndex;
  readonly reserved: AccountIndex;
  openOrders = 0;
  /** Whether anybody holds it, or it is closed: see `holdIfFrozen`. */
  frozen = false;
  /** Neither subaccounts nor limits of its owner's: orders, which find its family's memory cold, need not look there. */
  isPlain = false;
  /** The market of its last order, and what it has there: most orders follow upon another in the same market. */
  latestMarket: Market | null = null;
  latestHolding: Holding | null = null;
  /** By what it last placed an order, of all that have caps or a grant. */
  latestCredential: Credential | null = null;
  readonly id: AccountId;
  /** Where `OrderLists` has its orders: the last of them, and how many, closed ones included. */
  lastListed = NO_CELL;
  ordersListed = 0;
  /** Its row in the table, which also numbers it. */
  readonly row: Row;
  readonly #tallies: Tallies;
  readonly parentId: AccountId | null;
  readonly family: Family;
  readonly number: number;
  /** Both change once, when the visitor of a demo account registers. */
  referrerId: AccountId | null;
  mode: AccountMode;
  readonly openedAtMs: number;
  /** What an operator says of his freeze; null without one, and where he said nothing. */
  frozenReason: string | null = null;
  /** Settlement metadata as JSON. */
  chainData: string | null = null;
  readonly holdings = new HoldingList('account');
  /** What is reserved for withdrawals lies here, from the first one on. */
  withdrawing: AccountIndex = NO_ACCOUNT;
  /** Deposits, faucet, credited fees and transfers in, less withdrawals, resets and transfers out. */
  netDeposits = 0n;
  /** Deposits tied up in pools this account seeded, and bonds posted. */
  staked = 0n;
  frozenByOwner = false;
  frozenByOperator = false;
  /** Of a subaccount: what its owner calls it, alone among those that are open. */
  label: string | null;
  closedAtMs: number | null = null;

  /** `tallies` is the lane's table of what every fill adds to; without a parent it begins a family of its own. */
  constructor(ledger: Ledger, tallies: Tallies, identity: AccountIdentity, parent?: Account) {
    const { id, mode, referrerId = null, openedAtMs = 0, label = null } = identity;
    this.id = id;
    this.parentId = parent === undefined ? null : parent.id;
    this.family = parent === undefined ? new Family(id) : parent.family;
    this.family.join(this);
    this.free = ledger.openUsdt(moneyName(id, 'free'));
    this.reserved = ledger.openUsdt(moneyName(id, 'reserved'));
    this.#tallies = tallies;
    this.row = tallies.open();
    this.number = this.row / ACCOUNT_AMOUNTS; // exact: rows are so wide
    this.referrerId = referrerId;
    this.mode = mode;
    this.openedAtMs = openedAtMs;
    this.label = label;
  }

  /** Trading result so far, fees and rebates included. */
  get realized(): bigint {
    return this.#tallies.get(this.row, REALIZED);
  }

  set realized(amount: bigint) {
    this.#tallies.set(this.row, REALIZED, amount);
  }

  addRealized(amount: bigint): void {
    this.#tallies.add(this.row, REALIZED, amount);
  }

  /** The same for the result of one order, as a safe integer. */
  addResult(amount: number): void {
    this.#tallies.addMicro(this.row, REALIZED, amount);
  }
}

/** Whether they are one owner's, who does not trade with himself: an account and its subaccounts. */
export function isSameFamily(one: Account, other: Account): boolean {
  return one === other || (!one.isPlain && one.family === other.family);
}

/** Whether an operator holds it, or with its owner the whole family. */
export function isHeldByOperator({ frozenByOperator, family }: Account): boolean {
  return frozenByOperator || family.owner.frozenByOperator;
}

/** Says in `frozen` whether anybody holds the account; a closed one stays as it is for ever. True if it has changed. */
export function holdIfFrozen(account: Account): boolean {
  const wasFrozen = account.frozen;
  const isClosed = account.closedAtMs !== null;
  account.frozen = isClosed || account.frozenByOwner || isHeldByOperator(account);
  return account.frozen !== wasFrozen;
}

/** A subaccount leaves its family's count and can do nothing any more; its id stays taken. */
export function endSubaccount(account: Account, atMs: number): void {
  account.family.leave(account);
  account.closedAtMs = atMs;
  account.frozen = true;
}

/** Whether it is one of the exchange's own: nobody is harmed by what happens to it. */
export function isOwn({ id, mode }: Account): boolean {
  return mode === 'bot' || id === PLATFORM_ACCOUNT || id === HOUSE_NAME;
}

/** Amounts of an account in the lane's table. */
export const ACCOUNT_AMOUNTS = 1;
const REALIZED = 0;

/** The account that funds and owns platform markets. */
export const PLATFORM_ACCOUNT = 'acc_platform';

export interface AccountIdentity {
  readonly id: AccountId;
  readonly mode: AccountMode;
  readonly referrerId?: AccountId | null;
  readonly openedAtMs?: number;
  readonly label?: string | null;
}
