// Companion calls of the page: limits that users set themselves, and self-exclusion. Not counted.

import { Type } from 'typebox';
import { common } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { epochMs, moneyInput, nullable } from '../primitives.ts';
import { exampleOwnLimits, OwnLimits } from '../resources/own-limits.ts';

const call = {
  group: 'Sessions',
  auth: 'session',
  permission: null,
  scope: null,
  idempotency: 'none',
  // Whoever wants to be held back never waits for it.
  readOnlyMode: 'allowed',
  counted: false,
  since: '0.3',
  list: false,
} as const;

const errors = [
  ...common,
  'AUTH_REQUIRED',
  'AUTH_INVALID',
  'WRONG_ENV_KEY',
  'SCOPE_MISSING',
  'NOT_FOUND',
] as const;

const amount = nullable(moneyInput('0 or more; null is no limit.'));
const PeriodInput = Type.Object(
  { day: amount, week: amount, month: amount },
  { title: 'PeriodInput', additionalProperties: false },
);

const getOwnLimits = operation({
  ...call,
  id: 'getOwnLimits',
  call: 'limits.get',
  method: 'GET',
  path: '/api/auth/limits',
  summary: 'Your own limits',
  description:
    'What you allow yourself to pay in and to lose. Counting begins with your first limit. A loss is all that left your balance by trading and has not come back, open orders and positions included.',
  rate: 'account_read',
  input: noInput,
  data: OwnLimits,
  errors: [...errors],
  example: { data: exampleOwnLimits },
});

const setOwnLimits = operation({
  ...call,
  id: 'setOwnLimits',
  call: 'limits.set',
  method: 'POST',
  path: '/api/auth/limits',
  summary: 'Set your own limits',
  description:
    'All six of them. A lower limit holds at once, a higher one a day later. Orders and deposits above one are RISK_LIMIT_BREACH; selling and cancelling always work. Counting begins with your first limit: what was paid in or lost before it does not count, on the same day neither.',
  rate: 'account_write',
  input: {
    ...noInput,
    body: Type.Object(
      { deposit: PeriodInput, loss: PeriodInput },
      { title: 'OwnLimitsInput', additionalProperties: false },
    ),
  },
  data: OwnLimits,
  errors: [...errors],
  example: {
    body: {
      deposit: { day: null, week: null, month: null },
      loss: { day: '100', week: null, month: null },
    },
    data: exampleOwnLimits,
  },
});

const excludeSelf = operation({
  ...call,
  id: 'excludeSelf',
  call: 'limits.exclude',
  method: 'POST',
  path: '/api/auth/exclusion',
  summary: 'Exclude yourself',
  description:
    'At once and until the time, or for ever if that is null: buys are withdrawn and buying, minting and paying in are COMPLIANCE_GATE_BLOCKED. It can be made longer, never shorter (STATE_CONFLICT). Selling, cancelling and withdrawing always work. Nobody can take it back, so it needs a session that is stepped up (STEP_UP_MFA_REQUIRED).',
  rate: 'account_write',
  input: {
    ...noInput,
    body: Type.Object(
      { until_ms: nullable(epochMs('When it ends; null for never.')) },
      { title: 'ExclusionInput', additionalProperties: false },
    ),
  },
  data: OwnLimits,
  errors: [...errors, 'STATE_CONFLICT', 'STEP_UP_MFA_REQUIRED'],
  example: {
    body: { until_ms: null },
    data: { ...exampleOwnLimits, excluded_until_ms: 253_402_300_799_999 },
  },
});

export const ownLimitOperations = Object.freeze({ getOwnLimits, setOwnLimits, excludeSelf });
