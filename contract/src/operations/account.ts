// Operations of the Account group: what the caller owns and did.

import { Type } from 'typebox';
import { common, credentialed, delegated } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { idOf, onBehalfOf, subaccountId } from '../ids.ts';
import { pageQuery, queryOf, wholeQuery } from '../paging.ts';
import { oneOf } from '../primitives.ts';
import { Account, exampleAccount, examplePosition, Position } from '../resources/account.ts';
import { clientOrderId, exampleFill, exampleOrder, Fill, Order } from '../resources/order.ts';
import { ownRead } from './kinds.ts';

const accountRead = { ...ownRead, group: 'Account' } as const;

/** An account is opened in a lane when its user is first there; until then there is nothing to see. */
const ownErrors = [...common, ...credentialed, ...delegated, 'NOT_FOUND'] as const;

const getAccount = operation({
  ...accountRead,
  id: 'getAccount',
  call: 'account.get',
  path: '/v1/account',
  summary: 'Your account',
  description:
    'Balance, tier, permissions, caps used today and what would stop an order. Sessions and own keys see e-mail, phone, last login IP and wallet; apps, partners and keys of a subaccount get null, and X-PII-Redacted is true.',
  list: false,
  selfView: true,
  input: { ...noInput, query: queryOf({ on_behalf_of: onBehalfOf }) },
  data: Account,
  errors: ownErrors,
  example: { query: {}, data: exampleAccount },
});

const listPositions = operation({
  ...accountRead,
  id: 'listPositions',
  call: 'account.positions',
  path: '/v1/account/positions',
  summary: 'Open positions',
  description: 'One entry for each outcome held; all of them unless a limit is given.',
  list: true,
  input: {
    ...noInput,
    query: wholeQuery({
      market_id: Type.Optional(idOf('market')),
      subaccount_id: subaccountId,
      on_behalf_of: onBehalfOf,
    }),
  },
  data: Type.Array(Position),
  errors: ownErrors,
  example: { query: {}, data: [examplePosition] },
});

const listOrders = operation({
  ...accountRead,
  id: 'listOrders',
  call: 'account.orders',
  path: '/v1/account/orders',
  summary: 'Your orders',
  description:
    'Newest first. The filter pending includes partially_filled; rejected ones appear under all only.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      status: Type.Optional(oneOf(['pending', 'filled', 'cancelled', 'all'], { default: 'all' })),
      market_id: Type.Optional(idOf('market')),
      client_order_id: Type.Optional(clientOrderId),
      subaccount_id: subaccountId,
      on_behalf_of: onBehalfOf,
    }),
  },
  data: Type.Array(Order),
  errors: ownErrors,
  example: { query: { status: 'filled' }, data: [exampleOrder] },
});

const listFills = operation({
  ...accountRead,
  id: 'listFills',
  call: 'account.fills',
  path: '/v1/account/trades',
  summary: 'Your fills',
  description: 'Newest first, with fee, rebate and whether you were maker or taker.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      market_id: Type.Optional(idOf('market')),
      subaccount_id: subaccountId,
      on_behalf_of: onBehalfOf,
    }),
  },
  data: Type.Array(Fill),
  errors: ownErrors,
  example: { query: {}, data: [exampleFill] },
});

export const accountOperations = Object.freeze({
  getAccount,
  listPositions,
  listOrders,
  listFills,
});
