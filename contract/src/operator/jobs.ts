// Recurring work of the server.

import { noInput, operation } from '../define.ts';
import { exampleJobs, Jobs } from '../resources/job.ts';
import { looking, operatorReadErrors } from './plane.ts';

export const listJobs = operation({
  ...looking,
  id: 'listJobs',
  path: '/admin/v1/jobs',
  summary: 'Recurring jobs',
  description:
    'Every recurring job of the server: its schedule, its last run, the next one, and its last failure. A failed run is a warning in the log; a daily job tries again after ten minutes.',
  input: noInput,
  data: Jobs,
  errors: [...operatorReadErrors],
  example: { data: exampleJobs },
});
