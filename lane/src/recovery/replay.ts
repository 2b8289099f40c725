// Replay: the state that a chain of commits leads to, with every link and every outcome checked on the way.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChainLink, checkCommit, linkOf } from '../journal/chain.ts';
import { type Journal, type JournalCommit, JournalCorrupt } from '../journal/journal.ts';
import type { StretchReader } from '../logic/engine-logic.ts';
import { ENGINES, type Engines, type Ruled } from '../logic/engines.ts';
import { UPGRADE_FORM } from '../record/record.ts';
import type { CommittedCommand } from '../record/submission.ts';

/** A state, the engine that it is of, and the position in the chain that it belongs to. */
export interface Checkpoint extends Ruled {
  readonly link: ChainLink;
}

/** Which outcomes are compared with the journal's: a state that went astray shows soon enough in a sample. */
export type OutcomeCheck = 'all' | 'sample';

const SAMPLE_EVERY = 16;

/**
 * Applies commits to a state one after the other, each by the engine of its time; throws JournalCorrupt when one, or an
 * outcome, is not as journaled.
 */
export class Replayer {
  readonly #engines: Engines;
  readonly #check: OutcomeCheck;
  #ruled: Ruled;
  #reader: StretchReader;
  #link: ChainLink;
  #commit: JournalCommit | null = null;

  constructor({ engine, state, link }: Checkpoint, check: OutcomeCheck, engines: Engines) {
    this.#engines = engines;
    this.#ruled = { engine, state };
    this.#reader = engine.openReader();
    this.#link = link;
    this.#check = check;
  }

  /** Where it is. The state changes with the next command, and after a boundary it is another object. */
  get ruled(): Ruled {
    return this.#ruled;
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

  /** As the engine of its time said it. Null when the commit has no more records. */
  next(): CommittedCommand | null {
    const commit = this.#commit;
    if (commit === null) return null;
    if (!this.#reader.next()) {
      this.#link = linkOf(commit);
      this.#commit = null;
      return null;
    }
    if (this.#reader.form === UPGRADE_FORM) this.#cross(commit);
    const reader = this.#reader;
    const { engine, state } = this.#ruled;
    if (reader.tsMs < this.#link.tsMs)
      throw new JournalCorrupt(`record ${reader.seq} is earlier than the record before it`);
    const command = reader.command();
    const outcome = engine.apply(state, command);
    const isChecked = this.#check === 'all' || reader.seq % SAMPLE_EVERY === 0;
    if (isChecked && engine.outcomeDigest(outcome) !== reader.outcomeHash) {
      throw new JournalCorrupt(
        `record ${reader.seq}: the replay came to another outcome than was journaled`,
      );
    }
    return { command, outcome, hash: commit.hash };
  }

  /** The record at hand is the first of the next engine, which takes the state over and reads on from there. */
  #cross(commit: JournalCommit): void {
    const { seq } = this.#reader;
    const before = this.#ruled;
    const after = this.#engines.carry(before, `record ${seq} is of`);
    const reader = after.engine.openReader();
    reader.open(commit);
    reader.next();
    const command = reader.command();
    if (command.type !== 'upgrade_engine' || commit.firstSeq !== commit.seq)
      throw new JournalCorrupt(`record ${seq} is not the upgrade that it says it is`);
    const { fromLogic, toLogic, hashBefore, hashAfter } = command;
    if (fromLogic !== before.engine.logic || toLogic !== after.engine.logic) {
      throw new JournalCorrupt(
        `record ${seq} goes from engine logic ${fromLogic} to ${toLogic}, and stands after ${before.engine.logic}`,
      );
    }
    if (hashOf(before) !== hashBefore)
      throw new JournalCorrupt(
        `record ${seq}: the state before the upgrade is not the journaled one`,
      );
    if (hashOf(after) !== hashAfter)
      throw new JournalCorrupt(
        `record ${seq}: the state after the upgrade is not the journaled one`,
      );
    this.#ruled = after;
    this.#reader = reader;
  }
}

export function hashOf({ engine, state }: Ruled): string {
  return engine.stateHash(state);
}

export interface ReplayOptions {
  /**
   * Sees every command as the engine of its time said it, and the state after it; those for which it gives false are not
   * yielded, and are garbage at once.
   */
  readonly watch?: (command: CommittedCommand, ruled: Ruled) => boolean;
  /** Others have a turn so often; a replay that nobody waits behind needs none. */
  readonly sliceMs?: number;
}

export interface ReplaySource {
  readonly journal: Journal;
  /** Those of this tree, unless told. */
  readonly engines?: Engines | undefined;
}

/** What a page of the journal came to. */
export interface ReplayedPage {
  readonly ruled: Ruled;
  readonly link: ChainLink;
  /** In the words of the engine of this build. */
  readonly commands: readonly CommittedCommand[];
}

/** Brings the checkpoint up to date with the journal, page by page, and yields what each page came to. */
export async function* replay(
  { journal, engines = ENGINES }: ReplaySource,
  checkpoint: Checkpoint,
  check: OutcomeCheck,
  { watch = () => true, sliceMs = Number.POSITIVE_INFINITY }: ReplayOptions = {},
): AsyncGenerator<ReplayedPage> {
  const replayer = new Replayer(checkpoint, check, engines);
  const hasTurns = sliceMs !== Number.POSITIVE_INFINITY;
  let sinceMs = performance.now();
  for await (const page of journal.read(checkpoint.link.seq + 1)) {
    const commands: CommittedCommand[] = [];
    for (const commit of page) {
      replayer.open(commit);
      for (let next = replayer.next(); next !== null; next = replayer.next()) {
        const { ruled } = replayer;
        if (watch(next, ruled)) commands.push(engines.retell(ruled.engine, next));
        if (hasTurns && performance.now() - sinceMs > sliceMs) {
          await nextTurn();
          sinceMs = performance.now();
        }
      }
    }
    yield { ruled: replayer.ruled, link: replayer.link, commands };
  }
}
