// What is proposed for a market, and what a market that ends is at.
import type { EventOf } from './plain.ts';

export interface NaiveProposal {
  readonly proposerId: string | null;
  payout: readonly number[] | null;
  /** Nothing once it was awarded. */
  bond: bigint;
  /** When its timer rings, as last said. */
  windowEndsAtMs: number;
  /** Where window time has to be for the window to be over. */
  readonly windowClockEnd: number;
  /** `waiting` is one of an account to cancel the market, which operators have to take up. */
  state: 'proposed' | 'disputed' | 'waiting' | 'final' | 'void';
  /** What operators propose: `payout` is then what shares would be paid. */
  readonly cancellation: NaiveCancellation | null;
  readonly operator: string | null;
  readonly proposedAtMs: number;
  challengerId: string | null;
  challengerBond: bigint;
  disputedAtMs: number | null;
  /** When its next alarm or its end is due. */
  overdueAtMs: number | null;
}

/** What a market that closes over several turns is at. */
export type NaiveClosing =
  | { readonly kind: 'lock'; readonly propose: boolean }
  | { readonly kind: 'settle'; readonly payout: readonly number[] }
  /** Orders go, then fees come back into escrow, then holders are paid. */
  | (Voiding & { readonly kind: 'void_orders' })
  | (Voiding & { readonly kind: 'void_fees' })
  | (Voiding & { readonly kind: 'void_pay' });

interface Voiding {
  readonly payout: readonly number[];
  readonly cancellation: NaiveCancellation;
  feesReturned: bigint;
}

/** How a market is cancelled, as it is published. */
export type NaiveCancellation = NonNullable<EventOf<'resolution_proposed'>['cancellation']>;
