// The tables of the platform store: users, sessions, keys and the records beside them. Times are epoch milliseconds.
import { type Generated, sql } from 'kysely';
import { type AppTables, appTables, createApps } from './apps-schema.ts';
import { type ComplianceTables, complianceTables, createCompliance } from './compliance-schema.ts';
import { createDestinations, type DestinationTables } from './destinations-schema.ts';
import { type AnyDatabase, type StoreSchema, type TableWords, wordsOf } from './dialect.ts';
import {
  createFactors,
  createPasskeys,
  createProfiles,
  createUsedChallenges,
  type FactorTables,
} from './factors-schema.ts';
import { createGrants, type GrantTables, grantTables } from './grants-schema.ts';
import { createLetters, type LetterTables } from './letters.ts';
import { createLinks, type LinkTables } from './links.ts';
import type {
  ChangeRow,
  DisconnectCancelRow,
  IncidentRow,
  KeyRow,
  SavedRow,
  SessionRow,
  UserRow,
} from './platform-rows.ts';
import { createSigning, type SigningTables } from './signing.ts';
import { createTill, type TillTables } from './till.ts';

export interface PlatformTables
  extends FactorTables,
    ComplianceTables,
    LinkTables,
    LetterTables,
    TillTables,
    DestinationTables,
    SigningTables,
    AppTables,
    GrantTables {
  users: UserRow;
  sessions: SessionRow;
  /** A key is stored as a salted, peppered hash: nobody who reads this table can use one. */
  keys: KeyRow;
  /** One anonymous key per address and day; the address is a keyed hash whose key changes with the day. */
  mint_claims: { day: number; address_hash: string };
  tier_changes: ChangeRow & { change_id: Generated<number> };
  /** Answers to platform writes with an Idempotency-Key; secrets are never among them. */
  saved_answers: SavedRow;
  settings: { name: string; value: string };
  /** cancel_on_disconnect as it is asked for now: what is here when the server starts counts as lost. */
  lifelines: DisconnectCancelRow;
  incidents: IncidentRow;
}

export const platformSchema: StoreSchema = {
  name: 'platform',
  tables: [
    // Who was invited came after whoever invited them.
    { name: 'users', order: ['created_at_ms', 'user_id'] },
    { name: 'sessions', order: ['session_id'] },
    { name: 'keys', order: ['public_id'] },
    { name: 'mint_claims', order: ['day', 'address_hash'] },
    { name: 'tier_changes', order: ['change_id'], counter: 'change_id' },
    { name: 'saved_answers', order: ['scope', 'key'] },
    { name: 'settings', order: ['name'] },
    { name: 'lifelines', order: ['lane', 'credential'] },
    { name: 'incidents', order: ['incident_id'] },
    { name: 'totp_seeds', order: ['owner_id'] },
    { name: 'recovery_codes', order: ['owner_id', 'code_hash'] },
    { name: 'credential_changes', order: ['user_id'] },
    { name: 'passkeys', order: ['passkey_id'] },
    { name: 'profiles', order: ['user_id'] },
    { name: 'one_time_links', order: ['token_hash'] },
    { name: 'used_challenges', order: ['challenge'] },
    ...complianceTables,
    { name: 'destinations', order: ['destination_id'] },
    { name: 'till_entries', order: ['entry_id'] },
    { name: 'letters', order: ['letter_id'] },
    ...appTables,
    ...grantTables,
    { name: 'signing_keys', order: ['public_id'] },
    { name: 'spent_nonces', order: ['nonce'] },
  ],
  async create(dialect, db) {
    const words = wordsOf(dialect);
    await createUsers(words, db);
    await createSessions(words, db);
    await createKeys(words, db);
    await createRecords(words, db);
    await createFactors(words, db);
    await createPasskeys(words, db);
    await createProfiles(words, db);
    await createUsedChallenges(words, db);
    await createCompliance(words, db);
    await createLinks(words, db);
    await createDestinations(words, db);
    await createTill(words, db);
    await createLetters(words, db);
    await createApps(words, db);
    await createGrants(words, db);
    await createSigning(words, db);
  },
};

