// What each alarm is raised by.
import { statfs } from 'node:fs/promises';
import type { AlarmName } from '@sibyl/contract';
import type { Market, State } from '@sibyl/engine';
import { type Clock, withPatience } from '@sibyl/lane';
import type { DeliveryStatus } from '../delivery/delivery.ts';
import { diskRoom } from '../maintenance/disk-room.ts';
import type { Outage } from '../ports/outage.ts';
import { isoTime } from '../wire/times.ts';
import type { AlarmCheck, FoundAlarm } from './alarm-watch.ts';
import type { OperatorParts, WatchedLane } from './parts.ts';
import { isSilenceAlone } from './regular-reconciliation.ts';

export interface AlarmSources
  extends Pick<OperatorParts, 'opened' | 'modes' | 'custodyWatch' | 'reconciliations'> {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly delivery: { status(): Promise<DeliveryStatus> };
  /** Null where users and keys are in the data folder. */
  readonly database: { readonly outage: Outage | null } | null;
}

/** The oldest delivery due. */
const OVERDUE_MS = 600_000;
/** Commands that were not turned into deliveries yet: more than a busy minute brings. */
const UNREAD_MAX = 100_000;
const NAMED_MAX = 5;

export function alarmChecks(sources: AlarmSources): Readonly<Record<AlarmName, AlarmCheck>> {
  const lanes = Object.values(sources.opened).filter((lane) => lane !== undefined);
  return {
    lane_not_trading: () => perLane(lanes, (watched) => whyNotTrading(sources, watched)),
    clock_difference: () => perLane(lanes, async ({ lane }) => clockWords(lane.status())),
    disk_scarce: async () => {
      const { bavail, bsize } = await statfs(sources.dataDir);
      const { isScarce, words } = diskRoom(bavail * bsize);
      return isScarce ? [{ lane: null, detail: words }] : [];
    },
    database_away: async () => outageOf(sources.database?.outage ?? null, null),
    reconciliation_failed: () => perLane(lanes, (watched) => reconciledWords(sources, watched)),
    proposal_overdue: () => perLane(lanes, ({ lane }) => lane.read(overdueWords)),
    webhook_backlog: async () => backlogOf(await sources.delivery.status()),
    custody_silent: async () => outageOf(sources.custodyWatch?.outage ?? null, 'live'),
  };
}

async function perLane(
  lanes: readonly WatchedLane[],
  ask: (watched: WatchedLane) => Promise<string | null>,
): Promise<readonly FoundAlarm[]> {
  const found: FoundAlarm[] = [];
  for (const watched of lanes) {
    const detail = await ask(watched);
    if (detail !== null) found.push({ lane: watched.lane.name, detail });
  }
  return found;
}

async function whyNotTrading(
  { modes, clock }: AlarmSources,
  { lane }: WatchedLane,
): Promise<string | null> {
  const { state, reason } = lane.status();
  if (state !== 'running') return reason ?? state;
  const engine = await withPatience(
    clock,
    lane.read(({ readOnly, cancelOnly }) => ({ readOnly, cancelOnly })),
  );
  if (engine === null) return 'it gives no answer';
  if (!engine.readOnly) return null;
  const change = modes[lane.name]?.current ?? null;
  const mode = engine.cancelOnly ? 'halted' : 'paused';
  return change === null ? mode : `${mode} by ${change.by}: ${change.reason}`;
}

function clockWords({
  clockDifferenceMs: differenceMs,
}: {
  readonly clockDifferenceMs: number | null;
}): string | null {
  return differenceMs === null ? null : `${differenceMs} ms between wall clock and journal time`;
}

/** Silence of the custody is an alarm of its own. */
async function reconciledWords(
  { reconciliations }: AlarmSources,
  watched: WatchedLane,
): Promise<string | null> {
  const { run, report } = await reconciliations.state(watched);
  if (run?.state === 'failed') return `the last run failed: ${run.error ?? 'no reason'}`;
  if (report === null || report.balanced || isSilenceAlone(report)) return null;
  const broken = report.invariants.filter(({ holds }) => !holds).map(({ rule }) => rule);
  return `sum ${report.sum}; broken: ${broken.join(', ') || 'none'}`;
}

function overdueWords(state: State): string | null {
  const overdue = [...state.markets.values()].filter((market) => isOverdue(state, market));
  if (overdue.length === 0) return null;
  const named = overdue.slice(0, NAMED_MAX).map(({ id }) => id);
  const more = overdue.length > NAMED_MAX ? ' and more' : '';
  return `${overdue.length} markets wait: ${named.join(', ')}${more}`;
}

/** As the engine announces it: no answer by its deadline, no ruling for three days. */
function isOverdue({ nowMs, parameters }: State, market: Market): boolean {
  const { autoVoid, rulingAlarmMs } = parameters.resolution;
  const { status, closing, proposal, deadlineMs } = market;
  if (closing !== null) return false;
  if (status === 'locked') return !autoVoid && nowMs >= deadlineMs;
  if (status !== 'settling' || proposal === null) return false;
  const { dispute, cancellation, proposedAtMs } = proposal;
  const sinceMs = cancellation === null ? (dispute?.disputedAtMs ?? null) : proposedAtMs;
  return sinceMs !== null && nowMs - sinceMs >= rulingAlarmMs;
}

function backlogOf({ overdueMs, unread }: DeliveryStatus): readonly FoundAlarm[] {
  const behind = unread.filter(([, commands]) => commands >= UNREAD_MAX);
  const found = behind.map(([lane, commands]) => ({
    lane,
    detail: `${commands} commands are not turned into deliveries yet`,
  }));
  if (overdueMs < OVERDUE_MS) return found;
  const minutes = Math.floor(overdueMs / 60_000);
  return [...found, { lane: null, detail: `the oldest delivery is due for ${minutes} minutes` }];
}

function outageOf(outage: Outage | null, lane: FoundAlarm['lane']): readonly FoundAlarm[] {
  if (outage === null) return [];
  return [{ lane, detail: `since ${isoTime(outage.sinceMs)}: ${outage.reason}` }];
}
