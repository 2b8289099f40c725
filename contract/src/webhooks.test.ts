// Checks the catalogue of webhook events, the envelope and the headers of a delivery.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { webhookCatalogue, webhooksToCome } from '../test/interface.ts';
import { nodesOf, propertiesOf } from '../test/walk.ts';
import { limits } from './limits.ts';
import { webhookOperations } from './operations/webhooks.ts';
import { streamMessages } from './streams/all.ts';
import { closedSchema } from './strict.ts';
import {
  exampleDelivery,
  isWebhookEventType,
  type WebhookEvent,
  webhookEnvelopeOf,
  webhookEvents,
  webhookEventTypes,
  webhookHeaders,
} from './webhooks.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

describe('webhook events', () => {
  it('[CT25] are those of the interface', () => {
    expect([...webhookEventTypes]).toEqual(webhookCatalogue);
  });

  it('[CT25] say which are sent today', () => {
    const later = webhookEventTypes.filter((type) => webhookEvents[type].since === 'later');
    expect(later).toEqual(webhooksToCome);
  });

  it.each(['order.filed', 'toString', '__proto__', ''])('[CT25] %j is unknown', (type) => {
    expect(isWebhookEventType(type)).toBe(false);
  });

  it.each(webhookEventTypes)(
    '[CT25] %s: a delivery satisfies its schema, nothing undeclared',
    (type) => {
      const validate = ajv.compile(plain(closedSchema(webhookEnvelopeOf(type))));
      expect([validate(exampleDelivery(type)), validate.errors ?? []]).toEqual([true, []]);
      expect(validate({ ...exampleDelivery(type), type: 'other.thing' })).toBe(false);
      for (const field of [
        'id',
        'created_at',
        'created_at_ms',
        'api_version',
        'environment',
        'sequence',
        'data',
      ]) {
        const { [field]: _gone, ...rest } = exampleDelivery(type);
        expect([field, validate(rest)]).toEqual([field, false]);
      }
    },
  );

  it.each(webhookEventTypes)('[CT25] %s carries the record of its stream message', (type) => {
    const event: WebhookEvent = webhookEvents[type];
    if (event.message === null) return;
    expect(event.data).toBe(streamMessages[event.message].data);
    expect(event.example).toBe(streamMessages[event.message].example);
  });

  it.each(webhookEventTypes)('[CT25] %s keeps the rules of names and times', (type) => {
    const event: WebhookEvent = webhookEvents[type];
    for (const { path, name, siblings } of propertiesOf(event.data, type)) {
      expect([path, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)]).toEqual([path, true]);
      if (name.endsWith('_at')) expect(siblings).toContain(`${name}_ms`);
      if (name.endsWith('_at_ms')) expect(siblings).toContain(name.slice(0, -3));
    }
    for (const [path, node] of nodesOf(event.example, type)) {
      for (const [name, value] of Object.entries(node)) {
        if (!name.endsWith('_at') || value === null) continue;
        expect([path, node[`${name}_ms`]]).toEqual([path, Date.parse(String(value))]);
      }
    }
  });
});

describe('deliveries', () => {
  it('[CT26] have the numbers of the interface', () => {
    expect(limits.webhook).toMatchObject({
      timestampToleranceSec: 300,
      timeoutMs: 10_000,
      disableAfterMs: 5 * 24 * 3_600_000,
      rotationGraceMs: 24 * 3_600_000,
      deliveryLogMs: 30 * 24 * 3_600_000,
    });
    const sec = 1_000;
    const min = 60 * sec;
    const hour = 60 * min;
    expect(limits.webhook.attemptDelaysMs).toEqual([
      0,
      5 * sec,
      5 * min,
      30 * min,
      2 * hour,
      5 * hour,
      10 * hour,
      10 * hour,
    ]);
  });

  it.each([
    ['X-SVC-Signature', `t=1794657600,v1=${'a'.repeat(64)}`, true],
    ['X-SVC-Signature', `t=1794657600,v1=${'a'.repeat(64)},v1=${'b'.repeat(64)}`, true],
    ['X-SVC-Signature', `v1=${'a'.repeat(64)}`, false],
    ['X-SVC-Signature', `t=1794657600,v1=${'A'.repeat(64)}`, false],
    ['webhook-signature', 'v1,AAAA= v1,BBBB=', true],
    ['X-SVC-Event', 'order.filled', true],
  ] as const)('[CT26] %s: %s is %s', (name, value, isValid) => {
    expect(ajv.validate(plain(webhookHeaders[name].schema), value)).toBe(isValid);
  });

  it('[CT26] replay takes exactly one of its three', () => {
    const validate = ajv.compile(plain(webhookOperations.replayWebhook.input.body));
    expect(validate({ since_ms: 1 })).toBe(true);
    expect(validate({})).toBe(false);
    expect(validate({ since_ms: 1, event_type: 'webhook.ping' })).toBe(false);
  });

  it('[CT26] registration leaves address and types to codes of their own', () => {
    const validate = ajv.compile(plain(webhookOperations.createWebhook.input.body));
    const unknown: string = 'no.such';
    expect(validate({ url: 'http://u:p@localhost/#x', event_types: [unknown] })).toBe(true);
    expect(validate({ url: 'https://example.com', event_types: [] })).toBe(false);
  });
});

function plain(schema: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema));
}
