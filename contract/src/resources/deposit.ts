// Money on its way in: as its owner sees it, and as a custody service reports it.

import { type Static, Type } from 'typebox';
import { accountName, idOf } from '../ids.ts';
import { instant, Money, moneyInput, nullable, oneOf } from '../primitives.ts';

export const depositStates = ['pending', 'confirmed', 'failed'] as const;

export const Deposit = Type.Object(
  {
    deposit_id: idOf('deposit'),
    subaccount_id: nullable(idOf('subaccount'), 'Whose money it is; null for your own account.'),
    asset: oneOf(['USDT']),
    amount: Money,
    state: oneOf(depositStates, {
      description:
        'pending: seen, not credited yet; confirmed: credited; failed: it did not arrive and never will.',
    }),
    confirmations: Type.Integer({ minimum: 0 }),
    tx_ref: Type.String({ description: 'The reference of the sender.' }),
    reason: nullable(Type.String(), 'Why it has failed.'),
    ...instant('created_at', 'When it was first heard of.'),
    ...instant('updated_at', 'When it last changed.'),
  },
  { title: 'Deposit' },
);
export type Deposit = Static<typeof Deposit>;

/** What a custody service says of a deposit now; see docs/CUSTODY.md. */
export const DepositReport = Type.Object(
  {
    account_id: accountName('Whose money it is.'),
    asset: oneOf(['USDT']),
    amount: moneyInput('Above 0, up to 6 places.'),
    reference: Type.String({ minLength: 1, maxLength: 128 }),
    state: oneOf(depositStates),
    confirmations: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    reason: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 256 }))),
  },
  { title: 'DepositReport', additionalProperties: false },
);
export type DepositReport = Static<typeof DepositReport>;

/** What a report is answered with: the deposit as it stands. */
export type ReportedDeposit = Omit<Deposit, 'subaccount_id'> & { readonly account_id: string };

export const exampleDeposit: Deposit = {
  deposit_id: 'dep_01J0000000000008',
  subaccount_id: null,
  asset: 'USDT',
  amount: '1000.000000',
  state: 'confirmed',
  confirmations: 0,
  tx_ref: 'wire-0001',
  reason: null,
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
  updated_at: '2026-11-14T12:00:00.000Z',
  updated_at_ms: 1_794_657_600_000,
};
