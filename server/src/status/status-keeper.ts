// Watches the lanes and writes down what is the matter with them, so that it can be told for ninety days.
import type { LaneName } from '@sibyl/engine';
import { type Clock, type CommitTimes, type Lane, withPatience } from '@sibyl/lane';
import type { PlatformStore } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type {
  IncidentKind,
  IncidentRecord,
  KnownMode,
  LaneReport,
  ModeChange,
  StatusReport,
} from '../ports/status.ts';
import { isStandard } from '../wire/public-words.ts';

export interface WatchedLane {
  readonly lane: Pick<Lane, 'name' | 'status' | 'read'>;
  readonly commitTimes: Pick<CommitTimes, 'percentiles'>;
  /** Why it is paused or halted. */
  readonly mode: KnownMode;
}

export interface StatusOptions {
  readonly lanes: readonly WatchedLane[];
  readonly platform: PlatformStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly maintenance: {
    readonly news: { readonly phase: string; readonly message: string | null } | null;
  };
  /** Told that the last run ended without a word, when it gave its last sign of life, and when it was followed by this one. */
  readonly wasKilled: (lastMs: number, nowMs: number) => void;
  /** Told when something could not be written down. */
  readonly failed: (error: unknown) => void;
}

const KEPT_MS = 90 * 86_400_000;
/** A sign of life on the disk; a server that was killed was alive at the last one. */
const ALIVE_EVERY_MS = 5_000;
/** A stop in order that lasts no longer is a restart that hardly anybody saw. */
const RESTART_MS = 60_000;
const ALIVE = 'status_alive';
/** A lane is slow when so many checks in a row got no answer: one alone may be a machine that held its breath. */
const SLOW_CHECKS = 3;
const ID_LENGTH = 16;

/** What stopped a lane is for the operator's log; this is for everybody. */
const REASONS = {
  killed: 'The service ended without warning and was started again.',
  stopped: 'The operator stopped the service and started it again.',
  maintenance: 'Maintenance.',
  down: 'The lane stands still because of a fault. Nothing that was acknowledged is lost.',
  paused: 'Trading is paused by the operator. Orders can be cancelled.',
  halted: 'Trading is halted by the operator. Orders can be cancelled.',
  clock: 'Trading is paused until the clock of the service is set right. Orders can be cancelled.',
  full: 'Trading is paused because the disk is full. Orders can be cancelled.',
  slow: 'The lane answers slowly.',
} as const;

interface Alive {
  readonly sinceMs: number;
  readonly atMs: number;
  readonly isRunning: boolean;
}

interface Finding {
  readonly kind: IncidentKind;
  readonly reason: string;
}

/** A copy of a running server's users is no server that ended without warning. */
export async function signStop(
  platform: Pick<PlatformStore, 'setting' | 'putSetting'>,
): Promise<void> {
  const kept = await platform.setting(ALIVE);
  if (kept === null) return;
  const alive: Alive = { ...(JSON.parse(kept) as Alive), isRunning: false };
  await platform.putSetting(ALIVE, JSON.stringify(alive));
}

export class StatusKeeper {
  readonly #options: StatusOptions;
  readonly #startedMs: number;
  readonly #sinceMs: number;
  readonly #okSinceMs = new Map<LaneName, number>();
  readonly #unansweredChecks = new Map<LaneName, number>();
  #incidents: readonly IncidentRecord[];
  #aliveMs = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | null = null;

  /** Writes down what has happened since the last sign of life, and checks for the first time. */
  static async open(options: StatusOptions): Promise<StatusKeeper> {
    const { platform, clock } = options;
    const text = await platform.setting(ALIVE);
    // Written by `#signLife`.
    const last = text === null ? null : (JSON.parse(text) as Alive);
    const incidents = await platform.incidents(clock.wallMs() - KEPT_MS);
    const keeper = new StatusKeeper(options, incidents, last?.sinceMs ?? clock.wallMs());
    if (last !== null) await keeper.#makeUpFor(last);
    await keeper.check();
    return keeper;
  }

  private constructor(
    options: StatusOptions,
    incidents: readonly IncidentRecord[],
    sinceMs: number,
  ) {
    this.#options = options;
    this.#incidents = incidents;
    this.#sinceMs = sinceMs;
    this.#startedMs = options.clock.wallMs();
  }

