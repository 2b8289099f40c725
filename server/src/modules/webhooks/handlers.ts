// The Webhooks group: register, list, change, remove, rotate, look at deliveries, send again.
import {
  type InputOf,
  isSentWebhookEventType,
  isWebhookEventType,
  limits,
  type OutputOf,
  type WebhookDelivery,
  type WebhookWithSecret,
  type Webhook as WireWebhook,
  type webhookOperations,
} from '@sibyl/contract';
import type { CursorPage } from '@sibyl/history';
import type { Clock } from '@sibyl/lane';
import { isReadOnly } from '../../handling/builder-user.ts';
import { boundTo } from '../../handling/credentials.ts';
import { cutPage } from '../../handling/cut-page.ts';
import {
  ApiError,
  fail,
  type Handler,
  ownAccount,
  type Reply,
  type RequestContext,
  rejected,
} from '../../handling/handler.ts';
import { stepUpRefusal } from '../../handling/step-up.ts';
import type { WebhookOwner } from '../../ports/outbound.ts';
import type { PlatformStore, SavedAnswer } from '../../ports/platform.ts';
import {
  type DeliveryRecord,
  type EndpointChange,
  type EndpointRecord,
  progressOf,
  UNUSED_ENDPOINT,
} from '../../ports/webhooks.ts';
import { readMoney } from '../../wire/amounts.ts';
import { answerOnce, savedAs } from '../../wire/answer-once.ts';
import { demoRefusal } from '../../wire/demo-refusal.ts';
import { isOverMeanwhile, pausedMeanwhile } from './over-meanwhile.ts';
import { isShownTo, makerOf, manageableEndpoint, ownEndpoint, unheard } from './own-endpoint.ts';
import { deliveryView, oldSecretEndMs, webhookView } from './views.ts';
import type { WebhookService } from './webhook-service.ts';

export interface WebhookParts {
  readonly delivery: WebhookService;
  readonly platform: PlatformStore;
  readonly clock: Clock;
}

type Webhooks = typeof webhookOperations;
type Answer<Data> = Promise<Reply<Data> | ApiError>;

export function webhookHandlers(parts: WebhookParts): {
  readonly [Id in keyof Webhooks]: Handler<Webhooks[Id]>;
} {
  const answers = { store: parts.delivery.store, clock: parts.clock };
  return {
    createWebhook: (request, { body }) =>
      answerOnce(answers, request, () => create(parts, request, body)),
    listWebhooks: (request, { query }) => list(parts, request, query),
    updateWebhook: (request, { params, body }) =>
      answerOnce(answers, request, () => update(parts, request, params.webhook_id, body)),
    deleteWebhook: (request, { params }) =>
      answerOnce(answers, request, () => remove(parts, request, params.webhook_id)),
    rotateWebhookSecret: (request, { params }) =>
      answerOnce(answers, request, () => rotate(parts, request, params.webhook_id)),
    listWebhookDeliveries: (request, { params, query }) =>
      listDeliveries(parts, request, params.webhook_id, query),
    replayWebhook: (request, { params, body }) =>
      answerOnce(answers, request, () => replay(parts, request, params.webhook_id, body)),
  };
}

type CreateInput = InputOf<Webhooks['createWebhook']>['body'];
type UpdateInput = InputOf<Webhooks['updateWebhook']>['body'];
type ReplayInput = InputOf<Webhooks['replayWebhook']>['body'];
type ReplayAnswer = OutputOf<Webhooks['replayWebhook']>;

const THRESHOLD_DEFAULT = '10';
const SHOWN_IDS_MAX = 100;
/** Deliveries of one read, and reads for one page. */
const SCANNED_AT_ONCE = 1000;
const READS_MAX = 10;
const SHOWN_AT_ONCE = 50;

