// Events that no journal has: of the webhooks themselves, and tests that somebody asked for.
import { type WebhookData, type WebhookEventType, webhookEvents } from '@sibyl/contract';
import type { EndpointRecord, EventRecord, NewDelivery } from '../ports/webhooks.ts';
import { isoTime } from '../wire/times.ts';
import { eventIdOf } from './event-record.ts';

export function rotatedEvent(
  endpoint: EndpointRecord,
  rotatedAtMs: number,
  expiresAtMs: number,
): EventRecord {
  const data: WebhookData<'webhook.secret_rotated'> = {
    webhook_id: endpoint.webhookId,
    old_secret_expires_at: isoTime(expiresAtMs),
    old_secret_expires_at_ms: expiresAtMs,
  };
  return ownEvent('webhook.secret_rotated', endpoint, rotatedAtMs, data);
}

export function disabledEvent(endpoint: EndpointRecord, reason: 'gone' | 'failing'): EventRecord {
  const atMs = endpoint.disabledAtMs ?? endpoint.updatedAtMs;
  const data: WebhookData<'webhook.disabled'> = {
    webhook_id: endpoint.webhookId,
    reason,
    disabled_at: isoTime(atMs),
    disabled_at_ms: atMs,
  };
  return ownEvent('webhook.disabled', endpoint, atMs, data);
}

/** A lane works otherwise than before; the lane has no journal of that. */
export function breakerEvent(
  environment: EventRecord['environment'],
  breaker: WebhookData<'circuit_breaker.changed'>,
): EventRecord {
  const { lane, state, since_ms: sinceMs } = breaker;
  return {
    eventId: eventIdOf(`circuit_breaker.changed ${environment} ${lane} ${state} ${sinceMs}`),
    environment,
    type: 'circuit_breaker.changed',
    aggregate: 'platform',
    createdAtMs: sinceMs,
    data: JSON.stringify(breaker),
    isTest: false,
  };
}

/** A ping, or the catalogue's example of any other type. */
export function testEvent(
  type: WebhookEventType,
  endpoint: EndpointRecord,
  atMs: number,
  uniqueText: string,
): EventRecord {
  const { webhookId, environment } = endpoint;
  const ping: WebhookData<'webhook.ping'> = { webhook_id: webhookId, message: 'pong' };
  const data = type === 'webhook.ping' ? ping : webhookEvents[type].example;
  return {
    eventId: eventIdOf(`test ${webhookId} ${uniqueText}`),
    environment,
    type,
    aggregate: `test:${webhookId}`,
    createdAtMs: atMs,
    data: JSON.stringify(data),
    isTest: true,
  };
}

/** For those of the owner's endpoints that asked for this type. */
export function deliveriesOf(
  event: EventRecord,
  endpoints: readonly EndpointRecord[],
  deliveryId: () => string,
): NewDelivery[] {
  return endpoints
    .filter(({ eventTypes }) => eventTypes.includes(event.type))
    .map(({ webhookId }) => ({ deliveryId: deliveryId(), webhookId, event }));
}

/** The id follows from what happened, so telling of it twice is telling of it once. */
function ownEvent(
  type: WebhookEventType,
  { webhookId, environment }: EndpointRecord,
  atMs: number,
  data: object,
): EventRecord {
  return {
    eventId: eventIdOf(`${type} ${webhookId} ${atMs}`),
    environment,
    type,
    aggregate: `webhook:${webhookId}`,
    createdAtMs: atMs,
    data: JSON.stringify(data),
    isTest: false,
  };
}
