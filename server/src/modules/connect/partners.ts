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

/** Null for an app, and for a partner who has no name that may be shown. */
export async function partnerNameOf(
  platform: Pick<PlatformStore, 'builders' | 'userById'>,
  partnerId: string | null,
): Promise<string | null> {
  if (partnerId === null) return null;
  const builder = await platform.builders.of(partnerId);
  // Neither the name of a later application nor a display name takes the place of the one that somebody looked at.
  if (builder !== null && builder.approvedTrack !== null) return builder.approvedName;
  return (await platform.userById(partnerId))?.displayName ?? null;
}
