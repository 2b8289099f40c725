// The service itself: mode, maintenance, reconciliation, backup, and the read model.

import { Type } from 'typebox';
import { noInput, operation } from '../define.ts';
import { queryOf } from '../paging.ts';
import { epochMs, oneOf } from '../primitives.ts';
import {
  exampleKnownBackup,
  exampleMadeBackup,
  KnownBackup,
  MadeBackup,
} from '../resources/backup.ts';
import {
  ClockState,
  clockDecisions,
  exampleClock,
  exampleHistory,
  exampleMaintenance,
  exampleMode,
  exampleReconciliation,
  HistoryState,
  MaintenanceState,
  maintenanceEffects,
  maintenancePhases,
  PlatformMode,
  platformModes,
  ReconciliationState,
} from '../resources/operator.ts';
import { examplePlatform, PlatformState } from '../resources/platform-state.ts';
import { exampleSamples, ServiceSamples } from '../resources/samples.ts';
import {
  ActInput,
  act,
  closed,
  exampleAct,
  lane,
  looking,
  message,
  operatorErrors,
  operatorReadErrors,
  plane,
  promptErrors,
  reason,
} from './plane.ts';

export const getPlatform = operation({
  ...looking,
  id: 'getPlatform',
  path: '/admin/v1/platform',
  summary: 'State of the service',
  description:
    'Each lane with its mode, how far it is and how much it holds, whether the custody answers, maintenance, and how much waits for a second operator.',
  input: noInput,
  data: PlatformState,
  errors: [...operatorReadErrors],
  example: { data: examplePlatform },
});

export const getSamples = operation({
  ...looking,
  since: '0.3',
  id: 'getSamples',
  path: '/admin/v1/samples',
  summary: 'Charts of the service',
  description:
    'What the server measured of itself over the last 24 hours, a sample every half minute, kept in memory since its start.',
  input: {
    ...noInput,
    query: queryOf({
      after_ms: Type.Optional(epochMs('Only samples taken after this time.')),
    }),
  },
  data: ServiceSamples,
  errors: [...operatorReadErrors],
  example: { query: { after_ms: 1_794_657_570_000 }, data: exampleSamples },
});

export const setPlatformMode = operation({
  ...plane,
  id: 'setPlatformMode',
  role: 'market_manager',
  method: 'POST',
  path: '/admin/v1/mode',
  summary: 'Halt or resume a lane',
  description:
    'read_only pauses what accounts send to one lane, cancel_only halts it: nobody trades there, the bots of the exchange neither; normal resumes. Reads, cancels and acts of operators always work. The message is shown by health, the status page and platform_mode; the reason is for operators alone.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object(
      { ...act, message, mode: oneOf(platformModes) },
      { title: 'ModeInput', ...closed },
    ),
  },
  data: PlatformMode,
  errors: [...operatorErrors],
  example: { body: { ...exampleAct, mode: 'read_only' }, data: exampleMode },
});

export const decideClock = operation({
  ...plane,
  id: 'decideClock',
  role: 'admin',
  method: 'POST',
  path: '/admin/v1/clock',
  summary: 'Which clock is right',
  description:
    'Where journal time and wall time of a lane differ by more than a second, trading waits for this: accept takes the wall clock (journal time jumps ahead to it, or waits for it at its own pace), keep goes on with journal time and remembers the offset, also over a restart. Both end read-only mode.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object(
      { ...act, decision: oneOf(clockDecisions) },
      { title: 'ClockInput', ...closed },
    ),
  },
  data: ClockState,
  errors: [...operatorErrors],
  example: { body: { ...exampleAct, decision: 'accept' }, data: exampleClock },
});

/** Neither lane alone: maintenance is of the whole service. */
const MaintenanceInput = Type.Object(
  {
    reason,
    phase: oneOf(maintenancePhases, {
      description: 'Announce it, begin it now, or end it (or take the announcement back).',
    }),
    effect: Type.Optional(
      oneOf(maintenanceEffects, {
        default: 'cancel_only',
        description:
          'read_only refuses what read-only mode refuses; cancel_only every write but cancels and revocations; down everything but health.',
      }),
    ),
    starts_at_ms: Type.Optional(epochMs('Needed to announce: when it begins, by itself.')),
    ends_at_ms: Type.Optional(epochMs('When it should be over; Retry-After is counted from it.')),
    message,
  },
  { title: 'MaintenanceInput', ...closed },
);

