// Operations of the Liquidity group.

import { common, embedded, presented } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { exampleLqfConfig, LqfConfig } from '../resources/system.ts';
import { publicRead } from './kinds.ts';

const getLqfConfig = operation({
  ...publicRead,
  id: 'getLqfConfig',
  call: 'liquidity.config',
  path: '/v1/lqf/config',
  group: 'Liquidity',
  summary: 'Fees and rebates',
  description: 'The fee curve, the rebate formula and the split, as the engine charges them.',
  list: false,
  input: noInput,
  data: LqfConfig,
  errors: [...common, ...presented, ...embedded],
  example: { data: exampleLqfConfig },
});

export const liquidityOperations = Object.freeze({ getLqfConfig });
