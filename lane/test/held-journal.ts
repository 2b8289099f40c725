// A journal whose appends wait, or fail, at the test's word.
import type { Journal, JournalCommit, JournalHead } from '@sibyl/lane';

export class HeldJournal implements Journal {
  readonly #journal: Journal;
  /** Sizes of all commits that were handed in, in order. */
  readonly batches: number[] = [];
  inFlightMax = 0;
  reserve: 'held' | 'in use' = 'held';
  #inFlight = 0;
  #gate: { readonly open: Promise<void>; readonly release: () => void } | null = null;
  #failure: Error | null = null;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get isOnReserve(): boolean {
    return this.reserve === 'in use';
  }

  /** An append waits. */
  get isHolding(): boolean {
    return this.#gate !== null && this.#inFlight > 0;
  }

  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = { open: promise, release: resolve };
  }

  release(): void {
    this.#gate?.release();
    this.#gate = null;
  }

  /** What waits now fails; later appends work again. */
  fail(error: Error): void {
    this.#failure = error;
    this.release();
  }

  lead(): Promise<number> {
    return this.#journal.lead();
  }

  async append(commit: JournalCommit, epoch: number): Promise<void> {
    const kept = { ...commit, records: new Uint8Array(commit.records) };
    this.batches.push(commit.seq - commit.firstSeq + 1);
    this.#inFlight += 1;
    this.inFlightMax = Math.max(this.inFlightMax, this.#inFlight);
    await this.#gate?.open;
    this.#inFlight -= 1;
    const failure = this.#failure;
    this.#failure = null;
    if (failure !== null) throw failure;
    await this.#journal.append(kept, epoch);
  }

  read(fromSeq: number): AsyncIterable<readonly JournalCommit[]> {
    return this.#journal.read(fromSeq);
  }

  head(): Promise<JournalHead> {
    return this.#journal.head();
  }

  async refillReserve(): Promise<boolean> {
    return this.reserve === 'held';
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
