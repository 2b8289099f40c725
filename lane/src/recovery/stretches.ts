// The stretches of a journal: which engine ran which commands.
import type { Journal, JournalCommit } from '../journal/journal.ts';
import { RecordReader, UPGRADE_FORM } from '../record/record.ts';

/** Commands that one engine ran, one after the other. */
export interface Stretch {
  readonly logic: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** Gathers stretches from commands in their order. */
export class Stretches {
  readonly #ended: Stretch[] = [];
  #logic = 0;
  #firstSeq = 0;
  #lastSeq = 0;

  /** Commands `firstSeq` to `lastSeq` were run by this engine. */
  add(logic: number, firstSeq: number, lastSeq: number): void {
    if (this.#firstSeq === 0 || logic !== this.#logic) {
      this.#ended.push(...this.#begun);
      this.#logic = logic;
      this.#firstSeq = firstSeq;
    }
    this.#lastSeq = lastSeq;
  }

  /** Oldest first. */
  get all(): readonly Stretch[] {
    return [...this.#ended, ...this.#begun];
  }

  get #begun(): readonly Stretch[] {
    if (this.#firstSeq === 0) return [];
    return [{ logic: this.#logic, firstSeq: this.#firstSeq, lastSeq: this.#lastSeq }];
  }
}

/** Read off the journal without replaying it; `firstLogic` is that of the engine that began it. */
export async function stretchesOf(
  journal: Pick<Journal, 'read'>,
  firstLogic: number,
): Promise<readonly Stretch[]> {
  const reader = new RecordReader();
  const stretches = new Stretches();
  let logic = firstLogic;
  for await (const page of journal.read(1)) {
    for (const commit of page) {
      if (isUpgrade(commit, reader)) logic += 1;
      stretches.add(logic, commit.firstSeq, commit.seq);
    }
  }
  return stretches.all;
}

/** A boundary has a commit to itself. */
function isUpgrade(commit: JournalCommit, reader: RecordReader): boolean {
  if (commit.firstSeq !== commit.seq) return false;
  reader.open(commit);
  return reader.next() && reader.form === UPGRADE_FORM;
}
