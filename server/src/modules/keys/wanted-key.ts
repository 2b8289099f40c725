// What a credential may mint: never more than it is itself, and for a session what the user may have.
import { type Permission, permissions, tiers } from '@sibyl/contract';
import { type ApiError, type Credential, fail, type LaneName } from '../../handling/handler.ts';
import type { UserRecord } from '../../ports/platform.ts';
import { environmentOf, type Wanted } from './key.ts';

export interface KeyInput {
  readonly label?: string;
  readonly permissions?: readonly Permission[];
  readonly expires_at_ms?: number;
}

export function wantedKey(
  input: KeyInput,
  caller: Credential,
  user: UserRecord,
  address: LaneName,
  nowMs: number,
): Wanted | ApiError {
  const { label = '', permissions: asked = ['read'], expires_at_ms: expiresAtMs = null } = input;
  const excess = asked.filter((permission) => !caller.permissions.includes(permission));
  if (excess.length > 0) return fail('SCOPE_NOT_ALLOWED', { not_allowed: excess });
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    return fail('VALIDATION_FAILED', { field: 'expires_at_ms', expected: 'a time to come' });
  }
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
    accounts: user.accounts,
    label,
    permissions: permissions.filter((permission) => asked.includes(permission)),
    tier: parent.tier,
    mintedAt: parent.mintedAt,
    prefix: parent.mintedAt === 'live' ? 'sk_live' : 'sk_test',
    expiresAtMs: expiresAtMs ?? parent.endMs,
    mintedBy: parent.id,
  };
}

/** What a key has from whoever mints it. */
interface Parent {
  readonly id: string;
  readonly tier: string;
  readonly mintedAt: LaneName;
  readonly endMs: number | null;
}

/** A session stands for its user and ends long before the keys that it mints. */
function parentOf(caller: Credential, user: UserRecord, address: LaneName): Parent {
  if (caller.kind === 'session') {
    return { id: caller.sessionId, tier: user.tier, mintedAt: address, endMs: null };
  }
  const { publicId, mintedAt, expiresAtMs } = caller;
  return { id: publicId, tier: lowerTier(caller.tier, user.tier), mintedAt, endMs: expiresAtMs };
}

function lowerTier(one: string, other: string): string {
  return tiers.find((tier) => tier === one || tier === other) ?? one;
}
