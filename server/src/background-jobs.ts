// Jobs that run by themselves while the server does: bots and rounds, graduation of keys, crediting of fees, the end of
// orders whose grant is over, the end of idle demo accounts and sandbox keys, withdrawals on their way out, removal of old records.

import type { Clock } from '@sibyl/lane';
import type { OpenLane, OpenLanes } from './boot.ts';
import type { ReferencePrices } from './bots/reference-price.ts';
import { SandboxActivity } from './bots/sandbox-activity.ts';
import { WithdrawalWorker } from './custody/withdrawal-worker.ts';
import { errorFields, type Log } from './gateway/log.ts';
import { mayBePaid, type PayoutParts } from './handling/payout-obstacle.ts';
import type { Gateway } from './http/http.ts';
import { type IdleVisitorParts, scheduleIdleVisitors } from './idle-visitors.ts';
import { keyVolumeIn } from './lane-histories.ts';
import { watchEndedGrants } from './modules/connect/ended-grants.ts';
import { scheduleGraduation } from './modules/keys/graduation.ts';
import { scheduleCrediting } from './modules/revenue/crediting.ts';
import type { AppOwners } from './ports/app-owners.ts';
import type { Custody } from './ports/custody.ts';
import type { OperatorStore } from './ports/operators.ts';
import type { PlatformStore } from './ports/platform.ts';
import type { Config } from './settings/config.ts';

export interface JobParts {
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
  readonly delivery: IdleVisitorParts['webhooks'];
  readonly gateway: Pick<Gateway, 'authenticator'>;
}

/** Everything that happens by itself; the returned function ends it. */
export function startBackgroundJobs({
  config,
  opened,
  platform,
  operators,
  log,
  clock,
  prices,
  custody,
  office,
  owners,
  delivery,
  gateway,
}: JobParts): () => Promise<void> {
  const { live, sandbox } = opened;
  const stops: (() => Promise<void> | void)[] = [
    schedulePruning([platform, operators], clock, log),
  ];
  const notify = (message: string): void => log.write('info', message);
  for (const open of [live, sandbox]) {
    if (open === undefined) continue;
    stops.push(scheduleCrediting({ platform, lane: open.lane, owners, clock, notify }));
    stops.push(watchEndedGrants({ platform, lane: open.lane, clock, notify }));
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
    stops.push(
      scheduleGraduation({
        platform,
        volume: keyVolumeIn(sandbox),
        clock,
        live: live?.lane,
        notify,
      }),
      scheduleIdleVisitors({
        platform,
        sandbox: sandbox.lane,
        history: sandbox.history,
        webhooks: delivery,
        flushUses: () => gateway.authenticator.flush(),
        clock,
        notify,
      }),
    );
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

function schedulePruning(
  stores: readonly { prune(beforeMs: number): Promise<void> }[],
  clock: Clock,
  log: Log,
): () => void {
  const timer = setInterval(() => {
    const beforeMs = clock.wallMs() - KEPT_MS;
    Promise.all(stores.map((store) => store.prune(beforeMs))).catch((error: unknown) =>
      log.write('warn', 'old records were not removed', { error: errorFields(error) }),
    );
  }, PRUNE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const PRUNE_EVERY_MS = 3_600_000;
const KEPT_MS = 2 * 86_400_000;