async function create(
  parts: WebhookParts,
  request: RequestContext,
  body: CreateInput,
): Answer<WebhookWithSecret> {
  const { delivery, clock } = parts;
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const refused = demoRefusal(request, 'webhooks') ?? unheard(request, body.event_types);
  if (refused !== null) return refused;
  // Endpoints are counted by account: those of subaccounts would come on top. Their owner's hear of all of them.
  const { credential } = request;
  if (credential !== null && boundTo(credential) !== null) {
    return fail('SCOPE_NOT_ALLOWED', { reason: 'keys of subaccounts make no webhooks' });
  }
  const accountId = ownAccount(request);
  const owner = { environment: request.laneName, accountId, createdBy: makerOf(request) };
  const wanted = await readChange(parts, owner, {
    balance_low_threshold: THRESHOLD_DEFAULT,
    ...body,
  });
  if (wanted instanceof ApiError) return wanted;
  const webhookId = delivery.newWebhookId();
  const { text, sealed } = delivery.newSecret({ webhookId, accountId });
  const nowMs = clock.wallMs();
  const endpoint: EndpointRecord = {
    ...blankEndpoint(request, nowMs),
    ...wanted,
    webhookId,
    secret: sealed,
    updatedAtMs: nowMs,
  };
  const shown = { ...webhookView(endpoint, nowMs), secret: text, secrets_withheld: false };
  const saved = savedAs(request, nowMs, withheld(shown));
  const added = await delivery.register(endpoint, saved);
  if (added === 'full') return tooMany();
  if (added === 'taken') return fail('ALREADY_EXISTS', { field: 'url' });
  if (await isOverMeanwhile(parts, request)) {
    await delivery.remove(endpoint);
    if (credential !== null) await delivery.store.forgetAnswers(credential.holderId);
    return rejected('revoked');
  }
  return { data: shown };
}

function tooMany(): ApiError {
  const { perAccountMax } = limits.webhook;
  const expected = `at most ${perAccountMax} webhooks: delete one that you no longer use`;
  return fail('VALIDATION_FAILED', { field: 'url', expected, limit: perAccountMax });
}

async function list(
  { delivery, clock }: WebhookParts,
  request: RequestContext,
  query: Readonly<Record<string, unknown>>,
): Answer<WireWebhook[]> {
  const page = request.page(query);
  const [createdAtMs, webhookId] = page.after ?? [];
  const after =
    typeof createdAtMs === 'number' && typeof webhookId === 'string'
      ? { createdAtMs, webhookId }
      : null;
  // One more than asked for tells whether there is a page after this one.
  const wanted = { limit: page.limit + 1, after };
  const found = await delivery.store.endpointsOf(ownAccount(request), wanted);
  const { shown, nextCursor } = cutPage(found, page, (last) => [last.createdAtMs, last.webhookId]);
  return {
    data: shown
      .filter((endpoint) => isShownTo(request, endpoint))
      .map((endpoint) => webhookView(endpoint, clock.wallMs())),
    meta: { next_cursor: nextCursor },
  };
}

async function update(
  parts: WebhookParts,
  request: RequestContext,
  webhookId: string,
  body: UpdateInput,
): Answer<WireWebhook> {
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const endpoint = await manageableEndpoint(parts, request, webhookId);
  if (endpoint instanceof ApiError) return endpoint;
  const wanted = unheard(request, body.event_types) ?? (await readChange(parts, endpoint, body));
  if (wanted instanceof ApiError) return wanted;
  const nowMs = parts.clock.wallMs();
  const change: EndpointChange = {
    ...wanted,
    ...statusChange(body.status, endpoint, nowMs),
    ...(wanted.url === undefined ? {} : { changedBy: makerOf(request) }),
    updatedAtMs: nowMs,
  };
  const answer = webhookView({ ...endpoint, ...change }, nowMs);
  const changed = await parts.delivery.change(webhookId, change, savedAs(request, nowMs, answer));
  if (changed === null) return fail('NOT_FOUND');
  if (changed === 'taken') {
    return fail('WEBHOOK_URL_INVALID', { field: 'url', reason: 'another webhook has it' });
  }
  if (await isOverMeanwhile(parts, request)) return pausedMeanwhile(parts, changed);
  return { data: webhookView(changed, nowMs) };
}

async function remove(
  parts: WebhookParts,
  request: RequestContext,
  webhookId: string,
): Answer<WireWebhook> {
  const endpoint = await manageableEndpoint(parts, request, webhookId);
  if (endpoint instanceof ApiError) return endpoint;
  const nowMs = parts.clock.wallMs();
  const answer = webhookView(endpoint, nowMs);
  await parts.delivery.remove(endpoint, savedAs(request, nowMs, answer));
  return { data: answer };
}

