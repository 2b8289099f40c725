// Conditions that an operator must see to soon, each with what to do.

import { type Static, Type } from 'typebox';
import { instant, nullable, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

export const alarmNames = [
  'lane_not_trading',
  'clock_difference',
  'disk_scarce',
  'database_away',
  'reconciliation_failed',
  'proposal_overdue',
  'webhook_backlog',
  'custody_silent',
] as const;
export type AlarmName = (typeof alarmNames)[number];

/** What to do first; docs/OPERATING.md says more. */
export const alarmActions: Readonly<Record<AlarmName, string>> = {
  lane_not_trading:
    'Read why on the page Lanes of the console. Resume the lane, or restart the server if the lane has stopped.',
  clock_difference:
    'Check the time service of the host, then say which clock is right (sibyl admin decide-clock).',
  disk_scarce: 'Remove old backups, or move the data folder to a larger disk.',
  database_away: 'Bring PostgreSQL back. Reads of users and keys are refused until it answers.',
  reconciliation_failed: 'Halt the lane, then read the report (sibyl admin get-reconciliation).',
  proposal_overdue: 'Propose an answer, rule on the dispute, or confirm the cancellation.',
  webhook_backlog: 'Check the network and the CPU of the host, and the receivers that fail.',
  custody_silent: 'Ask the custody service for its state. No withdrawal is paid until it answers.',
};

const Alarm = Type.Object(
  {
    name: oneOf(alarmNames),
    lane: nullable(oneOf(environments), 'Null for the whole service.'),
    detail: Type.String({ description: 'What was measured.' }),
    action: Type.String({ description: 'What to do first.' }),
    ...instant('since_at', 'When it began.'),
  },
  { title: 'Alarm' },
);

export const Alarms = Type.Object({ alarms: Type.Array(Alarm) }, { title: 'Alarms' });
export type Alarms = Static<typeof Alarms>;

export const exampleAlarms: Alarms = {
  alarms: [
    {
      name: 'disk_scarce',
      lane: null,
      detail: '812 MiB free',
      action: alarmActions.disk_scarce,
      since_at: '2026-11-14T12:00:00.000Z',
      since_at_ms: 1_794_657_600_000,
    },
  ],
};
