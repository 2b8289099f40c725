// A grant as the interface shows it to the user who gave it.
import type { Grant } from '@sibyl/contract';
import { formatDecimal } from '@sibyl/money';
import type { AppRecord } from '../ports/apps.ts';
import { type GrantRecord, holdsAt } from '../ports/grants.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

const USDT_PLACES = 6;
const MINUTE_MS = 60_000;

/** Who was allowed: an app, or a partner who may have said a name. */
export interface Allowed {
  readonly app: AppRecord | null;
  readonly partnerName: string | null;
}

export function grantView(grant: GrantRecord, { app, partnerName }: Allowed, nowMs: number): Grant {
  const { dailyCap } = grant;
  const usedAtMs = shownUse(grant);
  return {
    grant_id: grant.grantId,
    kind: grant.kind,
    app_id: grant.appId,
    app_name: app?.name ?? null,
    verified_name: app?.verifiedName ?? null,
    partner_id: grant.partnerId,
    partner_name: partnerName,
    environment: grant.lane,
    account_id: grant.accountId,
    scopes: [...grant.scopes],
    daily_cap: dailyCap === null ? null : formatDecimal(dailyCap, USDT_PLACES),
    fee_cap_bps: grant.feeCapBps,
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

/** To the minute: more would tell when somebody works. What is used within its first minute is used when it was given. */
function shownUse({ lastUsedAtMs, createdAtMs }: GrantRecord): number | null {
  if (lastUsedAtMs === null) return null;
  return Math.max(createdAtMs, lastUsedAtMs - (lastUsedAtMs % MINUTE_MS));
}

function statusOf(grant: GrantRecord, nowMs: number): Grant['status'] {
  if (grant.revokedAtMs !== null) return 'revoked';
  return holdsAt(grant, nowMs) ? 'active' : 'expired';
}
