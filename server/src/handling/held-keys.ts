// The keys that somebody holds, those that are over too, and which of them a caller sees.
import type { KeyPage, KeyRecord, PlatformStore } from '../ports/platform.ts';
import { boundTo, type Credential, type OwnCredential } from './credentials.ts';
import type { LaneName } from './handler.ts';

const PORTION = 500;

/** Newest first, read from the store in portions while more are wanted. */
export async function* heldKeys(
  platform: Pick<PlatformStore, 'keysOf'>,
  holderId: string,
  { environment = null, after: first = null }: Partial<Omit<KeyPage, 'limit'>> = {},
): AsyncGenerator<KeyRecord, void, undefined> {
  let after = first;
  for (;;) {
    const portion = await platform.keysOf(holderId, { limit: PORTION, environment, after });
    yield* portion;
    const last = portion.at(-1);
    if (last === undefined || portion.length < PORTION) return;
    after = { createdAtMs: last.createdAtMs, publicId: last.publicId };
  }
}

/** A person sees every key, a key those of its own environment, and a bound one those that are bound as it is. */
export async function* keysSeenBy(
  platform: Pick<PlatformStore, 'keysOf'>,
  caller: OwnCredential,
  after: KeyPage['after'] = null,
): AsyncGenerator<KeyRecord, void, undefined> {
  const environment = caller.kind === 'key' ? environmentOf(caller) : null;
  for await (const key of heldKeys(platform, caller.holderId, { environment, after })) {
    if (isSeenBy(caller, key)) yield key;
  }
}

/** A bound key sees those that are bound as it is. */
export function isSeenBy(caller: Credential, key: KeyRecord): boolean {
  const subaccountId = boundTo(caller);
  return subaccountId === null || boundTo(key) === subaccountId;
}

/** Where the key trades when it is sent to the address it was minted at. */
export function environmentOf(key: Pick<KeyRecord, 'mintedAt' | 'tier'>): LaneName {
  return key.mintedAt === 'sandbox' || key.tier === 'self_serve' ? 'sandbox' : 'live';
}
