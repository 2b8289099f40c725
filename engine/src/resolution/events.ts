// Events of how markets end: proposals, disputes, rulings, alarms and cancellations.
import type { Pips, Usdt } from '@sibyl/money';
import type { AccountId, MarketId } from '../kit/identity.ts';
import type { Ruling } from '../state/command.ts';
import type { Cancellation } from '../state/market.ts';

/** Every share was paid its price of `payout`. */
export interface MarketCancelled extends Cancellation {
  readonly type: 'market_cancelled';
  readonly marketId: MarketId;
  readonly payout: readonly Pips[];
  /** Fees that went back to the holders who had paid them. */
  readonly feesReturned: Usdt;
  /** What the pool's inventory paid to the market's creator. */
  readonly poolPaid: Usdt;
  /** What the pool's inventory paid beyond that: to insurance. */
  readonly excess: Usdt;
}

export interface ResolutionProposed {
  readonly type: 'resolution_proposed';
  readonly marketId: MarketId;
  readonly proposerId: AccountId | null;
  readonly payout: readonly Pips[];
  readonly evidence: readonly string[];
  readonly bond: Usdt;
  /** Of a cancellation that operators propose, the end of its notice. */
  readonly windowEndsAtMs: number;
  /** Null unless operators propose to cancel the market; `payout` is then what its shares would be paid. */
  readonly cancellation: Cancellation | null;
}

export interface ResolutionDisputed {
  readonly type: 'resolution_disputed';
  readonly marketId: MarketId;
  readonly accountId: AccountId;
  readonly evidence: readonly string[];
  readonly bond: Usdt;
}

export interface ResolutionRuled {
  readonly type: 'resolution_ruled';
  readonly marketId: MarketId;
  readonly ruling: Ruling;
  readonly payout: readonly Pips[] | null;
}

/** The challenge window stood still for a while and ends later than it was said. */
export interface ResolutionWindowMoved {
  readonly type: 'resolution_window_moved';
  readonly marketId: MarketId;
  readonly windowEndsAtMs: number;
}

/** A dispute, or a proposed cancellation, waits for an operator: an alarm for operators. */
export interface RulingOverdue {
  readonly type: 'ruling_overdue';
  readonly marketId: MarketId;
  /** When the dispute was raised or the cancellation was proposed. */
  readonly sinceMs: number;
}

/** A locked market has had no proposal for too long: an alarm for operators, repeated daily. */
export interface ProposalOverdue {
  readonly type: 'proposal_overdue';
  readonly marketId: MarketId;
}
