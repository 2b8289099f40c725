// A key got another tier: its account is told, and its sockets go on with what it may do now.
import { limits, type StreamData } from '@sibyl/contract';
import type { KeyRecord, PlatformStore } from '../../ports/platform.ts';
import { keyCredential, standingOf } from '../credential.ts';
import type { Identity } from './identity.ts';

/** The identity with the new tier; null if it is the same. */
export async function tellTierChange(
  platform: PlatformStore,
  identity: Identity,
  key: KeyRecord,
  nowMs: number,
): Promise<Identity | null> {
  const { hub, accountId, standing } = identity;
  const before = standing.credential;
  const credential = keyCredential(key);
  if (before.kind !== 'key' || before.tier === credential.tier) return null;
  const changes = await platform.tierChanges(key.publicId);
  const reason = changes.filter(({ field }) => field === 'tier').at(-1)?.reason ?? 'changed';
  const { orderNotionalMax, dailyNotionalMax, rateMultiplier } = limits.tiers[credential.tier];
  const data: StreamData<'tier_changed'> = {
    key_id: key.publicId,
    from: before.tier,
    to: credential.tier,
    reason,
    limits: {
      order_notional_max: orderNotionalMax,
      daily_notional_max: dailyNotionalMax,
      rate_multiplier: rateMultiplier,
    },
  };
  hub.accounts.tierChanged(accountId, nowMs, data);
  return { ...identity, standing: standingOf(credential, hub.lane.name) };
}
