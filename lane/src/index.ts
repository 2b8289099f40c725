// A lane: commands in one order, durable before they are answered, and replayed to the identical state.
//
// Whoever submits a command gets its outcome once a power cut could not take it away any more. A start finds the state of
// before, by a snapshot and the journal after it; `verify` proves that from the first command on. Nothing here knows of
// HTTP, sockets or webhooks: a lane is given commands and tells its listeners what was committed.

export {
  type Journal,
  type JournalCommit,
  JournalConflict,
  JournalCorrupt,
  JournalFailed,
  type JournalHead,
} from './journal/journal.ts';
export { lookIntoJournal } from './journal/sqlite/journal-file.ts';
export { SqliteJournal } from './journal/sqlite/sqlite-journal.ts';
export { ENGINES, type Ruled } from './logic/engines.ts';
export { namingDamage } from './record/damage.ts';
export { recordsOf } from './record/record.ts';
export type { CommitListener, CommittedCommand } from './record/submission.ts';
export { pieceOf, TextSheet } from './record/text-sheet.ts';
export { type CopiedRecords, type CopyEnd, copyRecords } from './recovery/copy-records.ts';
export {
  findCheckpoint,
  type RecoveryProgress,
  RecoveryRefused,
  type RecoverySource,
  recover,
  replayAfter,
} from './recovery/recover.ts';
export { hashOf, replay } from './recovery/replay.ts';
export { serveReplay } from './recovery/replay-serve.ts';
export { Divergence, feedReplay, finishReplay } from './recovery/replay-thread.ts';
export { SnapshotStore } from './recovery/snapshots.ts';
export { type Stretch, stretchesOf } from './recovery/stretches.ts';
export { type Verified, verify } from './recovery/verify.ts';
export { CommitTimes, timed } from './sequencer/commit-times.ts';
export { Lane, type Submission } from './sequencer/lane.ts';
export { LaneUnavailable } from './sequencer/unavailable.ts';
export type { BackgroundRun } from './time/background-run.ts';
export type { Clock } from './time/clock.ts';
export { withPatience } from './time/patience.ts';
export { systemClock } from './time/system-clock.ts';
export { Turns } from './time/turns.ts';
