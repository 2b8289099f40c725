// Rows of the platform store and the records they stand for.
import type {
  DisconnectCancelRecord,
  KeyRecord,
  RecordedTierChange,
  SavedAnswer,
  SessionRecord,
  UserRecord,
} from '../../ports/platform.ts';
import type { IncidentRecord } from '../../ports/status.ts';

export interface UserRow {
  readonly user_id: string;
  readonly email: string;
  readonly email_folded: string;
  readonly password_hash: string;
  readonly display_name: string | null;
  readonly referral_code: string;
  readonly referrer_id: string | null;
  readonly tier: string;
  readonly rate_multiplier: number;
  readonly live_account_id: string;
  readonly sandbox_account_id: string;
  readonly created_at_ms: number;
  readonly is_demo: number;
  /** Of somebody who has left: then nothing but ids stands in the row. */
  readonly closed_at_ms: number | null;
}

export function userRow(user: UserRecord): UserRow {
  return {
    user_id: user.userId,
    email: user.email,
    email_folded: user.email.toLowerCase(),
    password_hash: user.passwordHash,
    display_name: user.displayName,
    referral_code: user.referralCode,
    referrer_id: user.referrerId,
    tier: user.tier,
    rate_multiplier: user.rateMultiplier,
    live_account_id: user.accounts.live,
    sandbox_account_id: user.accounts.sandbox,
    created_at_ms: user.createdAtMs,
    is_demo: user.isDemo ? 1 : 0,
    closed_at_ms: null,
  };
}

export function userOf(row: UserRow | undefined): UserRecord | null {
  if (row === undefined) return null;
  return {
    userId: row.user_id,
    email: row.email,
    passwordHash: row.password_hash,
    displayName: row.display_name,
    referralCode: row.referral_code,
    referrerId: row.referrer_id,
    tier: row.tier,
    rateMultiplier: row.rate_multiplier,
    accounts: { live: row.live_account_id, sandbox: row.sandbox_account_id },
    isDemo: row.is_demo === 1,
    createdAtMs: row.created_at_ms,
  };
}

export interface SessionRow {
  readonly session_id: string;
  readonly token_hash: string;
  readonly user_id: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly ended_at_ms: number | null;
  readonly stepped_up_at_ms: number | null;
  readonly last_seen_at_ms: number;
  readonly network: string;
  readonly device: string;
}

export function sessionRow(session: SessionRecord): SessionRow {
  return {
    session_id: session.sessionId,
    token_hash: session.tokenHash,
    user_id: session.userId,
    created_at_ms: session.createdAtMs,
    expires_at_ms: session.expiresAtMs,
    ended_at_ms: session.endedAtMs,
    stepped_up_at_ms: session.steppedUpAtMs,
    last_seen_at_ms: session.lastSeenAtMs,
    network: session.network,
    device: session.device,
  };
}

export function sessionOf(row: SessionRow | undefined): SessionRecord | null {
  if (row === undefined) return null;
  return {
    sessionId: row.session_id,
    tokenHash: row.token_hash,
    userId: row.user_id,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    endedAtMs: row.ended_at_ms,
    steppedUpAtMs: row.stepped_up_at_ms,
    lastSeenAtMs: row.last_seen_at_ms,
    network: row.network,
    device: row.device,
  };
}

export interface KeyRow {
  readonly public_id: string;
  readonly salt: string;
  readonly key_hash: string;
  readonly holder_id: string;
  readonly user_id: string | null;
  readonly label: string;
  /** Separated by spaces. */
  readonly permissions: string;
  readonly tier: string;
  readonly minted_at: 'live' | 'sandbox';
  readonly born_self_serve: number;
  readonly rate_multiplier: number;
  readonly live_account_id: string;
  readonly sandbox_account_id: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly last_used_at_ms: number | null;
  readonly minted_by: string | null;
  readonly is_stepped_up: number;
  /** Separated by spaces. */
  readonly allowed_networks: string;
  /** Separated by spaces. */
  readonly partner_scopes: string;
}

