// Webhooks: the registered endpoint, the answer that shows its secret once, and its deliveries.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { instant, moneyOf, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

/** `paused` by the owner or after a new password, `disabled` by the service after a 410 or five days of failures. */
export const webhookStatuses = ['active', 'paused', 'disabled'] as const;

/** `waiting` for an earlier event of the same aggregate; `exhausted` after the last attempt. */
export const deliveryStatuses = [
  'waiting',
  'pending',
  'succeeded',
  'retrying',
  'exhausted',
  'dropped',
] as const;

/** Free text to the server, because an unknown type has a code of its own: WEBHOOK_EVENT_UNKNOWN. */
export const webhookEventType = Type.String({
  title: 'WebhookEventType',
  minLength: 1,
  maxLength: 64,
  description: 'The name of an event, such as order.filled.',
});

/** The public part of a key, or a grant. */
const maker = Type.String({ pattern: '^(sk_(live|test)|grt)_[0-9A-Za-z]{1,40}$' });

const webhookFields = {
  webhook_id: idOf('webhook'),
  url: Type.String({ format: 'uri' }),
  description: Type.String(),
  event_types: Type.Array(webhookEventType, { description: 'What it is told about.' }),
  market_ids: Type.Array(idOf('market'), {
    description: 'Only these markets; empty means all. Events without a market are not filtered.',
  }),
  balance_low_threshold: moneyOf('When balance.low is sent.'),
  environment: oneOf(environments),
  created_by: nullable(
    maker,
    'The key that registered it, without which it goes on, or the grant of the app that did, with which it ends; null if a person did, or before 0.3.',
  ),
  changed_by: nullable(
    maker,
    'The key or grant that last set its address or its secret anew; null if a person did, or nobody.',
  ),
  status: oneOf(webhookStatuses),
  disabled_reason: nullable(
    oneOf(['gone', 'failing', 'password_changed']),
    'Why the service stopped it: null while it is active or paused by its owner.',
  ),
  failure_streak: Type.Integer({ minimum: 0, description: 'Failed attempts since a success.' }),
  last_sequence: Type.Integer({ minimum: 0, description: 'Of the newest event.' }),
  ...nullableInstant('last_delivery_at', 'When something was last delivered with success.'),
  ...nullableInstant('old_secret_expires_at', 'Until when the old secret signs as well.'),
  ...instant('created_at', 'When it was registered.'),
  ...instant('updated_at', 'When it was last changed.'),
};

export const Webhook = Type.Object(webhookFields, { title: 'Webhook' });
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Type.Object(
  {
    ...webhookFields,
    secret: nullable(
      Type.String({
        pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
        description: 'Signs the deliveries; shown once.',
      }),
    ),
    secrets_withheld: Type.Boolean({
      description: 'True on an idempotent replay: secrets are never stored, so they cannot return.',
    }),
  },
  { title: 'WebhookWithSecret' },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

const DeliveryAttempt = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1 }),
    ...instant('started_at', 'When it was sent.'),
    http_status: nullable(Type.Integer(), 'Null if there was no answer.'),
    latency_ms: Type.Integer({ minimum: 0 }),
    error: nullable(
      Type.String({ description: 'Why there was no answer, such as timeout or address_refused.' }),
    ),
    response_bytes: nullable(
      Type.Integer({
        minimum: 0,
        description:
          "Length of the answer's body; reading stops after 16 KiB. What it says is not kept.",
      }),
      'Null if there was no answer.',
    ),
  },
  { title: 'DeliveryAttempt' },
);

export const WebhookDelivery = Type.Object(
  {
    delivery_id: idOf('delivery'),
    webhook_id: idOf('webhook'),
    event_id: Type.String({ pattern: '^evt_[0-9A-Za-z]{1,40}$' }),
    event_type: webhookEventType,
    sequence: Type.Integer({ minimum: 1 }),
    status: oneOf(deliveryStatuses),
    replay_of: nullable(idOf('delivery'), 'The delivery that is repeated; null for a first one.'),
    body: Type.String({ description: 'What is sent, byte for byte the same on every attempt.' }),
    attempts: Type.Array(DeliveryAttempt, { description: 'Oldest first.' }),
    ...nullableInstant('next_attempt_at', 'When it is tried again; null if it is not.'),
    ...instant('created_at', 'When it was made.'),
  },
  { title: 'WebhookDelivery' },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;

export const exampleWebhook: Webhook = {
  webhook_id: 'wh_01J0000000000016',
  url: 'https://example.com/hooks/sibyl',
  description: 'fills',
  event_types: ['order.filled', 'trade.executed'],
  market_ids: [],
  balance_low_threshold: '10.000000',
  environment: 'sandbox',
  created_by: 'sk_test_EXAMPLEexample00',
  changed_by: null,
  status: 'active',
  disabled_reason: null,
  failure_streak: 0,
  last_sequence: 0,
  last_delivery_at: null,
  last_delivery_at_ms: null,
  old_secret_expires_at: null,
  old_secret_expires_at_ms: null,
  created_at: exampleInstant,
  created_at_ms: exampleInstantMs,
  updated_at: exampleInstant,
  updated_at_ms: exampleInstantMs,
};

export const exampleWebhookWithSecret: WebhookWithSecret = {
  ...exampleWebhook,
  secret: `whsec_${'A'.repeat(43)}=`,
  secrets_withheld: false,
};

export const exampleWebhookDelivery: WebhookDelivery = {
  delivery_id: 'dlv_01J0000000000022',
  webhook_id: exampleWebhook.webhook_id,
  event_id: 'evt_01J0000000000021',
  event_type: 'webhook.ping',
  sequence: 1,
  status: 'retrying',
  replay_of: null,
  body: '{"id":"evt_01J0000000000021","type":"webhook.ping","created_at":"2026-11-14T12:00:00.000Z","created_at_ms":1794657600000,"api_version":"1.0.0","environment":"sandbox","sequence":1,"test":true,"data":{"webhook_id":"wh_01J0000000000016","message":"pong"}}',
  attempts: [
    {
      attempt: 1,
      started_at: exampleInstant,
      started_at_ms: exampleInstantMs,
      http_status: 500,
      latency_ms: 41,
      error: null,
      response_bytes: 21,
    },
  ],
  next_attempt_at: '2026-11-14T12:00:05.000Z',
  next_attempt_at_ms: 1_794_657_605_000,
  created_at: exampleInstant,
  created_at_ms: exampleInstantMs,
};