async function rotate(
  parts: WebhookParts,
  request: RequestContext,
  webhookId: string,
): Answer<WebhookWithSecret> {
  const { delivery, clock } = parts;
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const endpoint = await manageableEndpoint(parts, request, webhookId);
  if (endpoint instanceof ApiError) return endpoint;
  const unproved = await stepUpRefusal(parts, request);
  if (unproved !== null) return unproved;
  const nowMs = clock.wallMs();
  const oldEndsMs = oldSecretEndMs(endpoint, nowMs);
  if (oldEndsMs !== null) {
    const reason = 'the last rotation is less than a day old';
    return fail('STATE_CONFLICT', { reason, old_secret_expires_at_ms: oldEndsMs });
  }
  const { text, sealed } = delivery.newSecret(endpoint);
  const change = {
    secret: sealed,
    previousSecret: endpoint.secret,
    rotatedAtMs: nowMs,
    changedBy: makerOf(request),
    updatedAtMs: nowMs,
  };
  const rotated = { ...endpoint, ...change };
  const shown = { ...webhookView(rotated, nowMs), secret: text, secrets_withheld: false };
  const saved = savedAs(request, nowMs, withheld(shown));
  const changed = await delivery.change(webhookId, change, saved);
  if (changed === null || changed === 'taken') return fail('NOT_FOUND');
  if (await isOverMeanwhile(parts, request)) return pausedMeanwhile(parts, changed);
  await delivery.announceRotation(changed, nowMs);
  return { data: shown };
}

async function listDeliveries(
  parts: WebhookParts,
  request: RequestContext,
  webhookId: string,
  query: InputOf<Webhooks['listWebhookDeliveries']>['query'],
): Answer<WebhookDelivery[]> {
  const { store } = parts.delivery;
  const endpoint = await ownEndpoint(parts, request, webhookId);
  if (endpoint instanceof ApiError) return endpoint;
  const page = request.page(query);
  const [position] = page.after ?? [];
  const before = typeof position === 'number' ? position : null;
  const { rows, next } = await findDeliveries(store, webhookId, query, page.limit, before);
  const data: WebhookDelivery[] = [];
  for (let begun = 0; begun < rows.length; begun += SHOWN_AT_ONCE) {
    const shown = rows.slice(begun, begun + SHOWN_AT_ONCE);
    const attempts = await store.attemptsOf(shown.map(({ deliveryId }) => deliveryId));
    for (const [index, delivery] of shown.entries()) {
      data.push(deliveryView(delivery, attempts[index] ?? [], parts.delivery.body(delivery)));
    }
    // A file answers at once: without a rest, a long page would hold up everybody.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { data, meta: { next_cursor: next === null ? null : page.cursor([next]) } };
}

/** A filter that lets little through must not hold up everybody: it reads some, then others have their turn. */
async function findDeliveries(
  store: WebhookService['store'],
  webhookId: string,
  filter: InputOf<Webhooks['listWebhookDeliveries']>['query'],
  limit: number,
  before: number | null,
): Promise<CursorPage<DeliveryRecord, number>> {
  const { status = null, event_type: eventType = null } = filter;
  const rows: DeliveryRecord[] = [];
  let beforePosition = before;
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const fromPosition = await store.deliveryBack(webhookId, beforePosition, SCANNED_AT_ONCE);
    const found = await store.deliveriesOf(webhookId, {
      // One more than asked for tells whether there is a page after this one.
      limit: limit + 1 - rows.length,
      beforePosition,
      ...(fromPosition === null ? {} : { fromPosition }),
      status,
      eventType,
    });
    rows.push(...found);
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]!.position };
    if (fromPosition === null) return { rows, next: null };
    beforePosition = fromPosition;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { rows, next: beforePosition };
}

