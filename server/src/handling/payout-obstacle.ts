// What stands against paying a withdrawal now, which need not have stood against asking for it: compliance, and a change of
// the password or of a factor since.
import { tiers } from '@sibyl/contract';
import type { State, WithdrawalRecord } from '@sibyl/engine';
import type { Clock } from '@sibyl/lane';
import type { PlatformStore, UserRecord } from '../ports/platform.ts';
import type { Restriction, Restrictions } from './restriction.ts';
import { withdrawalsHeldUntilMs } from './withdrawal-hold.ts';

export interface PayoutParts {
  readonly platform: Pick<PlatformStore, 'userByAccount' | 'factors'>;
  readonly office: {
    restrictionsOf(user: UserRecord | null, tier: string): Promise<Restrictions>;
  };
  readonly clock: Pick<Clock, 'wallMs'>;
}

/** Whose person answers for it: the account itself, or whom the subaccount belongs to. */
export function ownerOf({ accounts }: State, { accountId }: WithdrawalRecord): string {
  return accounts.get(accountId)?.family.id ?? accountId;
}

/** What is known beside the lane that keeps the money of an owner from going out; both null if nothing is. */
export interface PayoutObstacles {
  readonly restriction: Restriction | null;
  readonly heldUntilMs: number | null;
}

export async function payoutObstacles(
  parts: PayoutParts,
  ownerId: string,
): Promise<PayoutObstacles> {
  return {
    restriction: await payoutRestriction(parts, ownerId),
    heldUntilMs: await ownerHeldUntilMs(parts, ownerId),
  };
}

export async function mayBePaid(parts: PayoutParts, ownerId: string): Promise<boolean> {
  const { restriction, heldUntilMs } = await payoutObstacles(parts, ownerId);
  return restriction === null && heldUntilMs === null;
}

/** The gravest of what compliance has against it; null if nothing. */
export async function payoutRestriction(
  { platform, office }: Pick<PayoutParts, 'platform' | 'office'>,
  ownerId: string,
): Promise<Restriction | null> {
  const user = await platform.userByAccount(ownerId);
  const { live } = await office.restrictionsOf(user, ANY_TIER);
  return live.find(({ operations }) => operations.includes('withdraw')) ?? null;
}

/** Tiers were looked at when it was asked for: a key may have had a higher one than its user. */
export const ANY_TIER = tiers[tiers.length - 1] ?? '';

export async function ownerHeldUntilMs(
  { platform, clock }: Pick<PayoutParts, 'platform' | 'clock'>,
  ownerId: string,
): Promise<number | null> {
  const user = await platform.userByAccount(ownerId);
  return user === null ? null : withdrawalsHeldUntilMs(platform, user.userId, clock.wallMs());
}
