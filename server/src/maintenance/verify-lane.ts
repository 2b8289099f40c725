// sibyl verify and sibyl replay: a lane's journal from its beginning, checked or shown.

import type { Answer, Command, Event, LaneName } from '@sibyl/engine';
import {
  type CommittedCommand,
  findCheckpoint,
  hashOf,
  type RecoveryProgress,
  type Ruled,
  replay,
  type Verified,
  verify,
} from '@sibyl/lane';
import { laneFolder } from '../stores/open-stores.ts';
import { withLane } from './data-folder.ts';

export type { Verified };

/** Throws JournalCorrupt, or the defect by its name, when something does not hold. */
export function verifyLane(
  dataDir: string,
  lane: LaneName,
  progress: (progress: RecoveryProgress) => void,
): Promise<Verified> {
  return withLane(laneFolder(dataDir, lane), lane, (source) => verify(source, progress));
}

export interface ReplayedCommand {
  readonly command: Command;
  readonly events: readonly Event[];
  readonly answer: Answer;
  readonly hash: string;
}

export interface ReplayRange {
  readonly fromSeq: number;
  /** The last command that is applied. */
  readonly toSeq: number;
}

export interface ReplayEnd {
  readonly seq: number;
  readonly stateHash: string;
}

/** Applies the journal up to a command, shows what lies in the range, and tells what state that makes. */
export function replayLane(
  dataDir: string,
  lane: LaneName,
  range: ReplayRange,
  show: (command: ReplayedCommand) => void,
): Promise<ReplayEnd> {
  return withLane(laneFolder(dataDir, lane), lane, async (source) => {
    const checkpoint = await findCheckpoint(source, 0, {});
    const found: { end: ReplayEnd | null } = { end: null };
    const watch = ({ command, outcome, hash }: CommittedCommand, ruled: Ruled): boolean => {
      if (command.seq > range.toSeq) return false;
      if (command.seq >= range.fromSeq) {
        show({ command, events: outcome.events, answer: outcome.answer, hash });
      }
      if (command.seq === range.toSeq) found.end = endAt(ruled);
      return false;
    };
    let last: Ruled = checkpoint;
    for await (const { ruled, link } of replay(source, checkpoint, 'all', { watch })) {
      last = ruled;
      if (link.seq >= range.toSeq) break;
    }
    return found.end ?? endAt(last);
  });
}

function endAt(ruled: Ruled): ReplayEnd {
  return { seq: ruled.state.seq, stateHash: hashOf(ruled) };
}
