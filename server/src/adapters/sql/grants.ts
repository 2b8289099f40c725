// Grants, codes and tokens in either database, beside the users and apps that they belong to.
import type { Kysely } from 'kysely';
import type {
  CodeRecord,
  Delegated,
  Exchanged,
  GrantAddition,
  GrantEnd,
  GrantPage,
  GrantRecord,
  GrantStore,
  TokenPair,
  TokenRecord,
} from '../../ports/grants.ts';
import type { PlatformChange, SavedAnswer } from '../../ports/platform.ts';
import { saveAnswer } from './answers.ts';
import { codeOf, codeRow, grantOf, grantRow, tokenOf, tokenRow } from './grants-rows.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

type Db = Kysely<PlatformTables>;

/** Of one question; a user has fewer that hold. */
const LOOKED_AT_MAX = 500;

export class SqlGrantStore implements GrantStore {
  readonly #database: StoreDatabase<PlatformTables>;
  readonly #tell: (change: PlatformChange) => void;

  constructor(database: StoreDatabase<PlatformTables>, tell: (change: PlatformChange) => void) {
    this.#database = database;
    this.#tell = tell;
  }

  add(
    grant: GrantRecord,
    code: CodeRecord | null,
    max: number,
    saved?: SavedAnswer,
  ): Promise<GrantAddition> {
    return this.#database
      .write(async (tx): Promise<GrantAddition> => {
        if ((await countHolding(tx, grant.userId, grant.createdAtMs)) >= max) return 'too_many';
        await tx.insertInto('grants').values(grantRow(grant)).execute();
        if (code !== null) await tx.insertInto('grant_codes').values(codeRow(code)).execute();
        await saveAnswer(tx, saved);
        return 'added';
      })
      .then((addition) => {
        if (addition === 'added') this.#tell({ kind: 'grant', grantId: grant.grantId });
        return addition;
      });
  }

  grantById(grantId: string): Promise<GrantRecord | null> {
    return readGrant(this.#database.reads, grantId);
  }

  async grantsOf(
    userId: string,
    { limit, inForceAtMs, after }: GrantPage,
  ): Promise<readonly GrantRecord[]> {
    let query = this.#database.reads
      .selectFrom('grants')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at_ms', 'desc')
      .orderBy('grant_id', 'desc')
      .limit(limit);
    if (inForceAtMs !== null) {
      query = query.where('revoked_at_ms', 'is', null).where('expires_at_ms', '>', inForceAtMs);
    }
    if (after !== null) {
      const { createdAtMs, grantId } = after;
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at_ms', 'grant_id'), '<', tuple(createdAtMs, grantId)),
      );
    }
    return (await query.execute()).map(grantOf);
  }

  async delegations({ partnerId, accountId, lane }: Delegated): Promise<readonly GrantRecord[]> {
    const rows = await this.#database.reads
      .selectFrom('grants')
      .selectAll()
      .where('partner_id', '=', partnerId)
      .where('account_id', '=', accountId)
      .where('lane', '=', lane)
      .where('revoked_at_ms', 'is', null)
      .orderBy('expires_at_ms', 'desc')
      .orderBy('created_at_ms', 'desc')
      .orderBy('grant_id', 'desc')
      .limit(LOOKED_AT_MAX)
      .execute();
    return rows.map(grantOf);
  }

  async over(grantIds: readonly string[], atMs: number): Promise<readonly GrantRecord[]> {
    const found: GrantRecord[] = [];
    for (let from = 0; from < grantIds.length; from += LOOKED_AT_MAX) {
      const rows = await this.#database.reads
        .selectFrom('grants')
        .selectAll()
        .where('grant_id', 'in', grantIds.slice(from, from + LOOKED_AT_MAX))
        .where((eb) =>
          eb.or([eb('revoked_at_ms', 'is not', null), eb('expires_at_ms', '<=', atMs)]),
        )
        .execute();
      found.push(...rows.map(grantOf));
    }
    return found;
  }

  async codeById(publicId: string): Promise<CodeRecord | null> {
    const row = await this.#database.reads
      .selectFrom('grant_codes')
      .selectAll()
      .where('public_id', '=', publicId)
      .executeTakeFirst();
    return row === undefined ? null : codeOf(row);
  }

  async tokenById(publicId: string): Promise<TokenRecord | null> {
    const row = await this.#database.reads
      .selectFrom('grant_tokens')
      .selectAll()
      .where('public_id', '=', publicId)
      .executeTakeFirst();
    return row === undefined ? null : tokenOf(row);
  }

