// The catalogue of webhook events, the envelope of a delivery and the headers beside it.

import { type Static, type TSchema, Type } from 'typebox';
import { apiVersion } from './envelope.ts';
import { instant, oneOf } from './primitives.ts';
import { ApiKey, environments, exampleApiKey } from './resources/api-key.ts';
import { exampleResolution } from './resources/resolution.ts';
import { type StreamMessages, type StreamMessageType, streamMessages } from './streams/all.ts';
import type { Since } from './streams/define.ts';
import * as payload from './webhook-payloads.ts';

/** Events of one aggregate reach an endpoint in order; different aggregates do not wait for each other. */
export const aggregates = ['order', 'market', 'account', 'platform'] as const;
export type Aggregate = (typeof aggregates)[number];

export type WebhookEvent = {
  readonly aggregate: Aggregate;
  /** The message of the socket that carries the same data; null where there is none. */
  readonly message: StreamMessageType | null;
  readonly since: Since;
  readonly description: string;
  readonly data: TSchema;
  readonly example: unknown;
};

type Mirrored<Type extends StreamMessageType> = WebhookEvent & {
  readonly message: Type;
  readonly data: StreamMessages[Type]['data'];
};

type Own<Data extends TSchema> = WebhookEvent & { readonly message: null; readonly data: Data };

export const webhookEvents = Object.freeze({
  'order.accepted': mirrored('order', 'order_accepted', 'An order was taken in.'),
  'order.partially_filled': mirrored('order', 'order_updated', 'An order filled in part.'),
  'order.filled': mirrored('order', 'order_updated', 'An order filled in full.'),
  'order.cancelled': mirrored('order', 'order_cancelled', 'An order was cancelled.'),
  'order.rejected': mirrored('order', 'order_rejected', 'An order was refused by the market.'),
  'trade.executed': mirrored('order', 'trade_executed', 'One of your orders traded.'),
  'position.updated': mirrored('account', 'position_updated', 'A position changed.'),
  'position.settled': mirrored('account', 'position_settled', 'A position was paid.'),
  'balance.low': own('account', 'The free balance fell below the threshold of the webhook.', {
    data: payload.BalanceLow,
    example: payload.exampleBalanceLow,
  }),
  'deposit.confirmed': mirrored('account', 'deposit', 'Money has arrived.'),
  'deposit.failed': mirrored('account', 'deposit', 'Money did not arrive.'),
  'withdrawal.completed': mirrored('account', 'withdrawal_updated', 'Money has left.'),
  'withdrawal.failed': mirrored('account', 'withdrawal_updated', 'Money did not leave.'),
  'market.created': mirrored('market', 'market_created', 'There is a new market.'),
  'market.activated': mirrored('market', 'market_status_changed', 'A market opened.'),
  'market.locked': mirrored('market', 'market_status_changed', 'A market closed for trading.'),
  'market.halted': mirrored('market', 'market_halted', 'Trading in a market was halted.'),
  'market.resumed': mirrored('market', 'market_resumed', 'Trading in a market goes on.'),
  'market.resolved': mirrored('market', 'market_resolved', 'A market was decided and paid.'),
  'market.cancelled': mirrored('market', 'market_status_changed', 'A market was called off.'),
  'resolution.proposed': mirrored('market', 'resolution_proposed', 'An answer was proposed.'),
  'resolution.disputed': mirrored('market', 'resolution_disputed', 'An answer was challenged.'),
  'resolution.finalized': own('market', 'An answer is final.', {
    data: payload.ResolutionFinal,
    example: { market_id: 'm_0123456789abcdef', resolution: exampleResolution },
  }),
  'rfq.opened': mirrored('account', 'rfq_opened', 'Somebody asks for quotes.'),
  'rfq.quoted': mirrored('account', 'rfq_quote', 'A quote was given.'),
  'rfq.filled': mirrored('account', 'rfq_filled', 'A quote was taken.'),
  'rfq.closed': mirrored('account', 'rfq_closed', 'A request takes no more quotes.'),
  'proposal.status_changed': later(
    own('account', 'A proposal moved on.', {
      data: payload.ProposalStatus,
      example: payload.exampleProposalStatus,
    }),
  ),
  'listing.approved': later(listing('A listing was approved.')),
  'listing.claimed': later(listing('A listing was acquired.')),
  'bounty.claimed': later(listing('A bounty was claimed.')),
  'app.approved': app('An app was approved.'),
  'app.disabled': app('An app was disabled.'),
  'builder.tier_changed': mirrored('account', 'tier_changed', 'The tier changed.'),
  'key.created': key('A key was minted.'),
  'key.revoked': key('A key was revoked.'),
  'grant.created': grant('An app or partner was authorised.'),
  'grant.revoked': grant('An authorisation was withdrawn.'),
  'subaccount.frozen': own('account', 'A subaccount was frozen.', {
    data: payload.SubaccountFrozen,
    example: payload.exampleSubaccountFrozen,
  }),
  'incentive.exhausted': later(
    own('market', 'A reward programme has spent its budget.', {
      data: payload.IncentiveExhausted,
      example: payload.exampleIncentive,
    }),
  ),
  'revenue.credited': own('account', 'Your share of fees was credited.', {
    data: payload.RevenueCredited,
    example: payload.exampleRevenue,
  }),
  'circuit_breaker.changed': mirrored('platform', 'circuit_breaker', 'A breaker changed state.'),
  'webhook.ping': own('platform', 'A test that an endpoint can ask for.', {
    data: payload.WebhookPing,
    example: payload.examplePing,
  }),
  'webhook.secret_rotated': own('platform', 'The signing secret changed.', {
    data: payload.SecretRotated,
    example: payload.exampleRotated,
  }),
  'webhook.disabled': own('platform', 'An endpoint was switched off.', {
    data: payload.WebhookDisabled,
    example: payload.exampleDisabled,
  }),
} satisfies Readonly<Record<string, WebhookEvent>>);

