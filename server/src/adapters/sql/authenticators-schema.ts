// The tables of authenticators and recovery codes: users and operators each have them in their own store.
import type { AnyDatabase, TableWords } from './dialect.ts';

/** `ownerKey` is the column that owners are known by in their own table. */
export async function createAuthenticators(
  { text, whole, table }: TableWords,
  db: AnyDatabase,
  ownerKey: string,
): Promise<void> {
  await table(db, 'totp_seeds')
    .addColumn('owner_id', text, (column) => column.primaryKey().notNull().references(ownerKey))
    .addColumn('sealed_seed', text, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('confirmed_at_ms', whole)
    .addColumn('last_step', whole, (column) => column.notNull())
    .execute();
  await table(db, 'recovery_codes')
    .addColumn('owner_id', text, (column) => column.notNull().references(ownerKey))
    .addColumn('code_hash', text, (column) => column.notNull())
    .addColumn('used_at_ms', whole)
    .addPrimaryKeyConstraint('recovery_codes_key', ['owner_id', 'code_hash'])
    .execute();
}
