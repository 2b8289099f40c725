// Grants, codes and tokens as rows of their tables, and back.
import type { CodeRecord, GrantRecord, TokenRecord } from '../../ports/grants.ts';
import type { CodeRow, GrantRow, TokenRow } from './grants-schema.ts';

export function grantRow(grant: GrantRecord): GrantRow {
  return {
    grant_id: grant.grantId,
    kind: grant.kind,
    user_id: grant.userId,
    account_id: grant.accountId,
    lane: grant.lane,
    app_id: grant.appId,
    partner_id: grant.partnerId,
    scopes: grant.scopes.join(' '),
    daily_cap: grant.dailyCap === null ? null : String(grant.dailyCap),
    fee_cap_bps: grant.feeCapBps,
    consent_text: grant.text,
    signature: grant.signature,
    created_at_ms: grant.createdAtMs,
    expires_at_ms: grant.expiresAtMs,
    revoked_at_ms: grant.revokedAtMs,
    revoked_for: grant.revokedFor,
    last_used_at_ms: grant.lastUsedAtMs,
  };
}

export function grantOf(row: GrantRow): GrantRecord {
  return {
    grantId: row.grant_id,
    kind: row.kind,
    userId: row.user_id,
    accountId: row.account_id,
    lane: row.lane,
    appId: row.app_id,
    partnerId: row.partner_id,
    scopes: row.scopes === '' ? [] : row.scopes.split(' '),
    dailyCap: row.daily_cap === null ? null : BigInt(row.daily_cap),
    feeCapBps: row.fee_cap_bps,
    text: row.consent_text,
    signature: row.signature,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    revokedFor: row.revoked_for,
    lastUsedAtMs: row.last_used_at_ms,
  };
}

export function codeRow(code: CodeRecord): CodeRow {
  return {
    public_id: code.publicId,
    salt: code.salt,
    hash: code.hash,
    grant_id: code.grantId,
    redirect_uri: code.redirectUri,
    challenge: code.challenge,
    created_at_ms: code.createdAtMs,
    expires_at_ms: code.expiresAtMs,
    consumed_at_ms: code.consumedAtMs,
  };
}

export function codeOf(row: CodeRow): CodeRecord {
  return {
    publicId: row.public_id,
    salt: row.salt,
    hash: row.hash,
    grantId: row.grant_id,
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    consumedAtMs: row.consumed_at_ms,
  };
}

export function tokenRow(token: TokenRecord): TokenRow {
  return {
    public_id: token.publicId,
    salt: token.salt,
    hash: token.hash,
    kind: token.kind,
    grant_id: token.grantId,
    created_at_ms: token.createdAtMs,
    expires_at_ms: token.expiresAtMs,
    used_at_ms: token.usedAtMs,
    revoked_at_ms: token.revokedAtMs,
  };
}

export function tokenOf(row: TokenRow): TokenRecord {
  return {
    publicId: row.public_id,
    salt: row.salt,
    hash: row.hash,
    kind: row.kind,
    grantId: row.grant_id,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    usedAtMs: row.used_at_ms,
    revokedAtMs: row.revoked_at_ms,
  };
}
