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

/** The one that somebody looked at: a display name, or that of a later application, could be anybody's. Null for an app, and without one. */
export async function partnerNameOf(
  { builders }: Pick<PlatformStore, 'builders'>,
  partnerId: string | null,
): Promise<string | null> {
  const builder = partnerId === null ? null : await builders.of(partnerId);
  return builder !== null && builder.approvedTrack !== null ? builder.approvedName : null;
}
