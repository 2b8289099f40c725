// Partners: whom operators approved to act for others, and the name that users know them by.
import { heldKeys } from '../../handling/held-keys.ts';
import { isPartnerTier } from '../../handling/on-behalf.ts';
import type { PlatformStore, UserRecord } from '../../ports/platform.ts';

/** By the tier of their own, or by that of a key that they hold: operators give either. */
export async function isPartner(
  platform: Pick<PlatformStore, 'keysOf'>,
  { userId, tier }: UserRecord,
): Promise<boolean> {
  if (isPartnerTier(tier)) return true;
  for await (const key of heldKeys(platform, userId)) {
    if (key.revokedAtMs === null && isPartnerTier(key.tier)) return true;
  }
  return false;
}

/** Null for an app, and for a partner who has said no name. */
export async function partnerNameOf(
  platform: Pick<PlatformStore, 'builders' | 'userById'>,
  partnerId: string | null,
): Promise<string | null> {
  if (partnerId === null) return null;
  const builder = await platform.builders.of(partnerId);
  // A later application brings a name along that nobody has looked at yet.
  if (builder?.application.status === 'approved') return builder.name;
  return (await platform.userById(partnerId))?.displayName ?? null;
}
