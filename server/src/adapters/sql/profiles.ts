// Profiles in either database, beside the users that they belong to.
import type { Kysely } from 'kysely';
import type {
  CreatorWallet,
  ProfileChange,
  ProfileRecord,
  ProfileStore,
} from '../../ports/profiles.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

export class SqlProfileStore implements ProfileStore {
  readonly #database: StoreDatabase<PlatformTables>;
  /** Told after a change is durable: what somebody may do can depend on it. */
  readonly #changed: (userId: string) => void;

  constructor(database: StoreDatabase<PlatformTables>, changed: (userId: string) => void) {
    this.#database = database;
    this.#changed = changed;
  }

  of(userId: string): Promise<ProfileRecord | null> {
    return read(this.#database.reads, userId);
  }

  async wallets(): Promise<readonly CreatorWallet[]> {
    const rows = await this.#database.reads
      .selectFrom('profiles')
      .innerJoin('users', 'users.user_id', 'profiles.user_id')
      .select(['users.user_id', 'live_account_id', 'sandbox_account_id', 'wallet_address'])
      .where('wallet_address', 'is not', null)
      .where('users.closed_at_ms', 'is', null)
      .execute();
    return rows.map((row) => ({
      userId: row.user_id,
      accounts: { live: row.live_account_id, sandbox: row.sandbox_account_id },
      address: row.wallet_address ?? '',
    }));
  }

  async change(
    userId: string,
    change: ProfileChange,
    permits: (before: ProfileRecord) => boolean = () => true,
  ): Promise<ProfileRecord | null> {
    const changed = await this.#database.write(async (tx) => {
      const before = await read(tx, userId);
      if (before === null || !permits(before)) return null;
      const after = { ...before, ...change };
      const row = {
        wallet_address: after.walletAddress,
        country: after.country,
        is_country_fixed: after.isCountryFixed ? 1 : 0,
        phone: after.phone,
        language: after.language,
      };
      await tx
        .insertInto('profiles')
        .values({ user_id: userId, email_verified_at_ms: null, ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute();
      const name = { display_name: after.displayName };
      await tx.updateTable('users').set(name).where('user_id', '=', userId).execute();
      return after;
    });
    if (changed !== null) this.#changed(userId);
    return changed;
  }
}

/** Where the user's last session was begun; nothing else of the profile changes. */
export async function keepLoginIp(
  tx: Kysely<PlatformTables>,
  userId: string,
  fromIp: string,
): Promise<void> {
  const row = { last_login_ip: fromIp };
  await tx
    .insertInto('profiles')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

async function read(db: Kysely<PlatformTables>, userId: string): Promise<ProfileRecord | null> {
  const row = await db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.user_id', 'users.user_id')
    .select(['users.display_name', 'wallet_address', 'country', 'phone', 'language'])
    .select(['is_country_fixed', 'email_verified_at_ms', 'last_login_ip'])
    .where('users.user_id', '=', userId)
    .where('users.closed_at_ms', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    userId,
    displayName: row.display_name,
    walletAddress: row.wallet_address,
    country: row.country,
    isCountryFixed: row.is_country_fixed === 1,
    phone: row.phone,
    language: row.language,
    emailVerifiedAtMs: row.email_verified_at_ms,
    lastLoginIp: row.last_login_ip,
  };
}
