// Many orders at a time: a batch, cancel all.
import {
  type BatchItem,
  errors,
  type OperationInput,
  type OperationOutput,
  type Operations,
} from '@sibyl/contract';
import type {
  AccountId,
  Answer,
  BatchItem as EngineItem,
  OrderId,
  Outcome,
  Rejection,
} from '@sibyl/engine';
import type { History } from '@sibyl/history';
import {
  ApiError,
  fail,
  type Handler,
  knownAccount,
  ownAccount,
  type Reply,
  type RequestContext,
  wireError,
} from '../../handling/handler.ts';
import { submit } from '../../handling/submit.ts';
import { answerFirst, firstRequestId, firstRun } from '../../wire/first-answer.ts';
import { historyOf } from '../../wire/histories.ts';
import { orderIdText } from '../../wire/ids.ts';
import { BatchReply, cancelledBy, isOrder, itemOrder } from '../../wire/order-replies.ts';
import { withOtherLane } from '../../wire/other-lane.ts';
import { asClosed, wireRefusal } from '../../wire/refusals.ts';
import { type AttributionParts, attributionOf } from './attribution.ts';
import {
  amendCommand,
  cancelAllFilter,
  cancelCommand,
  placeCommand,
  underGrant,
} from './commands.ts';
import type { ConflictParts } from './conflicts.ts';
import { askedOf, explained } from './explained.ts';
import { heartbeat } from './heartbeat.ts';
import { findOrderIds, NO_ORDER, readOrder } from './lookup.ts';

export interface OrderSetHandlers {
  readonly batchOrders: Handler<Operations['batchOrders']>;
  readonly cancelAllOrders: Handler<Operations['cancelAllOrders']>;
  readonly heartbeat: Handler<Operations['heartbeat']>;
}

type BatchAnswer = OperationOutput<'batchOrders'>;
type BatchResult = BatchAnswer['results'][number];

export interface OrderSetParts extends ConflictParts, AttributionParts {
  readonly platform: ConflictParts['platform'] & AttributionParts['platform'];
}

export function orderSetHandlers(parts: OrderSetParts): OrderSetHandlers {
  return {
    batchOrders: (request, { body }) =>
      body.subaccount_id === undefined
        ? runBatch(parts, request, ownAccount(request), body)
        : runBatchIn(parts, request, body.subaccount_id, body),
    cancelAllOrders: (request, { query }) => cancelAll(request, query),
    heartbeat: (request, { body }) => heartbeat(request, body),
  };
}

type BatchAnswered = Reply<BatchAnswer> | ApiError;
type Prepared = readonly (EngineItem | ApiError)[];

async function runBatchIn(
  parts: OrderSetParts,
  request: RequestContext,
  subaccountId: string,
  body: OperationInput<'batchOrders'>['body'],
): Promise<BatchAnswered> {
  return runBatch(parts, request, await knownAccount(request, subaccountId), body);
}

function runBatch(
  parts: OrderSetParts,
  request: RequestContext,
  accountId: AccountId,
  body: OperationInput<'batchOrders'>['body'],
): Promise<BatchAnswered> {
  const { items, all_or_none: allOrNone = false } = body;
  const prepared =
    items.every(isPlacement) && !items.some(namesApp)
      ? placements(request, accountId, items)
      : batchCommands(parts, request, accountId, items);
  const batch = { accountId, items, allOrNone };
  return prepared instanceof Promise
    ? prepared.then((commands) => runCommands(parts, request, batch, commands))
    : runCommands(parts, request, batch, prepared);
}

interface AskedBatch {
  readonly accountId: AccountId;
  readonly items: readonly BatchItem[];
  readonly allOrNone: boolean;
}

async function runCommands(
  parts: ConflictParts,
  request: RequestContext,
  { accountId, items, allOrNone }: AskedBatch,
  prepared: Prepared,
): Promise<BatchAnswered> {
  const fault = prepared.findIndex((command) => command instanceof ApiError);
  const faulty = prepared[fault];
  if (allOrNone && faulty instanceof ApiError)
    return atItem(await advised(request, items[fault]!, faulty), fault);
  const commands = isFaultless(prepared) ? prepared : prepared.filter(isCommand);
  const { lane } = request;
  const outcome = await submitBatch(request, accountId, commands, allOrNone);
  if (outcome !== null && !outcome.answer.ok && !isEmptyBatch(commands, outcome.answer.rejection)) {
    const unknown = { items, at: commands.findIndex(namesNothing) };
    return wholeRefusal(parts, request, outcome, outcome.answer.rejection, unknown);
  }
  if (outcome !== null && fault < 0) {
    const { replayed } = outcome;
    const answers = itemAnswers(outcome);
    const { atMs } = replayed ? await firstRun(lane, request, outcome) : outcome;
    return answers.every(isOrder)
      ? new BatchReply(commands, answers, atMs, replayed)
      : itemByItem(parts, request, { items, prepared, outcome, atMs });
  }
  if (outcome === null) return itemByItem(parts, request, { items, prepared, outcome, atMs: 0 });
  // What mends a fault is looked up in the market, which may be another by the time that the request is repeated.
  return answerFirst(parts, lane, request, outcome, ({ atMs }) =>
    itemByItem(parts, request, { items, prepared, outcome, atMs }),
  );
}

