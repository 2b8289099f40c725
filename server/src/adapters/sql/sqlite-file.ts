// A store in one SQLite file, open in this process alone, with a checksum for every page.
import path from 'node:path';
import { isDiskFull, ownFile, PageSums, sumPages } from '@sibyl/storage';
import Database from 'better-sqlite3';
import { Kysely, type Transaction } from 'kysely';
import { StoreFailed, StoreFull } from '../../ports/store-unavailable.ts';
import type { StoreSchema } from './dialect.ts';
import { migrateFile, requireKnownFile } from './migrate.ts';
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
  #failure: StoreFailed | null = null;

  /** Opens the file alone, with its pragmas verified and its tables brought up to date. `warn` is told what an operator should know. */
  static async open<Tables>(
    file: string,
    store: StoreSchema,
    warn: (message: string) => void = () => {},
  ): Promise<SqliteFile<Tables>> {
    try {
      return await SqliteFile.#open<Tables>(file, store, warn);
    } catch (error) {
      throw named(file, error);
    }
  }

  static async #open<Tables>(
    file: string,
    store: StoreSchema,
    warn: (message: string) => void,
  ): Promise<SqliteFile<Tables>> {
    const sums = new PageSums({ file });
    // After its pages were checked: a damaged file could pass for one of another build.
    const hasTables = await requireKnownFile(file, store);
    ownFile(file);
    const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      claim(database, file);
      sums.begin(database);
      if (sums.warning !== null) warn(sums.warning);
    } catch (error) {
      // It may be somebody else's: what lies beside it is left alone.
      sums.leave();
      database.close();
      throw error;
    }
    const opened = new SqliteFile<Tables>(file, database, sums);
    try {
      if (!hasTables) await migrateFile(opened.reads, store);
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
      this.#writing(() => {
        this.#driver.durability = durability;
        return this.reads.transaction().execute(work);
      }),
    );
  }

  async writeOne(statement: Statement<Tables>, parameters: readonly unknown[]): Promise<void> {
    const sql = this.#built.get(statement) ?? statement(this.reads).sql;
    this.#built.set(statement, sql);
    const run = (): Promise<void> => this.#writing(async () => this.#driver.run(sql, parameters));
    // Within a transaction of somebody else it would share its fate.
    if (this.#database.inTransaction) await this.#turns.take(run);
    else await run();
  }

  async copyTo(file: string): Promise<void> {
    try {
      ownFile(file);
      await this.#database.backup(file);
      await sumPages(file);
    } catch (error) {
      throw named(file, error);
    }
  }

  /** After an I/O error nothing is known of what the disk has: a later success would hide what was lost. */
  async #writing<T>(work: () => Promise<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure;
    try {
      return await work();
    } catch (cause) {
      const error = named(this.#file, cause);
      if (error instanceof StoreFailed) this.#failure = error;
      throw error;
    }
  }

  /** After the writes that were asked for. */
  close(): Promise<void> {
    return this.#turns.take(async () => {
      await this.reads.destroy();
      this.#driver.close();
    });
  }
}

/** An error of the disk, with what to do about it; any other as it is. */
function named(file: string, error: unknown): unknown {
  const folder = path.dirname(file);
  if (isDiskFull(error)) return new StoreFull(folder);
  if (!(error instanceof Error && 'code' in error)) return error;
  const { code, message } = error;
  const isFailed = code === 'EIO' || (typeof code === 'string' && code.startsWith('SQLITE_IOERR'));
  return isFailed ? new StoreFailed(folder, path.basename(file), `${code}: ${message}`) : error;
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