  exchangeCode(
    codeId: string,
    issued: TokenPair,
    lastsUntilMs: number,
    atMs: number,
  ): Promise<Exchanged> {
    return this.#exchange(issued, 'code_reused', atMs, async (tx, grantId) => {
      const { numUpdatedRows } = await tx
        .updateTable('grant_codes')
        .set({ consumed_at_ms: atMs })
        .where('public_id', '=', codeId)
        .where('consumed_at_ms', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
      await tx
        .updateTable('grants')
        .set({ expires_at_ms: lastsUntilMs })
        .where('grant_id', '=', grantId)
        .execute();
      return true;
    });
  }

  rotate(refreshId: string, issued: TokenPair, atMs: number): Promise<Exchanged> {
    return this.#exchange(issued, 'refresh_token_reused', atMs, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('grant_tokens')
        .set({ used_at_ms: atMs })
        .where('public_id', '=', refreshId)
        .where('kind', '=', 'refresh')
        .where('used_at_ms', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }

  async end(
    grantId: string,
    why: GrantEnd,
    atMs: number,
    saved?: SavedAnswer,
  ): Promise<GrantRecord | null> {
    const ended = await this.#database.write(async (tx) => {
      await endGrants(tx, { grant_id: grantId }, why, atMs);
      await saveAnswer(tx, saved);
      return readGrant(tx, grantId);
    });
    if (ended !== null) this.#tell({ kind: 'grant', grantId });
    return ended;
  }

  async revokeToken(publicId: string, atMs: number): Promise<void> {
    const grantId = await this.#database.write(async (tx) => {
      const row = await tx
        .updateTable('grant_tokens')
        .set({ revoked_at_ms: atMs })
        .where('public_id', '=', publicId)
        .where('revoked_at_ms', 'is', null)
        .returning('grant_id')
        .executeTakeFirst();
      return row?.grant_id ?? null;
    });
    if (grantId !== null) this.#tell({ kind: 'grant', grantId });
  }

  async touch(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    await this.#database.write(async (tx) => {
      for (const [grantId, atMs] of uses) {
        await tx
          .updateTable('grants')
          .set({ last_used_at_ms: atMs })
          .where('grant_id', '=', grantId)
          .where((eb) =>
            eb.or([eb('last_used_at_ms', 'is', null), eb('last_used_at_ms', '<', atMs)]),
          )
          .execute();
      }
    });
  }

  async prune(beforeMs: number): Promise<void> {
    await this.#database.write(async (tx) => {
      await tx.deleteFrom('grant_codes').where('expires_at_ms', '<', beforeMs).execute();
      await tx.deleteFrom('grant_tokens').where('expires_at_ms', '<', beforeMs).execute();
    });
  }

  /** `use` marks what is exchanged, and says whether it was the first to. */
  async #exchange(
    { access, refresh }: TokenPair,
    reused: GrantEnd,
    atMs: number,
    use: (tx: Db, grantId: string) => Promise<boolean>,
  ): Promise<Exchanged> {
    const { grantId } = access;
    const done = await this.#database.write(async (tx): Promise<Exchanged> => {
      const grant = await readGrant(tx, grantId);
      if (!(await use(tx, grantId))) {
        await endGrants(tx, { grant_id: grantId }, reused, atMs);
        return 'reused';
      }
      if (grant === null || grant.revokedAtMs !== null) return 'over';
      await tx
        .insertInto('grant_tokens')
        .values([tokenRow(access), tokenRow(refresh)])
        .execute();
      return 'exchanged';
    });
    if (done !== 'exchanged') this.#tell({ kind: 'grant', grantId });
    return done;
  }
}

/** The first end stands. Gives the ids of those that ended now, for those who must know. */
export async function endGrants(
  db: Db,
  whose:
    | { readonly grant_id: string }
    | { readonly user_id: string }
    | { readonly app_id: string }
    | { readonly partner_id: string },
  why: GrantEnd,
  atMs: number,
): Promise<readonly string[]> {
  const ended = await db
    .updateTable('grants')
    .set({ revoked_at_ms: atMs, revoked_for: why })
    .where((eb) => eb.and(whose))
    .where('revoked_at_ms', 'is', null)
    .returning('grant_id')
    .execute();
  return ended.map(({ grant_id: id }) => id);
}

async function readGrant(db: Db, grantId: string): Promise<GrantRecord | null> {
  const row = await db
    .selectFrom('grants')
    .selectAll()
    .where('grant_id', '=', grantId)
    .executeTakeFirst();
  return row === undefined ? null : grantOf(row);
}

async function countHolding(db: Db, userId: string, nowMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('grants')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('revoked_at_ms', 'is', null)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirstOrThrow();
  return Number(count);
}
