// Operations of the Subaccounts group: open, list, change, and move money between them.

import { Type } from 'typebox';
import { common, compliance, credentialed, identified, keyedWrite, write } from '../bundles.ts';
import { noInput, operation, ownList, tradeWrite } from '../define.ts';
import { accountName, pathId } from '../ids.ts';
import { wholeQuery } from '../paging.ts';
import { personalText } from '../plain-text.ts';
import { moneyInput, oneOf } from '../primitives.ts';
import {
  exampleSubaccount,
  exampleTransfer,
  Subaccount,
  subaccountStatuses,
  Transfer,
} from '../resources/subaccount.ts';

const own = {
  group: 'Subaccounts',
  auth: 'credential',
  ...tradeWrite,
  scope: null,
  rate: 'account_write',
  counted: true,
  since: '0.3',
} as const;

const label = Type.String({
  ...personalText,
  minLength: 1,
  maxLength: 64,
  description: 'Without spaces at its ends; none of your open subaccounts may have it.',
});

const createSubaccount = operation({
  ...own,
  id: 'createSubaccount',
  call: 'subaccounts.create',
  method: 'POST',
  path: '/v1/subaccounts',
  summary: 'Open a subaccount',
  description:
    'Up to 32 are open at a time, and 1,000 ever. Each has money, orders and positions of its own; faucet, caps, limits and self-trade prevention count for you and all of them together. Name it in subaccount_id wherever that is taken.',
  input: {
    ...noInput,
    body: Type.Object({ label }, { title: 'SubaccountInput', additionalProperties: false }),
  },
  data: Subaccount,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    ...compliance,
    'NOT_FOUND',
    'SUBACCOUNT_LABEL_TAKEN',
    'SUBACCOUNT_FROZEN',
    'RISK_LIMIT_BREACH',
    'TIER_UPGRADE_REQUIRED',
  ],
  example: { body: { label: 'hedge' }, data: exampleSubaccount },
});

const listSubaccounts = operation({
  ...own,
  ...ownList,
  id: 'listSubaccounts',
  call: 'subaccounts.list',
  path: '/v1/subaccounts',
  summary: 'Your subaccounts',
  description:
    'The oldest first, with balances and how many orders and positions each has. A key that is bound to one sees that one.',
  permission: 'read',
  scope: 'account:read',
  input: {
    ...noInput,
    query: wholeQuery({
      status: Type.Optional(
        oneOf(['open', 'closed', 'all'], {
          default: 'open',
          description: 'Those that are closed are left out unless asked for.',
        }),
      ),
    }),
  },
  data: Type.Array(Subaccount),
  errors: [...common, ...credentialed, 'NOT_FOUND'],
  example: { query: {}, data: [exampleSubaccount] },
});

const changeSubaccount = operation({
  ...own,
  id: 'changeSubaccount',
  call: 'subaccounts.change',
  method: 'PATCH',
  path: '/v1/subaccounts/{subaccount_id}',
  summary: 'Rename, freeze, let go or close a subaccount',
  description:
    'frozen cancels its open orders and stops it until it is active again; closed is for ever and needs one without orders, positions and money. What an operator has frozen cannot be changed.',
  input: {
    ...noInput,
    params: Type.Object({ subaccount_id: pathId('subaccount', 'One of your subaccounts.') }),
    body: Type.Object(
      { label: Type.Optional(label), status: Type.Optional(oneOf(subaccountStatuses)) },
      { title: 'SubaccountChange', additionalProperties: false, minProperties: 1 },
    ),
  },
  data: Subaccount,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    ...identified,
    'SUBACCOUNT_LABEL_TAKEN',
    'SUBACCOUNT_FROZEN',
    'SUBACCOUNT_HAS_BALANCE',
    'SUBACCOUNT_HAS_POSITIONS',
    'SUBACCOUNT_HAS_OPEN_ORDERS',
    'STATE_CONFLICT',
  ],
  example: {
    params: { subaccount_id: exampleSubaccount.subaccount_id },
    body: { label: 'grid' },
    data: { ...exampleSubaccount, label: 'grid' },
  },
});

const transferFunds = operation({
  ...own,
  id: 'transferFunds',
  call: 'subaccounts.transfer',
  method: 'POST',
  path: '/v1/subaccounts/transfers',
  summary: 'Move money between your accounts',
  description:
    'From and to are two of yours, your account_id among them; exact, at once and without a fee. Free money only.',
  idempotency: 'required',
  input: {
    ...noInput,
    body: Type.Object(
      {
        from: accountName('Your account_id, or one of your subaccounts.'),
        to: accountName('Another of these.'),
        asset: Type.Optional(oneOf(['USDT'], { default: 'USDT' })),
        amount: moneyInput('How much.'),
      },
      { title: 'TransferInput', additionalProperties: false },
    ),
  },
  data: Transfer,
  errors: [
    ...common,
    ...credentialed,
    ...keyedWrite,
    'NOT_FOUND',
    'BALANCE_INSUFFICIENT',
    'SUBACCOUNT_FROZEN',
  ],
  example: {
    body: { from: exampleTransfer.from, to: exampleTransfer.to, amount: '25' },
    data: exampleTransfer,
  },
});

export const subaccountOperations = Object.freeze({
  createSubaccount,
  listSubaccounts,
  changeSubaccount,
  transferFunds,
});
