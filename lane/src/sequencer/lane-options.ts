// What a lane is given, its bounds, and what it says of itself.
import type { LaneName, Parameters } from '@sibyl/engine';
import type { Journal } from '../journal/journal.ts';
import type { Engines } from '../logic/engines.ts';
import type { CommitListener } from '../record/submission.ts';
import type { RecoveryWatcher } from '../recovery/recover.ts';
import type { SnapshotStore } from '../recovery/snapshots.ts';
import type { Clock } from '../time/clock.ts';

export interface LaneOptions {
  readonly name: LaneName;
  /** Of a lane that begins; a journal keeps those it began with. */
  readonly parameters: Parameters;
  readonly journal: Journal;
  /** Null keeps no snapshots: every start replays the whole journal. */
  readonly snapshots: SnapshotStore | null;
  /** Those of this tree, unless told. Commands are always applied by the engine that this build has. */
  readonly engines?: Engines | undefined;
  readonly clock: Clock;
  /** By how much the wall clock is ahead of journal time with somebody's consent. */
  readonly clockOffsetMs?: number;
  readonly limits?: Partial<LaneLimits>;
  readonly notify?: (notice: LaneNotice) => void;
  /**
   * Told of every batch from the first on, the lane's own commands at its start included. Of what the journal had before
   * them, the record of an upgrade as well, `watcher` is told.
   */
  readonly listeners?: readonly CommitListener[];
  /** Sees the journal's tail being replayed, and upgraded, at the start. */
  readonly watcher?: RecoveryWatcher;
}

export interface LaneLimits {
  /** Commands that may wait; the next one is refused. */
  readonly queueMax: number;
  /** Room beyond that for cancels, so that getting out stays possible under load. */
  readonly reliefMax: number;
  readonly batchMax: number;
  /** A batch of slow commands ends early, so that the event loop is not held up. */
  readonly batchMs: number;
  /** After a batch of at least so many, the next one waits for those who were just answered. */
  readonly gatherMin: number;
  /** A millisecond for every so many of them, */
  readonly gatherPerMs: number;
  /** and no more than this. */
  readonly gatherMaxMs: number;
  /** A snapshot is made in the background after so many commands. */
  readonly snapshotEvery: number;
  /** A defect so soon after the last recovery is not met by another one. */
  readonly recoveryGapMs: number;
  readonly refillMs: number;
}

export type LaneState = 'recovering' | 'running' | 'read_only' | 'stopped';

export interface LaneStatus {
  readonly state: LaneState;
  readonly seq: number;
  readonly durableSeq: number;
  readonly reason: string | null;
  /** The wall clock less journal time while trading waits for somebody to decide which is right; else null. */
  readonly clockDifferenceMs: number | null;
}

/** For the log, and for whoever must end the process when a lane stops. */
export interface LaneNotice {
  readonly lane: LaneName;
  readonly state: LaneState;
  readonly message: string;
  /** Somebody should look at it, or must. */
  readonly level: 'info' | 'warn' | 'error';
}

export const LIMITS: LaneLimits = {
  queueMax: 4096,
  reliefMax: 1024,
  batchMax: 256,
  batchMs: 10,
  gatherMin: 8,
  gatherPerMs: 32,
  gatherMaxMs: 3,
  snapshotEvery: 500_000,
  recoveryGapMs: 600_000,
  refillMs: 5_000,
};
