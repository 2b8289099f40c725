// Brings the tables of a store to what this build knows, by Kysely's migrations; never back, and never past what it knows.
import { createHash } from 'node:crypto';
import { EarlierBuild } from '@sibyl/storage';
import { DummyDriver, Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type AnyDatabase, type Dialect, type StoreSchema, schemaName } from './dialect.ts';
import { sqliteDialect } from './sqlite-driver.ts';

/** The database was written by a newer build: nothing of it was touched. */
class StoreTooNew extends Error {
  override readonly name = 'StoreTooNew';
}

/** Where Kysely notes what was applied. */
interface Notes {
  kysely_migration: { name: string; timestamp: string };
}

/** A store has one migration, its baseline; from the first release on, later ones follow it. */
export async function migrateStore<Tables>(
  db: Kysely<Tables>,
  store: StoreSchema,
  dialect: Dialect,
): Promise<void> {
  const notes = db as unknown as Kysely<Notes>;
  const baseline = await baselineOf(store);
  const applied = await appliedIn(notes, store, dialect);
  if (applied === null) return create(db, store, dialect, baseline);
  const [first, ...others] = applied;
  if (first !== baseline) throw new EarlierBuild(`the ${store.name} database`);
  if (others.length === 0) return;
  throw new StoreTooNew(
    `the ${store.name} database was written by a newer build: it has the migration ${others[0]}, which this one does not know`,
  );
}

/** Until the first release a changed table gives the baseline another name, so data of earlier builds are recognised. */
async function baselineOf(store: StoreSchema): Promise<string> {
  const statements: string[] = [];
  const dry = new Kysely({
    dialect: sqliteDialect(new DummyDriver()),
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  await store.create('sqlite', dry as AnyDatabase);
  const digest = createHash('sha256').update(statements.join('\n')).digest('hex');
  return `0001_baseline_${digest.slice(0, 12)}`;
}

async function create<Tables>(
  db: Kysely<Tables>,
  store: StoreSchema,
  dialect: Dialect,
  baseline: string,
): Promise<void> {
  const up = (tx: AnyDatabase): Promise<void> => store.create(dialect, tx);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ [baseline]: { up } }) },
    ...(dialect === 'postgres' && { migrationTableSchema: schemaName(store) }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The names that are noted; null in a database without tables of ours. */
async function appliedIn(
  db: Kysely<Notes>,
  store: StoreSchema,
  dialect: Dialect,
): Promise<readonly string[] | null> {
  const names = await (dialect === 'sqlite' ? tablesIn(db) : notesIn(db, schemaName(store)));
  if (names.length === 0) return null;
  if (!names.includes('kysely_migration')) return [];
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute();
  // Kysely makes its own table before the transaction, so a start that was killed leaves it without rows.
  return rows.length === 0 ? null : rows.map(({ name }) => name);
}

async function tablesIn(db: Kysely<Notes>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table'`.execute(db);
  return rows.map(({ name }) => name);
}

async function notesIn(db: Kysely<Notes>, schema: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = ${schema}`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}
