// A market: complete sets of n outcomes, its books and pool, its fees and its lifecycle.
import type { Pips } from '@sibyl/money';
import type { Pool } from '../amm/pool.ts';
import type { AccountId, MarketId, OutcomeId } from '../kit/identity.ts';
import { safeBound } from '../kit/micro.ts';
import { Tallies } from '../kit/tallies.ts';
import { type MarketAccounts, sharesSuffix } from '../ledger/chart.ts';
import { type AccountIndex, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { PriceMemory } from '../market/price-memory.ts';
import type { DeepMid } from '../market/worth.ts';
import type { Template } from '../template/template.ts';
import type { Account } from './account.ts';
import { type Book, type Books, createBooks } from './book.ts';
import type { ParamValue, TimeWindow, VoidCause } from './command.ts';
import { type Holding, holdingAmounts } from './holding.ts';
import { HoldingList } from './holding-table.ts';
import type { PriceSide } from './side.ts';

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
  /** Of the app that traded here last, and its id. */
  builder: AccountIndex;
  builderId: string;
}

export function createFeeSlots(): FeeSlots {
  return {
    creator: NO_ACCOUNT,
    oracle: NO_ACCOUNT,
    insurance: NO_ACCOUNT,
    treasury: NO_ACCOUNT,
    builder: NO_ACCOUNT,
    builderId: '',
  };
}

/** How a market is or was cancelled. */
export interface Cancellation {
  /** `untraded`: VD16; `no_proposal`: VD12, in the sandbox. */
  readonly cause: VoidCause | 'untraded' | 'no_proposal';
  readonly reason: string;
  /** The span whose prices count; null is the default window. */
  readonly window: TimeWindow | null;
  readonly excluded: readonly OutcomeId[];
}

export interface Proposal {
  readonly proposerId: AccountId | null;
  /** Empty when an account proposes to cancel the market. */
  payout: readonly Pips[];
  /** What operators propose to do to the market; null unless they propose to cancel it. */
  readonly cancellation: Cancellation | null;
  /** The operator by name who proposed the cancellation. */
  readonly operator: string | null;
  readonly evidence: readonly string[];
  readonly bond: bigint;
  /** NO_ACCOUNT without a bond and after it was given back. */
  bondAccount: AccountIndex;
  readonly proposedAtMs: number;
  /** When its window ends if it runs until then, and at what window time (CM12) it has run. */
  windowEndsAtMs: number;
  readonly windowEnd: number;
  /** `void` waits for operators to propose a cancellation, unless the market is cancelled. */
  state: 'proposed' | 'disputed' | 'final' | 'void';
  /** When the lane next asks whether operators have decided; 0 while nothing waits for them. */
  rulingDueMs: number;
  dispute: Dispute | null;
}

export interface Dispute {
  readonly accountId: AccountId;
  readonly evidence: readonly string[];
  readonly bond: bigint;
  bondAccount: AccountIndex;
  readonly disputedAtMs: number;
}

/** A market being closed over one or more chunks; nothing else may touch it meanwhile. */
export type Closing =
  /** Its open orders are being cancelled; then it is locked, or goes on to its end. */
  | { readonly kind: 'lock'; readonly next: LockGoal | null }
  /** Its holders are being paid by the result. */
  | { readonly kind: 'settle'; readonly payout: readonly Pips[] }
  /** It is cancelled: its fees go to the escrow, then its holders are paid by the payout. */
  | VoidClosing;

/** What follows once the orders are gone: the proposal already made takes effect, or the market is cancelled. */
export type LockGoal =
  | { readonly kind: 'propose' }
  | {
      readonly kind: 'void';
      readonly payout: readonly Pips[];
      readonly cancellation: Cancellation;
    };

export interface VoidClosing {
  readonly kind: 'void';
  readonly payout: readonly Pips[];
  readonly cancellation: Cancellation;
  /** What was moved from fees to the escrow so far. */
  feesReturned: bigint;
}

/** What an operator has added to a market's rules, for everybody to read. */
export interface Clarification {
  readonly text: string;
  readonly atMs: number;
}

