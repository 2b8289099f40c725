// What is asked about money in and out.
import type { Usdt } from '@sibyl/money';
import type { AccountId, WithdrawalId } from '../kit/identity.ts';
import type { ReportedDeposit } from './funds.ts';

/** Credited by hand: a deposit that is confirmed as soon as it is known, once for each reference. */
export interface Deposit {
  readonly type: 'deposit';
  readonly accountId: AccountId;
  readonly amount: Usdt;
  readonly reference: string;
}

/** Puts right what was booked wrongly, once for each reference. */
export interface CorrectBalance {
  readonly type: 'correct_balance';
  readonly accountId: AccountId;
  /** What is added to the free balance; below zero, what is taken from it. */
  readonly amount: Usdt;
  readonly reference: string;
}

/** What a custody says of a deposit now. */
export interface ReportDeposit extends ReportedDeposit {
  readonly type: 'report_deposit';
}

export interface Withdraw {
  readonly type: 'withdraw';
  readonly accountId: AccountId;
  readonly amount: Usdt;
  /** Who is to pay it, and where to. */
  readonly custody: string;
  readonly destination: string;
  /** Null lets it go out at once. */
  readonly hold: WithdrawalHold | null;
}

/** What a withdrawal waits for before it may go out: an operator, a time, or both. */
export interface WithdrawalHold {
  readonly approval: boolean;
  readonly untilMs: number | null;
  readonly reason: string;
}

/** `send` comes before the custody is asked: from then on it may be paid, and only the custody knows. */
export type WithdrawalStep = 'approve' | 'send' | 'complete' | 'fail';

export interface AdvanceWithdrawal {
  readonly type: 'advance_withdrawal';
  readonly withdrawalId: WithdrawalId;
  readonly step: WithdrawalStep;
  /** What the custody calls the payment it made; null for other steps than `complete`. */
  readonly reference: string | null;
  /** Why it failed; null for other steps than `fail`. */
  readonly reason: string | null;
}

export interface CancelWithdrawal {
  readonly type: 'cancel_withdrawal';
  readonly accountId: AccountId;
  readonly withdrawalId: WithdrawalId;
  readonly reason: string;
}
