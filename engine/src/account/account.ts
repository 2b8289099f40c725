// A trading account: its money accounts, its open orders and the counters that limits need.
import type { AccountMode } from '../command.ts';
import type { AccountId } from '../identity.ts';
import { HOUSE_NAME, moneyName } from '../ledger/chart.ts';
import type { AccountIndex, Ledger } from '../ledger/ledger.ts';
import type { Market } from '../market/market.ts';
import { NO_CELL } from '../order/order-lists.ts';
import type { Holding } from '../position/holding.ts';
import { HoldingList } from '../position/holding-table.ts';
import type { Row, Tallies } from '../tallies.ts';

/** An account and its subaccounts: one owner, whose limits are counted together. */
export class Family {
  /** The owner's account. */
  readonly id: AccountId;
  readonly members: Account[] = [];
  /** Markets that its accounts made, and those of them that are not final. */
  markets = 0;
  openMarkets = 0;

  constructor(id: AccountId) {
    this.id = id;
  }
}

export class Account {
  // What orders touch comes first, so that it shares a cache line or two.
  readonly free: AccountIndex;
  readonly reserved: AccountIndex;
  openOrders = 0;
  frozen = false;
  /** The market of its last order, and what it has there: most orders follow upon another in the same market. */
  latestMarket: Market | null = null;
  latestHolding: Holding | null = null;
  readonly id: AccountId;
  readonly parentId: AccountId | null;
  readonly family: Family;
  /** Where `OrderLists` has its orders: the last of them, and how many, closed ones included. */
  lastListed = NO_CELL;
  ordersListed = 0;
  /** Its row in the table, which also numbers it. */
  readonly row: Row;
  readonly #tallies: Tallies;
  readonly number: number;
  readonly referrerId: AccountId | null;
  readonly mode: AccountMode;
  readonly openedAtMs: number;
  readonly holdings = new HoldingList('account');
  /** Deposits, faucet and transfers in, less withdrawals, resets and transfers out. */
  netDeposits = 0n;
  /** Deposits tied up in pools this account seeded, and bonds posted. */
  staked = 0n;

  /** `tallies` is the lane's table of what every fill adds to; without a parent it begins a family of its own. */
  constructor(ledger: Ledger, tallies: Tallies, identity: AccountIdentity, parent?: Account) {
    const { id, mode, referrerId = null, openedAtMs = 0 } = identity;
    this.id = id;
    this.parentId = parent === undefined ? null : parent.id;
    this.family = parent === undefined ? new Family(id) : parent.family;
    this.family.members.push(this);
    this.free = ledger.openUsdt(moneyName(id, 'free'));
    this.reserved = ledger.openUsdt(moneyName(id, 'reserved'));
    this.#tallies = tallies;
    this.row = tallies.open();
    this.number = this.row / ACCOUNT_AMOUNTS; // exact: rows are so wide
    this.referrerId = referrerId;
    this.mode = mode;
    this.openedAtMs = openedAtMs;
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
  return one.family === other.family;
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
}
