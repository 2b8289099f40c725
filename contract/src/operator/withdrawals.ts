// Withdrawals that wait for an operator: agreed to by two, or given back.

import { type Static, Type } from 'typebox';
import { identified } from '../bundles.ts';
import { operation } from '../define.ts';
import { accountName, pathId } from '../ids.ts';
import { orApproval } from '../resources/approval.ts';
import { exampleHeldWithdrawal, Withdrawal } from '../resources/withdrawal.ts';
import { ActInput, operatorErrors, plane } from './plane.ts';

const AccountWithdrawal = Type.Object(
  { account_id: accountName('Whose money it is.'), ...Withdrawal.properties },
  { title: 'AccountWithdrawal' },
);

const example: Static<typeof AccountWithdrawal> = {
  account_id: 'acc_01J0000000000004',
  ...exampleHeldWithdrawal,
  state: 'requested',
  reason: null,
  held_until_at: null,
  held_until_at_ms: null,
};

const decision = {
  ...plane,
  since: '0.3',
  role: 'treasurer',
  stepUp: true,
  method: 'POST',
  idempotency: 'optional',
  input: {
    params: Type.Object({ withdrawal_id: pathId('withdrawal', 'One that waits.') }),
    query: null,
    body: ActInput,
  },
  errors: [...operatorErrors, ...identified, 'STATE_CONFLICT'],
} as const;
const asked = {
  params: { withdrawal_id: exampleHeldWithdrawal.withdrawal_id },
  body: { lane: 'live', reason: 'the owner was called' },
} as const;

export const approveWithdrawal = operation({
  ...decision,
  id: 'approveWithdrawal',
  approval: 'always',
  path: '/admin/v1/withdrawals/{withdrawal_id}/approve',
  summary: 'Let a withdrawal go out',
  description:
    'One that is held because it is above the limit. It goes out once a second operator agrees, and not before the time that it is held until.',
  data: orApproval(AccountWithdrawal),
  example: { ...asked, data: example },
});

export const rejectWithdrawal = operation({
  ...decision,
  id: 'rejectWithdrawal',
  path: '/admin/v1/withdrawals/{withdrawal_id}/reject',
  summary: 'Give a withdrawal back',
  description:
    'As long as it was not sent: its money is free again at once, and its owner reads the reason.',
  data: AccountWithdrawal,
  example: { ...asked, data: { ...example, state: 'failed', reason: asked.body.reason } },
});
