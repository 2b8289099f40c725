// Operations of the System group.

import { unstoppable } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { exampleHealth, Health } from '../resources/system.ts';

export const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: '/v1/health',
  group: 'System',
  summary: 'Is the service up',
  description:
    'Liveness, the state of each lane, whether trading is paused, and when maintenance begins or began.',
  auth: 'public',
  permission: null,
  scope: null,
  rate: 'read',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  counted: true,
  since: '0.2',
  list: false,
  input: noInput,
  data: Health,
  errors: [...unstoppable],
  example: { data: exampleHealth },
});
