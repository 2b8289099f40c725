// Operations of the Orders group on one order: place, look up, amend, cancel.

import { Type } from 'typebox';
import { common, credentialed, delegated, identified, ordering, replayable } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { onBehalfOf, orderReference, subaccountId } from '../ids.ts';
import { dryRun, queryOf } from '../paging.ts';
import { moneyInput } from '../primitives.ts';
import {
  acceptPrice,
  exampleOrder,
  exampleOrderInput,
  exampleRestingOrder,
  Order,
  OrderInput,
  PlacedOrder,
} from '../resources/order.ts';
import { trade } from './kinds.ts';

const params = Type.Object({ order_id: orderReference });
/** An order is looked for in one account. */
const query = queryOf({ subaccount_id: subaccountId, on_behalf_of: onBehalfOf });
const amendedOrder: Order = {
  ...exampleRestingOrder,
  order_id: 'ord_01J0000000000030',
  price: '0.460000',
  reserved: '4.600000',
  client_order_id: 'my-second-order',
};
const exampleParams = { order_id: amendedOrder.order_id };

/** What an amendment may change; at least one of the two. */
const AmendInput = Type.Object(
  {
    price: Type.Optional(moneyInput('The new limit price.')),
    size: Type.Optional(moneyInput('The new total size, what is filled included.')),
    accept_price: acceptPrice,
  },
  { title: 'AmendInput', additionalProperties: false, minProperties: 1 },
);

const placeOrder = operation({
  ...trade,
  id: 'placeOrder',
  call: 'orders.place',
  method: 'POST',
  path: '/v1/orders',
  summary: 'Place an order',
  description:
    'The server finds the best price by itself; the answer may already be filled. A fok that cannot fill, a post_only that would take, a late order and a reduce_only with nothing to reduce are answered with status rejected and a reject_reason. With dry_run=true the same checks run, preview shows fills and fees, and nothing is booked; it counts as an order in the rate limit.',
  idempotency: 'optional',
  readOnlyMode: 'blocked',
  revealsVenue: true,
  input: { params: null, query: queryOf({ dry_run: dryRun }), body: OrderInput },
  data: PlacedOrder,
  errors: [
    ...ordering,
    'NOT_FOUND',
    'MARKET_NOT_FOUND',
    'MARKET_CLOSED',
    'MARKET_HALTED',
    'MARKET_NOT_APPROVED',
    'BALANCE_INSUFFICIENT',
    'TIER_LIMIT_EXCEEDED',
    'TIER_UPGRADE_REQUIRED',
    'RISK_LIMIT_BREACH',
    'BUILDER_FEE_ABOVE_CAP',
    'APP_NOT_APPROVED',
    'ALREADY_EXISTS',
    'COMBO_COMPONENT_HALTED',
    'RFQ_NOT_OPEN',
    'SUBACCOUNT_FROZEN',
  ],
  example: { query: {}, body: exampleOrderInput, data: exampleOrder },
});

const getOrder = operation({
  ...trade,
  id: 'getOrder',
  call: 'orders.get',
  method: 'GET',
  path: '/v1/orders/{order_id}',
  summary: 'One order',
  description: 'By order_id or by coid: and your client_order_id, so no placement is ever lost.',
  permission: 'read',
  scope: 'account:read',
  rate: 'account_read',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  input: { ...noInput, params, query },
  data: Order,
  errors: [...common, ...credentialed, ...delegated, ...identified],
  example: { query: {}, params: { order_id: 'coid:my-first-order' }, data: exampleOrder },
});

const amendOrder = operation({
  ...trade,
  id: 'amendOrder',
  call: 'orders.amend',
  method: 'PATCH',
  path: '/v1/orders/{order_id}',
  summary: 'Amend an order',
  description:
    'Atomic. A smaller size keeps the place in the queue; anything else queues anew. An app or partner amends only orders that it placed under the same grant; others are NOT_FOUND.',
  idempotency: 'optional',
  readOnlyMode: 'blocked',
  input: { params, query, body: AmendInput },
  data: Order,
  errors: [
    ...ordering,
    ...identified,
    'STATE_CONFLICT',
    'MARKET_HALTED',
    'BALANCE_INSUFFICIENT',
    'TIER_LIMIT_EXCEEDED',
    'TIER_UPGRADE_REQUIRED',
    'RISK_LIMIT_BREACH',
    'SUBACCOUNT_FROZEN',
  ],
  example: { query: {}, params: exampleParams, body: { price: '0.46' }, data: amendedOrder },
});

const cancelOrder = operation({
  ...trade,
  id: 'cancelOrder',
  call: 'orders.cancel',
  method: 'DELETE',
  path: '/v1/orders/{order_id}',
  summary: 'Cancel an order',
  description:
    'Answers the final order. Works while the market is halted and in read-only mode. A finished order is STATE_CONFLICT with the order in details. An app or partner cancels only orders that it placed under the same grant; others are NOT_FOUND. When the trade quota is used up, cancels go on from a reserve as large as it.',
  idempotency: 'optional',
  readOnlyMode: 'allowed',
  rateReserve: 'cancel',
  input: { ...noInput, params, query },
  data: Order,
  errors: [
    ...common,
    ...credentialed,
    ...replayable,
    ...delegated,
    ...identified,
    'STATE_CONFLICT',
  ],
  example: {
    query: {},
    params: exampleParams,
    data: { ...amendedOrder, status: 'cancelled', reserved: '0.000000', cancel_reason: 'user' },
  },
});

export const orderOperations = Object.freeze({ placeOrder, getOrder, amendOrder, cancelOrder });
