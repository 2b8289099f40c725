// The tables of builders and apps, in the database of the platform store.
import { type Generated, sql } from 'kysely';
import type { AppStatus } from '../../ports/apps.ts';
import type { ApplicationStatus, Track } from '../../ports/builders.ts';
import type { AnyDatabase, StoredTable, TableWords } from './dialect.ts';

export interface BuilderRow {
  user_id: string;
  name: string;
  website: string | null;
  about: string;
  agreement_version: string;
  agreed_at_ms: number;
  applied_track: Track;
  application_status: ApplicationStatus;
  applied_at_ms: number;
  decided_at_ms: number | null;
  decided_by: string | null;
  note: string | null;
  approved_track: Track | null;
  approved_name: string | null;
  approved_at_ms: number | null;
  agreed_rate: number | null;
  load_test_multiplier: number | null;
  load_test_ends_at_ms: number | null;
  created_at_ms: number;
}

export interface AppRow {
  app_id: string;
  owner_id: string;
  name: string;
  name_folded: string;
  verified_name: string | null;
  verified_folded: string | null;
  is_public: number;
  /** These three are separated by spaces. */
  redirect_uris: string;
  allowed_origins: string;
  allowed_scopes: string;
  builder_fee_bps: number;
  fee_cap_bps: number;
  widget_key: string;
  status: AppStatus;
  disabled_by: 'owner' | 'operator' | null;
  review_note: string | null;
  /** Of the secret: its public part, salt, hash and time, separated by spaces; nobody who reads it can use it. */
  secret: string | null;
  previous_secret: string | null;
  rotated_at_ms: number | null;
  created_at_ms: number;
  updated_at_ms: number;
  submitted_at_ms: number | null;
}

export interface AppTables {
  builders: BuilderRow;
  apps: AppRow;
  app_changes: {
    change_id: Generated<number>;
    app_id: string;
    old_status: AppStatus;
    new_status: AppStatus;
    actor: string;
    reason: string;
    at_ms: number;
  };
}

export const appTables: readonly StoredTable[] = [
  { name: 'builders', order: ['user_id'] },
  { name: 'apps', order: ['app_id'] },
  { name: 'app_changes', order: ['change_id'], counter: 'change_id' },
];

export async function createApps(words: TableWords, db: AnyDatabase): Promise<void> {
  await createBuilders(words, db);
  const { text, whole, table, counter } = words;
  await table(db, 'apps')
    .addColumn('app_id', text, (column) => column.primaryKey().notNull())
    .addColumn('owner_id', text, (column) => column.notNull().references('users.user_id'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('name_folded', text, (column) => column.notNull())
    .addColumn('verified_name', text)
    .addColumn('verified_folded', text, (column) => column.unique())
    .addColumn('is_public', 'integer', (column) => column.notNull())
    .addColumn('redirect_uris', text, (column) => column.notNull())
    .addColumn('allowed_origins', text, (column) => column.notNull())
    .addColumn('allowed_scopes', text, (column) => column.notNull())
    .addColumn('builder_fee_bps', 'integer', (column) => column.notNull())
    .addColumn('fee_cap_bps', 'integer', (column) => column.notNull())
    .addColumn('widget_key', text, (column) => column.notNull().unique())
    .addColumn('status', text, (column) =>
      column.notNull().check(sql`status in ('draft', 'in_review', 'approved', 'disabled')`),
    )
    .addColumn('disabled_by', text)
    .addColumn('review_note', text)
    .addColumn('secret', text)
    .addColumn('previous_secret', text)
    .addColumn('rotated_at_ms', whole)
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('updated_at_ms', whole, (column) => column.notNull())
    .addColumn('submitted_at_ms', whole)
    .addUniqueConstraint('apps_of_owner', ['owner_id', 'name_folded'])
    .execute();
  await db.schema
    .createIndex('apps_by_status')
    .on('apps')
    .columns(['status', 'created_at_ms', 'app_id'])
    .execute();
  await table(db, 'app_changes', true)
    .addColumn('change_id', whole, counter(false))
    .addColumn('app_id', text, (column) => column.notNull().references('apps.app_id'))
    .addColumn('old_status', text, (column) => column.notNull())
    .addColumn('new_status', text, (column) => column.notNull())
    .addColumn('actor', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('at_ms', whole, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('app_changes_by_app')
    .on('app_changes')
    .columns(['app_id', 'change_id'])
    .execute();
}

async function createBuilders({ text, whole, table }: TableWords, db: AnyDatabase) {
  await table(db, 'builders')
    .addColumn('user_id', text, (column) =>
      column.primaryKey().notNull().references('users.user_id'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('website', text)
    .addColumn('about', text, (column) => column.notNull())
    .addColumn('agreement_version', text, (column) => column.notNull())
    .addColumn('agreed_at_ms', whole, (column) => column.notNull())
    .addColumn('applied_track', text, (column) => column.notNull())
    .addColumn('application_status', text, (column) =>
      column.notNull().check(sql`application_status in ('in_review', 'approved', 'rejected')`),
    )
    .addColumn('applied_at_ms', whole, (column) => column.notNull())
    .addColumn('decided_at_ms', whole)
    .addColumn('decided_by', text)
    .addColumn('note', text)
    .addColumn('approved_track', text)
    .addColumn('approved_name', text)
    .addColumn('approved_at_ms', whole)
    .addColumn('agreed_rate', 'integer')
    .addColumn('load_test_multiplier', 'integer')
    .addColumn('load_test_ends_at_ms', whole)
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('builders_by_status')
    .on('builders')
    .columns(['application_status', 'applied_at_ms', 'user_id'])
    .execute();
}
