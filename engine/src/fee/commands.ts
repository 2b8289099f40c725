// What is asked about fees that have vested.
import type { Usdt } from '@sibyl/money';
import type { AccountId } from '../kit/identity.ts';

/** Those whose vested fees are credited to an account day by day. */
export type EarningActor = 'creator' | 'builder' | 'referrer';

/** All that is vested for one of them, to an account's free balance. */
export interface FeeCredit {
  readonly actor: EarningActor;
  /** The account of a creator or a referrer, the app of a builder. */
  readonly id: string;
  readonly accountId: AccountId;
}

export interface CreditFees {
  readonly type: 'credit_fees';
  readonly credits: readonly FeeCredit[];
}

/** The parts of fees that are the platform's. */
export type PlatformFund = 'treasury' | 'insurance';

export interface PayPlatformFees {
  readonly type: 'pay_platform_fees';
  readonly fund: PlatformFund;
  readonly accountId: AccountId;
  readonly amount: Usdt;
  /** What the operators call the payment; the entry bears it. */
  readonly reference: string;
}
