// A journal that is read but never written: what is appended is as durable at once as it will ever be.
import { SqliteJournal as RealJournal } from '../../../server/src/adapters/sqlite/journal.ts';
import type { Journal, JournalHead, JournalRecord } from '../../../server/src/ports/journal.ts';

/** What a lane appends as it opens is read back by whoever follows it. */
const FIRST_RECORDS = 8;

/** Bears the name of the journal in whose place it is put. */
export class SqliteJournal implements Journal {
  readonly isOnReserve = false;
  /** What the file holds; a lane recovers from it. */
  readonly #records: JournalRecord[];
  readonly #recordsMax: number;
  #head: JournalHead;

  static async open(options: { readonly file: string }): Promise<SqliteJournal> {
    const real = await RealJournal.open(options);
    const records: JournalRecord[] = [];
    for await (const page of real.read(1)) records.push(...page);
    const head = await real.head();
    await real.close();
    return new SqliteJournal(records, head);
  }

  private constructor(records: JournalRecord[], head: JournalHead) {
    this.#records = records;
    this.#recordsMax = records.length + FIRST_RECORDS;
    this.#head = head;
  }

  async lead(): Promise<number> {
    return this.#head.epoch + 1;
  }

  async append(batch: readonly JournalRecord[]): Promise<void> {
    const last = batch[batch.length - 1];
    if (last === undefined) return;
    if (this.#records.length < this.#recordsMax) this.#records.push(...batch);
    const { seq, hash, tsMs, epoch } = last;
    this.#head = { seq, hash, tsMs, epoch };
  }

  async *read(fromSeq: number): AsyncGenerator<readonly JournalRecord[]> {
    const records = this.#records.slice(fromSeq - 1);
    if (records.length > 0) yield records;
  }

  async head(): Promise<JournalHead> {
    return this.#head;
  }

  async refillReserve(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {}
}
