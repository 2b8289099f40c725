// Operations of the Webhooks group: register, list, change, remove, rotate, inspect and replay.

import { Type } from 'typebox';
import { common, credentialed, identified, newSecret, replayable, write } from '../bundles.ts';
import { noInput, operation, tradeWrite } from '../define.ts';
import { idOf, pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { pageQuery } from '../paging.ts';
import { epochMs, moneyInput, oneOf } from '../primitives.ts';
import {
  deliveryStatuses,
  exampleWebhook,
  exampleWebhookDelivery,
  exampleWebhookWithSecret,
  Webhook,
  WebhookDelivery,
  WebhookWithSecret,
  webhookEventType,
} from '../resources/webhook.ts';

const webhooks = {
  group: 'Webhooks',
  auth: 'credential',
  scope: 'webhooks:manage',
  counted: true,
  since: '0.3',
} as const;

const change = {
  ...webhooks,
  ...tradeWrite,
  rate: 'create',
} as const;

const read = {
  ...webhooks,
  permission: 'read',
  rate: 'account_read',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  list: true,
} as const;

const params = Type.Object({ webhook_id: pathId('webhook', 'The webhook.') });
const exampleParams = { webhook_id: exampleWebhook.webhook_id };
const { urlLengthMax, eventTypesMax, marketIdsMax } = limits.webhook;

const byKeys =
  'By a key only if whoever registered the webhook can do no more than that key (SCOPE_MISSING names what it lacks); by a session always.';

// Free text where the specification has codes of its own: WEBHOOK_URL_INVALID, WEBHOOK_EVENT_UNKNOWN.
const inputFields = {
  url: Type.String({
    minLength: 1,
    maxLength: urlLengthMax,
    description: 'https, without userinfo and fragment; it must not lead to a private address.',
  }),
  event_types: Type.Array(webhookEventType, {
    minItems: 1,
    maxItems: eventTypesMax,
    uniqueItems: true,
    description:
      'Names of the events to deliver. One that does not exist, or that nothing sends yet, is WEBHOOK_EVENT_UNKNOWN.',
  }),
  market_ids: Type.Optional(
    Type.Array(idOf('market'), {
      maxItems: marketIdsMax,
      uniqueItems: true,
      description: 'Only events of these markets; empty means all.',
    }),
  ),
  balance_low_threshold: Type.Optional(moneyInput('When balance.low is sent; 10 unless told.')),
  description: Type.Optional(Type.String({ maxLength: 128 })),
};

const createWebhook = operation({
  ...change,
  id: 'createWebhook',
  call: 'webhooks.create',
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Register a webhook',
  description:
    'The signing secret is shown once. The same address twice is ALREADY_EXISTS; demo accounts have none (SCOPE_NOT_ALLOWED).',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(inputFields, { title: 'WebhookInput', additionalProperties: false }),
  },
  data: WebhookWithSecret,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    'WEBHOOK_URL_INVALID',
    'WEBHOOK_EVENT_UNKNOWN',
    'ALREADY_EXISTS',
    'SCOPE_NOT_ALLOWED',
  ],
  example: {
    body: {
      url: exampleWebhook.url,
      event_types: exampleWebhook.event_types,
      description: exampleWebhook.description,
    },
    data: exampleWebhookWithSecret,
  },
});

const listWebhooks = operation({
  ...read,
  id: 'listWebhooks',
  call: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'Your webhooks',
  description: 'With status, failure streak and last delivery; no secret can be read again.',
  input: { ...noInput, query: pageQuery({}) },
  data: Type.Array(Webhook),
  errors: [...common, ...credentialed],
  example: { query: {}, data: [exampleWebhook] },
});

