// Messages of the trade_executed and deposit streams: the owner's fills and money in and out.

import { Type } from 'typebox';
import { idOf } from '../ids.ts';
import { Money, nullable, oneOf } from '../primitives.ts';
import { assets } from '../resources/account.ts';
import { depositStates } from '../resources/deposit.ts';
import { exampleFill, Fill } from '../resources/order.ts';
import { withdrawalStates } from '../resources/withdrawal.ts';
import { message } from './define.ts';
import { ofSubaccount } from './frame.ts';

const tradeExecuted = message({
  stream: 'trade_executed',
  visibility: 'private',
  type: 'trade_executed',
  description: 'One of your orders traded; it is booked and final.',
  data: Type.Object(
    {
      ...Fill.properties,
      subaccount_id: ofSubaccount,
    },
    { title: 'TradeExecuted' },
  ),
  example: exampleFill,
});

const deposits = { stream: 'deposit', visibility: 'private' } as const;

const deposit = message({
  ...deposits,
  type: 'deposit',
  description: 'Money is on its way in, has arrived, or did not.',
  data: Type.Object(
    {
      deposit_id: idOf('deposit'),
      asset: oneOf(assets),
      amount: Money,
      state: oneOf(depositStates),
      confirmations: Type.Integer({ minimum: 0 }),
      tx_ref: nullable(Type.String({ description: 'The reference of the sender.' })),
      subaccount_id: ofSubaccount,
    },
    { title: 'DepositUpdate' },
  ),
  example: {
    deposit_id: 'dep_01J0000000000008',
    asset: 'USDT',
    amount: '250.000000',
    state: 'confirmed',
    confirmations: 0,
    tx_ref: 'wire-0001',
  },
});

const withdrawalUpdated = message({
  ...deposits,
  type: 'withdrawal_updated',
  description: 'Money is on its way out, has left, or did not.',
  data: Type.Object(
    {
      withdrawal_id: idOf('withdrawal'),
      asset: oneOf(assets),
      amount: Money,
      state: oneOf(withdrawalStates),
      reason: nullable(Type.String()),
    },
    { title: 'WithdrawalUpdate' },
  ),
  example: {
    withdrawal_id: 'wd_01J0000000000013',
    asset: 'USDT',
    amount: '100.000000',
    state: 'sent',
    reason: null,
  },
});

export const fundsMessages = Object.freeze({
  trade_executed: tradeExecuted,
  deposit,
  withdrawal_updated: withdrawalUpdated,
});