  report(): StatusReport {
    const lanes = this.#options.lanes.map((watched) => this.#laneReport(watched));
    const incidents = this.#incidents.toSorted(byNewest);
    return { lanes, incidents, watchedSinceMs: this.#sinceMs };
  }

  /** To be called when something may have changed; those who call meanwhile share one more check. */
  async check(): Promise<void> {
    await this.#checking;
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = null;
    });
    await this.#checking;
  }

  /** What goes on is left open: the next start sees whether it still does. */
  async close(): Promise<void> {
    await this.#checking;
    await this.#signLife(false);
  }

  #laneReport({ lane, commitTimes }: WatchedLane): LaneReport {
    const { name } = lane;
    const current = this.#openOf(name);
    const [commitP50Us = null, commitP99Us = null] = commitTimes.percentiles(50, 99);
    return {
      lane: name,
      state: current?.kind ?? 'ok',
      sinceMs: current?.fromMs ?? this.#okSinceMs.get(name) ?? this.#startedMs,
      reason: current?.reason ?? null,
      commitP50Us,
      commitP99Us,
    };
  }

  async #checkAll(): Promise<void> {
    const { lanes, clock } = this.#options;
    const findings = await Promise.all(lanes.map((watched) => this.#find(watched)));
    for (const [index, { lane }] of lanes.entries()) {
      await this.#note(lane.name, findings[index] ?? null);
    }
    if (clock.monotonicMs() - this.#aliveMs >= ALIVE_EVERY_MS) await this.#signLife(true);
  }

  /** The worst of what is the matter. */
  async #find({ lane, mode: known }: WatchedLane): Promise<Finding | null> {
    const { maintenance, clock } = this.#options;
    const { state, clockDifferenceMs } = lane.status();
    if (state === 'stopped' || state === 'recovering') return found('down', 'down');
    const planned = maintenance.news;
    if (planned?.phase === 'started') {
      return { kind: 'maintenance', reason: planned.message ?? REASONS.maintenance };
    }
    if (state === 'read_only') return found('read_only', 'full');
    if (clockDifferenceMs !== null) return found('read_only', 'clock');
    const mode = await withPatience(
      clock,
      lane.read(({ readOnly, cancelOnly }) => ({ readOnly, cancelOnly })),
    );
    const unanswered = mode === null ? (this.#unansweredChecks.get(lane.name) ?? 0) + 1 : 0;
    this.#unansweredChecks.set(lane.name, unanswered);
    if (mode === null) return unanswered < SLOW_CHECKS ? null : found('degraded', 'slow');
    if (!mode.readOnly) return null;
    return { kind: 'read_only', reason: whyPaused(mode.cancelOnly, known.current) };
  }

  async #note(lane: LaneName, finding: Finding | null): Promise<void> {
    const current = this.#openOf(lane);
    if (current?.kind === finding?.kind && current?.reason === finding?.reason) return;
    const nowMs = this.#options.clock.wallMs();
    if (current !== undefined) await this.#put({ ...current, toMs: nowMs });
    if (finding === null) this.#okSinceMs.set(lane, nowMs);
    else await this.#put(this.#begin(lane, finding, nowMs));
  }

  #begin(lane: LaneName, { kind, reason }: Finding, fromMs: number): IncidentRecord {
    const incidentId = `inc_${this.#options.random.token(ID_LENGTH)}`;
    return { incidentId, lane, kind, fromMs, toMs: null, reason };
  }

  /** Shown once it is on the disk. */
  async #put(incident: IncidentRecord): Promise<void> {
    const { platform, clock } = this.#options;
    await platform.putIncident(incident);
    const earliestMs = clock.wallMs() - KEPT_MS;
    const others = this.#incidents.filter(
      ({ incidentId, toMs }) =>
        incidentId !== incident.incidentId && (toMs ?? clock.wallMs()) >= earliestMs,
    );
    this.#incidents = [...others, incident];
  }

  /** A server that was killed was down from its last sign of life on, whatever else went on then. */
  async #makeUpFor({ atMs, isRunning }: Alive): Promise<void> {
    const nowMs = this.#startedMs;
    // Whatever was written down since is a sign of life too.
    const lastMs = Math.max(atMs, ...this.#incidents.map(({ fromMs, toMs }) => toMs ?? fromMs));
    if (nowMs <= lastMs || (!isRunning && nowMs - lastMs < RESTART_MS)) return;
    if (isRunning) this.#options.wasKilled(lastMs, nowMs);
    const finding = isRunning ? found('down', 'killed') : found('maintenance', 'stopped');
    for (const { lane } of this.#options.lanes) {
      const current = this.#openOf(lane.name);
      if (current !== undefined) await this.#put({ ...current, toMs: lastMs });
      await this.#put({ ...this.#begin(lane.name, finding, lastMs), toMs: nowMs });
    }
  }

  async #signLife(isRunning: boolean): Promise<void> {
    const { platform, clock } = this.#options;
    this.#aliveMs = clock.monotonicMs();
    const alive: Alive = { sinceMs: this.#sinceMs, atMs: clock.wallMs(), isRunning };
    await platform.putSetting(ALIVE, JSON.stringify(alive));
  }

  #openOf(lane: LaneName): IncidentRecord | undefined {
    return this.#incidents.find((incident) => incident.lane === lane && incident.toMs === null);
  }
}

/** Of two that began together, the one that lasted longer came second. */
function byNewest(one: IncidentRecord, other: IncidentRecord): number {
  const endOf = ({ toMs }: IncidentRecord): number => toMs ?? Number.MAX_SAFE_INTEGER;
  return other.fromMs - one.fromMs || endOf(other) - endOf(one);
}

/** An operator's public message, where one was given; the reason and the operator stay private. */
function whyPaused(isHalted: boolean, change: ModeChange | null): string {
  const known = isHalted ? REASONS.halted : REASONS.paused;
  if (change === null || change.by === 'system') return known;
  const message = change.message.trim().replace(/\.+$/, '');
  return isStandard(message)
    ? known
    : known.replace('by the operator.', `by the operator: ${message}.`);
}

function found(kind: IncidentKind, why: keyof typeof REASONS): Finding {
  return { kind, reason: REASONS[why] };
}
