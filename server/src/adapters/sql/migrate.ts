// Brings the tables of a store to what this build knows, by Kysely's migrations; never back, and never past what it knows.
import { createHash } from 'node:crypto';
import { EarlierBuild, lookIfPossible } from '@sibyl/storage';
import type { Database } from 'better-sqlite3';
import { DummyDriver, Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type AnyDatabase, type Dialect, type StoreSchema, schemaName } from './dialect.ts';
import { sqliteDialect } from './sqlite-driver.ts';

/** The database was written by a newer build: nothing of it was touched. */
class StoreTooNew extends Error {
  override readonly name = 'StoreTooNew';
}

const NOTES = 'kysely_migration';

/** Where Kysely notes what was applied. */
interface Notes {
  kysely_migration: { name: string; timestamp: string };
}

/** A store has one migration, its baseline; from the first release on, later ones follow it. */
export async function migrateSchema<Tables>(db: Kysely<Tables>, store: StoreSchema): Promise<void> {
  const baseline = await baselineOf(store);
  const applied = await appliedIn(db as unknown as Kysely<Notes>, schemaName(store));
  if (applied === null) await create(db, store, 'postgres', baseline);
  else requireKnown(applied, store, baseline);
}

/** Makes the tables in a file that has none. */
export async function migrateFile<Tables>(db: Kysely<Tables>, store: StoreSchema): Promise<void> {
  await create(db, store, 'sqlite', await baselineOf(store));
}

/**
 * Refuses a file of another build by a look, so that the build that wrote it still finds it as it was. False if tables are
 * still to be made in it.
 */
export async function requireKnownFile(file: string, store: StoreSchema): Promise<boolean> {
  const applied = lookIfPossible(file, appliedInFile);
  if (applied === null) return false;
  requireKnown(applied, store, await baselineOf(store));
  return true;
}

function requireKnown(applied: readonly string[], store: StoreSchema, baseline: string): void {
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

/** The names that are noted; null in a schema without tables of ours. */
async function appliedIn(db: Kysely<Notes>, schema: string): Promise<readonly string[] | null> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = ${schema}`.execute(
    db,
  );
  if (rows.length === 0) return null;
  if (!rows.some(({ name }) => name === NOTES)) return [];
  const notes = await db.selectFrom(NOTES).select('name').orderBy('name').execute();
  return notedOrNull(notes.map(({ name }) => name));
}

function appliedInFile(database: Database): readonly string[] | null {
  const names = (query: string): string[] => database.prepare<[], string>(query).pluck().all();
  const tables = names("SELECT name FROM sqlite_schema WHERE type = 'table'");
  if (tables.length === 0) return null;
  if (!tables.includes(NOTES)) return [];
  return notedOrNull(names(`SELECT name FROM ${NOTES} ORDER BY name`));
}

/** Kysely makes its own table before the transaction, so a start that was killed leaves it without rows. */
function notedOrNull(names: readonly string[]): readonly string[] | null {
  return names.length === 0 ? null : names;
}
