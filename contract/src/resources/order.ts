// Order: what a client sends, what it gets back, and what a dry run shows.

import { type Static, Type } from 'typebox';
import { idOf, onBehalfOf, outcomeId, subaccountId } from '../ids.ts';
import { limits } from '../limits.ts';
import { oneLine } from '../plain-text.ts';
import {
  epochMs,
  instant,
  Money,
  moneyInput,
  moneyOf,
  nullable,
  nullableInstant,
  oneOf,
} from '../primitives.ts';
import { chainData } from './market.ts';
import { sides } from './market-data.ts';

export const orderTypes = ['market', 'limit'] as const;
export const orderStatuses = [
  'pending',
  'filled',
  'partially_filled',
  'cancelled',
  'rejected',
] as const;
export const timesInForce = ['gtc', 'ioc', 'fok', 'gtd'] as const;
export const selfTradeModes = ['cancel_resting', 'cancel_incoming'] as const;
export const rejectReasons = [
  'fok_unfillable',
  'post_only_would_cross',
  'late',
  'nothing_to_reduce',
] as const;
export const cancelReasons = [
  'user',
  'expired',
  'ioc_remainder',
  'self_trade_prevented',
  'market_locked',
  'market_cancelled',
  'dead_man',
  'reset',
  'admin',
  'price_band',
  'too_many_steps',
  'disconnect',
  'grant_ended',
] as const;

export const clientOrderId = Type.String({
  ...oneLine,
  minLength: 1,
  maxLength: limits.clientOrderId.lengthMax,
  description: 'Your own name for the order; a duplicate within 24 hours is ALREADY_EXISTS.',
});

/** Of a placement and of an amendment. */
export const acceptPrice = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Accepts a sell far below, or a buy far above, what the outcome is worth in a market without a pool. Capped keys and tokens cannot.',
  }),
);

const inputFields = {
  market_id: idOf('market'),
  outcome_id: outcomeId,
  side: oneOf(sides),
  order_type: oneOf(orderTypes),
  price: Type.Optional(moneyInput('A multiple of tick_size; needed for a limit order.')),
  size: moneyInput('Shares, a multiple of lot_size.'),
  client_order_id: Type.Optional(clientOrderId),
  time_in_force: Type.Optional(
    oneOf(timesInForce, { description: 'Limit orders: gtc unless told; market orders: ioc.' }),
  ),
  expires_at_ms: Type.Optional(epochMs('End of a gtd order.')),
  post_only: Type.Optional(Type.Boolean({ default: false })),
  reduce_only: Type.Optional(Type.Boolean({ default: false })),
  stp_mode: Type.Optional(oneOf(selfTradeModes, { default: 'cancel_resting' })),
  max_cost: Type.Optional(
    moneyInput('Ceiling of a buy in USDT with all fees; market and ioc orders only.'),
  ),
  valid_until_ms: Type.Optional(epochMs('An order that arrives later is rejected.')),
  accept_price: acceptPrice,
  builder: Type.Optional(
    Type.Object(
      {
        app_id: idOf('app'),
        fee_bps: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 10_000,
            default: 0,
            description:
              'Of what it trades, on top of the other fees, for the owner of the app; above its cap BUILDER_FEE_ABOVE_CAP.',
          }),
        ),
      },
      {
        title: 'BuilderInput',
        additionalProperties: false,
        description:
          'The app that the order comes through. What an app places with a token is its own without this.',
      },
    ),
  ),
};

const limitHasPrice = {
  additionalProperties: false,
  if: { properties: { order_type: { const: 'limit' } }, required: ['order_type'] },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword; nothing awaits a schema.
  then: { required: ['price'] },
};

export const OrderInput = Type.Object(
  {
    ...inputFields,
    mint: Type.Optional(
      Type.Boolean({
        description:
          'Mints the shares that a fok sell sells, as complete sets: the other outcomes of the sets stay yours. Both happen or neither. With a session or a key without caps; a key with caps, an app or a partner mints first and then sells.',
      }),
    ),
    subaccount_id: subaccountId,
    on_behalf_of: onBehalfOf,
  },
  { title: 'OrderInput', ...limitHasPrice },
);
export type OrderInput = Static<typeof OrderInput>;

/** A batch is of one account, which it names itself. */
export const BatchOrder = Type.Object(inputFields, { title: 'BatchOrder', ...limitHasPrice });

