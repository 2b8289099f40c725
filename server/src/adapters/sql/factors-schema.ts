// The tables of second factors, in the database of the platform store, and what they add to sessions and keys.
import type { Generated } from 'kysely';
import type { AuthenticatorTables } from './authenticators.ts';
import { createAuthenticators } from './authenticators-schema.ts';
import type { AnyDatabase, TableWords } from './dialect.ts';

export interface FactorTables extends AuthenticatorTables {
  passkeys: {
    passkey_id: string;
    credential_id: string;
    user_id: string;
    public_key: string;
    counter: number;
    /** Separated by spaces. */
    transports: string;
    is_synced: number;
    label: string;
    created_at_ms: number;
    last_used_at_ms: number | null;
  };
  profiles: {
    user_id: string;
    wallet_address: string | null;
    country: string | null;
    is_country_fixed: Generated<number>;
    phone: string | null;
    language: string | null;
    email_verified_at_ms: number | null;
  };
  /** Challenges for passkeys that were answered, until they are over; of nobody in particular. */
  used_challenges: { challenge: string; until_ms: number };
  /** When the password or a factor was last changed. */
  credential_changes: { user_id: string; at_ms: number };
}

/** Sessions of before were not stepped up since; keys that nobody stands behind never could be. */
export async function extendCredentials({ text, whole }: TableWords, db: AnyDatabase) {
  const sessions = db.schema.alterTable('sessions');
  await sessions.addColumn('stepped_up_at_ms', whole).execute();
  await sessions
    .addColumn('last_seen_at_ms', whole, (column) => column.notNull().defaultTo(0))
    .execute();
  await sessions.addColumn('network', text, (column) => column.notNull().defaultTo('')).execute();
  await sessions.addColumn('device', text, (column) => column.notNull().defaultTo('')).execute();
  const keys = db.schema.alterTable('keys');
  await keys
    .addColumn('is_stepped_up', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await keys
    .addColumn('allowed_networks', text, (column) => column.notNull().defaultTo(''))
    .execute();
  await db
    .updateTable('sessions')
    .set((eb) => ({ last_seen_at_ms: eb.ref('created_at_ms') }))
    .execute();
  await db.updateTable('keys').set({ is_stepped_up: 1 }).where('user_id', 'is', null).execute();
}

export async function createFactors(words: TableWords, db: AnyDatabase) {
  const { text, whole, table } = words;
  await createAuthenticators(words, db, { column: 'user_id', key: 'users.user_id' });
  await table(db, 'credential_changes')
    .addColumn('user_id', text, (column) =>
      column.primaryKey().notNull().references('users.user_id'),
    )
    .addColumn('at_ms', whole, (column) => column.notNull())
    .execute();
}

export async function createPasskeys({ text, whole, table }: TableWords, db: AnyDatabase) {
  await table(db, 'passkeys')
    .addColumn('passkey_id', text, (column) => column.primaryKey().notNull())
    .addColumn('credential_id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, (column) => column.notNull().references('users.user_id'))
    .addColumn('public_key', text, (column) => column.notNull())
    .addColumn('counter', whole, (column) => column.notNull())
    .addColumn('transports', text, (column) => column.notNull())
    .addColumn('is_synced', 'integer', (column) => column.notNull())
    .addColumn('label', text, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('last_used_at_ms', whole)
    .execute();
  await db.schema.createIndex('passkeys_by_user').on('passkeys').column('user_id').execute();
}

export async function createProfiles({ text, whole, table }: TableWords, db: AnyDatabase) {
  await table(db, 'profiles')
    .addColumn('user_id', text, (column) =>
      column.primaryKey().notNull().references('users.user_id'),
    )
    .addColumn('wallet_address', text)
    .addColumn('country', text)
    .addColumn('phone', text)
    .addColumn('language', text)
    .addColumn('email_verified_at_ms', whole)
    .execute();
}

/** Who set the countries of before is not known: their users go on changing them. */
export async function fixCountries(db: AnyDatabase): Promise<void> {
  await db.schema
    .alterTable('profiles')
    .addColumn('is_country_fixed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

export async function createUsedChallenges({ text, whole, table }: TableWords, db: AnyDatabase) {
  await table(db, 'used_challenges')
    .addColumn('challenge', text, (column) => column.primaryKey().notNull())
    .addColumn('until_ms', whole, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('used_challenges_by_end')
    .on('used_challenges')
    .column('until_ms')
    .execute();
}

/** Operators have authenticators too: whose one is is said by the same word in either store. */
export async function nameOwners(db: AnyDatabase): Promise<void> {
  for (const table of ['totp_seeds', 'recovery_codes']) {
    await db.schema.alterTable(table).renameColumn('user_id', 'owner_id').execute();
  }
}
