// GET /v1/health: whether each lane reads and trades, told even when one of them hangs.
import type { OperationOutput, Operations } from '@sibyl/contract';
import { type Clock, type Lane, withPatience } from '@sibyl/lane';
import type { Handler, LaneName, RequestContext } from '../../handling/handler.ts';
import type { Outage } from '../../ports/outage.ts';
import type { KnownMode, KnownModes } from '../../ports/status.ts';
import { modeInForce, type PlatformMode, platformModeOf } from '../../wire/platform-mode.ts';
import { isoTimeOrNull } from '../../wire/times.ts';

export interface HealthParts {
  readonly clock: Clock;
  readonly version: string;
  /** Why lanes are paused or halted. */
  readonly modes?: KnownModes;
  /** What is announced or under way. */
  readonly maintenance?: {
    readonly news: { readonly phase: string; readonly startsAtMs: number } | null;
  };
  /** Of users and keys, where they are not in the data folder. */
  readonly database?: { readonly outage: Outage | null } | null;
}

type Health = OperationOutput<'getHealth'>;
type Status = Health['status'];

export function healthHandlers(parts: HealthParts): {
  readonly getHealth: Handler<Operations['getHealth']>;
} {
  return { getHealth: async (request) => ({ data: await readHealth(parts, request) }) };
}

interface LaneHealth {
  readonly read: Status;
  readonly trade: Status;
  readonly modeWhile: (isMaintained: boolean) => PlatformMode;
  readonly reason: string | null;
  readonly clockDifferenceMs: number | null;
}

async function readHealth(
  { clock, version, maintenance, modes, database }: HealthParts,
  request: RequestContext,
): Promise<Health> {
  const [live, sandbox] = await Promise.all([
    laneHealth(request.lanes.live, modes?.live, clock),
    laneHealth(request.lanes.sandbox, modes?.sandbox, clock),
  ]);
  const main = live ?? sandbox ?? DOWN;
  const planned = maintenance?.news ?? null;
  const isStopped = planned?.phase === 'started';
  const awayMs = database?.outage?.sinceMs ?? null;
  const asked = addressed(request.laneName, live, sandbox) ?? main;
  const { reason, clockDifferenceMs } = asked;
  const mode = asked.modeWhile(isStopped);
  const during = (trade: Status): Status => (isStopped && trade === 'ok' ? 'degraded' : trade);
  return {
    // Of the lane that is asked: a drill in the sandbox alarms nobody who watches real money.
    status: (isStopped || awayMs !== null) && asked.read !== 'down' ? 'degraded' : statusOf(asked),
    version,
    lanes: {
      read: main.read,
      trade: during(main.trade),
      create: during(main.trade),
      sandbox: during(sandbox?.trade ?? 'down'),
    },
    read_only: mode !== 'normal',
    mode,
    maintenance_at: isoTimeOrNull(planned?.startsAtMs ?? null),
    maintenance_at_ms: planned?.startsAtMs ?? null,
    reason,
    database_away_at: isoTimeOrNull(awayMs),
    database_away_at_ms: awayMs,
    clock_difference_ms: clockDifferenceMs,
    server_ts_ms: clock.wallMs(),
  };
}

const DOWN: LaneHealth = {
  read: 'down',
  trade: 'down',
  modeWhile: () => 'read_only',
  reason: null,
  clockDifferenceMs: null,
};

/** Null for a lane that this process does not run. */
async function laneHealth(
  lane: Lane | undefined,
  known: KnownMode | undefined,
  clock: Clock,
): Promise<LaneHealth | null> {
  if (lane === undefined) return null;
  const status = lane.status();
  const { state, clockDifferenceMs, reason: own } = status;
  // What stopped a lane is for the operator's log and not for everybody.
  if (state === 'stopped' || state === 'recovering') return DOWN;
  const engine = await withPatience(
    clock,
    lane.read(({ readOnly, cancelOnly }) => ({ readOnly, cancelOnly })),
  );
  if (engine === null) return { ...DOWN, read: 'degraded', trade: 'degraded' };
  const isPaused = engine.readOnly || state === 'read_only' || clockDifferenceMs !== null;
  const trade = isPaused ? 'degraded' : 'ok';
  const set = platformModeOf(engine.readOnly, engine.cancelOnly);
  const modeWhile = (isMaintained: boolean) => modeInForce(status, set, isMaintained);
  const reason = own ?? known?.current?.message ?? null;
  return { read: 'ok', trade, modeWhile, reason, clockDifferenceMs };
}

function addressed(
  lane: LaneName,
  live: LaneHealth | null,
  sandbox: LaneHealth | null,
): LaneHealth | null {
  return lane === 'live' ? live : sandbox;
}

/** Anything less than well is degraded. */
function statusOf({ read, trade }: LaneHealth): Status {
  if (read === 'down') return 'down';
  return read === 'ok' && trade === 'ok' ? 'ok' : 'degraded';
}
