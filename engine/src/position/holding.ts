// What one account has in one market: its shares, what they cost, and its net cash in the market.
import type { Account } from '../account/account.ts';
import type { AccountIndex } from '../ledger/ledger.ts';
import type { Market } from '../market/market.ts';

export interface Holding {
  readonly account: Account;
  readonly market: Market;
  /** Share accounts per outcome index; NO_ACCOUNT until first used. */
  readonly free: AccountIndex[];
  readonly reserved: AccountIndex[];
  /** Cost basis of the shares held, per outcome. */
  cost: BigInt64Array;
  /** Result of what was sold, merged or paid in fees, per outcome. */
  realized: BigInt64Array;
  /** Cash paid into the market less cash received, kept fees included: the claim of RF1. */
  net: bigint;
  openOrders: number;
  /** Maker quality 0…10000 in force, see QS1. */
  quality: number;
  /** Run-length history of quality samples: [first sample index, count, score]; zeros are left out. */
  readonly samples: QualityRun[];
}

export interface QualityRun {
  readonly from: number;
  count: number;
  readonly score: number;
}
