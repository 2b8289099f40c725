// Messages of the account stream: orders, balance, positions, tier and dead-man switch of the owner.

import { Type } from 'typebox';
import { errorCodes } from '../errors.ts';
import { idOf, outcomeId } from '../ids.ts';
import { tiers } from '../limits.ts';
import { instant, Money, moneyOf, nullable, oneOf } from '../primitives.ts';
import {
  Account,
  AssetBalance,
  assets,
  exampleAccount,
  exampleBalance,
  examplePosition,
  Position,
} from '../resources/account.ts';
import { ledgerReasons } from '../resources/ledger.ts';
import {
  cancelReasons,
  clientOrderId,
  exampleOrder,
  exampleRestingOrder,
  Order,
  rejectReasons,
} from '../resources/order.ts';
import { message } from './define.ts';
import { epoch, ofSubaccount, sequence } from './frame.ts';

const stream = { stream: 'account', visibility: 'private' } as const;

const openOrder = {
  ...exampleOrder,
  status: 'pending',
  filled_size: '0.000000',
  remaining_size: '10.000000',
  avg_fill_price: null,
  fee_paid: '0.000000',
  reserved: '5.500000',
} as const;

const account = message({
  ...stream,
  type: 'account',
  description: 'The whole account: balances, open orders, positions.',
  data: Type.Object(
    {
      epoch,
      seq: sequence,
      account: Account,
      balances: Type.Array(AssetBalance),
      orders: Type.Array(Order, { description: 'Open orders.' }),
      positions: Type.Array(Position),
    },
    { title: 'AccountSnapshot' },
  ),
  example: {
    epoch: 'e_01J0000000000010',
    seq: 42,
    account: exampleAccount,
    balances: exampleBalance.balances,
    orders: [exampleRestingOrder],
    positions: [examplePosition],
  },
});

const orderAccepted = message({
  ...stream,
  type: 'order_accepted',
  description: 'An order was taken in; what it filled at once follows as updates.',
  data: Type.Object(
    {
      order: Order,
      client_order_id: nullable(clientOrderId),
      subaccount_id: ofSubaccount,
    },
    { title: 'OrderAccepted' },
  ),
  example: { order: openOrder, client_order_id: 'my-first-order' },
});

const LastFill = Type.Object(
  {
    trade_id: idOf('trade'),
    price: Money,
    size: Money,
    cost: moneyOf('What was paid or received, before fees.'),
    fee: Money,
    rebate: Money,
    liquidity: oneOf(['maker', 'taker']),
  },
  { title: 'LastFill' },
);

const orderUpdated = message({
  ...stream,
  type: 'order_updated',
  description: 'An order filled in part or in full, or was amended.',
  data: Type.Object(
    {
      order: Order,
      change: oneOf(['partially_filled', 'filled', 'amended']),
      last_fill: nullable(
        LastFill,
        'The last trade of the command alone: each is told by trade_executed. Null after an amendment.',
      ),
      subaccount_id: ofSubaccount,
    },
    { title: 'OrderUpdated' },
  ),
  example: {
    order: exampleOrder,
    change: 'filled',
    last_fill: {
      trade_id: 'trd_01J0000000000003',
      price: '0.536326',
      size: '10.000000',
      cost: '5.363259',
      fee: '0.010693',
      rebate: '0.000000',
      liquidity: 'taker',
    },
  },
});

const orderCancelled = message({
  ...stream,
  type: 'order_cancelled',
  description: 'An order ended before it was filled.',
  data: Type.Object(
    { order: Order, reason: oneOf(cancelReasons), subaccount_id: ofSubaccount },
    { title: 'OrderCancellation' },
  ),
  example: {
    order: {
      ...exampleRestingOrder,
      status: 'cancelled',
      reserved: '0.000000',
      cancel_reason: 'user',
    },
    reason: 'user',
  },
});

const orderRejected = message({
  ...stream,
  type: 'order_rejected',
  description: 'An order was refused when it reached the market.',
  data: Type.Object(
    {
      order: nullable(Order, 'Null if it never became an order.'),
      client_order_id: nullable(clientOrderId),
      code: nullable(oneOf(errorCodes), 'Null where the reason has no code of its own.'),
      reason: nullable(oneOf(rejectReasons)),
      subaccount_id: ofSubaccount,
    },
    { title: 'OrderRejection' },
  ),
  example: {
    order: {
      ...openOrder,
      status: 'rejected',
      reserved: '0.000000',
      post_only: true,
      reject_reason: 'post_only_would_cross',
    },
    client_order_id: 'my-first-order',
    code: null,
    reason: 'post_only_would_cross',
  },
});

