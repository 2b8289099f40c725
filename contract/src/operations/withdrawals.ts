// Money out and in: the request of the machine interface, and the companion calls for destinations and for what is under way.

import { Type } from 'typebox';
import { common, compliance, credentialed, identified, keyedWrite } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { idOf, pathId, subaccountId } from '../ids.ts';
import { limits } from '../limits.ts';
import { queryOf } from '../paging.ts';
import { Money, moneyInput, nullable, oneOf } from '../primitives.ts';
import { Deposit, exampleDeposit } from '../resources/deposit.ts';
import {
  Destination,
  destinationLabel,
  destinationText,
  exampleDestination,
  exampleHeldWithdrawal,
  exampleWithdrawal,
  Withdrawal,
} from '../resources/withdrawal.ts';
import { closed, sessionCall, sessionErrors } from './session-call.ts';

const hours = limits.factors.withdrawalHoldMs / 3_600_000;

const createWithdrawal = operation({
  id: 'createWithdrawal',
  call: 'withdrawals.create',
  method: 'POST',
  path: '/v1/account/withdrawals',
  group: 'Account',
  summary: 'Withdraw money',
  description: `To one of your destinations, once it is usable (STATE_CONFLICT with usable_from_at_ms before). Less than min_withdrawal of your destinations is VALIDATION_FAILED, unless it is all that is free in your account and its subaccounts. The amount is reserved at once and paid, or given back if it cannot be. It is held for ${hours} hours after a change of the password or of a factor. A session must be stepped up; a key needs the permission withdraw.`,
  auth: 'credential',
  permission: 'withdraw',
  scope: null,
  rate: 'account_write',
  idempotency: 'required',
  readOnlyMode: 'blocked',
  counted: true,
  since: '0.3',
  list: false,
  prodOnly: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        destination_id: idOf('destination', 'One of your destinations.'),
        asset: Type.Optional(oneOf(['USDT'], { default: 'USDT' })),
        amount: moneyInput('How much.'),
        subaccount_id: subaccountId,
      },
      { title: 'WithdrawalInput', ...closed },
    ),
  },
  data: Withdrawal,
  errors: [
    ...common,
    ...credentialed,
    ...keyedWrite,
    ...compliance,
    'NOT_FOUND',
    'STATE_CONFLICT',
    'STEP_UP_MFA_REQUIRED',
    'BALANCE_INSUFFICIENT',
    'PROD_ONLY',
    'TIER_UPGRADE_REQUIRED',
    'SUBACCOUNT_FROZEN',
    'UPSTREAM_ERROR',
  ],
  example: {
    body: { destination_id: exampleDestination.destination_id, amount: '100' },
    data: exampleWithdrawal,
  },
});

const ownCall = { ...sessionCall, auth: 'session', since: '0.3' } as const;
const ownRead = { ...ownCall, method: 'GET', rate: 'account_read' } as const;
const ownErrors = [...common, ...sessionErrors] as const;

const listDestinations = operation({
  ...ownRead,
  id: 'listDestinations',
  call: 'destinations.list',
  path: '/api/auth/destinations',
  summary: 'Where your withdrawals may go',
  description:
    'The oldest first, each with the time from which on it is usable; min_withdrawal is the least that can be withdrawn at once, unless it is all that is free.',
  input: noInput,
  data: Type.Object(
    {
      destinations: Type.Array(Destination),
      delay_ms: Type.Integer({ minimum: 0, description: 'How long a new one is not usable.' }),
      min_withdrawal: Money,
      paid_by_hand: Type.Boolean({
        description:
          'Whether people pay withdrawals out: one that is sent is paid once somebody has done so.',
      }),
    },
    { title: 'Destinations' },
  ),
  errors: ownErrors,
  example: {
    data: {
      destinations: [exampleDestination],
      delay_ms: 0,
      min_withdrawal: '1.000000',
      paid_by_hand: true,
    },
  },
});

const addDestination = operation({
  ...ownCall,
  id: 'addDestination',
  call: 'destinations.add',
  path: '/api/auth/destinations',
  summary: 'Add a destination',
  description: `Usable after a delay, so that whoever got into your account cannot take your money at once: usable_from_at says when. At most ${limits.withdrawals.destinationsMax}. The session must be stepped up.`,
  input: {
    ...noInput,
    body: Type.Object(
      { label: destinationLabel, destination: destinationText },
      { title: 'DestinationInput', ...closed },
    ),
  },
  data: Destination,
  errors: [
    ...ownErrors,
    'STEP_UP_MFA_REQUIRED',
    'ALREADY_EXISTS',
    'STATE_CONFLICT',
    'SCOPE_NOT_ALLOWED',
  ],
  example: {
    body: { label: exampleDestination.label, destination: exampleDestination.destination },
    data: exampleDestination,
  },
});

