// What waits for an operator.

import { noInput, operation } from '../define.ts';
import { queryOf } from '../paging.ts';
import { exampleQueues, Queues } from '../resources/queues.ts';
import { lane, operatorReadErrors, plane } from './plane.ts';

export const getQueues = operation({
  ...plane,
  role: 'viewer',
  id: 'getQueues',
  method: 'GET',
  path: '/admin/v1/queues',
  summary: 'What waits',
  description: 'Counts and lists everything of a lane that waits for an operator.',
  rate: 'account_read',
  idempotency: 'none',
  input: { ...noInput, query: queryOf({ lane }) },
  data: Queues,
  errors: [...operatorReadErrors],
  example: { query: { lane: 'sandbox' }, data: exampleQueues },
});
