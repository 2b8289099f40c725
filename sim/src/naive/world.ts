// The reference's whole state in plain arrays and maps, and the questions everybody asks of it.

import type { BookMemory } from './book-price.ts';
import type { NaiveDeposit, NaiveWithdrawal } from './funds.ts';
import type { NaiveOwnLimits } from './limit-records.ts';
import type {
  CancelReason,
  CommandOf,
  MarketStatus,
  PlainAnswer,
  PlainEvent,
  PlainOrderView,
  PlainParameters,
  PlainSide,
  PlainTemplate,
} from './plain.ts';
import type { NaivePool } from './pool.ts';
import { LOT } from './pool.ts';
import type { NaiveClosing, NaiveProposal } from './proposal.ts';
import type { PriceRun } from './slices.ts';

export const HOUSE = 'sandbox:house';
export const PLATFORM = 'acc_platform';

export interface NaiveAccount {
  readonly id: string;
  readonly mode: CommandOf<'open_account'>['mode'];
  readonly parentId: string | null;
  readonly referrerId: string | null;
  label: string | null;
  readonly holds: Set<'owner' | 'operator'>;
}

export interface NaiveTemplate {
  readonly definition: PlainTemplate;
  readonly version: number;
  deprecated: boolean;
}

/** What one account has in one market besides its ledger balances, from its first trade or conversion on. */
export interface NaiveHolder {
  readonly accountId: string;
  readonly cost: bigint[];
  readonly realized: bigint[];
  /** Of the fees it paid, what stays in the market until it ends. */
  kept: bigint;
}

/** What the checks of one market have found of one account; it needs no trade. */
export interface NaiveMaker {
  quality: number;
  /** Scores above zero by the number of their mark. */
  readonly scores: Map<number, number>;
}

/** Displayed prices and since when they stand. */
export interface PriceChange {
  readonly atMs: number;
  readonly prices: readonly bigint[];
}

export interface NaiveMarket {
  readonly id: string;
  readonly template: PlainTemplate;
  readonly params: Readonly<Record<string, string | number | boolean>>;
  readonly creatorId: string;
  readonly outcomes: readonly { readonly id: string; readonly label: string }[];
  readonly opensAtMs: number;
  readonly locksAtMs: number;
  readonly closesAtMs: number;
  readonly createdAtMs: number;
  readonly deposit: bigint;
  readonly pool: NaivePool | null;
  /** In the order of their first trade or conversion. */
  holders: NaiveHolder[];
  readonly makers: Map<string, NaiveMaker>;
  /** Lots that resting orders of accounts filled, less those whose discount was used, oldest first. */
  made: { readonly accountId: string; readonly day: number; left: number }[];
  status: MarketStatus;
  approved: boolean;
  halted: boolean;
  haltedUntilMs: number | null;
  /** The template's, or a finer one. */
  tickPips: number;
  /** Whether somebody has traded in it. */
  isTraded: boolean;
  /** How often it was clarified. */
  clarifications: number;
  closing: NaiveClosing | null;
  chunkAtMs: number | null;
  lastPrices: (bigint | null)[];
  /** When it first became active; null before. */
  activeSinceMs: number | null;
  sampleAtMs: number | null;
  /** Displayed prices at the last whole minute, of a market without a pool. */
  noted: readonly bigint[] | null;
  /** The displayed prices of a pool as they changed, oldest first. */
  changes: PriceChange[];
  /** Where its band began anew: at its opening, at a resumption, or when it was given back. */
  base: PriceChange;
  bandHits: BandHits;
  /** Every price that stood while it traded and since when, oldest first. */
  runs: PriceRun[];
  /** Of a market without a pool: what its price is taken from. */
  readonly book: BookMemory;
  tradedMs: number;
  /** Without a pool: the mids that checks found, oldest first. */
  deepMids: { readonly atMs: number; readonly mids: readonly bigint[] }[];
  deadlineMs: number;
  proposal: NaiveProposal | null;
}

/** Windows in a row in which an order met its band. */
export interface BandHits {
  window: number;
  count: number;
  haltedAtMs: number | null;
}