export type WebhookEvents = typeof webhookEvents;
export type WebhookEventType = keyof WebhookEvents;
/** What an event of this type carries under `data`. */
export type WebhookData<Type extends WebhookEventType> = Static<WebhookEvents[Type]['data']>;

export const webhookEventTypes: readonly WebhookEventType[] = Object.freeze(
  Object.keys(webhookEvents).filter(isWebhookEventType),
);

export function isWebhookEventType(text: string): text is WebhookEventType {
  return Object.hasOwn(webhookEvents, text);
}

/** Whether something sends events of this type; the others are for groups that are not built yet. */
export function isSentWebhookEventType(text: string): text is WebhookEventType {
  return isWebhookEventType(text) && webhookEvents[text].since !== 'later';
}

/** The body of a delivery of this type. */
export function webhookEnvelopeOf(type: WebhookEventType): TSchema {
  return Type.Object({
    ...envelopeFields,
    type: oneOf([type]),
    data: webhookEvents[type].data,
  });
}

/** A whole body, as an example. */
export function exampleDelivery(type: WebhookEventType): Readonly<Record<string, unknown>> {
  return {
    id: 'evt_01J0000000000021',
    type,
    created_at: '2026-11-14T12:00:00.000Z',
    created_at_ms: 1_794_657_600_000,
    api_version: apiVersion,
    environment: 'sandbox',
    sequence: 7,
    data: webhookEvents[type].example,
  };
}

const envelopeFields = {
  id: Type.String({
    pattern: '^evt_[0-9A-Za-z]{1,40}$',
    description: 'The event; the same in every attempt and replay, so use it to drop duplicates.',
  }),
  type: Type.String(),
  ...instant('created_at', 'When it happened.'),
  api_version: Type.String(),
  environment: oneOf(environments),
  sequence: Type.Integer({
    format: 'int64',
    minimum: 1,
    description: 'Counts the events of this endpoint, without a gap.',
  }),
  test: Type.Optional(Type.Boolean({ description: 'True if somebody asked for this delivery.' })),
};

/** The headers of a delivery. The secret is whsec_ and the base64 of 32 bytes. */
export const webhookHeaders = Object.freeze({
  'X-SVC-Signature': header(
    't=<unix seconds>,v1=<hex>, and a second v1 of the old secret for 24 hours after a rotation: HMAC-SHA256 of t, a dot and the raw body, keyed with the whole secret as text.',
    '^t=[0-9]+,v1=[0-9a-f]{64}(,v1=[0-9a-f]{64})?$',
  ),
  'X-SVC-Event': header('The type of the event.', '^[a-z_]+\\.[a-z_]+$'),
  'X-SVC-Delivery': header('Id of the delivery in the log.', '^dlv_[0-9A-Za-z]{1,40}$'),
  'X-SVC-Attempt': header('1 for the first attempt.', '^[0-9]+$'),
  'webhook-id': header('Id of the event, as Standard Webhooks has it.', '^evt_'),
  'webhook-timestamp': header('UNIX seconds of this attempt.', '^[0-9]+$'),
  'webhook-signature': header(
    'v1,<base64>, two of them separated by a space after a rotation: HMAC-SHA256 of id, dot, timestamp, dot and the raw body, keyed with the 32 bytes of the secret.',
    '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)?$',
  ),
});

function header(description: string, pattern: string) {
  return Object.freeze({ description, schema: Type.String({ pattern }) });
}

/** An event that says what a message of the socket says, with the same data and readiness. */
function mirrored<const Type extends StreamMessageType>(
  aggregate: Aggregate,
  type: Type,
  description: string,
): Mirrored<Type> {
  const source: StreamMessages[Type] = streamMessages[type];
  const { data, example, since } = source;
  return Object.freeze({ aggregate, message: type, since, description, data, example });
}

function own<Data extends TSchema>(
  aggregate: Aggregate,
  description: string,
  content: { readonly data: Data; readonly example: Static<NoInfer<Data>> },
): Own<Data> {
  return Object.freeze({ aggregate, message: null, since: '0.3', description, ...content });
}

function later<Event extends WebhookEvent>(event: Event): Event {
  return Object.freeze({ ...event, since: 'later' });
}

function listing(description: string) {
  return own('account', description, {
    data: payload.ListingEvent,
    example: payload.exampleListingEvent,
  });
}

function app(description: string) {
  return own('account', description, {
    data: payload.AppEvent,
    example: payload.exampleAppEvent,
  });
}

function grant(description: string) {
  return own('account', description, {
    data: payload.GrantEvent,
    example: payload.exampleGrantEvent,
  });
}

function key(description: string) {
  return own('account', description, { data: ApiKey, example: exampleApiKey });
}
