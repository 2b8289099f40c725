// A market: complete sets of n outcomes, its books and pool, its fees and its life.
import type { Pips } from '@sibyl/money';
import type { Account } from '../account/account.ts';
import type { Pool } from '../amm/pool.ts';
import type { Book } from '../book/book.ts';
import type { ParamValue } from '../command.ts';
import type { AccountId, MarketId, OutcomeId } from '../identity.ts';
import { type AccountIndex, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Holding } from '../position/holding.ts';
import type { HoldingList } from '../position/holding-table.ts';
import type { Tallies } from '../tallies.ts';
import type { Template } from '../template/template.ts';

export type MarketStatus =
  | 'scheduled'
  | 'active'
  | 'locked'
  | 'settling'
  | 'resolved'
  | 'cancelled';

export interface Outcome {
  readonly id: OutcomeId;
  readonly label: string;
  /** Last trade's price, cost / size to 6 places; null before the first. */
  lastPrice: bigint | null;
  /** Taker notional so far. */
  volume: bigint;
}

/** What an unresolved fee account of the market belongs to; see FE5. */
export interface UnvestedFee {
  readonly actor: 'creator' | 'builder' | 'referrer' | 'oracle' | 'insurance' | 'treasury';
  /** The app of a builder, the account of a referrer or creator; empty for the platform's own. */
  readonly id: string;
  readonly account: AccountIndex;
}

export interface FeeSlots {
  creator: AccountIndex;
  oracle: AccountIndex;
  insurance: AccountIndex;
  treasury: AccountIndex;
}

export function createFeeSlots(): FeeSlots {
  return {
    creator: NO_ACCOUNT,
    oracle: NO_ACCOUNT,
    insurance: NO_ACCOUNT,
    treasury: NO_ACCOUNT,
  };
}

export interface Proposal {
  readonly proposerId: AccountId | null;
  /** Empty when the proposal is to cancel the market. */
  payout: readonly Pips[];
  readonly evidence: readonly string[];
  readonly bond: bigint;
  /** NO_ACCOUNT without a bond and after it was given back. */
  bondAccount: AccountIndex;
  readonly proposedAtMs: number;
  readonly windowEndsAtMs: number;
  state: 'proposed' | 'disputed' | 'final' | 'void';
  dispute: Dispute | null;
}

export interface Dispute {
  readonly accountId: AccountId;
  readonly evidence: readonly string[];
  readonly bond: bigint;
  bondAccount: AccountIndex;
  readonly disputedAtMs: number;
}

/** A market being closed over one or more steps; nothing else may touch it meanwhile. */
export type Closing =
  /** Its open orders are being cancelled; then it is locked, or goes on to its end. */
  | { readonly kind: 'lock'; readonly next: LockGoal | null }
  /** Its holders are being paid. */
  | { readonly kind: 'settle'; readonly goal: ClosingGoal };

/** What follows once the orders are gone: the proposal already made takes effect, or the market is cancelled. */
export type LockGoal =
  | { readonly kind: 'propose' }
  | { readonly kind: 'void'; readonly reason: string };

/** How holders are paid: by the result, by what they put in, or by the prices of a cancelled market. */
export type ClosingGoal =
  | { readonly kind: 'payout'; readonly payout: readonly Pips[] }
  | { readonly kind: 'refund'; readonly reason: string }
  | { readonly kind: 'prices'; readonly reason: string; readonly payout: readonly Pips[] };

/** A run of minute marks with the same displayed prices, newest last; `from` is the first one's number. */
export interface PriceRun {
  readonly from: number;
  count: number;
  readonly prices: readonly bigint[];
}

export interface SeenPrices {
  readonly atMs: number;
  readonly prices: readonly bigint[];
}

export interface Market {
  readonly id: MarketId;
  /** As the ledger counts those that have not ended. */
  readonly number: number;
  readonly template: Template;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly creator: Account;
  /** A platform market shows no creator address and pays no creator share. */
  readonly platform: boolean;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly outcomes: readonly Outcome[];
  readonly createdAtMs: number;
  readonly opensAtMs: number;
  readonly locksAtMs: number;
  readonly closesAtMs: number;
  settledAtMs: number | null;
  status: MarketStatus;
  /** When it became active: minute marks are counted from there. */
  activeSinceMs: number | null;
  approved: boolean;
  halted: boolean;
  haltReason: string | null;
  haltedUntilMs: number | null;
  closing: Closing | null;
  /** One book for two outcomes (canonical: the first outcome), n books for n > 2. */
  readonly books: readonly Book[];
  /** Null when the deposit is zero: then only the book trades. */
  readonly pool: Pool | null;
  readonly deposit: bigint;
  /** This and the share accounts are NO_ACCOUNT once the market is final. */
  escrow: AccountIndex;
  /** Contra of the shares in issue, per outcome: minus the supply. */
  issue: readonly AccountIndex[];
  /** The pool's inventory, per outcome. */
  inventory: readonly AccountIndex[];
  /** Keyed by `actor` or `actor:id`. */
  readonly unvested: Map<string, UnvestedFee>;
  /** The accounts of the parts that nearly every fee has, found without a search; NO_ACCOUNT until first used. */
  readonly feeSlots: FeeSlots;
  readonly holdings: HoldingList;
  /** Those of its holdings whose quality samples still count; no more than a short cut to them. */
  rated: Holding[];
  /** The template's bets in µUSDT, as safe integers: every order is held against them. */
  readonly betMin: number;
  readonly betMax: number;
  /** What the holdings cost and brought, a row for each that has traded. */
  readonly tallies: Tallies;
  openOrders: number;
  totalVolume: bigint;
  /** Minute marks since it became active whose prices are in `priceRuns`. */
  samplesTaken: number;
  readonly priceRuns: PriceRun[];
  /** Displayed prices lately seen, for the breaker: oldest first, within its window. */
  readonly recentPrices: SeenPrices[];
  proposal: Proposal | null;
  payout: readonly Pips[] | null;
}

/** The index of an outcome by its id, or -1. */
export function outcomeIndex(market: Market, outcomeId: OutcomeId): number {
  const outcomes = market.outcomes;
  for (let index = 0; index < outcomes.length; index += 1) {
    if (outcomes[index]!.id === outcomeId) return index;
  }
  return -1;
}

export function isFinal(market: Pick<Market, 'status'>): boolean {
  return market.status === 'resolved' || market.status === 'cancelled';
}
