import { isSentWebhookEventType, webhookEventTypes } from '@sibyl/contract';
import { expect, it } from 'vitest';
import { EVENTS } from './event-table.ts';

/** Of what no journal has. */
const ELSEWHERE = [
  ...['key.created', 'key.revoked', 'builder.tier_changed'],
  ...['app.approved', 'app.disabled', 'grant.created', 'grant.revoked'],
];

it('[NT3] every type of webhook that is sent today has a source', () => {
  const told = new Set<string>(Object.values(EVENTS).flatMap(({ tells }) => tells));
  const sent = webhookEventTypes.filter(isSentWebhookEventType);
  const ofEvents = sent.filter((type) => !ELSEWHERE.includes(type) && !type.startsWith('webhook.'));
  expect(ofEvents.filter((type) => !told.has(type))).toEqual([]);
  const later = webhookEventTypes.filter((type) => !isSentWebhookEventType(type));
  expect(later.filter((type) => told.has(type))).toEqual([]);
});
