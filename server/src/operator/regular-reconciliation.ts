// Reconciles each lane by itself once in a while, and says aloud when something does not balance.
import type { Reconciliation } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { Log } from '../gateway/log.ts';
import type { Job } from '../handling/job.ts';
import type { OperatorParts, WatchedLane } from './parts.ts';
import { CUSTODY_AGREES, type ReconciliationEnd, type Reconciliations } from './reconciliation.ts';

/** Whether one is due is asked this often, for the first time so long after the start. */
const CHECK_EVERY_MS = 60_000;

/** Who asked for a run that nobody asked for. */
const BY_ITSELF = 'clock';

interface RegularParts extends Pick<OperatorParts, 'opened'> {
  readonly reconciliations: Reconciliations;
  /** How old the last report of a lane may be. */
  readonly everyMs: number;
  readonly clock: Clock;
}

export function regularReconciliation(parts: RegularParts): Job {
  const lanes = Object.values(parts.opened).filter((lane) => lane !== undefined);
  return {
    name: 'reconciliation',
    lane: null,
    schedule: { everyMs: CHECK_EVERY_MS, firstAfterMs: CHECK_EVERY_MS },
    once: true,
    run: () => startIfDue(lanes, parts),
  };
}

/** One lane after the other: each run has a thread of its own. */
async function startIfDue(lanes: readonly WatchedLane[], parts: RegularParts): Promise<void> {
  const { reconciliations, everyMs, clock } = parts;
  for (const watched of lanes) {
    if (reconciliations.isAnyRunning) return;
    const last = await reconciliations.lastReport(watched.lane.name);
    if (last !== null && clock.wallMs() - last.taken_at_ms < everyMs) continue;
    reconciliations.start(watched, BY_ITSELF, { reason: `every ${everyMs / 3_600_000} hours` });
  }
}

/** Whatever asked for the run: a difference is never only a line in a report that somebody may read. */
export function soundAlarm(log: Pick<Log, 'write'>): ReconciliationEnd {
  return (lane, outcome) => {
    if ('error' in outcome) {
      log.write('error', 'a reconciliation failed', { lane, reason: outcome.error });
    } else if (!outcome.balanced) {
      const found = isSilenceAlone(outcome)
        ? 'a reconciliation got no answer from the custody'
        : 'a reconciliation found a difference';
      log.write('error', found, { lane, reason: faultsOf(outcome) });
    }
  };
}

/** Nothing that was looked at differs: whether the custody agrees is not known. */
export function isSilenceAlone({ custody, invariants }: Reconciliation): boolean {
  const others = invariants.filter(({ rule }) => rule !== CUSTODY_AGREES);
  return custody?.state === 'silent' && others.every(({ holds }) => holds);
}

function faultsOf({ invariants, sum }: Reconciliation): string {
  const broken = invariants.filter(({ holds }) => !holds);
  return [`sum ${sum}`, ...broken.map(({ rule, detail }) => `${rule}: ${detail}`)].join('; ');
}
