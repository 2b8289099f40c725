// Tables of compliance, kept beside the users they are about.
import type { AnyDatabase, StoredTable, TableWords } from './dialect.ts';

export interface RulesRow {
  readonly version: number;
  readonly hash: string;
  readonly content: string;
  readonly actor: string;
  readonly reason: string;
  readonly at_ms: number;
}

export interface FlagRow {
  readonly flag_id: string;
  readonly kind: 'wash_trading' | 'sign_ups' | 'faucet';
  readonly rule_id: string;
  readonly subject: string;
  readonly lane: 'live' | 'sandbox' | null;
  readonly detail: string;
  readonly blocks: number;
  readonly raised_at_ms: number;
  readonly cleared_at_ms: number | null;
  readonly cleared_by: string | null;
  readonly clear_reason: string | null;
}

export interface ComplianceTables {
  compliance_rules: RulesRow;
  address_uses: {
    kind: 'sign_up' | 'faucet';
    day: number;
    address_hash: string;
    subject: string;
    at_ms: number;
  };
  /** The lesser id first. */
  user_links: { user_id: string; other_id: string };
  compliance_flags: FlagRow;
  /** Exclusions of closed accounts, which nobody gets out of by closing. */
  kept_exclusions: { email_hash: string; until_ms: number };
}

export const complianceTables: readonly StoredTable[] = [
  { name: 'compliance_rules', order: ['version'] },
  { name: 'address_uses', order: ['kind', 'day', 'address_hash', 'subject'] },
  { name: 'user_links', order: ['user_id', 'other_id'] },
  { name: 'compliance_flags', order: ['flag_id'] },
  { name: 'kept_exclusions', order: ['email_hash'] },
];

export async function createCompliance(words: TableWords, db: AnyDatabase): Promise<void> {
  const { text, whole, table } = words;
  await table(db, 'compliance_rules')
    .addColumn('version', whole, (column) => column.primaryKey().notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addColumn('actor', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('at_ms', whole, (column) => column.notNull())
    .execute();
  await table(db, 'address_uses')
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('address_hash', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('at_ms', whole, (column) => column.notNull())
    .addPrimaryKeyConstraint('address_uses_key', ['kind', 'day', 'address_hash', 'subject'])
    .execute();
  await db.schema
    .createIndex('address_uses_by_subject')
    .on('address_uses')
    .columns(['subject', 'kind'])
    .execute();
  await table(db, 'user_links')
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('other_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('user_links_key', ['user_id', 'other_id'])
    .execute();
  await createFlags(words, db);
  await createKeptExclusions(words, db);
}

async function createFlags({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'compliance_flags')
    .addColumn('flag_id', text, (column) => column.primaryKey().notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('rule_id', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('lane', text)
    .addColumn('detail', text, (column) => column.notNull())
    .addColumn('blocks', 'integer', (column) => column.notNull())
    .addColumn('raised_at_ms', whole, (column) => column.notNull())
    .addColumn('cleared_at_ms', whole)
    .addColumn('cleared_by', text)
    .addColumn('clear_reason', text)
    .execute();
  await db.schema
    .createIndex('compliance_flags_by_subject')
    .on('compliance_flags')
    .columns(['subject', 'kind'])
    .execute();
  await db.schema
    .createIndex('compliance_flags_by_time')
    .on('compliance_flags')
    .columns(['raised_at_ms', 'flag_id'])
    .execute();
}

async function createKeptExclusions(
  { text, whole, table }: TableWords,
  db: AnyDatabase,
): Promise<void> {
  await table(db, 'kept_exclusions')
    .addColumn('email_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('until_ms', whole, (column) => column.notNull())
    .execute();
}
