// What waits for an operator.

import { noInput, operation } from '../define.ts';
import { queryOf } from '../paging.ts';
import { exampleQueues, Queues } from '../resources/queues.ts';
import { lane, looking, operatorReadErrors } from './plane.ts';

export const getQueues = operation({
  ...looking,
  id: 'getQueues',
  path: '/admin/v1/queues',
  summary: 'What waits',
  description: 'Counts and lists everything of a lane that waits for an operator.',
  input: { ...noInput, query: queryOf({ lane }) },
  data: Queues,
  errors: [...operatorReadErrors],
  example: { query: { lane: 'sandbox' }, data: exampleQueues },
});