interface Ran {
  readonly items: readonly BatchItem[];
  readonly prepared: Prepared;
  /** Null if nothing was left to run. */
  readonly outcome: Outcome | null;
  readonly atMs: number;
}

/** What came of each item, those that never reached the engine among them. */
async function itemByItem(
  parts: ConflictParts,
  request: RequestContext,
  { items, prepared, outcome, atMs }: Ran,
): Promise<BatchAnswered> {
  const answers = outcome?.answer.ok ? itemAnswers(outcome) : [];
  const traceId =
    outcome === null ? request.requestId : await firstRequestId(request.lane, request, outcome);
  const history = historyOf(parts.histories, request.laneName);
  const results: BatchResult[] = [];
  let next = 0;
  for (const [index, command] of prepared.entries()) {
    const item = items[index]!;
    const data =
      command instanceof ApiError
        ? command
        : await itemData(history, item, command, answers[next++]!, atMs);
    const told = data instanceof ApiError ? await advised(request, item, data) : data;
    results.push(resultOf(item.action, told, traceId));
  }
  const succeeded = results.filter(({ ok }) => ok).length;
  const replayed = outcome?.replayed ?? false;
  return { data: { results, succeeded, failed: results.length - succeeded }, replayed };
}

function namesNothing(command: EngineItem): boolean {
  return command.type !== 'place_order' && command.orderId === NO_ORDER;
}

/** A placement's fault with what helps to mend it. */
async function advised(
  request: RequestContext,
  item: BatchItem,
  error: ApiError,
): Promise<ApiError> {
  if (!isPlacement(item)) return error;
  const told = await explained(request, askedOf(item.order), error);
  return withOtherLane(told, request.laneName, request.lanes);
}

function isFaultless(prepared: Prepared): prepared is readonly EngineItem[] {
  return prepared.every(isCommand);
}

function isCommand(prepared: EngineItem | ApiError): prepared is EngineItem {
  return !(prepared instanceof ApiError);
}

type Placement = Extract<BatchItem, { readonly action: 'place' }>;

function isPlacement(item: BatchItem): item is Placement {
  return item.action === 'place' && 'order' in item;
}

/** A batch with one is prepared once the app was looked up. */
function namesApp({ order }: Placement): boolean {
  return order.builder !== undefined;
}

function placements(
  request: RequestContext,
  accountId: AccountId,
  items: readonly Placement[],
): Prepared {
  const commands: (EngineItem | ApiError)[] = [];
  // Not by map: what that makes is of another kind once it is compiled, and all code behind it is compiled again.
  for (const { order } of items) commands.push(placeCommand(request, accountId, order));
  return commands;
}

/** One command or fault for each item; items that name an order by the client's word are looked up together. */
async function batchCommands(
  parts: AttributionParts,
  request: RequestContext,
  accountId: AccountId,
  items: readonly BatchItem[],
): Promise<Prepared> {
  const references = items.map((item) => ('order_id' in item ? item.order_id : ''));
  const isNew = references.every((reference) => reference === '');
  const orderIds = isNew ? [] : await findOrderIds(request.lane, accountId, references);
  const builders = await Promise.all(
    items.map((item) =>
      isPlacement(item) ? attributionOf(parts, request, item.order.builder) : null,
    ),
  );
  return items.map((item, index) => {
    if (item.action === 'place') {
      if ('order' in item) return placeCommand(request, accountId, item.order, builders[index]);
      return fail('MISSING_FIELD', { field: 'order' });
    }
    const orderId = orderIds[index] ?? NO_ORDER;
    if (item.action === 'cancel') return cancelCommand(request, accountId, orderId);
    return amendCommand(request, accountId, orderId, 'price' in item || 'size' in item ? item : {});
  });
}

/** Null if there is nothing to run, and no key by which the engine would know the request again. */
function submitBatch(
  request: RequestContext,
  accountId: AccountId,
  items: readonly EngineItem[],
  allOrNone: boolean,
): Promise<Outcome> | null {
  if (items.length === 0 && request.idempotency === undefined) return null;
  return submit(request, { type: 'batch', accountId, items, allOrNone });
}

/** The engine has refused that there are no items, and remembers the key: the items are answered one by one. */
function isEmptyBatch(commands: readonly EngineItem[], { code }: Rejection): boolean {
  return commands.length === 0 && code === 'VALIDATION_FAILED';
}

function itemAnswers({ answer }: Outcome): readonly Answer[] {
  if (answer.ok && answer.result.kind === 'batch') return answer.result.items;
  throw new Error('a batch was answered by something else');
}

type WireOrder = NonNullable<BatchResult['data']>;

