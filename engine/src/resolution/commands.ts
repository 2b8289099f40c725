// Commands by which operators cancel a market at its fair value.
import type { Pips } from '@sibyl/money';
import type { MarketId, OutcomeId } from '../kit/identity.ts';

/** Why operators cancel a market. */
export type VoidCause = 'event' | 'question' | 'source' | 'other';

/** A span of journal time. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Proposes to cancel a market and to pay its shares at typical prices (VD9). */
export interface ProposeVoid {
  readonly type: 'propose_void';
  readonly marketId: MarketId;
  readonly cause: VoidCause;
  /** 1 to 1,000 characters, published. */
  readonly reason: string;
  readonly evidence: readonly string[];
  /** The span whose prices count; null takes the default window. */
  readonly window: TimeWindow | null;
  /** Outcomes known to be false: they pay nothing. */
  readonly excluded: readonly OutcomeId[];
  /** The payout that the preview showed; any other changes nothing. */
  readonly expected: readonly Pips[];
}

/** The same for up to 100 locked or halted rounds of one template, whose source failed at one time (VD17). */
export interface ProposeVoidRounds {
  readonly type: 'propose_void_rounds';
  readonly rounds: readonly VoidedRound[];
  readonly cause: VoidCause;
  readonly reason: string;
  readonly evidence: readonly string[];
  /** The source's last valid reading: the window of each round ends there. */
  readonly toMs: number;
}

export interface VoidedRound {
  readonly marketId: MarketId;
  readonly expected: readonly Pips[];
}
