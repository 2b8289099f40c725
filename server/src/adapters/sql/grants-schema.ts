// The tables of grants, codes and tokens, in the database of the platform store.
import { sql } from 'kysely';
import type { GrantEnd, GrantKind, TokenKind } from '../../ports/grants.ts';
import type { AnyDatabase, StoredTable, TableWords } from './dialect.ts';

export interface GrantRow {
  grant_id: string;
  kind: GrantKind;
  user_id: string;
  account_id: string;
  lane: 'live' | 'sandbox';
  app_id: string | null;
  partner_id: string | null;
  /** Separated by spaces. */
  scopes: string;
  /** Whole µ as text: a column of numbers would lose the last digits of a large one. */
  daily_cap: string | null;
  fee_cap_bps: number;
  consent_text: string;
  signature: string;
  created_at_ms: number;
  expires_at_ms: number;
  revoked_at_ms: number | null;
  revoked_for: GrantEnd | null;
  last_used_at_ms: number | null;
}

interface HashColumns {
  public_id: string;
  salt: string;
  hash: string;
  grant_id: string;
  created_at_ms: number;
  expires_at_ms: number;
}

export interface CodeRow extends HashColumns {
  redirect_uri: string;
  challenge: string;
  consumed_at_ms: number | null;
}

export interface TokenRow extends HashColumns {
  kind: TokenKind;
  used_at_ms: number | null;
  revoked_at_ms: number | null;
}

/** Codes and tokens are stored as salted, peppered hashes: nobody who reads these tables can use one. */
export interface GrantTables {
  grants: GrantRow;
  grant_codes: CodeRow;
  grant_tokens: TokenRow;
}

export const grantTables: readonly StoredTable[] = [
  { name: 'grants', order: ['grant_id'] },
  { name: 'grant_codes', order: ['public_id'] },
  { name: 'grant_tokens', order: ['public_id'] },
];

export async function createGrants(words: TableWords, db: AnyDatabase): Promise<void> {
  const { text, whole, table } = words;
  await table(db, 'grants')
    .addColumn('grant_id', text, (column) => column.primaryKey().notNull())
    .addColumn('kind', text, (column) =>
      column.notNull().check(sql`kind in ('oauth', 'delegation')`),
    )
    .addColumn('user_id', text, (column) => column.notNull().references('users.user_id'))
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('lane', text, (column) => column.notNull().check(sql`lane in ('live', 'sandbox')`))
    .addColumn('app_id', text, (column) => column.references('apps.app_id'))
    .addColumn('partner_id', text, (column) => column.references('users.user_id'))
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('daily_cap', text)
    .addColumn('fee_cap_bps', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('consent_text', text, (column) => column.notNull())
    .addColumn('signature', text, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('expires_at_ms', whole, (column) => column.notNull())
    .addColumn('revoked_at_ms', whole)
    .addColumn('revoked_for', text)
    .addColumn('last_used_at_ms', whole)
    .execute();
  await db.schema
    .createIndex('grants_by_user')
    .on('grants')
    .columns(['user_id', 'created_at_ms desc', 'grant_id desc'])
    .execute();
  await db.schema.createIndex('grants_by_app').on('grants').column('app_id').execute();
  await db.schema
    .createIndex('grants_by_partner')
    .on('grants')
    .columns(['partner_id', 'account_id'])
    .execute();
  await createHashes(words, db);
}

async function createHashes({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  const hashed = (name: string) =>
    table(db, name)
      .addColumn('public_id', text, (column) => column.primaryKey().notNull())
      .addColumn('salt', text, (column) => column.notNull())
      .addColumn('hash', text, (column) => column.notNull())
      .addColumn('grant_id', text, (column) => column.notNull().references('grants.grant_id'))
      .addColumn('created_at_ms', whole, (column) => column.notNull())
      .addColumn('expires_at_ms', whole, (column) => column.notNull());
  await hashed('grant_codes')
    .addColumn('redirect_uri', text, (column) => column.notNull())
    .addColumn('challenge', text, (column) => column.notNull())
    .addColumn('consumed_at_ms', whole)
    .execute();
  await hashed('grant_tokens')
    .addColumn('kind', text, (column) => column.notNull().check(sql`kind in ('access', 'refresh')`))
    .addColumn('used_at_ms', whole)
    .addColumn('revoked_at_ms', whole)
    .execute();
  for (const name of ['grant_codes', 'grant_tokens']) {
    await db.schema.createIndex(`${name}_by_end`).on(name).column('expires_at_ms').execute();
  }
}