/** What a market is, new or as a snapshot has it; its books, its holders and its ledger accounts come to it. */
export interface MarketTerms {
  readonly id: MarketId;
  readonly template: Template;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly creator: Account;
  /** A platform market shows no creator address and pays no creator share. */
  readonly platform: boolean;
  readonly title: string;
  /** What the template makes of the params. */
  readonly renderedTitle: string;
  readonly imageUrl: string | null;
  readonly outcomes: readonly Outcome[];
  readonly createdAtMs: number;
  readonly opensAtMs: number;
  readonly locksAtMs: number;
  readonly closesAtMs: number;
  readonly settledAtMs: number | null;
  readonly status: MarketStatus;
  /** When it first became active: minute marks are counted from there. */
  readonly activeSinceMs: number | null;
  readonly approved: boolean;
  readonly halted: boolean;
  readonly haltReason: string | null;
  readonly haltedUntilMs: number | null;
  /** The template's, until an operator sets a finer one. */
  readonly tickPips: Pips;
  readonly clarifications: readonly Clarification[];
  /** Settlement metadata as JSON. */
  readonly chainData: string | null;
  readonly closing: Closing | null;
  /** When its next chunk is due; 0 while none is. */
  readonly chunkDueMs: number;
  /** When the lane next asks whether it has a proposal. */
  readonly deadlineMs: number;
  /** When its makers are looked at next, or its prices noted; 0 while it is not active. */
  readonly sampleDueMs: number;
  /** Null when the deposit is zero: then only the book trades. */
  readonly pool: Pool | null;
  readonly deposit: bigint;
  readonly totalVolume: bigint;
  readonly memory: PriceMemory;
  /** Without a pool: mids that checks found within the last hour, oldest first. */
  readonly deepMids: readonly DeepMid[];
  readonly proposal: Proposal | null;
  /** What each share was paid; null until the market has ended. */
  readonly payout: readonly Pips[] | null;
  /** Null unless the market was cancelled. */
  readonly cancellation: Cancellation | null;
}

/** Made in one place, so that all have one shape. What every order looks at comes first: it shares few cache lines. */
export class Market implements MarketTerms, Books {
  readonly id: MarketId;
  /** As the ledger counts those that have not ended. */
  readonly number: number;
  status: MarketStatus;
  approved: boolean;
  halted: boolean;
  closing: Closing | null;
  readonly template: Template;
  readonly hasOneBook: boolean;
  /** Of the first book: where there is one, no order looks further. */
  readonly bids: PriceSide;
  readonly asks: PriceSide;
  readonly pool: Pool | null;
  /** The template's bets in µUSDT, as safe integers: every order is held against them. */
  readonly betMin: number;
  readonly betMax: number;
  tickPips: Pips;
  openOrders = 0;
  readonly holdings = new HoldingList('market');
  /** Those that ever traded or converted, in that order; null where one was given up. */
  readonly holders: (Holding | null)[] = [];
  // What trades need besides.
  readonly platform: boolean;
  readonly outcomes: readonly Outcome[];
  /** What the holdings cost and brought, a row for each that has traded. */
  readonly tallies: Tallies;
  /** This and the share accounts are NO_ACCOUNT once the market is final. */
  escrow: AccountIndex;
  /** Contra of the shares in issue, per outcome: minus the supply. */
  issue: readonly AccountIndex[];
  /** The accounts of the parts that nearly every fee has, found without a search; NO_ACCOUNT until first used. */
  readonly feeSlots = createFeeSlots();
  totalVolume: bigint;
  /** The pool's inventory, per outcome. */
  inventory: readonly AccountIndex[];
  /** Keyed by `actor` or `actor:id`. */
  readonly unvested = new Map<string, UnvestedFee>();
  /** Those of its holdings whose quality samples still count; no more than a short cut to them. */
  rated: Holding[] = [];
  readonly memory: PriceMemory;
  deepMids: readonly DeepMid[];
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly creator: Account;
  readonly title: string;
  readonly renderedTitle: string;
  readonly imageUrl: string | null;
  readonly createdAtMs: number;
  readonly opensAtMs: number;
  readonly locksAtMs: number;
  readonly closesAtMs: number;
  settledAtMs: number | null;
  activeSinceMs: number | null;
  haltReason: string | null;
  haltedUntilMs: number | null;
  clarifications: readonly Clarification[];
  chainData: string | null;
  readonly deposit: bigint;
  proposal: Proposal | null;
  payout: readonly Pips[] | null;
  cancellation: Cancellation | null;
  /** What the names of its share accounts end with, per outcome. */
  readonly shareSuffixes: readonly string[];
  /** One book for two outcomes (canonical: the first outcome), n books for n > 2. */
  readonly books: readonly Book[];
  chunkDueMs: number;
  deadlineMs: number;
  sampleDueMs: number;
  /** The check last drawn, so that it is drawn once; follows from the secret. */
  readonly drawn = { mark: -1, checkMs: 0 };
  /** Holders before this one have been given up. */
  nextHolder = 0;

