// The two databases that the stores speak, and the few words in which their tables differ.
import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export type Dialect = 'sqlite' | 'postgres';

/** What a store is kept in. */
export interface StoreSchema {
  /** Of the file, and of the schema in PostgreSQL. */
  readonly name: 'platform' | 'webhooks' | 'operators';
  /** Makes every table and index in an empty database. */
  create(dialect: Dialect, db: AnyDatabase): Promise<void>;
  /** Every table, those that others refer to first. */
  readonly tables: readonly StoredTable[];
}

export interface StoredTable {
  readonly name: string;
  /** Columns that tell its rows apart, in an order in which no row comes before one that it refers to. */
  readonly order: readonly string[];
  /** The column that the database counts up by itself. */
  readonly counter?: string;
}

/** As a migration gets it: without knowledge of the tables. */
export type AnyDatabase = Parameters<Migration['up']>[0];

type ColumnType = Parameters<CreateTableBuilder<string, never>['addColumn']>[1];

export interface TableWords {
  /** Compared byte by byte, in whatever language the database sorts otherwise. */
  readonly text: ColumnType;
  /** Up to 2^53: times and positions. */
  readonly whole: ColumnType;
  /** A column that counts up by itself; `isForever` never gives a number twice, not even one that was deleted. */
  counter(isForever: boolean): (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** `isCounted` for a table whose key is a counter. */
  table(db: AnyDatabase, name: string, isCounted?: boolean): CreateTableBuilder<string, never>;
}

export function wordsOf(dialect: Dialect): TableWords {
  return dialect === 'sqlite' ? SQLITE : POSTGRES;
}

const SQLITE: TableWords = {
  text: 'text',
  whole: 'integer',
  counter: (isForever) => (column) =>
    isForever ? column.primaryKey().autoIncrement() : column.primaryKey(),
  table: (db, name, isCounted = false) =>
    db.schema.createTable(name).modifyEnd(isCounted ? sql`strict` : sql`strict, without rowid`),
};

const POSTGRES: TableWords = {
  text: sql`text collate "C"`,
  whole: 'bigint',
  counter: () => (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  table: (db, name) => db.schema.createTable(name),
};

/** PostgreSQL keeps the tables of each store apart from those of others by a schema. */
export function schemaName(store: StoreSchema): string {
  return `sibyl_${store.name}`;
}

/** A Kysely that needs no knowledge of the tables. */
export type Untyped = Kysely<Record<string, Record<string, unknown>>>;
