// Kysely's way to one SQLite file that is open in this process alone: statements are kept prepared, commits have their sums.
import type { PageSums } from '@sibyl/storage';
import type { Database, Statement } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Durability } from './store-database.ts';

/** More than the stores have; lists of different lengths are statements of their own. */
const STATEMENTS_MAX = 400;

export class SqliteConnection implements DatabaseConnection {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Not within a promise: whoever calls it knows that no transaction is open. */
  run(sql: string, parameters: readonly unknown[]): void {
    this.#prepared(sql).run(parameters);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#prepared(query.sql);
    // Kysely says of each query what its rows are.
    if (statement.reader) return { rows: statement.all(query.parameters) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(query.parameters).changes) };
  }

  // biome-ignore lint/correctness/useYield: it is part of what Kysely asks of a connection, and nothing here streams.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('rows are read page by page');
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

export class SqliteFileDriver implements Driver {
  readonly #database: Database;
  readonly #sums: PageSums;
  readonly #connection: SqliteConnection;
  #durability: Durability = 'synced';

  constructor(database: Database, sums: PageSums) {
    this.#database = database;
    this.#sums = sums;
    this.#connection = new SqliteConnection(database);
  }

  /** Of the commits from now on; the database begins with `synced`. */
  set durability(wanted: Durability) {
    if (wanted === this.#durability) return;
    this.#database.pragma(`synchronous = ${wanted === 'synced' ? 'FULL' : 'NORMAL'}`);
    this.#durability = wanted;
  }

  /** One statement that is a transaction by itself, and quick. */
  run(sql: string, parameters: readonly unknown[]): void {
    this.durability = 'quick';
    this.#sums.ready(this.#database);
    this.#sums.commit(this.#database, () => this.#connection.run(sql, parameters), false);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    this.#sums.ready(this.#database);
    this.#database.exec('BEGIN IMMEDIATE');
  }

  async commitTransaction(): Promise<void> {
    const commit = (): void => void this.#database.exec('COMMIT');
    this.#sums.commit(this.#database, commit, this.#durability === 'synced');
  }

  async rollbackTransaction(): Promise<void> {
    // A full disk has rolled back already.
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.close();
  }

  /** Kysely destroys no driver that it has not used. */
  close(): void {
    if (this.#database.open) this.#sums.close(this.#database);
  }
}

/** SQLite changes tables within transactions as well; Kysely only does not count on it. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export function sqliteDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
