// What the calls about withdrawals need.
import type { Clock } from '@sibyl/lane';
import type { Custody } from '../../ports/custody.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';

export interface WithdrawalParts {
  readonly platform: PlatformStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly payouts: PayoutTerms;
}

/** What holds for everybody's withdrawals. */
export interface PayoutTerms {
  /** Who pays them. */
  readonly custody: Custody;
  /** How long a new destination is not usable. */
  readonly destinationDelayMs: number;
  /** What all withdrawals of an owner may come to within a day before an operator has to agree; null asks nobody. */
  readonly approvalAbove: bigint | null;
  /** Nothing below it is withdrawn: each payout is work and costs the custody something. */
  readonly leastAmount: bigint;
  /** How money gets in; see the settings. */
  readonly depositInstructions: string;
}
