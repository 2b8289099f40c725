// Money and tiers: deposits, corrections of balances, freezes, tiers and rate multipliers of keys and users.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { operation } from '../define.ts';
import { pathAccountName, pathId } from '../ids.ts';
import { limits, tiers } from '../limits.ts';
import { moneyInput, oneOf } from '../primitives.ts';
import { ApiKey, exampleApiKey } from '../resources/api-key.ts';
import { orApproval } from '../resources/approval.ts';
import {
  AccountTier,
  CreditedDeposit,
  exampleAccountTier,
  exampleCreditedDeposit,
} from '../resources/operator.ts';
import { AccountFreeze, exampleAccountFreeze } from '../resources/operator-acts.ts';
import {
  ActInput,
  act,
  bookingErrors,
  closed,
  exampleAct,
  OwnerActInput,
  operatorErrors,
  ownerMessage,
  plane,
  promptErrors,
  reason,
} from './plane.ts';

const accountParams = Type.Object({ account_id: pathId('account', 'The account.') });

export const creditDeposit = operation({
  ...plane,
  id: 'creditDeposit',
  role: 'treasurer',
  stepUp: true,
  approval: 'sometimes',
  method: 'POST',
  path: '/admin/v1/accounts/{account_id}/deposits',
  summary: 'Credit a deposit',
  description:
    'By hand: a custody service reports what it receives by itself. external_ref makes each deposit count once, also against those reports. In live one operator alone may credit so much within 24 hours (DEPOSIT_APPROVAL_ABOVE), to whomever; what goes above waits for a second operator. In live, beside a custody that reports by itself, it takes beside_custody (STATE_CONFLICT): the reconciliation differs by it unless the money is in the books of the custody.',
  idempotency: 'required',
  input: {
    params: accountParams,
    query: null,
    body: Type.Object(
      {
        ...act,
        asset: oneOf(['USDT']),
        amount: moneyInput('Above 0, up to 6 places.'),
        external_ref: Type.String({ minLength: 1, maxLength: 128 }),
        beside_custody: Type.Optional(
          Type.Boolean({
            description:
              'That the custody has not reported it is known, where a custody reports by itself.',
          }),
        ),
      },
      { title: 'DepositInput', ...closed },
    ),
  },
  data: orApproval(CreditedDeposit),
  errors: [...bookingErrors, 'COMPLIANCE_GATE_BLOCKED', 'RISK_LIMIT_BREACH'],
  example: {
    params: { account_id: exampleCreditedDeposit.account_id },
    body: {
      lane: 'live',
      reason: 'wire received',
      asset: 'USDT',
      amount: '250',
      external_ref: 'wire-0001',
    },
    data: exampleCreditedDeposit,
  },
});

export const correctBalance = operation({
  ...plane,
  since: '0.3',
  id: 'correctBalance',
  role: 'treasurer',
  stepUp: true,
  approval: 'always',
  method: 'POST',
  path: '/admin/v1/accounts/{account_id}/corrections',
  summary: 'Correct a balance',
  description:
    'Puts right what was booked wrongly: adds to the free balance, or takes from it as far as it goes (BALANCE_INSUFFICIENT), against what is outside. external_ref makes each correction count once. Its owner reads it as a correction in the statement.',
  idempotency: 'required',
  input: {
    params: Type.Object({ account_id: pathAccountName('An account, or one subaccount.') }),
    query: null,
    body: Type.Object(
      {
        ...act,
        asset: oneOf(['USDT']),
        amount: moneyInput('Not 0, up to 6 places; below 0 it is taken.'),
        external_ref: Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'What it is known by outside, such as a ticket.',
        }),
      },
      { title: 'CorrectionInput', ...closed },
    ),
  },
  data: orApproval(CreditedDeposit),
  errors: [...bookingErrors, 'BALANCE_INSUFFICIENT'],
  example: {
    params: { account_id: exampleCreditedDeposit.account_id },
    body: {
      lane: 'live',
      reason: 'wire-0001 was entered twice',
      asset: 'USDT',
      amount: '-250',
      external_ref: 'ticket-4711',
    },
    data: {
      ...exampleCreditedDeposit,
      amount: '-250.000000',
      external_ref: 'ticket-4711',
      balance_free: '0.000000',
    },
  },
});