export const setMaintenance = operation({
  ...plane,
  id: 'setMaintenance',
  role: 'admin',
  method: 'POST',
  path: '/admin/v1/maintenance',
  summary: 'Maintenance',
  description:
    'Announces, begins or ends maintenance of the whole service: what it stops is refused with MAINTENANCE and Retry-After. It outlives a restart.',
  idempotency: 'optional',
  input: { ...noInput, body: MaintenanceInput },
  data: MaintenanceState,
  errors: [...promptErrors, 'STATE_CONFLICT'],
  example: {
    body: { reason: 'new disks', phase: 'started', ends_at_ms: 1_794_661_200_000 },
    data: exampleMaintenance,
  },
});

export const startReconciliation = operation({
  ...plane,
  id: 'startReconciliation',
  role: 'treasurer',
  method: 'POST',
  path: '/admin/v1/reconciliation',
  summary: 'Reconcile',
  description:
    'Sums every ledger account of a lane and checks the invariants on the whole state, as of the last durable command, on a replay in a thread of its own: trading does not wait for it. Answers at once; getReconciliation tells how far it is. While one runs, no other is begun.',
  idempotency: 'none',
  input: { ...noInput, body: ActInput },
  data: ReconciliationState,
  errors: [...operatorReadErrors],
  example: { body: exampleAct, data: exampleReconciliation },
});

export const getReconciliation = operation({
  ...looking,
  id: 'getReconciliation',
  path: '/admin/v1/reconciliation',
  summary: 'Reconciliation report',
  description:
    'The last report of a lane, with the command that it holds for, and how far a run is.',
  input: { ...noInput, query: queryOf({ lane }) },
  data: ReconciliationState,
  errors: [...operatorReadErrors],
  example: { query: { lane: 'sandbox' }, data: exampleReconciliation },
});

export const createBackup = operation({
  ...plane,
  id: 'createBackup',
  role: 'admin',
  method: 'POST',
  path: '/admin/v1/backups',
  summary: 'Back up',
  description:
    'Copies journals, snapshots, users and keys into a new folder while serving. A lane that does not run is left out, and named (left_out).',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object({ reason }, { title: 'BackupInput', ...closed }),
  },
  data: MadeBackup,
  errors: [...operatorErrors, 'STATE_CONFLICT'],
  example: { body: { reason: 'before the upgrade' }, data: exampleMadeBackup },
});

export const listBackups = operation({
  ...looking,
  id: 'listBackups',
  path: '/admin/v1/backups',
  summary: 'Backups',
  description:
    'Those in the data folder, the newest first, with their size and whether somebody has verified them. What was copied elsewhere is not known here.',
  input: noInput,
  data: Type.Object({ backups: Type.Array(KnownBackup) }, { title: 'KnownBackups' }),
  errors: [...operatorReadErrors],
  example: { data: { backups: [exampleKnownBackup] } },
});

export const rebuildHistory = operation({
  ...plane,
  id: 'rebuildHistory',
  role: 'admin',
  method: 'POST',
  path: '/admin/v1/history/rebuild',
  summary: 'Rebuild history',
  description:
    'Makes the read model of a lane anew from its journal while the old one serves, then goes on with the new one. Answers at once; getHistory tells how far it is.',
  idempotency: 'optional',
  input: { ...noInput, body: ActInput },
  data: HistoryState,
  errors: [...promptErrors, 'STATE_CONFLICT'],
  example: { body: exampleAct, data: exampleHistory },
});

export const getHistory = operation({
  ...looking,
  id: 'getHistory',
  path: '/admin/v1/history',
  summary: 'State of history',
  description: 'How far the read model of a lane is, and its last rebuild.',
  input: { ...noInput, query: queryOf({ lane }) },
  data: HistoryState,
  errors: [...operatorReadErrors],
  example: { query: { lane: 'sandbox' }, data: exampleHistory },
});
