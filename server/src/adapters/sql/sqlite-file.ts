// A store in one SQLite file, open in this process alone, with a checksum for every page.
import path from 'node:path';
import { ownFile, PageSums, sumPages } from '@sibyl/storage';
import Database from 'better-sqlite3';
import { Kysely, type Transaction } from 'kysely';
import { StoreFull } from '../../ports/store-unavailable.ts';
import type { StoreSchema } from './dialect.ts';
import { migrateStore } from './migrate.ts';
import { SqliteFileDriver, sqliteDialect } from './sqlite-driver.ts';
import { type Durability, type Statement, type StoreDatabase, Turns } from './store-database.ts';

/** Another process that holds the file will not let go of it soon. */
const BUSY_TIMEOUT_MS = 500;

/** What `PRAGMA synchronous` must read back as: below FULL a power cut takes acknowledged writes. */
const SYNCHRONOUS_FULL = 2;

export class SqliteFile<Tables> implements StoreDatabase<Tables> {
  readonly dialect = 'sqlite';
  readonly reads: Kysely<Tables>;
  readonly #file: string;
  readonly #database: Database.Database;
  readonly #driver: SqliteFileDriver;
  readonly #turns = new Turns();
  readonly #built = new Map<Statement<Tables>, string>();

  /** Opens the file alone, with its pragmas verified and its tables brought up to date. */
  static open<Tables>(file: string, store: StoreSchema): Promise<SqliteFile<Tables>> {
    return namingFull(file, () => SqliteFile.#open<Tables>(file, store));
  }

  static async #open<Tables>(file: string, store: StoreSchema): Promise<SqliteFile<Tables>> {
    ownFile(file);
    const sums = new PageSums({ file });
    const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      claim(database, file);
      sums.confirm();
    } catch (error) {
      // It may be somebody else's: what lies beside it is left alone.
      sums.leave();
      database.close();
      throw error;
    }
    const opened = new SqliteFile<Tables>(file, database, sums);
    try {
      await migrateStore(opened.reads, store, 'sqlite');
      sums.settle(database);
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  private constructor(file: string, database: Database.Database, sums: PageSums) {
    this.#file = file;
    this.#database = database;
    this.#driver = new SqliteFileDriver(database, sums);
    this.reads = new Kysely<Tables>({ dialect: sqliteDialect(this.#driver) });
  }

  write<T>(
    work: (tx: Transaction<Tables>) => Promise<T>,
    durability: Durability = 'synced',
  ): Promise<T> {
    return this.#turns.take(() =>
      namingFull(this.#file, () => {
        this.#driver.durability = durability;
        return this.reads.transaction().execute(work);
      }),
    );
  }

  async writeOne(statement: Statement<Tables>, parameters: readonly unknown[]): Promise<void> {
    const sql = this.#built.get(statement) ?? statement(this.reads).sql;
    this.#built.set(statement, sql);
    const run = (): Promise<void> =>
      namingFull(this.#file, async () => this.#driver.run(sql, parameters));
    // Within a transaction of somebody else it would share its fate.
    if (this.#database.inTransaction) await this.#turns.take(run);
    else await run();
  }

  async copyTo(file: string): Promise<void> {
    await namingFull(file, async () => {
      ownFile(file);
      await this.#database.backup(file);
      await sumPages(file);
    });
  }

  /** After the writes that were asked for. */
  close(): Promise<void> {
    return this.#turns.take(() => this.reads.destroy());
  }
}

const FULL: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

/** A full disk is no defect: whoever meets it is told which. */
async function namingFull<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && FULL.has(error.code);
    throw isFull ? new StoreFull(path.dirname(file)) : error;
  }
}

/** For this process alone, with every commit on disk unless it is said otherwise. */
function claim(database: Database.Database, file: string): void {
  database.pragma('locking_mode = EXCLUSIVE');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma('wal_autocheckpoint = 0');
  if (database.pragma('synchronous', { simple: true }) === SYNCHRONOUS_FULL) return;
  throw new Error(`${file}: this SQLite does not sync its commits`);
}