const freezing = {
  ...plane,
  role: 'support',
  stepUp: true,
  method: 'POST',
  idempotency: 'optional',
  input: {
    params: Type.Object({
      account_id: pathAccountName('The account with all its subaccounts, or one subaccount.'),
    }),
    query: null,
    body: ActInput,
  },
  data: AccountFreeze,
  errors: [...operatorErrors, ...identified],
} as const;

export const freezeAccount = operation({
  ...freezing,
  input: { ...freezing.input, body: OwnerActInput },
  id: 'freezeAccount',
  path: '/admin/v1/accounts/{account_id}/freeze',
  summary: 'Freeze an account',
  description:
    'Its open orders are cancelled at once, and it may cancel and read, nothing else, on behalf of others neither: SUBACCOUNT_FROZEN. With an account all its subaccounts are frozen; one of them can be frozen alone, and its owner does not set it free. Its owner reads the message in GET /v1/account, never the reason. Money may still be credited to it. The account of the platform is never frozen.',
  example: {
    params: { account_id: exampleAccountFreeze.account_id },
    body: { ...exampleAct, message: 'Please write to support.' },
    data: exampleAccountFreeze,
  },
});

export const unfreezeAccount = operation({
  ...freezing,
  id: 'unfreezeAccount',
  path: '/admin/v1/accounts/{account_id}/unfreeze',
  summary: 'Unfreeze an account',
  description:
    'Ends a freeze; orders that it cancelled stay cancelled. An account that its owner has closed stays closed: NOT_FOUND.',
  example: {
    params: { account_id: exampleAccountFreeze.account_id },
    body: exampleAct,
    data: { ...exampleAccountFreeze, frozen: false, message: null, orders_cancelled: 0 },
  },
});

/** At least one of the two; the lane plays no part, because keys and users are shared by both. */
const TierInput = Type.Object(
  {
    reason,
    message: ownerMessage,
    tier: Type.Optional(oneOf(tiers)),
    rate_multiplier: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.rate.multiplierMax,
        description: 'Granted on top of the multiplier that the tier has by itself.',
      }),
    ),
  },
  { title: 'TierInput', ...closed },
);

export const setKeyTier = operation({
  ...plane,
  id: 'setKeyTier',
  stepUp: true,
  role: 'support',
  method: 'POST',
  path: '/admin/v1/keys/{key_id}/tier',
  summary: 'Tier of a key',
  description: 'Sets the tier or the rate multiplier of one key, at once.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ key_id: pathId('key', 'The public id.') }),
    query: null,
    body: TierInput,
  },
  data: ApiKey,
  errors: [...operatorErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: { key_id: exampleApiKey.key_id },
    body: { reason: 'graduation', tier: 'trade_capped' },
    data: { ...exampleApiKey, tier: 'trade_capped', environment: 'live' },
  },
});

export const setAccountTier = operation({
  ...plane,
  id: 'setAccountTier',
  stepUp: true,
  role: 'support',
  method: 'POST',
  path: '/admin/v1/accounts/{account_id}/tier',
  summary: 'Tier of a user',
  description: 'Sets the tier that keys minted from now on have, or the multiplier of sessions.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ account_id: pathId('account', 'An account of the user.') }),
    query: null,
    body: TierInput,
  },
  data: AccountTier,
  errors: [...promptErrors, ...identified],
  example: {
    params: { account_id: exampleAccountTier.account_id },
    body: { reason: 'verified', tier: 'trade_full' },
    data: exampleAccountTier,
  },
});
