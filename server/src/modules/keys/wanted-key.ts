// What a credential may mint: never more than it is itself, and for a session what the user may have.
import { type Permission, permissions, tiers } from '@sibyl/contract';
import { boundTo } from '../../handling/credentials.ts';
import { ApiError, fail, type LaneName, type OwnCredential } from '../../handling/handler.ts';
import { environmentOf } from '../../handling/held-keys.ts';
import { isSteppedUp } from '../../handling/step-up.ts';
import type { UserRecord } from '../../ports/platform.ts';
import { areWithin, networkText } from '../../wire/networks.ts';
import type { Wanted } from './key.ts';

export interface KeyInput {
  readonly label?: string;
  readonly permissions?: readonly Permission[];
  readonly expires_at_ms?: number;
  readonly allowed_addresses?: readonly string[];
  readonly subaccount_id?: string;
}

export function wantedKey(
  input: KeyInput,
  caller: OwnCredential,
  user: UserRecord,
  address: LaneName,
  nowMs: number,
): Wanted | ApiError {
  // A bound key makes keys that are bound as it is, and no others.
  const subaccountId = input.subaccount_id ?? boundTo(caller);
  const { label = '', permissions: asked = ['read'], expires_at_ms: expiresAtMs = null } = input;
  const excess = asked.filter((permission) => !caller.permissions.includes(permission));
  if (excess.length > 0) return fail('SCOPE_NOT_ALLOWED', { not_allowed: excess });
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    return fail('VALIDATION_FAILED', { field: 'expires_at_ms', expected: 'a time to come' });
  }
  const networks = networksOf(input, caller);
  if (networks instanceof ApiError) return networks;
  const parent = parentOf(caller, user, address);
  if (caller.kind === 'key' && environmentOf(parent) !== environmentOf(caller)) {
    return fail('SCOPE_NOT_ALLOWED', { reason: 'the tier of your account has no live keys' });
  }
  // A key must not make one that outlives it.
  if (parent.endMs !== null && expiresAtMs !== null && expiresAtMs > parent.endMs) {
    return fail('SCOPE_NOT_ALLOWED', { reason: 'a key cannot outlive the one that mints it' });
  }
  return {
    holderId: user.userId,
    userId: user.userId,
    accounts: subaccountId === null ? user.accounts : { live: subaccountId, sandbox: subaccountId },
    label,
    permissions: permissions.filter((permission) => asked.includes(permission)),
    tier: parent.tier,
    mintedAt: parent.mintedAt,
    prefix: parent.mintedAt === 'live' ? 'sk_live' : 'sk_test',
    expiresAtMs: expiresAtMs ?? parent.endMs,
    mintedBy: parent.id,
    isSteppedUp: isSteppedUp(caller, nowMs),
    allowedNetworks: networks,
  };
}

/** Those asked for, or else the parent's; never one that the parent keeps out. */
function networksOf(input: KeyInput, caller: OwnCredential): readonly string[] | ApiError {
  const outer = caller.kind === 'key' ? caller.allowedNetworks : [];
  const { allowed_addresses: asked } = input;
  if (asked === undefined) return outer;
  const networks: string[] = [];
  for (const [index, text] of asked.entries()) {
    const network = networkText(text);
    if (network === null) {
      const expected = 'an address or a network, such as 192.0.2.0/24';
      return fail('VALIDATION_FAILED', { field: `allowed_addresses[${index}]`, expected });
    }
    networks.push(network);
  }
  if (areWithin(networks, outer)) return networks;
  return fail('SCOPE_NOT_ALLOWED', { reason: 'the key that mints may not be used from there' });
}

/** What a key has from whoever mints it. */
interface Parent {
  readonly id: string;
  readonly tier: string;
  readonly mintedAt: LaneName;
  readonly endMs: number | null;
}

/** A session stands for its user and ends long before the keys that it mints. */
function parentOf(caller: OwnCredential, user: UserRecord, address: LaneName): Parent {
  if (caller.kind === 'session') {
    return { id: caller.sessionId, tier: user.tier, mintedAt: address, endMs: null };
  }
  const { publicId, mintedAt, expiresAtMs } = caller;
  return { id: publicId, tier: lowerTier(caller.tier, user.tier), mintedAt, endMs: expiresAtMs };
}

function lowerTier(one: string, other: string): string {
  return tiers.find((tier) => tier === one || tier === other) ?? one;
}
