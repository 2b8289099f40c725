// What an operator reads to answer a complaint: orders, fills, statement and deposits of an account, keys and sessions of its user.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { pathAccountName, pathId } from '../ids.ts';
import { pageQuery, queryOf } from '../paging.ts';
import { ApiKey, exampleApiKey } from '../resources/api-key.ts';
import { Deposit, exampleDeposit } from '../resources/deposit.ts';
import { exampleLedgerEntry, LedgerEntry } from '../resources/ledger.ts';
import { exampleFill, exampleOrder, Fill, Order } from '../resources/order.ts';
import { exampleOpenSession, OpenSession } from '../resources/profile.ts';
import { lane, looking, operatorReadErrors } from './plane.ts';

const account = {
  ...looking,
  since: '0.3',
  role: 'support',
  list: true,
  errors: [...operatorReadErrors, ...identified],
} as const;

const accountId = 'acc_01J0000000000004';
const params = Type.Object({ account_id: pathAccountName('An account, or one subaccount.') });

export const listAccountOrders = operation({
  ...account,
  id: 'listAccountOrders',
  path: '/admin/v1/accounts/{account_id}/orders',
  summary: 'Orders of an account',
  description: 'As their owner reads them, of any status, newest first.',
  input: { ...noInput, params, query: pageQuery({ lane }) },
  data: Type.Array(Order),
  example: { params: { account_id: accountId }, query: { lane: 'live' }, data: [exampleOrder] },
});

export const listAccountFills = operation({
  ...account,
  id: 'listAccountFills',
  path: '/admin/v1/accounts/{account_id}/fills',
  summary: 'Fills of an account',
  description: 'As their owner reads them, newest first.',
  input: { ...noInput, params, query: pageQuery({ lane }) },
  data: Type.Array(Fill),
  example: { params: { account_id: accountId }, query: { lane: 'live' }, data: [exampleFill] },
});

export const listAccountLedger = operation({
  ...account,
  id: 'listAccountLedger',
  path: '/admin/v1/accounts/{account_id}/ledger',
  summary: 'Statement of an account',
  description: 'Every credit and debit with its reason and reference, newest first.',
  input: { ...noInput, params, query: pageQuery({ lane }) },
  data: Type.Array(LedgerEntry),
  example: {
    params: { account_id: accountId },
    query: { lane: 'live' },
    data: [exampleLedgerEntry],
  },
});

export const listAccountDeposits = operation({
  ...account,
  id: 'listAccountDeposits',
  list: false,
  path: '/admin/v1/accounts/{account_id}/deposits',
  summary: 'Deposits of an account',
  description: 'Of the account and its subaccounts, the newest 200.',
  input: { ...noInput, params, query: queryOf({ lane }) },
  data: Type.Object({ deposits: Type.Array(Deposit) }, { title: 'AccountDeposits' }),
  example: {
    params: { account_id: accountId },
    query: { lane: 'live' },
    data: { deposits: [exampleDeposit] },
  },
});

export const getUserAccess = operation({
  ...account,
  id: 'getUserAccess',
  list: false,
  path: '/admin/v1/users/{user_id}/access',
  summary: 'Keys and sessions of a user',
  description:
    'The newest 200 keys, revoked ones included, and the open sessions with device and network. No secret is among them.',
  input: { ...noInput, params: Type.Object({ user_id: pathId('user', 'The user.') }) },
  data: Type.Object(
    { keys: Type.Array(ApiKey), sessions: Type.Array(OpenSession) },
    { title: 'UserAccess' },
  ),
  example: {
    params: { user_id: 'usr_01J0000000000005' },
    data: {
      keys: [{ ...exampleApiKey, environment: 'live' }],
      sessions: [{ ...exampleOpenSession, is_current: false }],
    },
  },
});
