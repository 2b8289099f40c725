// One-time links in either database, beside the users that they belong to.
import type { Kysely } from 'kysely';
import {
  type LinkKind,
  type LinkRecord,
  type LinkStore,
  linkKinds,
  type PasswordReset,
} from '../../ports/links.ts';
import type { PasswordChanged, PlatformChange } from '../../ports/platform.ts';
import { restartDelay } from './destinations.ts';
import type { AnyDatabase, TableWords } from './dialect.ts';
import { holdTrading, noteCredentialChange } from './factors.ts';
import { endGrants } from './grants.ts';
import * as query from './platform-queries.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

type Db = Kysely<PlatformTables>;

export interface LinkTables {
  /** Keyed hashes: nobody who reads this table can use one. */
  one_time_links: {
    token_hash: string;
    kind: string;
    user_id: string;
    expires_at_ms: number;
    by_hand: number;
  };
}

export async function createLinks({ text, whole, table }: TableWords, db: AnyDatabase) {
  await table(db, 'one_time_links')
    .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull().references('users.user_id'))
    .addColumn('expires_at_ms', whole, (column) => column.notNull())
    .addColumn('by_hand', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('links_by_user').on('one_time_links').column('user_id').execute();
}

export class SqlLinkStore implements LinkStore {
  readonly #database: StoreDatabase<PlatformTables>;
  readonly #tell: (change: PlatformChange) => void;

  constructor(database: StoreDatabase<PlatformTables>, tell: (change: PlatformChange) => void) {
    this.#database = database;
    this.#tell = tell;
  }

  async add({ tokenHash, kind, userId, expiresAtMs, byHand }: LinkRecord): Promise<void> {
    const row = {
      token_hash: tokenHash,
      kind,
      user_id: userId,
      expires_at_ms: expiresAtMs,
      by_hand: byHand ? 1 : 0,
    };
    await this.#database.write(async (tx) => {
      if (kind === 'reset_password') await query.dropLinks(tx, userId, kind);
      await tx.insertInto('one_time_links').values(row).execute();
    });
  }

  find(kind: LinkKind, tokenHash: string, nowMs: number): Promise<LinkRecord | null> {
    return goodLink(this.#database.reads, kind, tokenHash, nowMs);
  }

  async confirmEmail(tokenHash: string, atMs: number): Promise<string | null> {
    const userId = await this.#database.write(async (tx) => {
      const link = await useUp(tx, 'verify_email', tokenHash, atMs);
      if (link === null) return null;
      const verified = { email_verified_at_ms: atMs };
      const blank = { wallet_address: null, country: null, phone: null, language: null };
      await tx
        .insertInto('profiles')
        .values({ user_id: link.userId, ...blank, ...verified })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(verified))
        .execute();
      return link.userId;
    });
    if (userId !== null) this.#tell({ kind: 'user', userId });
    return userId;
  }

  async resetPassword(reset: PasswordReset): Promise<PasswordChanged | null> {
    const { tokenHash, passwordHash, atMs, destinations } = reset;
    const done = await this.#database.write(async (tx) => {
      const link = await useUp(tx, 'reset_password', tokenHash, atMs);
      if (link === null) return null;
      const { userId } = link;
      await tx
        .updateTable('users')
        .set({ password_hash: passwordHash })
        .where('user_id', '=', userId)
        .execute();
      await noteCredentialChange(tx, userId, atMs);
      if (link.byHand) await holdTrading(tx, userId, reset.tradingHeldUntilMs);
      await restartDelay(tx, userId, destinations);
      // No session has this name: all of them end, and every key with them.
      const all = { userId, keptSessionId: '', atMs };
      const sessionsEnded = await query.endOtherSessions(tx, all);
      await endGrants(tx, { user_id: userId }, 'password_changed', atMs);
      return { userId, sessionsEnded, revoked: await query.revokeOtherBranches(tx, all) };
    });
    if (done === null) return null;
    this.#tell({ kind: 'user', userId: done.userId });
    for (const publicId of done.revoked) this.#tell({ kind: 'key', publicId });
    return { sessionsEnded: done.sessionsEnded, keysRevoked: done.revoked.length };
  }

  async prune(beforeMs: number): Promise<void> {
    await this.#database.write((tx) =>
      tx.deleteFrom('one_time_links').where('expires_at_ms', '<', beforeMs).execute(),
    );
  }
}

async function goodLink(
  db: Db,
  kind: LinkKind,
  tokenHash: string,
  nowMs: number,
): Promise<LinkRecord | null> {
  const row = await db
    .selectFrom('one_time_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst();
  return row === undefined ? null : linkOf(row);
}

/** Of many at once one gets it: whoever deletes the row. */
async function useUp(
  tx: Db,
  kind: LinkKind,
  tokenHash: string,
  nowMs: number,
): Promise<LinkRecord | null> {
  const row = await tx
    .deleteFrom('one_time_links')
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_at_ms', '>', nowMs)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await query.dropLinks(tx, row.user_id, kind);
  return linkOf(row);
}

function linkOf(row: LinkTables['one_time_links']): LinkRecord {
  return {
    tokenHash: row.token_hash,
    kind: linkKinds.find((kind) => kind === row.kind) ?? 'verify_email',
    userId: row.user_id,
    expiresAtMs: row.expires_at_ms,
    byHand: row.by_hand === 1,
  };
}
