// Operations of the System group.

import { unstoppable } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { exampleStatus, Status } from '../resources/status.ts';
import { exampleHealth, Health } from '../resources/system.ts';

const openRead = {
  method: 'GET',
  group: 'System',
  auth: 'public',
  permission: null,
  scope: null,
  rate: 'read',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  since: '0.2',
  list: false,
  input: noInput,
  errors: unstoppable,
} as const;

const getHealth = operation({
  ...openRead,
  id: 'getHealth',
  call: 'system.health',
  path: '/v1/health',
  summary: 'Is the service up',
  description:
    'Liveness, the state of each lane, whether trading is paused, and when maintenance begins or began.',
  counted: true,
  data: Health,
  example: { data: exampleHealth },
});

const getStatus = operation({
  ...openRead,
  id: 'getStatus',
  call: 'system.status',
  path: '/v1/status',
  summary: 'How the service does and did',
  description:
    'The state of each lane since when, how long commits take, what was the matter in the last 90 days, and what that came to day by day. Both addresses tell of both lanes.',
  counted: false,
  data: Status,
  example: { data: exampleStatus },
});

export const systemOperations = Object.freeze({ getHealth, getStatus });