const balanceUpdated = message({
  ...stream,
  type: 'balance_updated',
  description: 'Money moved; the two balances are those after it.',
  data: Type.Object(
    {
      asset: oneOf(assets),
      balance_free: Money,
      balance_reserved: Money,
      delta: moneyOf('The change of free and reserved together.'),
      reason: oneOf(ledgerReasons),
      ref_id: nullable(Type.String({ description: 'The record it belongs to.' })),
      subaccount_id: ofSubaccount,
    },
    { title: 'BalanceUpdate' },
  ),
  example: {
    asset: 'USDT',
    balance_free: '9494.643175',
    balance_reserved: '0.000000',
    delta: '-5.372344',
    reason: 'trade',
    ref_id: 'trd_01J0000000000003',
  },
});

const positionUpdated = message({
  ...stream,
  type: 'position_updated',
  description: 'Shares moved; size 0 means that the position is gone.',
  data: Type.Object(
    {
      position: Position,
      reason: oneOf(['fill', 'mint', 'merge', 'neg_risk', 'transfer', 'reset']),
      subaccount_id: ofSubaccount,
    },
    { title: 'PositionUpdate' },
  ),
  example: { position: examplePosition, reason: 'fill' },
});

const positionSettled = message({
  ...stream,
  type: 'position_settled',
  description: 'The market is decided and the position was paid.',
  data: Type.Object(
    {
      market_id: idOf('market'),
      outcome_id: outcomeId,
      size: Money,
      payout: Money,
      fees_returned: moneyOf('Of a cancelled market, on the first outcome held; else 0.'),
      realized_pnl: Money,
      resolution_id: nullable(idOf('resolution'), 'Null if the market was cancelled.'),
      subaccount_id: ofSubaccount,
    },
    { title: 'PositionSettlement' },
  ),
  example: {
    market_id: 'm_0123456789abcdef',
    outcome_id: 'yes',
    size: '20.000000',
    payout: '20.000000',
    fees_returned: '0.000000',
    realized_pnl: '9.615048',
    resolution_id: 'res_01J0000000000002',
  },
});

const tierChanged = message({
  ...stream,
  type: 'tier_changed',
  description:
    'The tier of a key or of the user changed, or the ceilings of that tier (from and to are the same then).',
  data: Type.Object(
    {
      key_id: nullable(
        Type.String(),
        'The public id of the key; null for the user of the account.',
      ),
      from: oneOf(tiers),
      to: oneOf(tiers),
      reason: Type.String({
        description:
          'In words, or `ceilings_changed`, or `changed_by_operator` without a message of the operator.',
      }),
      limits: Type.Object(
        {
          order_notional_max: nullable(Money, 'Cap per order; null means none.'),
          daily_notional_max: nullable(Money, 'Cap per UTC day; null means none.'),
          rate_multiplier: Type.Integer({ minimum: 1 }),
        },
        { title: 'TierLimits' },
      ),
    },
    { title: 'TierChange' },
  ),
  example: {
    key_id: 'sk_live_EXAMPLEexample00',
    from: 'self_serve',
    to: 'read_live',
    reason: 'graduation',
    limits: {
      order_notional_max: '25.000000',
      daily_notional_max: '250.000000',
      rate_multiplier: 1,
    },
  },
});

const deadManTriggered = message({
  ...stream,
  type: 'dead_man_triggered',
  description: 'The dead-man switch was not renewed, or the connection it hung on was lost.',
  data: Type.Object(
    {
      trigger: oneOf(['heartbeat', 'disconnect']),
      scope: oneOf(['account', 'market']),
      market_id: nullable(idOf('market')),
      cancelled_count: Type.Integer({ minimum: 0 }),
      ...instant('armed_at', 'When it was last renewed.'),
      ...instant('expired_at', 'When it fired.'),
      subaccount_id: ofSubaccount,
    },
    { title: 'DeadMan' },
  ),
  example: {
    trigger: 'heartbeat',
    scope: 'account',
    market_id: null,
    cancelled_count: 2,
    armed_at: '2026-11-14T12:00:00.000Z',
    armed_at_ms: 1_794_657_600_000,
    expired_at: '2026-11-14T12:00:30.000Z',
    expired_at_ms: 1_794_657_630_000,
  },
});

export const accountMessages = Object.freeze({
  account,
  order_accepted: orderAccepted,
  order_updated: orderUpdated,
  order_cancelled: orderCancelled,
  order_rejected: orderRejected,
  balance_updated: balanceUpdated,
  position_updated: positionUpdated,
  position_settled: positionSettled,
  tier_changed: tierChanged,
  dead_man_triggered: deadManTriggered,
});
