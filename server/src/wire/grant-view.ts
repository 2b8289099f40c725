// A grant as the interface shows it to the user who gave it.
import type { Grant } from '@sibyl/contract';
import { formatDecimal } from '@sibyl/money';
import type { AppRecord } from '../ports/apps.ts';
import { type GrantRecord, holdsAt } from '../ports/grants.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

const USDT_PLACES = 6;
const MINUTE_MS = 60_000;

/** `app` is null for a delegation. */
export function grantView(grant: GrantRecord, app: AppRecord | null, nowMs: number): Grant {
  const { lastUsedAtMs, dailyCap } = grant;
  // Shown to the minute: more would tell when somebody works.
  const usedAtMs = lastUsedAtMs === null ? null : lastUsedAtMs - (lastUsedAtMs % MINUTE_MS);
  return {
    grant_id: grant.grantId,
    kind: grant.kind,
    app_id: grant.appId,
    app_name: app?.name ?? null,
    verified_name: app?.verifiedName ?? null,
    partner_id: grant.partnerId,
    environment: grant.lane,
    account_id: grant.accountId,
    scopes: [...grant.scopes],
    daily_cap: dailyCap === null ? null : formatDecimal(dailyCap, USDT_PLACES),
    status: statusOf(grant, nowMs),
    revoked_for: grant.revokedFor,
    consent_text: grant.text,
    signature: grant.signature,
    created_at: isoTime(grant.createdAtMs),
    created_at_ms: grant.createdAtMs,
    expires_at: isoTime(grant.expiresAtMs),
    expires_at_ms: grant.expiresAtMs,
    revoked_at: isoTimeOrNull(grant.revokedAtMs),
    revoked_at_ms: grant.revokedAtMs,
    last_used_at: isoTimeOrNull(usedAtMs),
    last_used_at_ms: usedAtMs,
  };
}

function statusOf(grant: GrantRecord, nowMs: number): Grant['status'] {
  if (grant.revokedAtMs !== null) return 'revoked';
  return holdsAt(grant, nowMs) ? 'active' : 'expired';
}
