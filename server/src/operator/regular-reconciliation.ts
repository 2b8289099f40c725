// Reconciles each lane by itself once in a while, and says aloud when something does not balance.
import type { Reconciliation } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { errorFields, type Log } from '../gateway/log.ts';
import type { OperatorParts, WatchedLane } from './parts.ts';
import { CUSTODY_AGREES, type ReconciliationEnd, type Reconciliations } from './reconciliation.ts';

/** Whether one is due is asked this often, for the first time so long after the start. */
const CHECK_EVERY_MS = 60_000;

/** Who asked for a run that nobody asked for. */
const BY_ITSELF = 'clock';

interface RegularParts extends Pick<OperatorParts, 'opened'> {
  readonly reconciliations: Reconciliations;
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'write'>;
}

/** The returned function ends it. */
export function reconcileRegularly(parts: RegularParts): () => void {
  const { opened, clock, log, everyMs } = parts;
  if (everyMs === 0) return () => undefined;
  const lanes = Object.values(opened).filter((lane) => lane !== undefined);
  let cancel: () => void = () => undefined;
  let isOver = false;
  const checkLater = (): void => {
    if (isOver) return;
    cancel = clock.setAlarm(CHECK_EVERY_MS, () => {
      startIfDue(lanes, parts)
        .catch((error: unknown) =>
          log.write('warn', 'a reconciliation was not begun', { error: errorFields(error) }),
        )
        .finally(checkLater);
    });
  };
  checkLater();
  return () => {
    isOver = true;
    cancel();
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
