// The read model's file as it is written: whole batches, each with the names that it was the first to use.

import type { PageSums } from '@sibyl/storage';
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import type { NameKind, ReadBatch } from '../store/read-store.ts';
import { ReadWriter } from './read-writer.ts';

export interface NewName {
  readonly kind: NameKind;
  readonly number: number;
  readonly name: string;
}

const PAGE_BYTES = 8192;
const CACHE_KIB = 8192;

/** No commit of it waits for the disk: it can be made anew. */
export function openReadFile(file: string): Database {
  const database = new SqliteDatabase(file);
  database.pragma(`page_size = ${PAGE_BYTES}`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  database.pragma('wal_autocheckpoint = 0');
  database.pragma(`cache_size = -${CACHE_KIB}`);
  return database;
}

export class ReadFile {
  readonly #database: Database;
  /** Null in memory. */
  readonly #sums: PageSums | null;
  readonly #writer: ReadWriter;
  readonly #names: Readonly<Record<NameKind, Statement<[number, string]>>>;

  constructor(database: Database, sums: PageSums | null) {
    this.#database = database;
    this.#sums = sums;
    this.#writer = new ReadWriter(database);
    const insert = (table: string): Statement<[number, string]> =>
      database.prepare(`INSERT INTO ${table} (number, name) VALUES (?, ?)`);
    this.#names = {
      account: insert('account_name'),
      market: insert('market_name'),
      key: insert('key_name'),
      earner: insert('earner_name'),
    };
  }

  /** Everything but the commit; nothing of it can be read yet. */
  write(batch: ReadBatch, names: readonly NewName[]): void {
    this.#sums?.ready(this.#database);
    this.#database.exec('BEGIN IMMEDIATE');
    this.#orRollBack(() => {
      this.#writer.write(batch);
      for (const { kind, number, name } of names) this.#names[kind].run(number, name);
    });
  }

  commit(): void {
    this.#orRollBack(() => this.#database.exec('COMMIT'));
  }

  /** Moves what was committed from the log to the file. What cannot be moved now, on a full disk say, is moved later. */
  tidy(): void {
    try {
      this.#sums?.settle(this.#database);
    } catch (error) {
      const isOfDisk = error instanceof Error && 'syscall' in error;
      if (!isOfDisk && !(error instanceof SqliteDatabase.SqliteError)) throw error;
    }
  }

  close(): void {
    if (this.#sums === null) this.#database.close();
    else this.#sums.close(this.#database);
  }

  #orRollBack(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
