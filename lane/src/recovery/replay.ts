// Replay: the state that a chain of commits leads to, with every link and every outcome checked on the way.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { apply, type State } from '@sibyl/engine';
import { type Journal, type JournalCommit, JournalCorrupt } from '../journal/journal.ts';
import { type ChainLink, checkCommit, linkOf } from '../record/commit.ts';
import { outcomeDigest } from '../record/outcome-digest.ts';
import { RecordReader } from '../record/record.ts';
import type { CommittedCommand } from '../record/submission.ts';

/** A state and the place in the chain that it belongs to. */
export interface Standing {
  readonly state: State;
  readonly link: ChainLink;
}

/** Which outcomes are compared with the journal's: a state that went astray shows soon enough in a sample. */
export type OutcomeCheck = 'all' | 'sample';

const SAMPLE_EVERY = 16;

/** Applies commits to a state one after the other; throws JournalCorrupt when one, or an outcome, is not as journaled. */
export class Replayer {
  readonly state: State;
  readonly #check: OutcomeCheck;
  readonly #reader = new RecordReader();
  #link: ChainLink;
  #commit: JournalCommit | null = null;

  constructor({ state, link }: Standing, check: OutcomeCheck) {
    this.state = state;
    this.#link = link;
    this.#check = check;
  }

  /** After the last commit all of whose records were applied. */
  get link(): ChainLink {
    return this.#link;
  }

  /** Checks the commit that comes next; its records are then applied one by one. */
  open(commit: JournalCommit): void {
    checkCommit(commit, this.#link);
    this.#reader.open(commit);
    this.#commit = commit;
  }

  /** Null when the commit has no more records. */
  next(): CommittedCommand | null {
    const reader = this.#reader;
    const commit = this.#commit;
    if (commit === null) return null;
    if (!reader.next()) {
      this.#link = linkOf(commit);
      this.#commit = null;
      return null;
    }
    if (reader.tsMs < this.#link.tsMs)
      throw new JournalCorrupt(`record ${reader.seq} is earlier than the record before it`);
    const command = reader.command();
    const outcome = apply(this.state, command);
    const isChecked = this.#check === 'all' || reader.seq % SAMPLE_EVERY === 0;
    if (isChecked && outcomeDigest(outcome) !== reader.outcomeHash) {
      throw new JournalCorrupt(
        `record ${reader.seq}: the replay came to another outcome than was journaled`,
      );
    }
    return { command, outcome, hash: commit.hash };
  }
}

export interface ReplayOptions {
  /** Sees every command; those for which it gives false are not yielded, and are garbage at once. */
  readonly watch?: (command: CommittedCommand) => boolean;
  /** Others have a turn so often; a replay that nobody waits behind needs none. */
  readonly sliceMs?: number;
}

/** Brings the standing up to date with the journal, page by page, and yields what each page came to. */
export async function* replay(
  journal: Journal,
  standing: Standing,
  check: OutcomeCheck,
  { watch = () => true, sliceMs = Number.POSITIVE_INFINITY }: ReplayOptions = {},
): AsyncGenerator<{ readonly link: ChainLink; readonly commands: readonly CommittedCommand[] }> {
  const replayer = new Replayer(standing, check);
  const hasTurns = sliceMs !== Number.POSITIVE_INFINITY;
  let sinceMs = performance.now();
  for await (const page of journal.read(standing.link.seq + 1)) {
    const commands: CommittedCommand[] = [];
    for (const commit of page) {
      replayer.open(commit);
      for (let next = replayer.next(); next !== null; next = replayer.next()) {
        if (watch(next)) commands.push(next);
        if (hasTurns && performance.now() - sinceMs > sliceMs) {
          await nextTurn();
          sinceMs = performance.now();
        }
      }
    }
    yield { link: replayer.link, commands };
  }
}
