// The listener of those who operate the exchange, put together from what the server has.

import path from 'node:path';
import { alarmNames, operatorOperations } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { Gauge } from 'prom-client';
import type { OpenLanes } from './boot.ts';
import type { Log } from './gateway/log.ts';
import { OperatorGuard } from './gateway/operator-guard.ts';
import { Turns } from './handling/turns.ts';
import { createGateway, type Gateway } from './http/http.ts';
import type { Jobs } from './jobs/jobs.ts';
import { mailAlarm } from './mail/alarm-letter.ts';
import { listBackups } from './maintenance/backup-list.ts';
import { type AlarmSources, alarmChecks } from './operator/alarm-checks.ts';
import { AlarmWatch } from './operator/alarm-watch.ts';
import { custodyReports } from './operator/deposit-reports.ts';
import { operatorHandlers } from './operator/handlers.ts';
import { backUpOnline } from './operator/online-backup.ts';
import type { OperatorParts } from './operator/parts.ts';
import { Reconciliations } from './operator/reconciliation.ts';
import { Refusals } from './operator/refusals.ts';
import { regularReconciliation, soundAlarm } from './operator/regular-reconciliation.ts';
import { operatorTokenOf } from './operator/token.ts';
import { closeTrail, refusalsInto } from './operator/trail.ts';
import { operatorViews } from './operator/views.ts';
import type { Parts } from './parts.ts';
import type { Mail } from './ports/mail.ts';
import type { WebhookStore } from './ports/webhooks.ts';
import type { Config } from './settings/config.ts';
import { VERSION } from './settings/version.ts';
import { readSite } from './site-files.ts';
import { SAMPLE_EVERY_MS, Samples } from './status/samples.ts';
import { openBackupJournal } from './stores/open-stores.ts';
import { rememberOperators } from './stores/whole-folder.ts';

export interface PlaneParts
  extends Omit<
    OperatorParts,
    | 'views'
    | 'backUp'
    | 'backups'
    | 'log'
    | 'reconciliations'
    | 'alarms'
    | 'refusals'
    | 'samples'
    | 'depositTurns'
    | 'depositApprovalAbove'
    | 'challengeMinSec'
  > {
  readonly log: Log;
  readonly jobs: Jobs;
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly opened: OpenLanes;
  readonly delivery: AlarmSources['delivery'];
  readonly database: AlarmSources['database'];
  /** Null where no mail is sent. */
  readonly carrier: Mail | null;
}

/** Each lane is reconciled on request and, unless the interval is 0, by a job. */
function openReconciliations(
  { reconcileEveryMs: everyMs }: Config,
  plane: Pick<PlaneParts, 'opened' | 'platform' | 'clock' | 'log' | 'custody' | 'jobs'>,
  parts: Parts,
): Reconciliations {
  const reconciliations = new Reconciliations(plane, soundAlarm(plane.log));
  if (everyMs > 0) plane.jobs.add(regularReconciliation({ ...plane, reconciliations, everyMs }));
  return parts.add(reconciliations, async (all) => all.close());
}

function openSamples({ clock, jobs }: PlaneParts, metrics: Gateway['metrics']): Samples {
  const samples = new Samples(clock, () => metrics.render());
  jobs.add({
    name: 'service_samples',
    lane: null,
    schedule: { everyMs: SAMPLE_EVERY_MS },
    once: false,
    run: () => samples.take(),
  });
  return samples;
}

async function openAlarms(
  { operatorMail, dataDir }: Config,
  plane: PlaneParts & { readonly reconciliations: Reconciliations },
  { registry }: Gateway['metrics'],
): Promise<AlarmWatch> {
  const { platform, clock, log, carrier, jobs } = plane;
  const alarms = await AlarmWatch.open({
    checks: alarmChecks({ ...plane, dataDir }),
    platform,
    clock,
    log,
    mail:
      carrier === null || operatorMail.length === 0
        ? null
        : (alarm, endedAtMs) => mailAlarm(carrier, operatorMail, alarm, endedAtMs),
  });
  const gauge = new Gauge<'name'>({
    name: 'sibyl_alarm',
    help: 'Alarms in force, by name; 0 while all is well.',
    labelNames: ['name'],
    registers: [registry],
    collect() {
      for (const name of alarmNames) {
        gauge.set({ name }, alarms.current.filter((alarm) => alarm.name === name).length);
      }
    },
  });
  jobs.add({
    name: 'alarms',
    lane: null,
    schedule: { everyMs: ALARMS_EVERY_MS },
    once: false,
    run: () => alarms.look(),
  });
  return alarms;
}

const ALARMS_EVERY_MS = 10_000;

export async function openOperatorPlane(
  config: Config,
  plane: PlaneParts,
  webhooks: WebhookStore,
  metrics: Gateway['metrics'],
  parts: Parts,
): Promise<Gateway> {
  const { operatorToken, operatorTokenRole, dataDir } = config;
  // What stops the public port never stops those who run it, so their listener knows of no maintenance.
  const { opened, lanes, platform, operators, secrets, random, clock, log, custody } = plane;
  const depositTurns = new Turns();
  const refusals = new Refusals(clock);
  const token = operatorTokenOf(operatorToken, operatorTokenRole, secrets);
  await operators.approvals.reopen();
  await rememberOperators(platform, operators);
  await closeTrail(plane);
  const reconciliations = openReconciliations(config, plane, parts);
  const gateway = await createGateway({
    lanes,
    platform,
    secrets,
    random,
    clock,
    log,
    metrics,
    operations: operatorOperations,
    handlers: operatorHandlers({
      ...plane,
      reconciliations,
      alarms: await openAlarms(config, { ...plane, reconciliations }, metrics),
      refusals,
      samples: openSamples(plane, metrics),
      depositTurns,
      depositApprovalAbove: config.depositApprovalAbove,
      challengeMinSec: config.challengeMinSec,
      views: operatorViews(opened, clock),
      backups: () => listBackups(path.join(dataDir, 'backups')),
      backUp: () => {
        const nowMs = clock.wallMs();
        const stores = { platform, webhooks, operators, opened, openJournal: openBackupJournal };
        return backUpOnline({ dataDir, version: VERSION, nowMs, ...stores });
      },
    }),
    operatorGuard: new OperatorGuard({
      operators,
      secrets,
      clock,
      token,
      isFactorRequired: config.needsOperatorFactor,
      noteRefusal: refusalsInto({ ...plane, refusals }),
    }),
    operatorHosts: config.adminHosts,
    ...(custody !== undefined && {
      custodyReports: custodyReports({ ...plane, depositTurns }, custody),
    }),
    // Nobody passes its addresses on, so that no head belongs to any of them.
    site: readSite('console', async () => ''),
  });
  parts.add(gateway, (open) => open.close());
  return gateway;
}