const removeDestination = operation({
  ...ownCall,
  id: 'removeDestination',
  call: 'destinations.remove',
  method: 'DELETE',
  path: '/api/auth/destinations/{destination_id}',
  summary: 'Remove a destination',
  description:
    'What is under way to it goes on; cancel it if it should not. Added again, it waits again.',
  input: {
    ...noInput,
    params: Type.Object({ destination_id: pathId('destination', 'One of yours.') }),
  },
  data: Destination,
  errors: [...ownErrors, ...identified],
  example: {
    params: { destination_id: exampleDestination.destination_id },
    data: exampleDestination,
  },
});

const limit = Type.Optional(
  Type.Integer({
    minimum: limits.page.limitMin,
    maximum: limits.page.limitMax,
    default: limits.page.limitDefault,
    description: 'How many at most.',
  }),
);

const listWithdrawals = operation({
  ...ownRead,
  id: 'listWithdrawals',
  call: 'withdrawals.list',
  path: '/api/auth/withdrawals',
  summary: 'Your withdrawals',
  description: 'The newest first, those of your subaccounts too.',
  input: {
    ...noInput,
    query: queryOf({
      before: Type.Optional(idOf('withdrawal', 'Those that were asked for before this one.')),
      limit,
    }),
  },
  data: Type.Object(
    {
      withdrawals: Type.Array(Withdrawal),
      next_before: nullable(idOf('withdrawal'), 'To go on with; null if these were the last.'),
    },
    { title: 'Withdrawals' },
  ),
  errors: [...ownErrors, 'NOT_FOUND'],
  example: {
    query: { limit: 1 },
    data: { withdrawals: [exampleHeldWithdrawal], next_before: 'wd_01J0000000000013' },
  },
});

const getWithdrawal = operation({
  ...ownRead,
  id: 'getWithdrawal',
  call: 'withdrawals.get',
  path: '/api/auth/withdrawals/{withdrawal_id}',
  summary: 'One withdrawal',
  description: 'As it is now.',
  input: {
    ...noInput,
    params: Type.Object({ withdrawal_id: pathId('withdrawal', 'One of yours.') }),
  },
  data: Withdrawal,
  errors: [...ownErrors, ...identified],
  example: {
    params: { withdrawal_id: exampleHeldWithdrawal.withdrawal_id },
    data: exampleHeldWithdrawal,
  },
});

const cancelWithdrawal = operation({
  ...ownCall,
  id: 'cancelWithdrawal',
  call: 'withdrawals.cancel',
  method: 'DELETE',
  path: '/api/auth/withdrawals/{withdrawal_id}',
  summary: 'Cancel a withdrawal',
  description:
    'As long as it is requested or held: its money is free again at once. Once more changes nothing; after it was sent it is STATE_CONFLICT.',
  input: {
    ...noInput,
    params: Type.Object({ withdrawal_id: pathId('withdrawal', 'One of yours.') }),
  },
  data: Withdrawal,
  errors: [...ownErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: { withdrawal_id: exampleHeldWithdrawal.withdrawal_id },
    data: { ...exampleHeldWithdrawal, state: 'failed', reason: 'cancelled' },
  },
});

const listDeposits = operation({
  ...ownRead,
  id: 'listDeposits',
  call: 'deposits.list',
  path: '/api/auth/deposits',
  summary: 'Your deposits',
  description:
    'The newest first, those of your subaccounts too: what is on its way, what was credited, and what did not arrive.',
  input: {
    ...noInput,
    query: queryOf({
      before: Type.Optional(idOf('deposit', 'Those that were heard of before this one.')),
      limit,
    }),
  },
  data: Type.Object(
    {
      deposits: Type.Array(Deposit),
      next_before: nullable(idOf('deposit'), 'To go on with; null if these were the last.'),
    },
    { title: 'Deposits' },
  ),
  errors: [...ownErrors, 'NOT_FOUND'],
  example: {
    query: { limit: 1 },
    data: { deposits: [exampleDeposit], next_before: null },
  },
});

export const withdrawalOperations = Object.freeze({
  createWithdrawal,
  listDestinations,
  addDestination,
  removeDestination,
  listWithdrawals,
  getWithdrawal,
  cancelWithdrawal,
  listDeposits,
});
