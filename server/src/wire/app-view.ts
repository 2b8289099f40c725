// An app as the interface shows it, without anything secret.
import { type App, limits } from '@sibyl/contract';
import type { AppRecord } from '../ports/apps.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

/** Until when the secret before the last is good; null if there is none any more. */
export function oldSecretEndMs(
  { previousSecret, rotatedAtMs }: AppRecord,
  nowMs: number,
): number | null {
  if (previousSecret === null || rotatedAtMs === null) return null;
  const endMs = rotatedAtMs + limits.apps.secretOverlapMs;
  return nowMs < endMs ? endMs : null;
}

export function appView(app: AppRecord, nowMs: number): App {
  const oldEndsMs = oldSecretEndMs(app, nowMs);
  return {
    app_id: app.appId,
    client_id: app.appId,
    name: app.name,
    verified_name: app.verifiedName,
    client_type: app.isPublic ? 'public' : 'confidential',
    redirect_uris: [...app.redirectUris],
    allowed_origins: [...app.allowedOrigins],
    allowed_scopes: [...app.allowedScopes],
    builder_fee_bps: app.builderFeeBps,
    fee_cap_bps: app.feeCapBps,
    widget_key: app.widgetKey,
    status: app.status,
    disabled_by: app.disabledBy,
    review_note: app.reviewNote,
    old_secret_expires_at: isoTimeOrNull(oldEndsMs),
    old_secret_expires_at_ms: oldEndsMs,
    submitted_at: isoTimeOrNull(app.submittedAtMs),
    submitted_at_ms: app.submittedAtMs,
    created_at: isoTime(app.createdAtMs),
    created_at_ms: app.createdAtMs,
    updated_at: isoTime(app.updatedAtMs),
    updated_at_ms: app.updatedAtMs,
  };
}
