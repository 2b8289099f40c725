// A journal in memory: for tests, and for lanes that need not outlive the process.
import {
  type Journal,
  JournalConflict,
  JournalFailed,
  type JournalHead,
  type JournalRecord,
} from '../../ports/journal.ts';

const PAGE_RECORDS = 512;

/** What outlives a writer; several journals may open one store, as several processes may open one database. */
export class MemoryStore {
  readonly records: JournalRecord[] = [];
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

  async append(batch: readonly JournalRecord[], expectedSeq: number, epoch: number): Promise<void> {
    this.#refuseWhenClosed();
    const { records } = this.#store;
    if (epoch !== this.#store.epoch)
      throw new JournalConflict(`epoch ${epoch} does not lead; ${this.#store.epoch} does`);
    if (expectedSeq !== records.length + 1) {
      throw new JournalConflict(
        `the journal ends at ${records.length}; ${expectedSeq} cannot follow`,
      );
    }
    records.push(...batch);
  }

  async *read(fromSeq: number): AsyncGenerator<readonly JournalRecord[]> {
    for (let from = fromSeq; ; from += PAGE_RECORDS) {
      this.#refuseWhenClosed();
      const page = this.#store.records.slice(from - 1, from - 1 + PAGE_RECORDS);
      if (page.length > 0) yield page;
      if (page.length < PAGE_RECORDS) return;
    }
  }

  async head(): Promise<JournalHead> {
    this.#refuseWhenClosed();
    const last = this.#store.records.at(-1);
    if (last === undefined) return { seq: 0, hash: '', tsMs: 0, epoch: 0 };
    const { seq, hash, tsMs, epoch } = last;
    return { seq, hash, tsMs, epoch };
  }

  async refillReserve(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new JournalFailed('the journal is closed');
  }
}
