// What the server does without being asked: bots and rounds, withdrawals on their way out, and the jobs of users, keys and fees.

import type { Clock } from '@sibyl/lane';
import type { OpenLane, OpenLanes } from './boot.ts';
import type { ReferencePrices } from './bots/reference-price.ts';
import { SandboxActivity } from './bots/sandbox-activity.ts';
import { WithdrawalWorker } from './custody/withdrawal-worker.ts';
import { errorFields, type Log } from './gateway/log.ts';
import type { Job } from './handling/job.ts';
import { mayBePaid, type PayoutParts } from './handling/payout-obstacle.ts';
import type { Gateway } from './http/http.ts';
import type { Jobs } from './jobs/jobs.ts';
import { keyVolumeIn } from './lane-histories.ts';
import { endedGrants } from './modules/connect/ended-grants.ts';
import { keyGraduation } from './modules/keys/graduation.ts';
import { type IdleKeyParts, idleKeys } from './modules/keys/idle-keys.ts';
import { feeCrediting } from './modules/revenue/crediting.ts';
import { idleDemos } from './modules/sessions/idle-demos.ts';
import type { AppOwners } from './ports/app-owners.ts';
import type { Custody } from './ports/custody.ts';
import type { OperatorStore } from './ports/operators.ts';
import type { PlatformStore } from './ports/platform.ts';
import type { Config } from './settings/config.ts';

export interface WorkParts {
  readonly jobs: Jobs;
  readonly config: Config;
  readonly opened: OpenLanes;
  readonly platform: PlatformStore;
  readonly operators: OperatorStore;
  readonly log: Log;
  readonly clock: Clock;
  readonly prices: ReferencePrices;
  /** Who pays withdrawals. */
  readonly custody: Custody;
  readonly office: PayoutParts['office'];
  /** To whom the earnings of apps go. */
  readonly owners: AppOwners;
  readonly delivery: IdleKeyParts['webhooks'];
  readonly gateway: Pick<Gateway, 'authenticator'>;
}

/** Adds the jobs that no other part adds, and starts what has its own times; the returned function ends that. */
export function startBackgroundWork(work: WorkParts): () => Promise<void> {
  const { config, opened, platform, operators, log, clock, prices, custody, office, owners, jobs } =
    work;
  const { delivery, gateway } = work;
  const { live, sandbox } = opened;
  const stops: (() => Promise<void>)[] = [];
  const notify = (message: string): void => log.write('info', message);
  jobs.add(recordPruning([platform, operators], clock));
  for (const open of [live, sandbox]) {
    if (open === undefined) continue;
    jobs.add(feeCrediting({ platform, lane: open.lane, owners, clock, notify }));
    jobs.add(endedGrants({ platform, lane: open.lane, clock }));
  }
  if (live !== undefined) {
    const payouts = { platform, office, clock };
    stops.push(startWithdrawals(custody, live, payouts, log));
  }
  if (sandbox !== undefined) {
    const activity = new SandboxActivity({
      lane: sandbox.lane,
      clock,
      prices,
      hasBots: config.hasBots,
      onDefect: (error) =>
        log.write('error', 'the sandbox stands still', { error: errorFields(error) }),
    });
    activity.start();
    stops.push(() => activity.stop());
    const volume = keyVolumeIn(sandbox);
    jobs.add(keyGraduation({ platform, volume, clock, live: live?.lane, notify }));
    const visitors = { platform, sandbox: sandbox.lane, notify };
    jobs.add(idleDemos({ ...visitors, history: sandbox.history }));
    const flushUses = () => gateway.authenticator.flush();
    jobs.add(idleKeys({ ...visitors, webhooks: delivery, clock, flushUses }));
  }
  return async () => {
    for (const stop of stops) await stop();
  };
}

function startWithdrawals(
  custody: Custody,
  { lane }: OpenLane,
  payouts: PayoutParts,
  log: Log,
): () => Promise<void> {
  const worker = new WithdrawalWorker({
    lane,
    custody,
    clock: payouts.clock,
    mayBePaid: (ownerId) => mayBePaid(payouts, ownerId),
    alarm: (message, withdrawalId) => log.write('error', message, { reason: withdrawalId }),
    failed: (error) =>
      log.write('warn', 'withdrawals were not driven on', { error: errorFields(error) }),
  });
  worker.start();
  return () => worker.stop();
}

function recordPruning(
  stores: readonly { prune(beforeMs: number): Promise<void> }[],
  clock: Clock,
): Job {
  const prune = () => Promise.all(stores.map((store) => store.prune(clock.wallMs() - KEPT_MS)));
  const schedule = { everyMs: HOUR_MS, firstAfterMs: HOUR_MS };
  return { name: 'record_pruning', lane: null, schedule, once: true, run: prune };
}

const HOUR_MS = 3_600_000;
const KEPT_MS = 2 * 86_400_000;
