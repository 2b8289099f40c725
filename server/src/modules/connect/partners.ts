// Partners: whom operators approved to act for others, and the name that users know them by.
import { limits } from '@sibyl/contract';
import { isPartnerTier } from '../../handling/on-behalf.ts';
import type { KeyPage, PlatformStore, UserRecord } from '../../ports/platform.ts';

/** By the tier of their own, or by that of a key that they hold: operators give either. */
export async function isPartner(
  platform: Pick<PlatformStore, 'keysOf'>,
  { userId, tier }: UserRecord,
): Promise<boolean> {
  if (isPartnerTier(tier)) return true;
  const limit = limits.page.limitMax;
  let after: KeyPage['after'] = null;
  for (;;) {
    const keys = await platform.keysOf(userId, { limit, after });
    if (keys.some((key) => key.revokedAtMs === null && isPartnerTier(key.tier))) return true;
    const last = keys.at(-1);
    if (last === undefined || keys.length < limit) return false;
    after = { createdAtMs: last.createdAtMs, publicId: last.publicId };
  }
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
