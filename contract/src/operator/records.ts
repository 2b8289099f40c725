// What an operator attaches to records of the exchange.

import { Type } from 'typebox';
import { noInput, operation } from '../define.ts';
import { nullable, oneOf, openObject } from '../primitives.ts';
import { AttachedChainData, chainRecords, exampleChainData } from '../resources/operator-acts.ts';
import { act, closed, exampleAct, operatorErrors, plane } from './plane.ts';

export const attachChainData = operation({
  ...plane,
  role: 'treasurer',
  id: 'attachChainData',
  method: 'POST',
  path: '/admin/v1/chain-data',
  summary: 'Attach settlement metadata',
  description:
    'Sets chain_data of a market, an account or a trade, which is null before; null takes it off again.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object(
      {
        ...act,
        record: oneOf(chainRecords),
        id: Type.String({ minLength: 1, maxLength: 64, description: 'Of the record.' }),
        chain_data: nullable(openObject('At most 4096 characters as JSON.')),
      },
      { title: 'ChainDataInput', ...closed },
    ),
  },
  data: AttachedChainData,
  errors: [...operatorErrors, 'NOT_FOUND', 'MARKET_NOT_FOUND'],
  example: {
    body: {
      ...exampleAct,
      record: exampleChainData.record,
      id: exampleChainData.id,
      chain_data: exampleChainData.chain_data,
    },
    data: exampleChainData,
  },
});