export interface NaiveOrder {
  readonly id: number;
  readonly accountId: string;
  readonly marketId: string;
  readonly outcome: number;
  readonly side: PlainSide;
  readonly orderType: 'market' | 'limit';
  price: number;
  lots: number;
  filledLots: number;
  filledCost: bigint;
  feesPaid: bigint;
  status: PlainOrderView['status'];
  readonly timeInForce: PlainOrderView['timeInForce'];
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly stpMode: PlainOrderView['stpMode'];
  readonly maxCost: bigint | null;
  readonly validUntilMs: number | null;
  readonly expiresAtMs: number | null;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  readonly builder: {
    readonly appId: string;
    readonly feeBps: number;
    readonly capBps: number;
    readonly isOwn?: boolean;
  } | null;
  readonly execution: 'hybrid' | 'mid';
  /** What it counts for: the key, the family in its tier, and the grant that last placed or re-routed it. */
  scopes: readonly string[];
  grantId: string | null;
  readonly createdAtMs: number;
  restingSinceMs: number;
  priority: number;
  rejectReason: PlainOrderView['rejectReason'];
  cancelReason: CancelReason | null;
}

export interface NaiveTimer {
  readonly dueMs: number;
  readonly kind: string;
  readonly subject: string | number;
}

export interface RecordedAnswer {
  readonly atMs: number;
  readonly bodyHash: string;
  readonly answer: PlainAnswer;
}

export interface World {
  readonly lane: 'live' | 'sandbox';
  parameters: PlainParameters;
  parametersVersion: number;
  seq: number;
  nowMs: number;
  /** What the command at hand says the time is; its timers ring before. */
  commandMs: number;
  /** Window time: journal time less what the lane was down, read-only or newly recovered. */
  windowClockMs: number;
  readOnly: boolean;
  /** The rules of compliance that hold, if any. */
  compliance: { readonly version: number; readonly hash: string } | null;
  /** By the owner of the family. */
  readonly ownLimits: Map<string, NaiveOwnLimits>;
  /** Halted, which is read-only too. */
  cancelOnly: boolean;
  /** The command at hand is refused by read-only mode. */
  refusing: boolean;
  /** The lane was down until here. */
  recoveredAtMs: number;
  readonly ledger: Map<string, bigint>;
  accounts: NaiveAccount[];
  /** Subaccounts that were closed: nothing is left of them but their ids and whose they were. */
  closedAccounts: NaiveAccount[];
  templates: NaiveTemplate[];
  markets: NaiveMarket[];
  /** Open orders only. */
  orders: NaiveOrder[];
  /** Latest closed orders, oldest first. */
  readonly closed: Map<number, NaiveOrder>;
  orderCount: number;
  tradeCount: number;
  priorityCount: number;
  timers: NaiveTimer[];
  readonly answers: Map<string, RecordedAnswer>;
  readonly clientOrders: Map<string, { readonly atMs: number; readonly orderId: number }>;
  deposits: NaiveDeposit[];
  withdrawals: NaiveWithdrawal[];
  /** By family and by key: when the faucet was used last, and for which family. */
  readonly faucetUses: Map<string, { readonly atMs: number; readonly family: string }>;
  /** By day and family: resets that freed the faucet. */
  readonly faucetFreed: Map<string, number>;
  /** What capped commands filled and minted, by day and by key or family and tier. */
  readonly daily: Map<string, bigint>;
  /** Expiry by account and scope. */
  readonly heartbeats: Map<string, number>;
  /** Postings that the present command may still make to close markets. */
  postingsLeft: number;
  /** Units that the walks of the present command may still use. */
  walkUnitsLeft: number;
  /** Units that the timers of the present command have come to. */
  timerUnits: number;
  events: PlainEvent[];
}

export function createWorld(lane: 'live' | 'sandbox', parameters: PlainParameters): World {
  return {
    lane,
    parameters,
    seq: 0,
    nowMs: 0,
    commandMs: 0,
    windowClockMs: 0,
    readOnly: false,
    compliance: null,
    ownLimits: new Map(),
    cancelOnly: false,
    parametersVersion: 1,
    refusing: false,
    recoveredAtMs: Number.NEGATIVE_INFINITY,
    ledger: new Map(),
    accounts: [
      {
        id: PLATFORM,
        mode: lane === 'live' ? 'live' : 'sandbox',
        parentId: null,
        referrerId: null,
        label: null,
        holds: new Set(),
      },
    ],
    closedAccounts: [],
    templates: [],
    markets: [],
    orders: [],
    closed: new Map(),
    orderCount: 0,
    tradeCount: 0,
    priorityCount: 0,
    timers: [],
    answers: new Map(),
    clientOrders: new Map(),
    deposits: [],
    withdrawals: [],
    faucetUses: new Map(),
    faucetFreed: new Map(),
    daily: new Map(),
    heartbeats: new Map(),
    postingsLeft: 0,
    walkUnitsLeft: 0,
    timerUnits: 0,
    events: [],
  };
}