  constructor(terms: MarketTerms, accounts: MarketAccounts) {
    const { definition } = terms.template;
    this.id = terms.id;
    this.number = accounts.number;
    this.status = terms.status;
    this.approved = terms.approved;
    this.halted = terms.halted;
    this.closing = terms.closing;
    this.template = terms.template;
    const { hasOneBook, bids, asks, books } = createBooks(terms.outcomes.length);
    this.hasOneBook = hasOneBook;
    this.bids = bids;
    this.asks = asks;
    this.books = books;
    this.pool = terms.pool;
    this.betMin = safeBound(definition.minBet);
    this.betMax = safeBound(definition.maxBet);
    this.tickPips = terms.tickPips;
    this.platform = terms.platform;
    this.outcomes = terms.outcomes;
    this.tallies = new Tallies(holdingAmounts(terms.outcomes.length));
    this.escrow = accounts.escrow;
    this.issue = accounts.issue;
    this.totalVolume = terms.totalVolume;
    this.inventory = accounts.inventory;
    this.memory = terms.memory;
    this.deepMids = terms.deepMids;
    this.params = terms.params;
    this.creator = terms.creator;
    this.title = terms.title;
    this.renderedTitle = terms.renderedTitle;
    this.imageUrl = terms.imageUrl;
    this.createdAtMs = terms.createdAtMs;
    this.opensAtMs = terms.opensAtMs;
    this.locksAtMs = terms.locksAtMs;
    this.closesAtMs = terms.closesAtMs;
    this.settledAtMs = terms.settledAtMs;
    this.activeSinceMs = terms.activeSinceMs;
    this.haltReason = terms.haltReason;
    this.haltedUntilMs = terms.haltedUntilMs;
    this.clarifications = terms.clarifications;
    this.chainData = terms.chainData;
    this.deposit = terms.deposit;
    this.proposal = terms.proposal;
    this.payout = terms.payout;
    this.cancellation = terms.cancellation;
    this.shareSuffixes = terms.outcomes.map((_, outcome) => sharesSuffix(terms.id, outcome));
    this.chunkDueMs = terms.chunkDueMs;
    this.deadlineMs = terms.deadlineMs;
    this.sampleDueMs = terms.sampleDueMs;
  }
}

/** The index of an outcome by its id, or -1. */
export function outcomeIndex(market: Market, outcomeId: OutcomeId): number {
  const ids = market.template.outcomeIds;
  for (let index = 0; index < ids.length; index += 1) {
    if (ids[index] === outcomeId) return index;
  }
  return -1;
}

/** Whether it has had a fill or a conversion (VD16). */
export function hasTraded({ outcomes, holders }: Pick<Market, 'outcomes' | 'holders'>): boolean {
  return (
    outcomes.some(({ lastPrice }) => lastPrice !== null) ||
    holders.some((holder) => holder !== null)
  );
}

export function isFinal(market: Pick<Market, 'status'>): boolean {
  return market.status === 'resolved' || market.status === 'cancelled';
}
