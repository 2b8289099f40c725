// One order at a time: place, look up, amend, cancel.
import {
  type OperationInput,
  type OperationOutput,
  type Operations,
  type OrderInput,
  previewOrderId,
  type Order as WireOrder,
} from '@sibyl/contract';
import {
  type AccountId,
  type OrderId,
  type Outcome,
  type PlaceOrder,
  previewOrder,
  type SellMinted,
  type State,
} from '@sibyl/engine';
import { fillPrice } from '@sibyl/history';
import {
  ApiError,
  accountFor,
  fail,
  type Handler,
  knownAccount,
  ownAccount,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { submit } from '../../handling/submit.ts';
import { amountText, lotsText, priceText } from '../../wire/amounts.ts';
import { type AnswerStore, firstRun } from '../../wire/first-answer.ts';
import { wireOrder } from '../../wire/generated/order.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import { cancelledBy, PlacedReply } from '../../wire/order-replies.ts';
import { isRefusal, wireRefusal } from '../../wire/refusals.ts';
import { type Attributed, type AttributionParts, attributionOf } from './attribution.ts';
import { amendCommand, cancelCommand, orderCommand, previewedOrder } from './commands.ts';
import { conflictWith, refusedOrder, unknownOrder } from './conflicts.ts';
import { askedOf, askedOfChange, explained } from './explained.ts';
import { findOrderId, NO_ORDER, readableOrder, readOrder } from './lookup.ts';
import { type OrderSetHandlers, orderSetHandlers } from './order-sets.ts';

export interface OrderParts extends AnswerStore, AttributionParts {
  readonly platform: AnswerStore['platform'] & AttributionParts['platform'];
  readonly histories: Histories;
}

interface OrderHandlers extends OrderSetHandlers {
  readonly placeOrder: Handler<Operations['placeOrder']>;
  readonly getOrder: Handler<Operations['getOrder']>;
  readonly amendOrder: Handler<Operations['amendOrder']>;
  readonly cancelOrder: Handler<Operations['cancelOrder']>;
}

type PlacedOrder = OperationOutput<'placeOrder'>;

export function orderHandlers(parts: OrderParts): OrderHandlers {
  return {
    placeOrder: (request, { query, body }) =>
      query.dry_run === true ? dryRun(parts, request, body) : place(parts, request, body),
    getOrder: async (request, { params, query }) =>
      get(parts, request, await knownAccount(request, query.subaccount_id), params.order_id),
    amendOrder: async (request, { params, query, body }) => {
      const accountId = await knownAccount(request, query.subaccount_id);
      return amend(parts, request, accountId, params.order_id, body);
    },
    cancelOrder: (request, { params, query }) =>
      query.subaccount_id === undefined
        ? cancel(parts, request, ownAccount(request), params.order_id)
        : cancelIn(parts, request, query.subaccount_id, params.order_id),
    ...orderSetHandlers(parts),
  };
}

function place(
  parts: OrderParts,
  request: RequestContext,
  input: OrderInput,
): Promise<Reply<PlacedOrder> | ApiError> {
  const builder = attributionOf(parts, request, input.builder);
  return builder instanceof Promise
    ? builder.then((found) => placeAs(parts, request, input, found))
    : placeAs(parts, request, input, builder);
}

function placeAs(
  parts: OrderParts,
  request: RequestContext,
  input: OrderInput,
  builder: Attributed,
): Promise<Reply<PlacedOrder> | ApiError> {
  const accountId = accountFor(request, input.subaccount_id);
  const command = orderCommand(request, accountId, input, builder);
  if (command instanceof ApiError) return explained(request, askedOf(input), command);
  return submit(request, command).then((outcome) => placed(parts, request, input, outcome));
}

function placed(
  parts: OrderParts,
  request: RequestContext,
  input: OrderInput,
  outcome: Outcome,
): Reply<PlacedOrder> | Promise<Reply<PlacedOrder> | ApiError> {
  const { answer, replayed } = outcome;
  if (!answer.ok) {
    return explainedRefusal(parts, request, input, outcome);
  }
  if (answer.result.kind !== 'order') throw new Error('a placement was answered by something else');
  const { order, fillVenue } = answer.result;
  return new PlacedReply(order, fillVenue, replayed);
}

async function explainedRefusal(
  parts: OrderParts,
  request: RequestContext,
  input: OrderInput,
  outcome: Outcome,
): Promise<Reply<PlacedOrder> | ApiError> {
  const accountId = accountFor(request, input.subaccount_id);
  const refused = await refusedOrder(parts, request, accountId, outcome);
  return refused instanceof ApiError ? explained(request, askedOf(input), refused) : refused;
}

/** The same checks and the same walk on the state as it is; nothing is booked. */
async function dryRun(
  parts: OrderParts,
  request: RequestContext,
  input: OrderInput,
): Promise<Reply<PlacedOrder> | ApiError> {
  const accountId = accountFor(request, input.subaccount_id);
  const builder = await attributionOf(parts, request, input.builder);
  const command = orderCommand(request, accountId, input, builder);
  const answer =
    command instanceof ApiError
      ? command
      : await request.lane.read((state) => previewed(state, request, command));
  return answer instanceof ApiError ? explained(request, askedOf(input), answer) : answer;
}

function previewed(
  state: State,
  request: RequestContext,
  asked: PlaceOrder | SellMinted,
): Reply<PlacedOrder> | ApiError {
  if (state.readOnly) return fail('READ_ONLY_MODE');
  const preview = previewOrder(state, request.actor, asked);
  if (isRefusal(preview)) return wireRefusal(preview);
  const command = asked.type === 'sell_minted' ? asked.order : asked;
  const { mint } = preview;
  const { actor } = request;
  const keyId = actor.kind === 'account' ? actor.keyId : null;
  const order = previewedOrder(command, preview, keyId, state.nowMs);
  const { side, price } = command;
  const view = wireOrder(order, state.nowMs);
  const isBuy = side === 'buy';
  const proceeds = preview.cost - preview.fees;
  const sold = mint === null ? proceeds : mint.amount + mint.fee - proceeds;
  const total = isBuy ? preview.cost + preview.fees : sold;
  const isPaid = isBuy || mint !== null;
  const reserved = isBuy ? BigInt(preview.restingLots * (price ?? 0)) : 0n;
  const free = state.ledger.balance(state.accounts.get(command.accountId)!.free);
  const data: PlacedOrder = {
    ...view,
    order_id: previewOrderId,
    preview: {
      fills: preview.fills.map(({ lots, cost, fee, builderFee }) => ({
        price: priceText(fillPrice(cost, lots)),
        size: lotsText(lots),
        cost: amountText(cost),
        fee: amountText(fee + builderFee),
      })),
      cost: amountText(preview.cost),
      fee: amountText(preview.fees),
      builder_fee: amountText(preview.fills.reduce((sum, { builderFee }) => sum + builderFee, 0n)),
      ...(mint !== null && {
        minted: amountText(mint.amount),
        mint_fee: amountText(mint.fee),
      }),
      total: amountText(total),
      price_after: amountText(preview.priceAfter),
      impact: amountText(preview.priceAfter - preview.priceBefore),
      balance_free_after: amountText(isPaid ? free - total - reserved : free + total),
    },
  };
  return preview.fillVenue === null ? { data } : { data, meta: { fill_venue: preview.fillVenue } };
}

async function get(
  { histories }: OrderParts,
  request: RequestContext,
  accountId: AccountId,
  reference: string,
): Promise<Reply<WireOrder> | ApiError> {
  const history = historyOf(histories, request.laneName);
  const orderId = await findOrderId(request.lane, history, accountId, reference);
  if (orderId === null) return unknownOrder(reference);
  const data = await settled(request, () => readOrder(history, accountId, orderId));
  return data === null ? unknownOrder(reference) : { data };
}

async function amend(
  parts: OrderParts,
  request: RequestContext,
  accountId: AccountId,
  reference: string,
  input: OperationInput<'amendOrder'>['body'],
): Promise<Reply<WireOrder> | ApiError> {
  const history = historyOf(parts.histories, request.laneName);
  const orderId = await namedOrder(parts, request, accountId, reference);
  if (orderId === null) return unknownOrder(reference);
  const explain = async (error: ApiError): Promise<ApiError> => {
    const order = await settled(request, () => readableOrder(history, request, accountId, orderId));
    return order === null ? error : explained(request, askedOfChange(order, input), error);
  };
  const command = amendCommand(request, accountId, orderId, input);
  if (command instanceof ApiError) return explain(command);
  const outcome = await submit(request, command);
  const { answer, replayed } = outcome;
  if (!answer.ok) {
    const refused = await conflictWith(parts, request, { accountId, reference, orderId }, outcome);
    return refused instanceof ApiError ? explain(refused) : refused;
  }
  if (answer.result.kind !== 'order')
    throw new Error('an amendment was answered by something else');
  const { order } = answer.result;
  const { atMs } = await firstRun(request.lane, request, outcome);
  return { data: wireOrder(order, atMs), replayed };
}

async function cancelIn(
  parts: OrderParts,
  request: RequestContext,
  subaccountId: string,
  reference: string,
): Promise<Reply<WireOrder> | ApiError> {
  return cancel(parts, request, await knownAccount(request, subaccountId), reference);
}

async function cancel(
  parts: OrderParts,
  request: RequestContext,
  accountId: AccountId,
  reference: string,
): Promise<Reply<WireOrder> | ApiError> {
  const history = historyOf(parts.histories, request.laneName);
  const orderId = await namedOrder(parts, request, accountId, reference);
  if (orderId === null) return unknownOrder(reference);
  const outcome = await submit(request, cancelCommand(request, accountId, orderId));
  const { answer, replayed } = outcome;
  if (!answer.ok) return conflictWith(parts, request, { accountId, reference, orderId }, outcome);
  const data = await readOrder(history, accountId, cancelledBy(answer) ?? orderId);
  return data === null ? unknownOrder(reference, replayed) : { data, replayed };
}

/** A request with a key is known to the engine, also when it names nothing: its answer must not change when it is repeated. */
async function namedOrder(
  { histories }: OrderParts,
  request: RequestContext,
  accountId: AccountId,
  reference: string,
): Promise<OrderId | null> {
  const history = historyOf(histories, request.laneName);
  const found = await findOrderId(request.lane, history, accountId, reference);
  return found ?? (request.idempotency === undefined ? null : NO_ORDER);
}

/** History shows what is durable; an order that the engine has just taken is waited for. */
async function settled<T>(request: RequestContext, read: () => Promise<T>): Promise<T> {
  await request.lane.read((state) => state.seq);
  return read();
}
