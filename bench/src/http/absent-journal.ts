// A journal that is read but never written: what is appended is as durable at once as it will ever be.

import { type Journal, type JournalCommit, type JournalHead, SqliteJournal } from '@sibyl/lane';

/** What a lane appends as it opens is read back by whoever follows it. */
const FIRST_COMMITS = 8;

export class AbsentJournal implements Journal {
  readonly isOnReserve = false;
  /** What the file holds; a lane recovers from it. */
  readonly #commits: JournalCommit[];
  readonly #commitsMax: number;
  #head: JournalHead;

  static async open(file: string): Promise<AbsentJournal> {
    const real = await SqliteJournal.open({ file });
    const commits: JournalCommit[] = [];
    for await (const page of real.read(1)) commits.push(...page);
    const head = await real.head();
    await real.close();
    return new AbsentJournal(commits, head);
  }

  private constructor(commits: JournalCommit[], head: JournalHead) {
    this.#commits = commits;
    this.#commitsMax = commits.length + FIRST_COMMITS;
    this.#head = head;
  }

  async lead(): Promise<number> {
    return this.#head.epoch + 1;
  }

  async append(commit: JournalCommit): Promise<void> {
    if (this.#commits.length < this.#commitsMax) {
      // The lane writes its next records over these.
      this.#commits.push({ ...commit, records: new Uint8Array(commit.records) });
    }
    const { seq, hash, tsMs, epoch } = commit;
    this.#head = { seq, hash, tsMs, epoch };
  }

  async *read(fromSeq: number): AsyncGenerator<readonly JournalCommit[]> {
    const commits = this.#commits.filter(({ seq }) => seq >= fromSeq);
    if (commits.length > 0) yield commits;
  }

  async head(): Promise<JournalHead> {
    return this.#head;
  }

  async refillReserve(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {}
}
