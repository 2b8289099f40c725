// The events a webhook can be told about, in groups by what they concern. A test holds it against the contract.
import type { WebhookNotice } from '@sibyl/sdk';

type WebhookEventType = WebhookNotice['type'];

export const eventGroups: readonly (readonly WebhookEventType[])[] = [
  [
    'order.accepted',
    'order.partially_filled',
    'order.filled',
    'order.cancelled',
    'order.rejected',
    'trade.executed',
  ],
  ['position.updated', 'position.settled', 'balance.low', 'deposit.confirmed'],
  [
    'market.created',
    'market.activated',
    'market.locked',
    'market.halted',
    'market.resumed',
    'market.resolved',
    'market.cancelled',
  ],
  ['resolution.proposed', 'resolution.disputed', 'resolution.finalized'],
  ['key.created', 'key.revoked', 'builder.tier_changed', 'circuit_breaker.changed'],
  ['webhook.ping', 'webhook.secret_rotated', 'webhook.disabled'],
];

export const eventTypes: readonly WebhookEventType[] = eventGroups.flat();
