// The SQLite journal without a thread of its own: whoever appends waits for the disk.
import { type Journal, type JournalCommit, JournalFailed, type JournalHead } from '../journal.ts';
import { JournalFile, type JournalFileOptions } from './journal-file.ts';

const PAGE_RECORDS = 512;

export class DirectJournal implements Journal {
  readonly #file: JournalFile;
  #isClosed = false;

  static open(options: JournalFileOptions): DirectJournal {
    return new DirectJournal(new JournalFile(options));
  }

  constructor(file: JournalFile) {
    this.#file = file;
  }

  /** What an operator should know of the opening. */
  get warning(): string | null {
    return this.#file.warning;
  }

  get isOnReserve(): boolean {
    return this.#file.isOnReserve;
  }

  async lead(): Promise<number> {
    return this.#open.lead();
  }

  async resume(epoch: number): Promise<void> {
    this.#open.resume(epoch);
  }

  async append(commit: JournalCommit, epoch: number): Promise<void> {
    this.#open.append(commit, epoch);
    this.#open.tidy();
  }

  async *read(fromSeq: number): AsyncGenerator<readonly JournalCommit[]> {
    for (let from = fromSeq; ; ) {
      const commits = this.#open.page(from, PAGE_RECORDS);
      const last = commits[commits.length - 1];
      if (last === undefined) return;
      yield commits;
      from = last.seq + 1;
    }
  }

  async head(): Promise<JournalHead> {
    return this.#open.head();
  }

  async refillReserve(): Promise<boolean> {
    return this.#open.refillReserve();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#file.close();
  }

  get #open(): JournalFile {
    if (this.#isClosed) throw new JournalFailed('the journal is closed');
    return this.#file;
  }
}
