// Webhooks and deliveries as their owners see them.
import { limits, type Webhook, type WebhookDelivery } from '@sibyl/contract';
import { isoTime } from '../../handling/handler.ts';
import type { OutboundFailure } from '../../ports/outbound.ts';
import {
  type AttemptRecord,
  type DeliveryRecord,
  type EndpointRecord,
  progressOf,
} from '../../ports/webhooks.ts';
import { amountText } from '../../wire/amounts.ts';
import { isoTimeOrNull } from '../../wire/times.ts';

export function webhookView(endpoint: EndpointRecord, nowMs: number): Webhook {
  const { disabledReason, health, createdAtMs, updatedAtMs } = endpoint;
  const oldSecretEndsMs = oldSecretEndMs(endpoint, nowMs);
  return {
    webhook_id: endpoint.webhookId,
    url: endpoint.url,
    description: endpoint.description,
    event_types: [...endpoint.eventTypes],
    market_ids: [...endpoint.marketIds],
    balance_low_threshold: amountText(endpoint.balanceLowThreshold),
    environment: endpoint.environment,
    created_by: unlessSession(endpoint.createdBy),
    changed_by: unlessSession(endpoint.changedBy),
    status: statusOf(endpoint),
    disabled_reason: disabledReason === 'owner' ? null : disabledReason,
    failure_streak: health.failureStreak,
    last_sequence: endpoint.lastSequence,
    last_delivery_at: isoTimeOrNull(health.lastSuccessAtMs),
    last_delivery_at_ms: health.lastSuccessAtMs,
    old_secret_expires_at: isoTimeOrNull(oldSecretEndsMs),
    old_secret_expires_at_ms: oldSecretEndsMs,
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
    updated_at: isoTime(updatedAtMs),
    updated_at_ms: updatedAtMs,
  };
}

/** When the old secret stops signing; null if it does not sign now. */
export function oldSecretEndMs(endpoint: EndpointRecord, nowMs: number): number | null {
  const { rotatedAtMs, previousSecret } = endpoint;
  if (rotatedAtMs === null || previousSecret === null) return null;
  const endMs = rotatedAtMs + limits.webhook.rotationGraceMs;
  return endMs > nowMs ? endMs : null;
}

export function deliveryView(
  delivery: DeliveryRecord,
  attempts: readonly AttemptRecord[],
  body: string,
): WebhookDelivery {
  const { event, createdAtMs, nextAttemptAtMs } = delivery;
  return {
    delivery_id: delivery.deliveryId,
    webhook_id: delivery.webhookId,
    event_id: event.eventId,
    event_type: event.type,
    sequence: delivery.sequence,
    status: progressOf(delivery),
    replay_of: delivery.replayOf,
    body,
    attempts: attempts.map(attemptView),
    next_attempt_at: isoTimeOrNull(nextAttemptAtMs),
    next_attempt_at_ms: nextAttemptAtMs,
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
  };
}

function attemptView(attempt: AttemptRecord): WebhookDelivery['attempts'][number] {
  const { atMs, httpStatus, failure } = attempt;
  return {
    attempt: attempt.number,
    started_at: isoTime(atMs),
    started_at_ms: atMs,
    http_status: httpStatus,
    latency_ms: attempt.latencyMs,
    error: failure === null ? null : FAILURES[failure],
    response_bytes: attempt.answerBytes,
  };
}

const FAILURES: Readonly<Record<OutboundFailure, string>> = {
  forbidden: 'address_refused',
  unresolved: 'name_not_resolved',
  connect: 'connect_failed',
  tls: 'tls_failed',
  timeout: 'timeout',
  broken: 'connection_broken',
};

/** Of a person, which session it was is not shown. */
function unlessSession(maker: string | null): string | null {
  return maker?.startsWith('ses_') === true ? null : maker;
}

function statusOf({ disabledReason }: EndpointRecord): Webhook['status'] {
  if (disabledReason === null) return 'active';
  const isPaused = disabledReason === 'owner' || disabledReason === 'password_changed';
  return isPaused ? 'paused' : 'disabled';
}
