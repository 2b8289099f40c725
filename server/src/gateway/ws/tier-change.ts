// When a key gets another tier: its account is told, and its sockets go on with the new permissions and limits.
import type { KeyRecord, PlatformStore } from '../../ports/platform.ts';
import { tierChangeData } from '../../wire/tier-change.ts';
import { keyRatesOf } from '../builder-terms.ts';
import { grantOf, keyCredential } from '../credential.ts';
import type { Identity } from './identity.ts';

/** How many changes of a key its account was told of: many sockets hear of one change, and it is told once. */
export type ToldChanges = Map<string, number>;

/** The identity with the new tier; null if it is the same. */
export async function tellTierChange(
  platform: PlatformStore,
  identity: Identity,
  key: KeyRecord,
  nowMs: number,
  told: ToldChanges,
): Promise<Identity | null> {
  const { hub, accountId, grant } = identity;
  const before = grant.credential;
  const rates = await keyRatesOf(platform, key, nowMs);
  const credential = keyCredential(key, rates, before.quotas);
  if (before.kind !== 'key' || before.tier === credential.tier) return null;
  const changes = await platform.tierChanges(key.publicId);
  const ofTier = changes.filter(({ field }) => field === 'tier');
  const changed = { ...identity, grant: grantOf(credential, hub.lane.name) };
  const mapKey = `${accountId} ${key.publicId}`;
  if (told.get(mapKey) === ofTier.length) return changed;
  told.set(mapKey, ofTier.length);
  const reason = ofTier.at(-1)?.reason ?? 'changed';
  const step = { from: before.tier, to: credential.tier, reason };
  const data = tierChangeData(key, step, credential.tierLimits);
  hub.accounts.tierChanged(accountId, nowMs, data);
  return changed;
}
