// A batch on its way to the disk, and all that may leave once it is there.
import { apply, type State } from '@sibyl/engine';
import type { Clock } from '../ports/clock.ts';
import type { JournalCommit } from '../ports/journal.ts';
import type { TextSheet } from '../wire/text-sheet.ts';
import { type ChainLink, sealCommit } from './commit.ts';
import type { JournalTime } from './journal-time.ts';
import type { LaneLimits } from './lane-options.ts';
import type { CommandQueue, QueuedCommand } from './queue.ts';
import { writeRecord } from './record.ts';
import { type CommittedCommand, commandOf } from './submission.ts';
import type { LaneUnavailable } from './unavailable.ts';

export interface Loading {
  readonly epoch: number;
  readonly time: JournalTime;
  readonly clock: Clock;
  readonly limits: Pick<LaneLimits, 'batchMax' | 'batchMs'>;
  /** What records are written on, one commit after the other. */
  readonly sheet: TextSheet;
}

/** Somebody who looked at the state while a batch was on its way, and waits until what was seen is durable. */
export interface Read {
  readonly release: () => void;
  readonly refuse: (error: LaneUnavailable) => void;
}

export class Flight {
  readonly entries: QueuedCommand[] = [];
  readonly commands: LoadedCommand[] = [];
  readonly reads: Read[] = [];

  /**
   * Takes commands from the queue, applies them and seals their records in one commit. An entry is noted before it is
   * applied, so that a defect finds everybody who waits.
   */
  load(state: State, queue: CommandQueue, link: ChainLink, loading: Loading): JournalCommit {
    const { epoch, time, clock, limits, sheet } = loading;
    const beganMs = clock.monotonicMs();
    let tsMs = 0;
    sheet.begin();
    while (this.entries.length < limits.batchMax) {
      const entry = queue.take();
      if (entry === null) break;
      this.entries.push(entry);
      const { submission } = entry;
      const command = commandOf(submission, state.seq + 1, time.nowMs());
      const outcome = apply(state, command);
      writeRecord(sheet, command, outcome, submission.requestId, tsMs);
      tsMs = command.atMs;
      this.commands.push({ command, outcome, hash: '' });
      if (clock.monotonicMs() - beganMs >= limits.batchMs) break;
    }
    const commit = sealCommit({ seq: state.seq, epoch, tsMs, records: sheet.written() }, link);
    for (const loaded of this.commands) loaded.hash = commit.hash;
    return commit;
  }

  /** Lets go of everybody who waited, for the reason that the queue does; how many they were. */
  unload(): number {
    const { length } = this.entries;
    this.entries.length = 0;
    return length;
  }
}

/** Its commit is sealed when all of it is loaded. */
interface LoadedCommand extends CommittedCommand {
  hash: string;
}
