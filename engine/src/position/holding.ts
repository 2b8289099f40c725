// What one account has in one market: its shares, what they cost, and its net cash in the market.
import type { Account } from '../account/account.ts';
import { type AccountIndex, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Market } from '../market/market.ts';
import { NO_ROW, type Row } from '../tallies.ts';

/** Not among the makers that a mark is looking at. */
export const NO_MAKER = 0;

export class Holding {
  readonly account: Account;
  readonly market: Market;
  /** In the lane's table. */
  readonly number: number;
  placeInAccount = 0;
  placeInMarket = 0;
  /** First of its share accounts in the ledger, free and reserved of each outcome in turn; none until first used. */
  shares: AccountIndex = NO_ACCOUNT;
  /** Where the market's table has its amounts; none until the first: most orders never trade. */
  row: Row = NO_ROW;
  openOrders = 0;
  /** Maker quality 0…10000 in force, see QS1. */
  quality = 0;
  /** Run-length history of quality samples; zeros are left out, and there is none before the first. */
  samples: QualityRun[] | null = null;
  /** Its place among the makers of its market, only while a mark is sampled. */
  maker = NO_MAKER;

  constructor(account: Account, market: Market, number: number) {
    this.account = account;
    this.market = market;
    this.number = number;
  }

  /** Whether a score above zero is within the window. */
  get isRated(): boolean {
    return this.samples !== null && this.samples.length > 0;
  }

  /** The ledger account of its free shares of an outcome; none while no share account was ever used. */
  free(outcome: number): AccountIndex {
    const { shares } = this;
    return shares === NO_ACCOUNT ? NO_ACCOUNT : ((shares + 2 * outcome) as AccountIndex);
  }

  reserved(outcome: number): AccountIndex {
    const { shares } = this;
    return shares === NO_ACCOUNT ? NO_ACCOUNT : ((shares + 2 * outcome + 1) as AccountIndex);
  }

  /** Cash paid into the market less cash received, kept fees included: the claim of RF1. */
  get net(): bigint {
    return this.row === NO_ROW ? 0n : this.market.tallies.get(this.row, NET);
  }

  /** Cost basis of the shares held of an outcome. */
  cost(outcome: number): bigint {
    return this.row === NO_ROW ? 0n : this.market.tallies.get(this.row, costColumn(outcome));
  }

  /** Result of what was sold, merged or paid in fees on an outcome. */
  realized(outcome: number): bigint {
    return this.row === NO_ROW ? 0n : this.market.tallies.get(this.row, realizedColumn(outcome));
  }

  addNet(amount: bigint): void {
    this.market.tallies.add(this.#ownRow(), NET, amount);
  }

  /** Books a purchase of one order: its cost, and beside it the fees that the market keeps. */
  addPurchase(outcome: number, cost: number, kept: number): void {
    const { tallies } = this.market;
    const row = this.#ownRow();
    tallies.addMicro(row, NET, cost + kept);
    tallies.addMicro(row, costColumn(outcome), cost);
  }

  /** Books a result of one order, with its account as well. */
  addResult(outcome: number, amount: number): void {
    this.market.tallies.addMicro(this.#ownRow(), realizedColumn(outcome), amount);
    this.account.addResult(amount);
  }

  addCost(outcome: number, amount: bigint): void {
    this.market.tallies.add(this.#ownRow(), costColumn(outcome), amount);
  }

  addRealized(outcome: number, amount: bigint): void {
    this.market.tallies.add(this.#ownRow(), realizedColumn(outcome), amount);
  }

  #ownRow(): Row {
    if (this.row === NO_ROW) this.row = this.market.tallies.open();
    return this.row;
  }
}

export interface QualityRun {
  readonly from: number;
  count: number;
  readonly score: number;
}

const NET = 0;

function costColumn(outcome: number): number {
  return 1 + 2 * outcome;
}

function realizedColumn(outcome: number): number {
  return 2 + 2 * outcome;
}

/** Amounts that a holding of a market of so many outcomes has. */
export function holdingAmounts(outcomes: number): number {
  return 1 + 2 * outcomes;
}
