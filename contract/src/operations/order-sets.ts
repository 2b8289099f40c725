// Operations of the Orders group on many orders: batch, cancel all, dead-man switch.

import { type Static, Type } from 'typebox';
import { common, credentialed, delegated, keyedSpending } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { ErrorBody } from '../envelope.ts';
import { idOf, onBehalfOf, orderReference, outcomeId, subaccountId } from '../ids.ts';
import { limits } from '../limits.ts';
import { queryOf } from '../paging.ts';
import { moneyInput, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { sides } from '../resources/market-data.ts';
import {
  acceptPrice,
  BatchOrder,
  exampleRestingOrder,
  Order,
  restingOrderInput,
} from '../resources/order.ts';
import { trade } from './kinds.ts';

const closed = { additionalProperties: false };

const BatchItem = Type.Union(
  [
    Type.Object(
      { action: oneOf(['place']), order: BatchOrder },
      { title: 'BatchPlace', ...closed },
    ),
    Type.Object(
      {
        action: oneOf(['amend']),
        order_id: orderReference,
        price: Type.Optional(moneyInput('The new limit price.')),
        size: Type.Optional(moneyInput('The new total size.')),
        accept_price: acceptPrice,
      },
      { title: 'BatchAmend', ...closed },
    ),
    Type.Object(
      { action: oneOf(['cancel']), order_id: orderReference },
      { title: 'BatchCancel', ...closed },
    ),
  ],
  { title: 'BatchItem' },
);
export type BatchItem = Static<typeof BatchItem>;

const BatchInput = Type.Object(
  {
    items: Type.Array(BatchItem, { minItems: 1, maxItems: limits.batch.itemsMax }),
    all_or_none: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Run the checks of all items first, and none if one fails.',
      }),
    ),
    subaccount_id: subaccountId,
    on_behalf_of: onBehalfOf,
  },
  { title: 'BatchInput', ...closed },
);

const BatchResult = Type.Object(
  {
    ok: Type.Boolean(),
    action: oneOf(['place', 'amend', 'cancel']),
    data: nullable(Order, 'The order, if ok.'),
    error: nullable(ErrorBody, 'Why not, otherwise.'),
  },
  { title: 'BatchResult' },
);

const BatchAnswer = Type.Object(
  {
    results: Type.Array(BatchResult, { description: 'One per item, in the order of the request.' }),
    succeeded: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
  },
  { title: 'BatchAnswer' },
);

const batchOrders = operation({
  ...trade,
  id: 'batchOrders',
  call: 'orders.batch',
  method: 'POST',
  path: '/v1/orders/batch',
  summary: 'Place, amend and cancel in one call',
  description:
    'Up to 20 items, executed in order; each has its own result and costs one trade request, a cancel too. The first is charged before the body is read, also of a batch that does not fit into what is left. An app or partner amends and cancels only orders that it placed under the same grant; others are NOT_FOUND.',
  idempotency: 'required',
  readOnlyMode: 'blocked',
  rateCost: 'item',
  bodyBytesMax: limits.body.batchBytesMax,
  input: { ...noInput, body: BatchInput },
  data: BatchAnswer,
  errors: [
    ...keyedSpending,
    'NOT_FOUND',
    'TIER_LIMIT_EXCEEDED',
    'TIER_UPGRADE_REQUIRED',
    'MARKET_NOT_FOUND',
    'MARKET_CLOSED',
    'MARKET_HALTED',
    'BALANCE_INSUFFICIENT',
    'RISK_LIMIT_BREACH',
    'BUILDER_FEE_ABOVE_CAP',
    'APP_NOT_APPROVED',
    'ALREADY_EXISTS',
    'STATE_CONFLICT',
    'SUBACCOUNT_FROZEN',
  ],
  example: {
    body: {
      items: [
        { action: 'place', order: restingOrderInput },
        { action: 'cancel', order_id: 'coid:gone' },
      ],
    },
    data: {
      results: [
        { ok: true, action: 'place', data: exampleRestingOrder, error: null },
        {
          ok: false,
          action: 'cancel',
          data: null,
          error: {
            code: 'NOT_FOUND',
            message: 'There is nothing here.',
            details: { order_id: 'coid:gone' },
            trace_id: 'req_example',
          },
        },
      ],
      succeeded: 1,
      failed: 1,
    },
  },
});

const CancelAllAnswer = Type.Object(
  {
    cancelled: Type.Array(idOf('order'), { description: 'Cancelled by this call.' }),
    not_cancelled: Type.Array(
      Type.Object(
        { order_id: Type.String(), code: Type.String(), message: Type.String() },
        { title: 'NotCancelled' },
      ),
      { description: 'Named in order_ids, but finished or unknown.' },
    ),
  },
  { title: 'CancelAllAnswer' },
);

