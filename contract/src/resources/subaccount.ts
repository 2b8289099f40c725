// Subaccount: one of several accounts of one owner, and a transfer between two of them.

import { type Static, Type } from 'typebox';
import { accountName, idOf } from '../ids.ts';
import { instant, Money, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { assets } from './account.ts';

export const subaccountStatuses = ['active', 'frozen', 'closed'] as const;

/** Who may hold a subaccount. */
export const freezingParties = ['owner', 'operator'] as const;

export const Subaccount = Type.Object(
  {
    subaccount_id: idOf('subaccount'),
    label: Type.String({ description: 'Yours alone among those that are not closed.' }),
    status: oneOf(subaccountStatuses),
    frozen_by: nullable(
      oneOf(freezingParties),
      'Who holds it; what an operator holds you cannot let go. Null unless frozen.',
    ),
    asset: oneOf(assets),
    balance_free: Money,
    balance_reserved: Money,
    open_orders: Type.Integer({ minimum: 0 }),
    positions: Type.Integer({ minimum: 0, description: 'Outcomes of which it holds shares.' }),
    ...instant('created_at', 'When it was opened.'),
    ...nullableInstant('closed_at', 'When it was closed.'),
  },
  { title: 'Subaccount' },
);
export type Subaccount = Static<typeof Subaccount>;

export const Transfer = Type.Object(
  {
    transfer_id: idOf('transfer'),
    from: accountName('Whose money it was.'),
    to: accountName('Whose money it is.'),
    asset: oneOf(assets),
    amount: Money,
    from_balance_free: Money,
    to_balance_free: Money,
    ...instant('created_at', 'When it was booked.'),
  },
  { title: 'Transfer' },
);
export type Transfer = Static<typeof Transfer>;

export const exampleSubaccount: Subaccount = {
  subaccount_id: 'sub_01J0000000000020',
  label: 'hedge',
  status: 'active',
  frozen_by: null,
  asset: 'USDT',
  balance_free: '0.000000',
  balance_reserved: '0.000000',
  open_orders: 0,
  positions: 0,
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
  closed_at: null,
  closed_at_ms: null,
};

export const exampleTransfer: Transfer = {
  transfer_id: 'trf_01J0000000000021',
  from: 'acc_01J0000000000004',
  to: 'sub_01J0000000000020',
  asset: 'USDT',
  amount: '25.000000',
  from_balance_free: '9459.632175',
  to_balance_free: '25.000000',
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
};
