// Recurring work of the server: what each job does, and how its last run went.

import { type Static, Type } from 'typebox';
import { instant, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

/** Each with what it does. */
export const jobs = {
  alarms: 'Checks the conditions that raise alarms.',
  ended_grants: 'Cancels orders of app grants that have ended.',
  fee_crediting: 'Pays vested fees to those who earned them.',
  idle_demos: 'Closes demo accounts that were not used for a week.',
  idle_keys: 'Revokes anonymous sandbox keys that were not used for a week.',
  key_events: 'Records webhook events of keys, apps and grants that were missed.',
  key_graduation: 'Raises the tier of sandbox keys that traded enough.',
  reconciliation: 'Starts the reconciliation of each lane when it is due.',
  record_pruning: 'Removes expired sessions, answers and links.',
  service_samples: 'Measures the service for the charts of the console.',
  status: 'Checks every lane for the status page.',
  wash_trading: 'Looks for trades between linked accounts.',
  webhook_pruning: 'Removes old webhook deliveries.',
} as const;
export type JobName = keyof typeof jobs;
// Object.keys loses the names.
const jobNames = Object.keys(jobs) as readonly JobName[];

const Failure = Type.Object(
  { message: Type.String(), ...instant('failed_at', 'When that run ended.') },
  { title: 'JobFailure' },
);

const Job = Type.Object(
  {
    name: oneOf(jobNames),
    about: Type.String({ description: 'What it does.' }),
    lane: nullable(oneOf(environments), 'Null for the whole service.'),
    every_ms: nullable(
      Type.Integer({ minimum: 1 }),
      'Time from the end of a run to the next. Null for once a day, after midnight UTC.',
    ),
    once: Type.Boolean({
      description: 'Whether one server alone runs it where several share a database.',
    }),
    is_running: Type.Boolean(),
    runs: Type.Integer({ minimum: 0, description: 'Since the start of the server.' }),
    failures: Type.Integer({ minimum: 0, description: 'Of these runs.' }),
    ...nullableInstant('last_run_at', 'When the last run that has ended began.'),
    last_duration_ms: nullable(Type.Integer({ minimum: 0 }), 'How long it took.'),
    ...instant('next_run_at', 'When the next run is due.'),
    last_failure: nullable(Failure, 'Null if no run has failed since the start.'),
  },
  { title: 'Job' },
);

export const Jobs = Type.Object({ jobs: Type.Array(Job) }, { title: 'Jobs' });
export type Jobs = Static<typeof Jobs>;

export const exampleJobs: Jobs = {
  jobs: [
    {
      name: 'fee_crediting',
      about: jobs.fee_crediting,
      lane: 'sandbox',
      every_ms: null,
      once: true,
      is_running: false,
      runs: 2,
      failures: 1,
      last_run_at: '2026-11-14T00:00:00.000Z',
      last_run_at_ms: 1_794_614_400_000,
      last_duration_ms: 41,
      next_run_at: '2026-11-15T00:00:00.000Z',
      next_run_at_ms: 1_794_700_800_000,
      last_failure: {
        message: 'the database gives no answer',
        failed_at: '2026-11-13T23:50:00.000Z',
        failed_at_ms: 1_794_613_800_000,
      },
    },
  ],
};
