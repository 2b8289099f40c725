// What one account has in one market: its shares, what they cost, and the fees that the market keeps of it.

import { NO_ROW, type Row } from '../kit/tallies.ts';
import { type AccountIndex, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Account } from './account.ts';
import type { Made } from './made.ts';
import type { Market } from './market.ts';

/** Not among the makers that a mark is looking at. */
export const NO_MAKER = 0;

export interface Holding {
  // What orders touch comes first, so that it shares a cache line or two.
  readonly account: Account;
  readonly market: Market;
  /** First of its share accounts in the ledger, free and reserved of each outcome in turn; none until first used. */
  shares: AccountIndex;
  /** Where the market's table has its amounts; none until the first: most orders never trade. */
  row: Row;
  openOrders: number;
  /** What its open buys still want, of all outcomes. */
  restingLots: number;
  /** Maker quality 0…10000 in force, see QS1. */
  quality: number;
  /** Among the holders of its market, by first trade; see MK11. */
  rank: number;
  /** In the lane's table. */
  readonly number: number;
  /** Its neighbours among the holdings of its account, and among those of its market. */
  nextInAccount: Holding | null;
  previousInAccount: Holding | null;
  nextInMarket: Holding | null;
  previousInMarket: Holding | null;
  /** Run-length history of quality samples; zeros are left out, and there is none before the first. */
  samples: QualityRun[] | null;
  /** What it filled as a maker lately; null before the first. */
  made: Made | null;
  /** Its index among the makers of its market, only while a mark is sampled. */
  maker: number;
}

/** As a literal for the reason of createOrder: a holding lives as long as its market. */
export function createHolding(account: Account, market: Market, number: number): Holding {
  return {
    account,
    market,
    shares: NO_ACCOUNT,
    row: NO_ROW,
    openOrders: 0,
    restingLots: 0,
    quality: 0,
    rank: NO_RANK,
    number,
    nextInAccount: null,
    previousInAccount: null,
    nextInMarket: null,
    previousInMarket: null,
    samples: null,
    made: null,
    maker: NO_MAKER,
  };
}

/** Whether a score above zero is within the window. */
export function isRated({ samples }: Holding): boolean {
  return samples !== null && samples.length > 0;
}

/** The ledger account of its free shares of an outcome; none while no share account was ever used. */
export function freeSlot({ shares }: Holding, outcome: number): AccountIndex {
  return shares === NO_ACCOUNT ? NO_ACCOUNT : ((shares + 2 * outcome) as AccountIndex);
}

export function reservedSlot({ shares }: Holding, outcome: number): AccountIndex {
  return shares === NO_ACCOUNT ? NO_ACCOUNT : ((shares + 2 * outcome + 1) as AccountIndex);
}

/** Fees that it paid and the market keeps: a cancellation returns them (VD14). */
export function keptOf({ row, market }: Holding): bigint {
  return row === NO_ROW ? 0n : market.tallies.get(row, KEPT);
}

/** Cost basis of the shares held of an outcome. */
export function basisOf({ row, market }: Holding, outcome: number): bigint {
  return row === NO_ROW ? 0n : market.tallies.get(row, costColumn(outcome));
}

/** Result of what was sold, merged or paid in fees on an outcome. */
export function realizedOf({ row, market }: Holding, outcome: number): bigint {
  return row === NO_ROW ? 0n : market.tallies.get(row, realizedColumn(outcome));
}

export function addKept(holding: Holding, amount: bigint): void {
  holding.market.tallies.add(ownRow(holding), KEPT, amount);
}

/** The same of one order. */
export function addKeptMicro(holding: Holding, amount: number): void {
  holding.market.tallies.addMicro(ownRow(holding), KEPT, amount);
}

/** Books a purchase of one order. */
export function addPurchase(holding: Holding, outcome: number, cost: number): void {
  holding.market.tallies.addMicro(ownRow(holding), costColumn(outcome), cost);
}

/** Books a result of one order, with its account as well. */
export function addResult(holding: Holding, outcome: number, amount: number): void {
  holding.market.tallies.addMicro(ownRow(holding), realizedColumn(outcome), amount);
  holding.account.addResult(amount);
}

export function addCost(holding: Holding, outcome: number, amount: bigint): void {
  holding.market.tallies.add(ownRow(holding), costColumn(outcome), amount);
}

export function addRealized(holding: Holding, outcome: number, amount: bigint): void {
  holding.market.tallies.add(ownRow(holding), realizedColumn(outcome), amount);
}

export interface QualityRun {
  readonly from: number;
  count: number;
  readonly score: number;
}

function ownRow(holding: Holding): Row {
  if (holding.row === NO_ROW) enter(holding);
  return holding.row;
}

/** From its first trade or conversion on it is one of the market's holders. */
function enter(holding: Holding): void {
  const { market } = holding;
  holding.row = market.tallies.open();
  holding.rank = market.holders.push(holding) - 1;
}

const NO_RANK = -1;
const KEPT = 0;

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
