// One API key: how it is made, how it is shown in the answer that mints it, and how in a list.
import {
  type OperationOutput,
  type Permission,
  partnerScopes,
  permissions,
  type TierLimits,
  tiers,
} from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { boundTo } from '../../handling/credentials.ts';
import { isoTime, type LaneName } from '../../handling/handler.ts';
import { environmentOf } from '../../handling/held-keys.ts';
import type { AccountIds, KeyRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { DrawnSecret } from '../../ports/signing.ts';

type MintedKey = OperationOutput<'mintKey'>;
type ApiKey = OperationOutput<'listKeys'>[number];
type Tier = ApiKey['tier'];

const ID_LENGTH = 16;
const SALT_LENGTH = 16;
const RAW_BYTES = 32;

/** `sk_live_` and the 16 characters after it. */
const PUBLIC_ID_LENGTH = 24;

/** What a key is to be; all else is made here. */
export interface Wanted {
  readonly prefix: 'sk_live' | 'sk_test';
  readonly holderId: string;
  readonly userId: string | null;
  readonly accounts: AccountIds;
  readonly label: string;
  readonly permissions: readonly Permission[];
  readonly tier: string;
  readonly mintedAt: LaneName;
  readonly expiresAtMs: number | null;
  readonly mintedBy: string | null;
  readonly isSteppedUp: boolean;
  readonly allowedNetworks: readonly string[];
}

export interface FreshKey {
  readonly record: KeyRecord;
  /** The bearer. It leaves in one answer and is kept nowhere. */
  readonly rawKey: string;
}

export function freshKey(
  parts: { readonly random: Random; readonly secrets: Secrets; readonly clock: Clock },
  wanted: Wanted,
): FreshKey {
  const { random, secrets, clock } = parts;
  const { prefix, ...rest } = wanted;
  const publicId = `${prefix}_${random.token(ID_LENGTH)}`;
  const rawKey = `${publicId}_${Buffer.from(random.bytes(RAW_BYTES)).toString('base64url')}`;
  const salt = random.token(SALT_LENGTH);
  const record: KeyRecord = {
    ...rest,
    publicId,
    salt,
    keyHash: secrets.digest('token', `${salt}${rawKey}`),
    bornSelfServe: wanted.mintedAt === 'live' && wanted.tier === 'self_serve',
    rateMultiplier: 1,
    createdAtMs: clock.wallMs(),
    revokedAtMs: null,
    lastUsedAtMs: null,
    partnerScopes: [],
  };
  return { record, rawKey };
}

/** `owned` are the accounts of its owner. Signing is off for ordinary keys: then secret and passphrase are shown as the interface asks, and not kept. */
export function mintedKey(
  drawn: DrawnSecret,
  key: KeyRecord,
  rawKey: string,
  owned: KeyRecord['accounts'],
): MintedKey {
  const environment = environmentOf(key);
  const accountId = owned[environment];
  return {
    key_id: rawKey,
    public_id: key.publicId,
    secret: drawn.secret,
    passphrase: drawn.passphrase,
    secrets_withheld: false,
    label: key.label,
    permissions: permissionsOf(key),
    tier: tierOf(key),
    environment,
    account_id: accountId,
    subaccount_id: boundTo(key),
    allowed_addresses: [...key.allowedNetworks],
    created_at: isoTime(key.createdAtMs),
    created_at_ms: key.createdAtMs,
    expires_at: key.expiresAtMs === null ? null : isoTime(key.expiresAtMs),
    expires_at_ms: key.expiresAtMs,
  };
}

/** The same answer as a replay may give it. */
export function withheld(minted: MintedKey): MintedKey {
  return {
    ...minted,
    key_id: minted.public_id,
    secret: null,
    passphrase: null,
    secrets_withheld: true,
  };
}

/** What a key may do at a moment by its tier and what was agreed with its builder, and when that gets less, null if nothing is announced; operators set it. */
export interface TierBook {
  termsOf(
    key: Pick<KeyRecord, 'tier' | 'userId'>,
    nowMs: number,
  ): Promise<{ readonly limits: TierLimits; readonly changesAtMs: number | null }>;
  hasSigningSecret(publicId: string): Promise<boolean>;
}

export async function apiKey(book: TierBook, key: KeyRecord, nowMs: number): Promise<ApiKey> {
  const { limits: inForce, changesAtMs } = await book.termsOf(key, nowMs);
  const status = statusOf(key, nowMs);
  return {
    key_id: key.publicId,
    label: key.label,
    permissions: permissionsOf(key),
    tier: tierOf(key),
    environment: environmentOf(key),
    subaccount_id: boundTo(key),
    status,
    rate_multiplier: inForce.rateMultiplier * key.rateMultiplier,
    allowed_addresses: [...key.allowedNetworks],
    partner_scopes: partnerScopes.filter((scope) => key.partnerScopes.includes(scope)),
    has_signing_secret: status === 'active' && (await book.hasSigningSecret(key.publicId)),
    minted_by: key.mintedBy?.startsWith('sk_') === true ? key.mintedBy : null,
    created_at: isoTime(key.createdAtMs),
    created_at_ms: key.createdAtMs,
    ...instants('last_used_at', wholeMinute(key.lastUsedAtMs)),
    ...instants('expires_at', key.expiresAtMs),
    ...instants('revoked_at', key.revokedAtMs),
    ...instants('limits_change_at', changesAtMs),
  };
}

/** The public part of a key, whichever of its forms was given. */
export function publicIdOf(reference: string): string {
  return reference.slice(0, PUBLIC_ID_LENGTH);
}

function statusOf(key: KeyRecord, nowMs: number): ApiKey['status'] {
  if (key.revokedAtMs !== null) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active';
}

function permissionsOf(key: KeyRecord): Permission[] {
  return permissions.filter((permission) => key.permissions.includes(permission));
}

function tierOf(key: KeyRecord): Tier {
  return tiers.find((tier) => tier === key.tier) ?? 'self_serve';
}

/** Shown to the minute: more would tell when somebody works. */
function wholeMinute(atMs: number | null): number | null {
  return atMs === null ? null : atMs - (atMs % 60_000);
}

type Instants<Name extends string> = Record<Name, string | null> &
  Record<`${Name}_ms`, number | null>;

function instants<const Name extends string>(name: Name, atMs: number | null): Instants<Name> {
  // A computed key widens to an index signature; the two keys are exactly those of the type.
  return {
    [name]: atMs === null ? null : isoTime(atMs),
    [`${name}_ms`]: atMs,
  } as Instants<Name>;
}