const orderFields = {
  order_id: idOf('order'),
  market_id: idOf('market'),
  outcome_id: outcomeId,
  side: oneOf(sides),
  order_type: oneOf(orderTypes),
  price: nullable(Money, 'Limit price; null for a market order.'),
  size: Money,
  status: oneOf(orderStatuses),
  filled_size: Money,
  remaining_size: Money,
  avg_fill_price: nullable(Money, 'Null while nothing is filled.'),
  fee_paid: Money,
  reserved: Money,
  client_order_id: nullable(clientOrderId),
  time_in_force: oneOf(timesInForce),
  post_only: Type.Boolean(),
  reduce_only: Type.Boolean(),
  stp_mode: oneOf(selfTradeModes),
  max_cost: nullable(Money),
  valid_until_ms: nullable(epochMs('An order that arrives later is rejected.')),
  reject_reason: nullable(oneOf(rejectReasons)),
  cancel_reason: nullable(oneOf(cancelReasons)),
  ...nullableInstant('expires_at', 'End of a gtd order.'),
  ...instant('created_at', 'When it was accepted.'),
  ...instant('updated_at', 'When it last changed.'),
  chain_data: chainData,
};

export const Order = Type.Object(orderFields, { title: 'Order' });
export type Order = Static<typeof Order>;

const PreviewFill = Type.Object(
  { price: Money, size: Money, cost: Money, fee: Money },
  { title: 'PreviewFill' },
);

export const OrderPreview = Type.Object(
  {
    fills: Type.Array(PreviewFill, { description: 'What would fill at once, in this order.' }),
    cost: Money,
    fee: Money,
    builder_fee: Money,
    minted: Type.Optional(moneyOf('With mint only: what the sets cost before their fee.')),
    mint_fee: Type.Optional(moneyOf('With mint only: the fee of the conversion.')),
    total: moneyOf(
      'With all fees: what a buy costs, what a sell brings, and with mint what is left to pay after the sale.',
    ),
    price_after: Money,
    impact: Money,
    balance_free_after: Money,
  },
  { title: 'OrderPreview' },
);
export type OrderPreview = Static<typeof OrderPreview>;

/** The answer to a placement: the order and, on a dry run only, what it would do. */
export const PlacedOrder = Type.Object(
  { ...orderFields, preview: Type.Optional(OrderPreview) },
  { title: 'PlacedOrder' },
);
export type PlacedOrder = Static<typeof PlacedOrder>;

/** The order_id of a dry run; nothing can be looked up under it. */
export const previewOrderId = 'ord_preview';

export const Fill = Type.Object(
  {
    trade_id: idOf('trade'),
    order_id: idOf('order'),
    client_order_id: nullable(clientOrderId),
    market_id: idOf('market'),
    outcome_id: outcomeId,
    side: oneOf(sides, { description: 'Your side.' }),
    price: Money,
    size: Money,
    cost: moneyOf(
      'What was paid or received, before fees. The price of a fill is rounded, this is not.',
    ),
    fee: Money,
    rebate: Money,
    liquidity: oneOf(['maker', 'taker']),
    builder_app_id: nullable(idOf('app'), 'The app the order came through.'),
    ts_ms: epochMs('When it happened.'),
    chain_data: chainData,
  },
  { title: 'Fill' },
);
export type Fill = Static<typeof Fill>;

export const exampleOrderInput: OrderInput = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'limit',
  price: '0.55',
  size: '10',
  client_order_id: 'my-first-order',
};

/** Too low to fill at once: it waits in the book. */
export const restingOrderInput: OrderInput = {
  ...exampleOrderInput,
  price: '0.45',
  client_order_id: 'my-third-order',
};

export const exampleOrder: Order = {
  order_id: 'ord_01J0000000000001',
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'limit',
  price: '0.550000',
  size: '10.000000',
  status: 'filled',
  filled_size: '10.000000',
  remaining_size: '0.000000',
  avg_fill_price: '0.536326',
  fee_paid: '0.010693',
  reserved: '0.000000',
  client_order_id: 'my-first-order',
  time_in_force: 'gtc',
  post_only: false,
  reduce_only: false,
  stp_mode: 'cancel_resting',
  max_cost: null,
  valid_until_ms: null,
  reject_reason: null,
  cancel_reason: null,
  expires_at: null,
  expires_at_ms: null,
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
  updated_at: '2026-11-14T12:00:00.000Z',
  updated_at_ms: 1_794_657_600_000,
  chain_data: null,
};

/** What the answer to `restingOrderInput` says. */
export const exampleRestingOrder: Order = {
  ...exampleOrder,
  order_id: 'ord_01J0000000000031',
  price: '0.450000',
  status: 'pending',
  filled_size: '0.000000',
  remaining_size: '10.000000',
  avg_fill_price: null,
  fee_paid: '0.000000',
  reserved: '4.500000',
  client_order_id: 'my-third-order',
};

export const exampleFill: Fill = {
  trade_id: 'trd_01J0000000000003',
  order_id: 'ord_01J0000000000001',
  client_order_id: 'my-first-order',
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  price: '0.536326',
  size: '10.000000',
  cost: '5.363259',
  fee: '0.010693',
  rebate: '0.000000',
  liquidity: 'taker',
  builder_app_id: null,
  ts_ms: 1_794_657_600_000,
  chain_data: null,
};
