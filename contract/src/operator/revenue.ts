// What is the platform's own of fees: paid out by two operators.

import { Type } from 'typebox';
import { operation } from '../define.ts';
import { pathAccountName } from '../ids.ts';
import { moneyInput, oneOf } from '../primitives.ts';
import { orApproval } from '../resources/approval.ts';
import { examplePlatformPayment, PlatformPayment, platformFunds } from '../resources/revenue.ts';
import { act, bookingErrors, closed, plane } from './plane.ts';

export const payPlatformFees = operation({
  ...plane,
  since: '0.3',
  id: 'payPlatformFees',
  role: 'treasurer',
  stepUp: true,
  approval: 'always',
  method: 'POST',
  path: '/admin/v1/accounts/{account_id}/platform-fees',
  summary: 'Pay the platform’s fees to an account',
  description:
    'Takes from what has vested for the treasury or for insurance, as far as it goes (BALANCE_INSUFFICIENT), to the free balance of an account. In live a second operator agrees. external_ref names the payment; the same one is not paid twice within a day.',
  idempotency: 'required',
  input: {
    params: Type.Object({ account_id: pathAccountName('Who is paid.') }),
    query: null,
    body: Type.Object(
      {
        ...act,
        fund: oneOf(platformFunds),
        amount: moneyInput('Above 0, up to 6 places.'),
        external_ref: Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'What the payment is known by outside.',
        }),
      },
      { title: 'PlatformPaymentInput', ...closed },
    ),
  },
  data: orApproval(PlatformPayment),
  errors: [...bookingErrors, 'BALANCE_INSUFFICIENT', 'SUBACCOUNT_FROZEN'],
  example: {
    params: { account_id: examplePlatformPayment.account_id },
    body: {
      lane: 'live',
      reason: 'fees of November',
      fund: 'treasury',
      amount: '250',
      external_ref: examplePlatformPayment.external_ref,
    },
    data: examplePlatformPayment,
  },
});