const updateWebhook = operation({
  ...change,
  id: 'updateWebhook',
  call: 'webhooks.update',
  method: 'PATCH',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Change a webhook',
  description: `Address, events, filter or status. Making it active again continues with new events; replay brings the missed ones. ${byKeys}`,
  input: {
    ...noInput,
    params,
    body: Type.Object(
      {
        url: Type.Optional(inputFields.url),
        event_types: Type.Optional(inputFields.event_types),
        market_ids: inputFields.market_ids,
        balance_low_threshold: inputFields.balance_low_threshold,
        description: inputFields.description,
        status: Type.Optional(oneOf(['active', 'paused'])),
      },
      { title: 'WebhookChange', additionalProperties: false, minProperties: 1 },
    ),
  },
  data: Webhook,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    ...identified,
    'WEBHOOK_URL_INVALID',
    'WEBHOOK_EVENT_UNKNOWN',
  ],
  example: {
    params: exampleParams,
    body: { status: 'paused' },
    data: { ...exampleWebhook, status: 'paused' },
  },
});

const deleteWebhook = operation({
  ...change,
  id: 'deleteWebhook',
  call: 'webhooks.remove',
  method: 'DELETE',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Remove a webhook',
  description: `At once; what still waits for delivery is dropped. ${byKeys}`,
  // An endpoint that leaks must be removable at any time.
  readOnlyMode: 'allowed',
  input: { ...noInput, params },
  data: Webhook,
  errors: [...common, ...credentialed, ...replayable, ...identified],
  example: { params: exampleParams, data: exampleWebhook },
});

const rotateWebhookSecret = operation({
  ...change,
  id: 'rotateWebhookSecret',
  call: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/rotate-secret',
  summary: 'New signing secret',
  description: `Shown once. For 24 hours deliveries carry a signature of each; a second rotation within them is STATE_CONFLICT. Needs a session that is stepped up, or a key that such a session minted. ${byKeys}`,
  bearsSecrets: true,
  input: { ...noInput, params },
  data: WebhookWithSecret,
  errors: [...newSecret],
  example: {
    params: exampleParams,
    data: {
      ...exampleWebhookWithSecret,
      changed_by: exampleWebhook.created_by,
      old_secret_expires_at: '2026-11-15T12:00:00.000Z',
      old_secret_expires_at_ms: 1_794_744_000_000,
    },
  },
});

const listWebhookDeliveries = operation({
  ...read,
  id: 'listWebhookDeliveries',
  call: 'webhooks.deliveries',
  method: 'GET',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  summary: 'Deliveries of a webhook',
  description: 'Every attempt of the last 30 days, newest delivery first.',
  input: {
    ...noInput,
    params,
    query: pageQuery({
      status: Type.Optional(oneOf(deliveryStatuses)),
      event_type: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    }),
  },
  data: Type.Array(WebhookDelivery),
  errors: [...common, ...credentialed, ...identified],
  example: { params: exampleParams, query: {}, data: [exampleWebhookDelivery] },
});

const ReplayInput = Type.Object(
  {
    delivery_id: Type.Optional(idOf('delivery', 'Send this one again.')),
    since_ms: Type.Optional(epochMs('Send everything since then again.')),
    event_type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Send an example of this type, marked as test; webhook.ping for a ping.',
      }),
    ),
  },
  {
    title: 'ReplayInput',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    description: 'Exactly one of the three.',
  },
);

const Replay = Type.Object(
  {
    queued: Type.Integer({ minimum: 0 }),
    delivery_ids: Type.Array(idOf('delivery'), { description: 'At most the first 100.' }),
  },
  { title: 'Replay' },
);

const replayWebhook = operation({
  ...change,
  id: 'replayWebhook',
  call: 'webhooks.replay',
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/replay',
  summary: 'Send again, or test',
  description: `Repeats one delivery, or all since a time, or sends a test event. Repeats keep the id of the event; a delivery that waits for its next attempt is tried at once, under its own id. STATE_CONFLICT unless the webhook is active, and for one that has not been tried yet. ${byKeys}`,
  input: { ...noInput, params, body: ReplayInput },
  data: Replay,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    ...identified,
    'WEBHOOK_EVENT_UNKNOWN',
    'STATE_CONFLICT',
  ],
  example: {
    params: exampleParams,
    body: { event_type: 'webhook.ping' },
    data: { queued: 1, delivery_ids: [exampleWebhookDelivery.delivery_id] },
  },
});

/** The seven operations by id. */
export const webhookOperations = Object.freeze({
  createWebhook,
  listWebhooks,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  replayWebhook,
});
