// What is asked about rules of compliance, and about what users forbid themselves.
import type { Usdt } from '@sibyl/money';
import type { AccountId } from '../kit/identity.ts';

/** Which rules of compliance the gateways go by from here on; the rules themselves are kept beside the lane. */
export interface SetCompliance {
  readonly type: 'set_compliance';
  readonly version: number;
  readonly hash: string;
}

/** Null is no limit. */
export interface PeriodLimits {
  readonly day: Usdt | null;
  readonly week: Usdt | null;
  readonly month: Usdt | null;
}

export interface OwnLimitValues {
  readonly deposit: PeriodLimits;
  readonly loss: PeriodLimits;
}

/** All limits that the user wants, of the account's whole family. */
export interface SetOwnLimits {
  readonly type: 'set_own_limits';
  readonly accountId: AccountId;
  readonly limits: OwnLimitValues;
}

export interface ExcludeSelf {
  readonly type: 'exclude_self';
  readonly accountId: AccountId;
  readonly untilMs: number;
}