/** No Idempotency-Key here: a replayed answer would leave orders placed since then in the market. */
const cancelAllOrders = operation({
  ...trade,
  id: 'cancelAllOrders',
  call: 'orders.cancelAll',
  method: 'DELETE',
  path: '/v1/orders',
  summary: 'Cancel all orders',
  description:
    'All open orders, or those the filters name. An app or partner cancels only orders that it placed under the same grant; others that it names are NOT_FOUND. Works while halted and in read-only mode, and costs one request, from the reserve of cancels when the trade quota is used up.',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  rateReserve: 'cancel',
  input: {
    ...noInput,
    query: queryOf({
      market_id: Type.Optional(idOf('market')),
      outcome_id: Type.Optional(outcomeId),
      side: Type.Optional(oneOf(sides)),
      order_ids: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4500,
          pattern: '^[^,]+(,[^,]+){0,99}$',
          'x-expected': 'up to 100 order ids, separated by commas',
          description: 'Up to 100 order ids (or coid: forms), separated by commas.',
        }),
      ),
      subaccount_id: subaccountId,
      on_behalf_of: onBehalfOf,
    }),
  },
  data: CancelAllAnswer,
  errors: [...common, ...credentialed, ...delegated, 'NOT_FOUND', 'MARKET_NOT_FOUND'],
  example: {
    query: { market_id: exampleRestingOrder.market_id },
    data: { cancelled: [exampleRestingOrder.order_id], not_cancelled: [] },
  },
});

const { timeoutMsMin, timeoutMsMax } = limits.heartbeat;

const HeartbeatInput = Type.Object(
  {
    timeout_ms: Type.Unsafe<number>({
      type: 'integer',
      minimum: 0,
      maximum: timeoutMsMax,
      not: { exclusiveMinimum: 0, exclusiveMaximum: timeoutMsMin },
      'x-expected': `0, or ${timeoutMsMin} to ${timeoutMsMax}`,
      description: `0 disarms; otherwise ${timeoutMsMin} to ${timeoutMsMax}.`,
    }),
    scope: Type.Optional(
      oneOf(['account', 'market'], {
        description: 'By default `market` if `market_id` is sent, else `account`.',
      }),
    ),
    market_id: Type.Optional(
      idOf('market', 'Guards the orders in this market only. Refused with scope `account`.'),
    ),
    subaccount_id: subaccountId,
  },
  {
    title: 'HeartbeatInput',
    ...closed,
    if: { properties: { scope: { const: 'market' } }, required: ['scope'] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword; nothing awaits a schema.
    then: { required: ['market_id'] },
  },
);

const Heartbeat = Type.Object(
  {
    armed: Type.Boolean(),
    timeout_ms: Type.Integer({ minimum: 0 }),
    scope: oneOf(['account', 'market']),
    market_id: nullable(idOf('market')),
    ...nullableInstant('expires_at', 'When the orders are cancelled unless renewed.'),
  },
  { title: 'Heartbeat' },
);

/** No Idempotency-Key here: a replayed answer would not re-arm the switch. */
const heartbeat = operation({
  ...trade,
  // It is about all orders of the account, and an app is about its own: it would outlive its grant, and take the user's own switch away.
  scope: null,
  id: 'heartbeat',
  call: 'orders.heartbeat',
  method: 'POST',
  path: '/v1/orders/heartbeat',
  summary: 'Dead-man switch',
  description:
    'Renew it in time, or all open orders in its scope are cancelled (`dead_man`): those in one market if `market_id` is sent, else all of the account. It draws on the reserve of cancels when the trade quota is used up. cancel_on_disconnect of the socket is a switch apart from it (`disconnect`): neither renews or disarms the other. It also cancels orders that an app did not place, so no app arms or disarms it: apps have cancel_on_disconnect, which is about their own.',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  rateReserve: 'cancel',
  input: { ...noInput, body: HeartbeatInput },
  data: Heartbeat,
  errors: [...common, ...credentialed, 'NOT_FOUND', 'MARKET_NOT_FOUND', 'SUBACCOUNT_FROZEN'],
  example: {
    body: { timeout_ms: 30_000 },
    data: {
      armed: true,
      timeout_ms: 30_000,
      scope: 'account',
      market_id: null,
      expires_at: '2026-11-14T12:00:30.000Z',
      expires_at_ms: 1_794_657_630_000,
    },
  },
});

export const orderSetOperations = Object.freeze({ batchOrders, cancelAllOrders, heartbeat });
