// What the status page tells: how each lane does, what was the matter with it, and for how long.
import type { LaneName } from '@sibyl/engine';

/** What may be the matter with a lane. */
export type IncidentKind = 'degraded' | 'read_only' | 'maintenance' | 'down';

/** Those of a lane follow each other: it is in one state at a time. */
export interface IncidentRecord {
  readonly incidentId: string;
  readonly lane: LaneName;
  readonly kind: IncidentKind;
  readonly fromMs: number;
  /** Null while it goes on. */
  readonly toMs: number | null;
  /** For people. */
  readonly reason: string;
}

export interface LaneReport {
  readonly lane: LaneName;
  readonly state: IncidentKind | 'ok';
  readonly sinceMs: number;
  /** Null while all is well. */
  readonly reason: string | null;
  /** Of the commits of the last minute; null if there were none. */
  readonly commitP50Us: number | null;
  readonly commitP99Us: number | null;
}

export interface StatusReport {
  readonly lanes: readonly LaneReport[];
  /** Of the last 90 days, newest first. */
  readonly incidents: readonly IncidentRecord[];
  /** Since when there is something to tell. */
  readonly watchedSinceMs: number;
}

/** What one operator alone may do to a market of live once a day has passed. */
export interface MarketAnnouncement {
  readonly act: 'answer' | 'ruling';
  readonly marketId: string;
  readonly announcedAtMs: number;
  readonly possibleFromMs: number;
}

/** Why a lane is paused or halted. */
export interface ModeChange {
  readonly isHalt: boolean;
  /** For operators alone. */
  readonly reason: string;
  /** What health, status and sockets show. */
  readonly message: string;
  /** An operator's id, `token`, or `system` where the lane did it itself. */
  readonly by: string;
  readonly sinceMs: number;
}

export interface KnownMode {
  /** Null while the lane takes everything. */
  readonly current: ModeChange | null;
}

export type KnownModes = Readonly<Partial<Record<LaneName, KnownMode>>>;
