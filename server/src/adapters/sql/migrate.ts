// Brings the tables of a store to what this build knows, by Kysely's migrations; never back, and never past what it knows.
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type Dialect, type StoreSchema, schemaName } from './dialect.ts';

/** The database was written by a newer build: nothing of it was touched. */
class StoreTooNew extends Error {
  override readonly name = 'StoreTooNew';
}

/** Where Kysely notes what was applied. */
interface Notes {
  kysely_migration: { name: string; timestamp: string };
  /** As builds before Kysely noted it, in SQLite only. */
  migration: { number: number; name: string };
}

export async function migrateStore<Tables>(
  db: Kysely<Tables>,
  store: StoreSchema,
  dialect: Dialect,
): Promise<void> {
  const notes = db as unknown as Kysely<Notes>;
  const known = Object.keys(store.migrations(dialect)).sort();
  if (dialect === 'sqlite') await takeOverNotes(notes);
  const applied = await appliedIn(notes, store, dialect);
  const unknown = applied.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new StoreTooNew(
      `the ${store.name} database was written by a newer build: it has the migration ${unknown}, which this one does not know`,
    );
  }
  if (applied.length === known.length) return;
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => store.migrations(dialect) },
    ...(dialect === 'postgres' && { migrationTableSchema: schemaName(store) }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The names that are noted; none in a database without notes. */
async function appliedIn(
  db: Kysely<Notes>,
  store: StoreSchema,
  dialect: Dialect,
): Promise<readonly string[]> {
  const isThere = await (dialect === 'sqlite'
    ? hasTable(db, 'kysely_migration')
    : hasNotes(db, schemaName(store)));
  if (!isThere) return [];
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

async function hasNotes(db: Kysely<Notes>, schema: string): Promise<boolean> {
  const { rows } = await sql<{ found: string | null }>`
    select to_regclass(${`${schema}.kysely_migration`})::text as found`.execute(db);
  return (rows[0]?.found ?? null) !== null;
}

async function hasTable(db: Kysely<Notes>, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sqlite_schema where type = 'table' and name = ${name}`.execute(db);
  return rows.length > 0;
}

/** What an earlier build applied by files of SQL is the same, step by step. */
async function takeOverNotes(db: Kysely<Notes>): Promise<void> {
  if (!(await hasTable(db, 'migration')) || (await hasTable(db, 'kysely_migration'))) return;
  await db.transaction().execute(async (tx) => {
    // As Kysely itself makes it.
    await tx.schema
      .createTable('kysely_migration')
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute();
    const old = await tx.selectFrom('migration').select('name').orderBy('number').execute();
    const timestamp = new Date(0).toISOString();
    for (const { name } of old) {
      const taken = { name: name.replace(/\.sql$/, ''), timestamp };
      await tx.insertInto('kysely_migration').values(taken).execute();
    }
  });
}
