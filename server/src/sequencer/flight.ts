// A batch on its way to the disk, and all that may leave once it is there.
import { apply, type State } from '@sibyl/engine';
import type { Clock } from '../ports/clock.ts';
import type { JournalRecord } from '../ports/journal.ts';
import type { JournalTime } from './journal-time.ts';
import type { LaneLimits } from './lane-options.ts';
import type { CommandQueue, QueuedCommand } from './queue.ts';
import { type ChainLink, sealRecord } from './record.ts';
import { type CommittedCommand, commandOf } from './submission.ts';
import type { LaneUnavailable } from './unavailable.ts';

export interface Loading {
  readonly epoch: number;
  readonly time: JournalTime;
  readonly clock: Clock;
  readonly limits: Pick<LaneLimits, 'batchMax' | 'batchMs'>;
}

/** Somebody who looked at the state while a batch was on its way, and waits until what was seen is durable. */
export interface Read {
  readonly release: () => void;
  readonly refuse: (error: LaneUnavailable) => void;
}

export class Flight {
  readonly entries: QueuedCommand[] = [];
  readonly commands: CommittedCommand[] = [];
  readonly records: JournalRecord[] = [];
  readonly reads: Read[] = [];

  /**
   * Takes commands from the queue, applies and seals them. An entry is noted before it is applied, so that a defect
   * finds everybody who waits.
   */
  load(state: State, queue: CommandQueue, link: ChainLink, loading: Loading): void {
    const { epoch, time, clock, limits } = loading;
    const beganMs = clock.monotonicMs();
    let { hash } = link;
    while (this.entries.length < limits.batchMax) {
      const entry = queue.take();
      if (entry === null) return;
      this.entries.push(entry);
      const { submission } = entry;
      const command = commandOf(submission, state.seq + 1, time.nowMs());
      const outcome = apply(state, command);
      const record = sealRecord(command, outcome, hash, { epoch, requestId: submission.requestId });
      hash = record.hash;
      this.commands.push({ command, outcome, hash });
      this.records.push(record);
      if (clock.monotonicMs() - beganMs >= limits.batchMs) return;
    }
  }
}