export function keyRow(key: KeyRecord): KeyRow {
  return {
    public_id: key.publicId,
    salt: key.salt,
    key_hash: key.keyHash,
    holder_id: key.holderId,
    user_id: key.userId,
    label: key.label,
    permissions: key.permissions.join(' '),
    tier: key.tier,
    minted_at: key.mintedAt,
    born_self_serve: key.bornSelfServe ? 1 : 0,
    rate_multiplier: key.rateMultiplier,
    live_account_id: key.accounts.live,
    sandbox_account_id: key.accounts.sandbox,
    created_at_ms: key.createdAtMs,
    expires_at_ms: key.expiresAtMs,
    revoked_at_ms: key.revokedAtMs,
    last_used_at_ms: key.lastUsedAtMs,
    minted_by: key.mintedBy,
    is_stepped_up: key.isSteppedUp ? 1 : 0,
    allowed_networks: key.allowedNetworks.join(' '),
    partner_scopes: key.partnerScopes.join(' '),
  };
}

export function keyOf(row: KeyRow | undefined): KeyRecord | null {
  if (row === undefined) return null;
  return {
    publicId: row.public_id,
    salt: row.salt,
    keyHash: row.key_hash,
    holderId: row.holder_id,
    userId: row.user_id,
    label: row.label,
    permissions: row.permissions.split(' '),
    tier: row.tier,
    mintedAt: row.minted_at,
    bornSelfServe: row.born_self_serve === 1,
    rateMultiplier: row.rate_multiplier,
    accounts: { live: row.live_account_id, sandbox: row.sandbox_account_id },
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    mintedBy: row.minted_by,
    isSteppedUp: row.is_stepped_up === 1,
    allowedNetworks: row.allowed_networks === '' ? [] : row.allowed_networks.split(' '),
    partnerScopes: row.partner_scopes === '' ? [] : row.partner_scopes.split(' '),
  };
}

export interface ChangeRow {
  readonly subject: string;
  readonly field: 'tier' | 'rate_multiplier';
  readonly old_value: string;
  readonly new_value: string;
  readonly actor: string;
  readonly reason: string;
  readonly at_ms: number;
}

export function changeOf(row: ChangeRow): RecordedTierChange {
  return {
    subject: row.subject,
    field: row.field,
    from: row.old_value,
    to: row.new_value,
    actor: row.actor,
    reason: row.reason,
    atMs: row.at_ms,
  };
}

export function changeRow(change: RecordedTierChange): ChangeRow {
  return {
    subject: change.subject,
    field: change.field,
    old_value: change.from,
    new_value: change.to,
    actor: change.actor,
    reason: change.reason,
    at_ms: change.atMs,
  };
}

export interface DisconnectCancelRow {
  readonly lane: DisconnectCancelRecord['lane'];
  readonly credential: string;
  readonly account_id: string;
  readonly grace_ms: number;
}

export function disconnectCancelOf(row: DisconnectCancelRow): DisconnectCancelRecord {
  const { lane, credential } = row;
  return { lane, credential, accountId: row.account_id, graceMs: row.grace_ms };
}

export interface IncidentRow {
  readonly incident_id: string;
  readonly lane: IncidentRecord['lane'];
  readonly kind: IncidentRecord['kind'];
  readonly from_ms: number;
  readonly to_ms: number | null;
  readonly reason: string;
}

export function incidentRow(incident: IncidentRecord): IncidentRow {
  const { lane, kind, reason } = incident;
  const { incidentId, fromMs, toMs } = incident;
  return { incident_id: incidentId, lane, kind, from_ms: fromMs, to_ms: toMs, reason };
}

export function incidentOf(row: IncidentRow): IncidentRecord {
  const { lane, kind, reason } = row;
  return {
    incidentId: row.incident_id,
    lane,
    kind,
    fromMs: row.from_ms,
    toMs: row.to_ms,
    reason,
  };
}

export interface SavedRow {
  readonly scope: string;
  readonly key: string;
  readonly body_hash: string;
  readonly answer: string;
  readonly at_ms: number;
}

export function savedOf(row: SavedRow | undefined): SavedAnswer | null {
  if (row === undefined) return null;
  return {
    scope: row.scope,
    key: row.key,
    bodyHash: row.body_hash,
    answer: row.answer,
    atMs: row.at_ms,
  };
}

export function savedRow(saved: SavedAnswer): SavedRow {
  const { scope, key, answer } = saved;
  return { scope, key, body_hash: saved.bodyHash, answer, at_ms: saved.atMs };
}
