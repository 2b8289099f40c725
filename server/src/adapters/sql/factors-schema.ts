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
    last_login_ip: string | null;
  };
  /** Challenges for passkeys that were answered, until they are over; of nobody in particular. */
  used_challenges: { challenge: string; until_ms: number };
  /** When the password or a factor was last changed, and until when a reset by hand stops trading. */
  credential_changes: {
    user_id: string;
    at_ms: number;
    trading_held_until_ms: Generated<number | null>;
  };
}

export async function createFactors(words: TableWords, db: AnyDatabase) {
  const { text, whole, table } = words;
  await createAuthenticators(words, db, 'users.user_id');
  await table(db, 'credential_changes')
    .addColumn('user_id', text, (column) =>
      column.primaryKey().notNull().references('users.user_id'),
    )
    .addColumn('at_ms', whole, (column) => column.notNull())
    .addColumn('trading_held_until_ms', whole)
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
    .addColumn('is_country_fixed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('phone', text)
    .addColumn('language', text)
    .addColumn('email_verified_at_ms', whole)
    .addColumn('last_login_ip', text)
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
