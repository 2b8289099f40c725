// The events a webhook can be told about, in groups by what they concern.
import { type WebhookNotice, webhookEventTypes } from '@sibyl/sdk';

type WebhookEventType = WebhookNotice['type'];

export const eventTypes: readonly WebhookEventType[] = webhookEventTypes;

/** Few of a kind stand with others: by the word before the dot, the word of the group. */
const JOINED: ReadonlyMap<string, string> = new Map([
  ['trade', 'order'],
  ['balance', 'position'],
  ['deposit', 'position'],
  ['builder', 'key'],
  ['circuit_breaker', 'key'],
]);

export const eventGroups: readonly (readonly WebhookEventType[])[] = [
  ...new Set(eventTypes.map(groupOf)),
].map((group) => eventTypes.filter((type) => groupOf(type) === group));

function groupOf(type: WebhookEventType): string {
  const [kind = ''] = type.split('.');
  return JOINED.get(kind) ?? kind;
}