async function createUsers({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'users')
    .addColumn('user_id', text, (column) => column.primaryKey().notNull())
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_folded', text, (column) => column.notNull().unique())
    .addColumn('password_hash', text, (column) => column.notNull())
    .addColumn('display_name', text)
    .addColumn('referral_code', text, (column) => column.notNull().unique())
    .addColumn('referrer_id', text, (column) => column.references('users.user_id'))
    .addColumn('tier', text, (column) => column.notNull())
    .addColumn('rate_multiplier', 'integer', (column) => column.notNull())
    .addColumn('live_account_id', text, (column) => column.notNull().unique())
    .addColumn('sandbox_account_id', text, (column) => column.notNull().unique())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    // Visitors of the page, who have no password.
    .addColumn('is_demo', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('closed_at_ms', whole)
    .execute();
}

async function createSessions({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'sessions')
    .addColumn('session_id', text, (column) => column.primaryKey().notNull())
    .addColumn('token_hash', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull().references('users.user_id'))
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('expires_at_ms', whole, (column) => column.notNull())
    .addColumn('ended_at_ms', whole)
    .addColumn('stepped_up_at_ms', whole)
    .addColumn('last_seen_at_ms', whole, (column) => column.notNull().defaultTo(0))
    .addColumn('network', text, (column) => column.notNull().defaultTo(''))
    .addColumn('device', text, (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute();
  await db.schema
    .createIndex('sessions_by_end')
    .on('sessions')
    .expression(sql`coalesce(ended_at_ms, expires_at_ms)`)
    .execute();
}

async function createKeys({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'keys')
    .addColumn('public_id', text, (column) => column.primaryKey().notNull())
    .addColumn('salt', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull())
    .addColumn('holder_id', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.references('users.user_id'))
    .addColumn('label', text, (column) => column.notNull())
    .addColumn('permissions', text, (column) => column.notNull())
    .addColumn('tier', text, (column) => column.notNull())
    .addColumn('minted_at', text, (column) =>
      column.notNull().check(sql`minted_at in ('live', 'sandbox')`),
    )
    .addColumn('born_self_serve', 'integer', (column) => column.notNull())
    .addColumn('rate_multiplier', 'integer', (column) => column.notNull())
    .addColumn('live_account_id', text, (column) => column.notNull())
    .addColumn('sandbox_account_id', text, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('expires_at_ms', whole)
    .addColumn('revoked_at_ms', whole)
    .addColumn('last_used_at_ms', whole)
    // The session or the key that minted it: the key ends with it.
    .addColumn('minted_by', text)
    .addColumn('is_stepped_up', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('allowed_networks', text, (column) => column.notNull().defaultTo(''))
    .addColumn('partner_scopes', text, (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .createIndex('keys_by_holder')
    .on('keys')
    .columns(['holder_id', 'created_at_ms desc', 'public_id desc'])
    .execute();
  await db.schema.createIndex('keys_by_tier').on('keys').columns(['tier', 'public_id']).execute();
  await db.schema.createIndex('keys_by_parent').on('keys').column('minted_by').execute();
}

async function createRecords(words: TableWords, db: AnyDatabase): Promise<void> {
  const { text, whole, table, counter } = words;
  await table(db, 'mint_claims')
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('address_hash', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('mint_claims_key', ['day', 'address_hash'])
    .execute();
  await table(db, 'tier_changes', true)
    .addColumn('change_id', whole, counter(false))
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('field', text, (column) =>
      column.notNull().check(sql`field in ('tier', 'rate_multiplier')`),
    )
    .addColumn('old_value', text, (column) => column.notNull())
    .addColumn('new_value', text, (column) => column.notNull())
    .addColumn('actor', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('at_ms', whole, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('tier_changes_by_subject')
    .on('tier_changes')
    .columns(['subject', 'change_id'])
    .execute();
  await createSavedAnswers(words, db);
  await createStatus(words, db);
  await table(db, 'settings')
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('value', text, (column) => column.notNull())
    .execute();
}

async function createStatus({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'lifelines')
    .addColumn('lane', text, (column) => column.notNull())
    .addColumn('credential', text, (column) => column.notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('grace_ms', whole, (column) => column.notNull())
    .addPrimaryKeyConstraint('lifelines_key', ['lane', 'credential'])
    .execute();
  await table(db, 'incidents')
    .addColumn('incident_id', text, (column) => column.primaryKey().notNull())
    .addColumn('lane', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('from_ms', whole, (column) => column.notNull())
    .addColumn('to_ms', whole)
    .addColumn('reason', text, (column) => column.notNull())
    .execute();
}

/** Each store keeps the answers to its own writes, so that both are in one transaction. */
export async function createSavedAnswers(words: TableWords, db: AnyDatabase): Promise<void> {
  const { text, whole, table } = words;
  await table(db, 'saved_answers')
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('body_hash', text, (column) => column.notNull())
    .addColumn('answer', text, (column) => column.notNull())
    .addColumn('at_ms', whole, (column) => column.notNull())
    .addPrimaryKeyConstraint('saved_answers_key', ['scope', 'key'])
    .execute();
  await db.schema.createIndex('saved_answers_by_age').on('saved_answers').column('at_ms').execute();
}
