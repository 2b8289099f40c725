// History as the modules read it: always up to everything that was durable when they asked.
import type { OrderStatus, Side } from '@sibyl/engine';
import type { PastOrder } from '../generated/order.ts';
import type { Earned } from './earnings.ts';

export type { PastOrder } from '../generated/order.ts';

/** A page of rows; `next` is the cursor of the following page, null after the last one. */
export interface CursorPage<Row, Cursor> {
  readonly rows: readonly Row[];
  /** Set also where a filter let little through: a scan is bounded, whatever it finds. */
  readonly next: Cursor | null;
}

/** One step of a taker's walk, as the public tape shows it. */
export interface PastTrade {
  readonly tradeId: number;
  readonly outcomeId: string;
  readonly side: Side;
  readonly lots: number;
  /** What the taker paid or received before fees. */
  readonly cost: bigint;
  readonly atMs: number;
}

/** One account's part of a trade. */
export interface PastFill {
  readonly tradeId: number;
  readonly orderId: number;
  readonly clientOrderId: string | null;
  readonly keyId: string | null;
  /** The app that the order came through. */
  readonly builderAppId: string | null;
  readonly marketId: string;
  readonly outcomeId: string;
  readonly side: Side;
  readonly lots: number;
  readonly cost: bigint;
  readonly fee: bigint;
  readonly rebate: bigint;
  readonly isMaker: boolean;
  readonly venue: 'amm' | 'clob';
  readonly atMs: number;
}

/** In the words of the interface, with the codes that rows hold: a code is never given to another word. */
export const STATEMENT_REASON_CODES = {
  deposit: 0,
  withdrawal: 1,
  faucet: 2,
  order_reserve: 3,
  order_release: 4,
  trade: 5,
  taker_fee: 6,
  maker_rebate: 7,
  builder_fee: 8,
  mint: 9,
  merge: 10,
  market_deposit: 11,
  settlement: 12,
  refund: 13,
  bond: 14,
  bond_return: 15,
  reward: 16,
  fee_credit: 17,
  reset: 18,
  transfer: 19,
  correction: 20,
} as const;
export type StatementReason = keyof typeof STATEMENT_REASON_CODES;

export interface StatementEntry {
  readonly seq: number;
  readonly atMs: number;
  /** Counts the entries of one command over all accounts. */
  readonly number: number;
  readonly reason: StatementReason;
  /** The engine's: a market, `order:7`, `trade:9`, `account:…`, or what came with a deposit. */
  readonly reference: string;
  readonly bucket: 'free' | 'reserved';
  /** Null for money. */
  readonly shares: { readonly marketId: string; readonly outcomeId: string } | null;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
}

export interface PastCandle {
  readonly startMs: number;
  /** Prices in micro-USDT. */
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: bigint;
}

export interface Settlement {
  /** Accounts that were paid anything. */
  readonly accounts: number;
  /** What they were paid, less the fee on winnings. */
  readonly total: bigint;
}

export interface OrderFilter {
  readonly accountId: string;
  /** Only orders with smaller numbers; null begins at the newest. */
  readonly before: number | null;
  readonly status: OrderStatus | null;
  readonly marketId: string | null;
  readonly clientOrderId: string | null;
}

export interface TradeFilter {
  readonly marketId: string;
  /** Index of the outcome in its market; null for all. */
  readonly outcome: number | null;
  readonly before: number | null;
}

export interface FillFilter {
  readonly accountId: string;
  readonly marketId: string | null;
  /** Older fills are not read. */
  readonly fromMs?: number;
  readonly before: FillCursor | null;
}

export interface FillCursor {
  readonly tradeId: number;
  readonly orderId: number;
}

export interface StatementFilter {
  readonly accountId: string;
  readonly reason: StatementReason | null;
  /** Entries of shares of this market, and of money that belongs to it. */
  readonly marketId: string | null;
  readonly fromMs: number | null;
  /** Exclusive. */
  readonly toMs: number | null;
  readonly before: StatementCursor | null;
}

export interface StatementCursor {
  readonly seq: number;
  readonly number: number;
}

export interface CandleRange {
  readonly marketId: string;
  readonly outcome: number;
  /** A multiple of a minute that divides an hour, of an hour that divides a day, or a day. */
  readonly intervalMs: number;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export interface EarningSum extends Earned {
  readonly day: number;
  readonly marketId: string | null;
}

/** An earner is `creator:` or `referrer:` and an account, or `builder:` and an app. */
export interface EarningRange {
  readonly earner: string;
  readonly firstDay: number;
  readonly lastDay: number;
}

export interface EarningFill {
  readonly tradeId: number;
  readonly marketId: string;
  readonly atMs: number;
  readonly cost: bigint;
  readonly accrued: bigint;
}

export interface EarningFilter {
  readonly earner: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly before: number | null;
}

export interface EarningHistory {
  /** By day and market, in this order. */
  sums(range: EarningRange): Promise<readonly EarningSum[]>;
  /** Newest first. */
  fills(filter: EarningFilter, limit: number): Promise<CursorPage<EarningFill, number>>;
}

/** Lists are newest first, candles oldest first. */
export interface History {
  /** What creators, builders and referrers earned. */
  readonly earnings: EarningHistory;
  order(accountId: string, orderId: number): Promise<PastOrder | null>;
  /** Those of the account among the given ones, as they are now. */
  ordersById(accountId: string, orderIds: readonly number[]): Promise<readonly PastOrder[]>;
  orders(filter: OrderFilter, limit: number): Promise<CursorPage<PastOrder, number>>;
  trades(filter: TradeFilter, limit: number): Promise<CursorPage<PastTrade, number>>;
  fills(filter: FillFilter, limit: number): Promise<CursorPage<PastFill, FillCursor>>;
  statement(
    filter: StatementFilter,
    limit: number,
  ): Promise<CursorPage<StatementEntry, StatementCursor>>;
  /** Only intervals with trades; whoever shows them fills the gaps. */
  candles(range: CandleRange): Promise<readonly PastCandle[]>;
  /** Price of the last trade before the time; null if there was none. */
  closeBefore(marketId: string, outcome: number, beforeMs: number): Promise<number | null>;
  /** Taker notional of the last 24 hours to the minute, per outcome. */
  dayVolumes(marketId: string, outcomes: number, nowMs: number): Promise<readonly bigint[]>;
  /** What was traded under a key as taker and as maker, from the first to the last UTC day, both included. */
  keyVolume(keyId: string, firstDay: number, lastDay: number): Promise<bigint>;
  /** What a market that has ended paid its holders. */
  settlement(marketId: string): Promise<Settlement>;
  /** What was attached to these trades, as JSON; those without are left out. */
  chainData(tradeIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** When each version was published, by `id@version`. */
  published(): Promise<ReadonlyMap<string, number>>;
}