async function replay(
  parts: WebhookParts,
  request: RequestContext,
  webhookId: string,
  body: ReplayInput,
): Answer<ReplayAnswer> {
  const { delivery, clock } = parts;
  if (await isReadOnly(request)) return fail('READ_ONLY_MODE');
  const endpoint = await manageableEndpoint(parts, request, webhookId);
  if (endpoint instanceof ApiError) return endpoint;
  const { delivery_id: deliveryId, since_ms: sinceMs, event_type: type } = body;
  if (type !== undefined && !isSentWebhookEventType(type)) return unknownTypes([type]);
  if (endpoint.disabledReason !== null) {
    return fail('STATE_CONFLICT', { reason: 'the webhook is not active' });
  }
  const save = (ids: readonly string[]): SavedAnswer | undefined =>
    savedAs(request, clock.wallMs(), queued(ids));
  if (type !== undefined) return { data: queued(await delivery.test(endpoint, type, save)) };
  if (sinceMs !== undefined) {
    const found = await delivery.deliveriesSince(webhookId, sinceMs);
    return { data: queued(await delivery.replay(found, save)) };
  }
  const one = deliveryId === undefined ? null : await delivery.store.delivery(deliveryId);
  if (one === null || one.webhookId !== webhookId) return fail('NOT_FOUND');
  if (progressOf(one) === 'retrying') return { data: queued(await delivery.hasten(one, save)) };
  if (one.status === 'pending') return fail('STATE_CONFLICT', { reason: 'still being delivered' });
  return { data: queued(await delivery.replay([one], save)) };
}

function blankEndpoint(
  request: RequestContext,
  nowMs: number,
): Omit<EndpointRecord, 'webhookId' | 'secret' | 'updatedAtMs'> {
  const { credential } = request;
  return {
    ...UNUSED_ENDPOINT,
    environment: request.laneName,
    accountId: ownAccount(request),
    holderId: credential?.holderId ?? '',
    createdBy: makerOf(request),
    url: '',
    eventTypes: [],
    marketIds: [],
    balanceLowThreshold: 0n,
    fromSeq: request.lane.status().durableSeq,
    createdAtMs: nowMs,
  };
}

type Settings = Omit<EndpointChange, 'updatedAtMs'>;

/** What a client sent, checked by the rules that have codes of their own. */
async function readChange(
  { delivery }: WebhookParts,
  owner: WebhookOwner,
  body: CreateInput | UpdateInput,
): Promise<Settings | ApiError> {
  const { url, event_types: eventTypes, market_ids: marketIds, description } = body;
  const unknown = (eventTypes ?? []).filter((type) => !isSentWebhookEventType(type));
  if (unknown.length > 0) return unknownTypes(unknown);
  const { balance_low_threshold: thresholdText } = body;
  const threshold =
    thresholdText === undefined ? null : readMoney(thresholdText, 'balance_low_threshold');
  if (threshold instanceof ApiError) return threshold;
  const reason = url === undefined ? null : await delivery.inspect(url, owner);
  if (reason !== null) return fail('WEBHOOK_URL_INVALID', { field: 'url', reason });
  return {
    ...(url === undefined ? {} : { url }),
    ...(eventTypes === undefined ? {} : { eventTypes }),
    ...(marketIds === undefined ? {} : { marketIds }),
    ...(description === undefined ? {} : { description }),
    ...(threshold === null ? {} : { balanceLowThreshold: threshold }),
  };
}

/** Types that no catalogue has, and those that nothing sends yet: a webhook of theirs would stay silent. */
function unknownTypes(unknown: readonly string[]): ApiError {
  const notSent = unknown.filter(isWebhookEventType);
  if (notSent.length === 0) return fail('WEBHOOK_EVENT_UNKNOWN', { unknown });
  const message = `Nothing sends ${notSent.join(', ')} yet.`;
  return fail('WEBHOOK_EVENT_UNKNOWN', { unknown, not_sent: notSent }, message);
}

/** Made active, an endpoint starts with a clean record: an old streak must not end it at the first failure. */
function statusChange(
  status: UpdateInput['status'],
  { health }: EndpointRecord,
  nowMs: number,
): Settings {
  if (status === undefined) return {};
  if (status === 'paused') return { disabledReason: 'owner', disabledAtMs: nowMs };
  return {
    disabledReason: null,
    disabledAtMs: null,
    health: { ...health, failureStreak: 0, failingSinceMs: null },
  };
}

/** The same answer as a replay of the request may give it. */
function withheld(shown: WebhookWithSecret): WebhookWithSecret {
  return { ...shown, secret: null, secrets_withheld: true };
}

function queued(ids: readonly string[]): ReplayAnswer {
  return { queued: ids.length, delivery_ids: ids.slice(0, SHOWN_IDS_MAX) };
}