export function findAccount(world: World, id: string): NaiveAccount | undefined {
  return world.accounts.find((account) => account.id === id);
}

/** By its owner, by an operator, or with its owner by an operator. */
export function isFrozen(world: World, account: NaiveAccount): boolean {
  const owner = account.parentId === null ? undefined : findAccount(world, account.parentId);
  return account.holds.size > 0 || owner?.holds.has('operator') === true;
}

export function findMarket(world: World, id: string): NaiveMarket | undefined {
  return world.markets.find((market) => market.id === id);
}

export function needMarket(world: World, id: string): NaiveMarket {
  const market = findMarket(world, id);
  if (market === undefined) throw new Error(`no market ${id}`);
  return market;
}

export function familyOf(world: World, accountId: string): string {
  return findAccount(world, accountId)?.parentId ?? accountId;
}

/** An account and its subaccounts, or its owner's. */
export function familyAccounts(world: World, accountId: string): NaiveAccount[] {
  const family = familyOf(world, accountId);
  return world.accounts.filter((account) => familyOf(world, account.id) === family);
}

export function isFinal(market: NaiveMarket): boolean {
  return market.status === 'resolved' || market.status === 'cancelled';
}

export function holderOf(market: NaiveMarket, accountId: string): NaiveHolder {
  const known = market.holders.find((holder) => holder.accountId === accountId);
  if (known !== undefined) return known;
  const holder: NaiveHolder = {
    accountId,
    cost: market.outcomes.map(() => 0n),
    realized: market.outcomes.map(() => 0n),
    kept: 0n,
  };
  market.holders.push(holder);
  return holder;
}

/** 0 to 10000; an account that no check has found has none. */
export function qualityOf(market: NaiveMarket, accountId: string): number {
  return market.makers.get(accountId)?.quality ?? 0;
}

export function ordersOf(world: World, marketId: string): NaiveOrder[] {
  return world.orders.filter((order) => order.marketId === marketId);
}

export function balance(world: World, name: string): bigint {
  return world.ledger.get(name) ?? 0n;
}

export const freeName = (accountId: string): string =>
  accountId === HOUSE ? HOUSE : `user:${accountId}:free`;
export const reservedName = (accountId: string): string => `user:${accountId}:reserved`;
export const freeSharesName = (accountId: string, marketId: string, outcome: number): string =>
  `${freeName(accountId)}:${marketId}.${outcome}`;
export const reservedSharesName = (accountId: string, marketId: string, outcome: number): string =>
  `${reservedName(accountId)}:${marketId}.${outcome}`;
export const escrowName = (marketId: string): string => `market:${marketId}:escrow`;
export const issueName = (marketId: string, outcome: number): string =>
  `market:${marketId}:issue:${marketId}.${outcome}`;
export const ammName = (marketId: string, outcome: number): string =>
  `amm:${marketId}:${marketId}.${outcome}`;
export const contraName = (world: World): string =>
  world.lane === 'live' ? 'external:bank' : 'external:faucet';

export function freeShares(
  world: World,
  accountId: string,
  marketId: string,
  outcome: number,
): bigint {
  return balance(world, freeSharesName(accountId, marketId, outcome));
}

export function heldShares(
  world: World,
  accountId: string,
  marketId: string,
  outcome: number,
): bigint {
  return (
    freeShares(world, accountId, marketId, outcome) +
    (accountId === HOUSE ? 0n : balance(world, reservedSharesName(accountId, marketId, outcome)))
  );
}

export const sharesOf = (lots: number): bigint => BigInt(lots) * LOT;
/** One lot at one pip is one µ. */
export const notionalOf = (lots: number, pips: number): bigint => BigInt(lots) * BigInt(pips);
