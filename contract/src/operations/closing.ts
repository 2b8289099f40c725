// Companion calls for leaving: take along what is kept of oneself, and close the account.

import { Type } from 'typebox';
import { common } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { instant } from '../primitives.ts';
import { examplePersonalData, PersonalData } from '../resources/personal-data.ts';
import { closed, password, sessionCall, sessionErrors } from './session-call.ts';

const exportData = operation({
  ...sessionCall,
  auth: 'session',
  id: 'exportData',
  call: 'profile.export',
  method: 'GET',
  path: '/api/auth/export',
  rate: 'account_read',
  summary: 'Everything that is kept of you',
  description:
    'What you have said of yourself, where you are logged in, your keys, factors, webhooks, apps, what you told as a builder, destinations, own limits, deposits and withdrawals, in one piece; and where the records are read that are kept by the ids of your accounts.',
  input: noInput,
  data: PersonalData,
  errors: [...common, ...sessionErrors, 'SCOPE_NOT_ALLOWED'],
  example: { data: examplePersonalData },
});

const closeAccount = operation({
  ...sessionCall,
  auth: 'session',
  id: 'closeAccount',
  call: 'profile.close',
  path: '/api/auth/close',
  summary: 'Close your account for good',
  description:
    'Ends every session, revokes every key, removes webhooks and erases what is kept of you as a person; the ledger keeps the ids of your accounts, and keyed hashes of addresses are kept for a while against abuse. It cannot be undone, and the address of mail may register anew, unless you have excluded yourself in the live lane: a keyed hash of it is kept until that is over, and registering it is refused so long. STATE_CONFLICT as long as something is in the way, which details.reason names: open_orders, positions, balance, stakes or claims (a market in which you lost money could still be cancelled and give it back) in the live lane, or limits (of your own: lifting them takes a day; none if you are excluded for ever) there; frozen, restricted (by a list, or by the country that an operator has set) or flagged. What is in the sandbox goes. With a second factor enrolled, the session must be stepped up.',
  input: { ...noInput, body: Type.Object({ password }, { title: 'ClosingInput', ...closed }) },
  data: Type.Object(
    { ...instant('closed_at', 'When the account was closed.') },
    { title: 'AccountClosed' },
  ),
  errors: [
    ...common,
    ...sessionErrors,
    'PASSWORD_INCORRECT',
    'STEP_UP_MFA_REQUIRED',
    'STATE_CONFLICT',
    'SCOPE_NOT_ALLOWED',
  ],
  example: {
    body: { password: 'correct horse battery staple' },
    data: { closed_at: '2026-11-14T12:00:00.000Z', closed_at_ms: 1_794_657_600_000 },
  },
});

export const closingOperations = Object.freeze({ exportData, closeAccount });
