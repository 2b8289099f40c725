// A store in a schema of its own in PostgreSQL, safe beside other processes that use it at the same time.
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import { continueCounters, copyTables } from './copy-tables.ts';
import { type StoreSchema, schemaName, type Untyped } from './dialect.ts';
import { migrateSchema } from './migrate.ts';
import { isConflict } from './postgres-errors.ts';
import type { PostgresServer } from './postgres-server.ts';
import { SqliteFile } from './sqlite-file.ts';
import { type Durability, type Statement, type StoreDatabase, Turns } from './store-database.ts';

/** Without knowledge of the tables. */
type Rows = Record<string, Record<string, unknown>>;

/** Transactions that meet often are all through after as many rounds as there are of them. */
const TRIES_MAX = 20;
const PAUSE_MS = 20;

export class PostgresStore<Tables> implements StoreDatabase<Tables> {
  readonly dialect = 'postgres';
  readonly reads: Kysely<Tables>;
  readonly #quick: Kysely<Tables>;
  readonly #schema: StoreSchema;
  readonly #turns = new Turns();
  readonly #built = new Map<Statement<Tables>, string>();

  static async open<Tables>(
    server: PostgresServer,
    schema: StoreSchema,
  ): Promise<PostgresStore<Tables>> {
    const store = new PostgresStore<Tables>(server, schema);
    await migrateSchema(store.reads, schema);
    return store;
  }

  private constructor(server: PostgresServer, schema: StoreSchema) {
    const name = schemaName(schema);
    // The migrations make the tables so.
    this.reads = server.synced.withSchema(name) as unknown as Kysely<Tables>;
    this.#quick = server.quick.withSchema(name) as unknown as Kysely<Tables>;
    this.#schema = schema;
  }

  write<T>(
    work: (tx: Transaction<Tables>) => Promise<T>,
    durability: Durability = 'synced',
  ): Promise<T> {
    const db = durability === 'synced' ? this.reads : this.#quick;
    return this.#turns.take(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await db.transaction().setIsolationLevel('serializable').execute(work);
        } catch (error) {
          if (!isConflict(error) || tries === TRIES_MAX) throw error;
        }
        await sleep(Math.random() * PAUSE_MS * tries);
      }
    });
  }

  async writeOne(statement: Statement<Tables>, parameters: readonly unknown[]): Promise<void> {
    const built = this.#built.get(statement) ?? statement(this.#quick).sql;
    this.#built.set(statement, built);
    await this.#quick.executeQuery(CompiledQuery.raw(built, [...parameters]));
  }

  /** As of one moment. */
  async copyTo(file: string): Promise<void> {
    const target = await SqliteFile.open<Rows>(file, this.#schema);
    try {
      await this.reads
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((from) =>
          target.write((to) => copyTables(from as unknown as Untyped, to, this.#schema)),
        );
    } finally {
      await target.close();
    }
  }

  /** In place of whatever is here: all rows of a file that an earlier start wrote. */
  async takeOver(file: string): Promise<void> {
    const source = await SqliteFile.open<Rows>(file, this.#schema);
    try {
      await this.write(async (tx) => {
        const to = tx as unknown as Untyped;
        for (const { name } of this.#schema.tables.toReversed())
          await to.deleteFrom(name).execute();
        await copyTables(source.reads, to, this.#schema);
        await continueCounters(to, this.#schema, schemaName(this.#schema));
      });
    } finally {
      await source.close();
    }
  }

  /** The server's connections are closed by whoever opened them. */
  async close(): Promise<void> {
    await this.#turns.take(async () => undefined);
  }
}
