// A journal in memory: for tests, and for lanes that need not outlive the process.
import {
  type Journal,
  type JournalCommit,
  JournalConflict,
  JournalFailed,
  type JournalHead,
} from './journal.ts';

const PAGE_COMMITS = 64;

/** What outlives a writer; several journals may open one store, as several processes may open one database. */
export class MemoryStore {
  readonly commits: JournalCommit[] = [];
  epoch = 0;
}

export class MemoryJournal implements Journal {
  readonly isOnReserve = false;
  readonly #store: MemoryStore;
  #isClosed = false;

  constructor(store: MemoryStore = new MemoryStore()) {
    this.#store = store;
  }

  async lead(): Promise<number> {
    this.#refuseWhenClosed();
    this.#store.epoch += 1;
    return this.#store.epoch;
  }

  async append(commit: JournalCommit, epoch: number): Promise<void> {
    const kept = { ...commit, records: new Uint8Array(commit.records) };
    this.#refuseWhenClosed();
    const { seq } = this.#tip;
    if (epoch !== this.#store.epoch)
      throw new JournalConflict(`epoch ${epoch} does not lead; ${this.#store.epoch} does`);
    if (commit.firstSeq !== seq + 1)
      throw new JournalConflict(`the journal ends at ${seq}; ${commit.firstSeq} cannot follow`);
    this.#store.commits.push(kept);
  }

  async *read(fromSeq: number): AsyncGenerator<readonly JournalCommit[]> {
    for (let from = fromSeq; ; ) {
      this.#refuseWhenClosed();
      const { commits } = this.#store;
      const first = commits.findIndex(({ seq }) => seq >= from);
      const page = first === -1 ? [] : commits.slice(first, first + PAGE_COMMITS);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      from = last.seq + 1;
    }
  }

  async head(): Promise<JournalHead> {
    this.#refuseWhenClosed();
    return this.#tip;
  }

  async refillReserve(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  get #tip(): JournalHead {
    const last = this.#store.commits.at(-1);
    if (last === undefined) return { seq: 0, hash: '', tsMs: 0, epoch: 0 };
    const { seq, hash, tsMs, epoch } = last;
    return { seq, hash, tsMs, epoch };
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new JournalFailed('the journal is closed');
  }
}
