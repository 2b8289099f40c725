// A batch on its way to the disk, with the answers and events that may leave once it is durable.
import { apply, type Command, type State } from '@sibyl/engine';
import { type ChainLink, sealCommit } from '../journal/chain.ts';
import type { JournalCommit } from '../journal/journal.ts';
import { outcomeDigest } from '../record/outcome-digest.ts';
import { writeRecord } from '../record/record.ts';
import { type CommittedCommand, commandOf } from '../record/submission.ts';
import type { TextSheet } from '../record/text-sheet.ts';
import type { Clock } from '../time/clock.ts';
import type { JournalTime } from './journal-time.ts';
import type { LaneLimits } from './lane-options.ts';
import { type CommandQueue, ownCommand, type QueuedCommand } from './queue.ts';
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

/** Runs the query now and keeps what it came to, be it a value or an error, for later. */
export function settling<T>(
  query: () => T,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): () => void {
  try {
    const value = query();
    return () => resolve(value);
  } catch (error) {
    return () => reject(error);
  }
}

export class Flight {
  readonly entries: QueuedCommand[] = [];
  readonly commands: LoadedCommand[] = [];
  readonly reads: Read[] = [];

  /**
   * Takes commands from the queue, applies them and seals their records in one commit. An entry is noted before it is
   * applied, so that a defect finds everybody who waits. All have the time at which the batch began: where each step of
   * some long work falls due just after the last, a later time would let it pass before those who wait, again and again.
   */
  load(state: State, queue: CommandQueue, link: ChainLink, loading: Loading): JournalCommit {
    const { epoch, time, clock, limits, sheet } = loading;
    const nowMs = time.nowMs();
    let beganMs = clock.monotonicMs();
    let tsMs = 0;
    sheet.begin();
    while (this.entries.length < limits.batchMax) {
      const entry = nextEntry(state, queue, nowMs);
      if (entry === null) break;
      this.entries.push(entry);
      const { submission } = entry;
      const command = commandOf(submission, state.seq + 1, nowMs);
      const outcome = apply(state, command);
      writeRecord(sheet, command, outcomeDigest(outcome), submission, tsMs);
      tsMs = command.atMs;
      this.commands.push({ command, outcome, hash: '' });
      if (runsTimers(command)) {
        // A tick does only so much; whoever else has something to do gets a turn before the next one.
        if (isDue(state, nowMs)) break;
        beganMs = clock.monotonicMs();
      } else if (clock.monotonicMs() - beganMs >= limits.batchMs) break;
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

/** Whether timers wait to be run before anything may happen at that time. */
export function isDue(state: State, nowMs: number): boolean {
  const dueMs = state.timers.nextDueMs();
  return dueMs !== null && dueMs <= nowMs;
}

/** A request is applied only when nothing is due any more: until then the lane sends ticks of its own. */
function nextEntry(state: State, queue: CommandQueue, nowMs: number): QueuedCommand | null {
  const { first } = queue;
  if (first === null) return null;
  const mustWait = isDue(state, nowMs) && !runsTimers(first.submission.body);
  return mustWait ? ownCommand({ type: 'tick' }) : queue.take();
}

function runsTimers({ type }: Pick<Command, 'type'>): boolean {
  return type === 'tick' || type === 'recover';
}

/** Its commit is sealed when all of it is loaded. */
interface LoadedCommand extends CommittedCommand {
  hash: string;
}
