// The fair value of shares: what a cancellation pays for them, from the prices of a window (VD4 to VD8).
import type { Pips, Usdt } from '@sibyl/money';
import { Defect } from '../assert.ts';
import type { TimeWindow, VoidCause } from '../command.ts';
import type { AccountId } from '../identity.ts';
import type { Market } from '../market/market.ts';
import type { Rejection } from '../reject.ts';
import type { State } from '../state.ts';

export interface FairValue {
  /** Pips of each outcome, together 10000. */
  readonly payout: readonly Pips[];
  /** Trading time that counts; 0 in a market that never traded, which is paid its opening prices. */
  readonly windowMs: number;
  /** Journal time of the prices that count; null without any. */
  readonly span: TimeWindow | null;
  readonly sources: PriceSources;
}

/** Where the prices of a window came from, in milliseconds of its trading time. */
export interface PriceSources {
  readonly pool: number;
  /** Bids and asks of the depth that VD3 asks for. */
  readonly depth: number;
  /** Trades, and bids or asks alone. */
  readonly trades: number;
  readonly opening: number;
}

/** What a cancellation would pay now: by the default window without a window. Changes nothing. */
export function fairValue(
  _state: State,
  _market: Market,
  _window: TimeWindow | null,
  _excluded: readonly number[],
): FairValue | Rejection {
  throw new Defect('fair value is not computed yet');
}

/** The same for the last day, or the last third of the trading time if that is less (VD8). */
export function lastDayValue(
  _state: State,
  _market: Market,
  _excluded: readonly number[],
): FairValue | Rejection {
  throw new Defect('fair value is not computed yet');
}

/** Trading time to the last moment that the market traded (VD4). */
export function tradingTimeMs(_state: State, _market: Market): number {
  throw new Defect('fair value is not computed yet');
}

/** Whether the book had too little depth for the default window (VD8). */
export function isShallow(_market: Market, _value: FairValue): boolean {
  throw new Defect('fair value is not computed yet');
}

/** Whether two windows pay some outcome so differently that operators must name one (VD8). */
export function isMoved(_state: State, _one: FairValue, _other: FairValue): boolean {
  throw new Defect('fair value is not computed yet');
}

export interface VoidPreview {
  readonly holders: number;
  readonly feesReturned: Usdt;
  readonly poolPaid: Usdt;
  readonly excess: Usdt;
  /** Holders with the largest gain and the largest loss on the shares that they hold, largest first. */
  readonly gainers: readonly VoidPart[];
  readonly losers: readonly VoidPart[];
}

export interface VoidPart {
  readonly accountId: AccountId;
  /** µ-shares of each outcome. */
  readonly shares: readonly bigint[];
  /** What the shares cost (PO2). */
  readonly cost: Usdt;
  readonly payout: Usdt;
  readonly feesReturned: Usdt;
  /** The payout less the cost. */
  readonly gain: Usdt;
}

/** What a cancellation at a payout would pay, in portions of 1,000 holders. Changes nothing. */
// biome-ignore lint/correctness/useYield: the body follows
export function* previewVoid(
  _state: State,
  _market: Market,
  _payout: readonly Pips[],
  _cause: VoidCause,
  _most: number,
): Generator<undefined, VoidPreview, undefined> {
  throw new Defect('fair value is not computed yet');
}
