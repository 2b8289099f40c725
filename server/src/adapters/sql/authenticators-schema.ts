// The tables of authenticators and recovery codes, as whatever store has their owners first made them.
import type { AnyDatabase, TableWords } from './dialect.ts';

interface Owner {
  /** The column that says whose one is. */
  readonly column: string;
  /** What it refers to. */
  readonly key: string;
}

export async function createAuthenticators(
  { text, whole, table }: TableWords,
  db: AnyDatabase,
  owner: Owner,
): Promise<void> {
  await table(db, 'totp_seeds')
    .addColumn(owner.column, text, (column) => column.primaryKey().notNull().references(owner.key))
    .addColumn('sealed_seed', text, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('confirmed_at_ms', whole)
    .addColumn('last_step', whole, (column) => column.notNull())
    .execute();
  await table(db, 'recovery_codes')
    .addColumn(owner.column, text, (column) => column.notNull().references(owner.key))
    .addColumn('code_hash', text, (column) => column.notNull())
    .addColumn('used_at_ms', whole)
    .addPrimaryKeyConstraint('recovery_codes_key', [owner.column, 'code_hash'])
    .execute();
}
