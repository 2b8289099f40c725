// The end of a user in either database: one transaction over all tables that know a person.
import type { Kysely } from 'kysely';
import type { ClosingStore, KeptExclusion, Member } from '../../ports/closing.ts';
import type { PlatformChange } from '../../ports/platform.ts';
import { forgetAnswers } from './answers.ts';
import { closeApps } from './apps.ts';
import { endGrants } from './grants.ts';
import * as query from './platform-queries.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

type Db = Kysely<PlatformTables>;

/** Tables of which every row of the user goes. */
const WHOLE = [
  'sessions',
  'passkeys',
  'profiles',
  'credential_changes',
  'one_time_links',
  'letters',
  'destinations',
  'builders',
] as const;

/** The same of tables that call the user their owner. */
const OWNED = ['totp_seeds', 'recovery_codes'] as const;

export class SqlClosingStore implements ClosingStore {
  readonly #database: StoreDatabase<PlatformTables>;
  readonly #tell: (change: PlatformChange) => void;

  constructor(database: StoreDatabase<PlatformTables>, tell: (change: PlatformChange) => void) {
    this.#database = database;
    this.#tell = tell;
  }

  async erase(
    userId: string,
    atMs: number,
    exclusion: KeptExclusion | null = null,
  ): Promise<boolean> {
    const ended = await this.#database.write(async (tx) => {
      const user = await query.userBy(tx, 'user_id', userId);
      if (user === undefined) return null;
      await nameless(tx, userId, atMs);
      for (const table of WHOLE) await tx.deleteFrom(table).where('user_id', '=', userId).execute();
      for (const table of OWNED)
        await tx.deleteFrom(table).where('owner_id', '=', userId).execute();
      await forgetAnswers(tx, userId);
      if (exclusion !== null) await keep(tx, exclusion);
      const apps = await closeApps(tx, userId, atMs);
      await endGrants(tx, { user_id: userId }, 'account_closed', atMs);
      const held = await endGrants(tx, { partner_id: userId }, 'partner_closed', atMs);
      return { apps, held, keys: await endKeys(tx, userId, atMs) };
    });
    if (ended === null) return false;
    this.#tell({ kind: 'user', userId });
    for (const publicId of ended.keys) this.#tell({ kind: 'key', publicId });
    for (const appId of ended.apps) this.#tell({ kind: 'app', appId });
    for (const grantId of ended.held) this.#tell({ kind: 'grant', grantId });
    return true;
  }

  async excludedUntilMs(emailHash: string, nowMs: number): Promise<number | null> {
    const row = await this.#database.reads
      .selectFrom('kept_exclusions')
      .select('until_ms')
      .where('email_hash', '=', emailHash)
      .where('until_ms', '>', nowMs)
      .executeTakeFirst();
    return row?.until_ms ?? null;
  }

  async pruneExclusions(beforeMs: number): Promise<void> {
    await this.#database.write((tx) =>
      tx.deleteFrom('kept_exclusions').where('until_ms', '<', beforeMs).execute(),
    );
  }

  async memberById(userId: string): Promise<Member | null> {
    const row = await this.#members.where('user_id', '=', userId).executeTakeFirst();
    return row ?? null;
  }

  async memberByAccount(accountId: string): Promise<Member | null> {
    const row = await this.#members
      .where((eb) =>
        eb.or([eb('live_account_id', '=', accountId), eb('sandbox_account_id', '=', accountId)]),
      )
      .executeTakeFirst();
    return row ?? null;
  }

  get #members() {
    return this.#database.reads
      .selectFrom('users')
      .select(['user_id as userId', 'referrer_id as referrerId']);
  }
}

/** The row stays for those whom the user invited; what stands in place of the address is none. */
async function nameless(tx: Db, userId: string, atMs: number): Promise<void> {
  const nobody = `closed ${userId}`;
  await tx
    .updateTable('users')
    .set({
      email: nobody,
      email_folded: nobody,
      referral_code: nobody,
      password_hash: '',
      display_name: null,
      closed_at_ms: atMs,
    })
    .where('user_id', '=', userId)
    .execute();
}

/** One that is over may still be there. */
async function keep(tx: Db, { emailHash, untilMs }: KeptExclusion): Promise<void> {
  await tx
    .insertInto('kept_exclusions')
    .values({ email_hash: emailHash, until_ms: untilMs })
    .onConflict((conflict) => conflict.column('email_hash').doUpdateSet({ until_ms: untilMs }))
    .execute();
}

async function endKeys(tx: Db, userId: string, atMs: number): Promise<readonly string[]> {
  await tx
    .updateTable('keys')
    .set({ label: '', allowed_networks: '' })
    .where('holder_id', '=', userId)
    .execute();
  const ended = await tx
    .updateTable('keys')
    .set({ revoked_at_ms: atMs })
    .where('holder_id', '=', userId)
    .where('revoked_at_ms', 'is', null)
    .returning('public_id')
    .execute();
  return ended.map(({ public_id: id }) => id);
}