/** Only what has to be looked up is promised. */
function itemData(
  history: History,
  item: BatchItem,
  command: EngineItem,
  answer: Answer,
  atMs: number,
): WireOrder | ApiError | Promise<WireOrder | ApiError> {
  if (!answer.ok) {
    const isUnknown = 'order_id' in item && answer.rejection.code === 'NOT_FOUND';
    return isUnknown ? fail('NOT_FOUND', nameIn(item)) : wireRefusal(answer.rejection);
  }
  const { result } = answer;
  if (result.kind === 'order') return itemOrder(result.order, command, atMs);
  const orderId = cancelledBy(answer);
  if (orderId === null) return fail('NOT_FOUND');
  return readOrder(history, command.accountId, orderId).then((order) => order ?? fail('NOT_FOUND'));
}

/** The request named an order that nobody knows. */
function isOfNoOrder({ code, details }: Rejection): boolean {
  return code === 'NOT_FOUND' && details.order_id === NO_ORDER;
}

function nameIn(item: BatchItem | undefined): Record<string, unknown> {
  return item !== undefined && 'order_id' in item ? { order_id: item.order_id } : {};
}

function resultOf(
  action: BatchResult['action'],
  data: WireOrder | ApiError,
  traceId: string,
): BatchResult {
  return data instanceof ApiError
    ? { ok: false, action, data: null, error: wireError(data, traceId) }
    : { ok: true, action, data, error: null };
}

/** Why none of the items was run. */
async function wholeRefusal(
  parts: ConflictParts,
  request: RequestContext,
  outcome: Outcome,
  rejection: Rejection,
  unknown: { readonly items: readonly BatchItem[]; readonly at: number },
): Promise<BatchAnswered> {
  const { lane } = request;
  const { replayed } = outcome;
  if (isOfNoOrder(rejection)) {
    const details = unknownOrder(
      `items[${unknown.at}].order_id`,
      nameIn(unknown.items[unknown.at]),
    );
    return new ApiError('VALIDATION_FAILED', { details, replayed });
  }
  if (rejection.code === 'MARKET_NOT_APPROVED') {
    return answerFirst(parts, lane, request, outcome, async () =>
      wireRefusal(await asClosed(lane, rejection), replayed),
    );
  }
  const { code, details } = wireRefusal(rejection, replayed);
  if (code !== 'NOT_FOUND') return new ApiError(code, { details: details ?? {}, replayed });
  return new ApiError('VALIDATION_FAILED', { details: unknownOrder('items', details), replayed });
}

/** The batch itself is there; what it names is not. */
function unknownOrder(field: string, details: ApiError['details']): Record<string, unknown> {
  return { ...details, field, expected: 'orders of this account' };
}

/** A fault that stops the whole batch names the item it is in. */
function atItem(fault: ApiError, index: number): ApiError {
  const { code, details } = fault;
  if (code === 'NOT_FOUND') {
    return fail('VALIDATION_FAILED', unknownOrder(`items[${index}].order_id`, details));
  }
  const field = details?.field;
  const path = `items[${index}]`;
  return fail(code, { ...details, field: field === undefined ? path : `${path}.${field}` });
}

async function cancelAll(
  request: RequestContext,
  query: OperationInput<'cancelAllOrders'>['query'],
): Promise<Reply<OperationOutput<'cancelAllOrders'>> | ApiError> {
  const accountId = await knownAccount(request, query.subaccount_id);
  const names = query.order_ids?.split(',') ?? null;
  const found = names === null ? null : await findOrderIds(request.lane, accountId, names);
  const orderIds = found?.filter((orderId) => orderId !== null) ?? null;
  const filter = cancelAllFilter(query);
  const { lane, actor, requestId } = request;
  const outcome = await lane.submit({
    body: { type: 'cancel_orders', accountId, ...filter, orderIds, ...underGrant(request) },
    actor,
    requestId,
  });
  const { answer } = outcome;
  if (!answer.ok) return wireRefusal(answer.rejection);
  if (answer.result.kind !== 'cancelled')
    throw new Error('cancels were answered by something else');
  const unknown = names?.filter((_, index) => found?.[index] === null) ?? [];
  const notCancelled = answer.result.notCancelled.map(({ orderId, code }) =>
    missed(nameOf(orderId, names, found), code),
  );
  return {
    data: {
      cancelled: answer.result.cancelled.map(orderIdText),
      not_cancelled: [...notCancelled, ...unknown.map((name) => missed(name, 'NOT_FOUND'))],
    },
  };
}

/** As the request named it. */
function nameOf(
  orderId: OrderId,
  names: readonly string[] | null,
  found: readonly (OrderId | null)[] | null,
): string {
  return names?.[found?.indexOf(orderId) ?? -1] ?? orderIdText(orderId);
}

function missed(orderId: string, code: 'NOT_FOUND' | 'STATE_CONFLICT') {
  return { order_id: orderId, code, message: errors[code].message };
}
