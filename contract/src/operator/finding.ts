// What operators look up before they act: markets and accounts of a lane.

import { Type } from 'typebox';
import { noInput, operation } from '../define.ts';
import { pageQuery, queryOf } from '../paging.ts';
import { oneOf } from '../primitives.ts';
import {
  exampleFoundAccount,
  exampleFoundMarket,
  FoundAccount,
  FoundMarket,
} from '../resources/found.ts';
import { marketStatuses } from '../resources/market.ts';
import { lane, looking, operatorReadErrors } from './plane.ts';

const found = {
  ...looking,
  errors: [...operatorReadErrors],
} as const;

export const findMarkets = operation({
  ...found,
  id: 'findMarkets',
  path: '/admin/v1/markets',
  summary: 'Find markets',
  description: 'By words of the title or by id, in a state if one is named; newest first.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      lane,
      q: Type.Optional(Type.String({ maxLength: 200, description: 'Words, or a market_id.' })),
      status: Type.Optional(oneOf(marketStatuses)),
    }),
  },
  data: Type.Array(FoundMarket),
  example: { query: { lane: 'sandbox', limit: 1 }, data: [exampleFoundMarket] },
});

export const findAccounts = operation({
  ...found,
  id: 'findAccounts',
  path: '/admin/v1/accounts',
  summary: 'Find an account',
  description:
    'By the whole of an account_id, subaccount_id, user_id or key_id: the account with all of its family, the owner first; nothing if there is none.',
  input: {
    ...noInput,
    query: queryOf({ lane, q: Type.String({ minLength: 3, maxLength: 128 }) }),
  },
  data: Type.Object({ accounts: Type.Array(FoundAccount) }, { title: 'FoundAccounts' }),
  example: {
    query: { lane: 'sandbox', q: 'acc_01J0000000000004' },
    data: { accounts: [exampleFoundAccount] },
  },
});
