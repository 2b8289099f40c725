// The queries of the platform store, each with a name that says what it does.
import type { Kysely } from 'kysely';
import type { LinkKind } from '../../ports/links.ts';
import type {
  DemoReplacement,
  KeyPage,
  MintClaim,
  PasswordChange,
  RecordedTierChange,
} from '../../ports/platform.ts';
import {
  changeRow,
  type IncidentRow,
  type KeyRow,
  type SessionRow,
  type UserRow,
} from './platform-rows.ts';
import type { PlatformTables } from './platform-schema.ts';

type Db = Kysely<PlatformTables>;

export type UserColumn = 'user_id' | 'email_folded' | 'referral_code';

/** Those who have not closed their accounts: of the others nothing but ids is left. */
function openUsers(db: Db) {
  return db.selectFrom('users').selectAll().where('closed_at_ms', 'is', null);
}

export function userBy(db: Db, column: UserColumn, value: string): Promise<UserRow | undefined> {
  return openUsers(db).where(column, '=', value).executeTakeFirst();
}

export function userByAccount(db: Db, accountId: string): Promise<UserRow | undefined> {
  return openUsers(db)
    .where((eb) =>
      eb.or([eb('live_account_id', '=', accountId), eb('sandbox_account_id', '=', accountId)]),
    )
    .executeTakeFirst();
}

/** False if the email is taken. */
export async function addUser(db: Db, row: UserRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email_folded').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** False, and nothing is removed, if the user is no demo. Its sessions end. */
export async function removeDemo(db: Db, userId: string): Promise<boolean> {
  if ((await userBy(db, 'user_id', userId))?.is_demo !== 1) return false;
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await db.deleteFrom('users').where('user_id', '=', userId).execute();
  return true;
}

export async function replaceDemo(
  db: Db,
  demoUserId: string,
  row: UserRow,
): Promise<DemoReplacement> {
  if ((await userBy(db, 'email_folded', row.email_folded)) !== undefined) return 'email_taken';
  if (!(await removeDemo(db, demoUserId))) return 'demo_gone';
  if (!(await addUser(db, row))) throw new Error(`the email of ${row.user_id} is taken`);
  return 'replaced';
}

/** Links of the user that are not used yet. */
export async function dropLinks(db: Db, userId: string, kind: LinkKind): Promise<void> {
  await db
    .deleteFrom('one_time_links')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .execute();
}

/** False if the password or the session is no longer what it was. Links to set another end with it. */
export async function setPassword(db: Db, change: PasswordChange): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: change.passwordHash })
    .where('user_id', '=', change.userId)
    .where('password_hash', '=', change.verifiedHash)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessions')
          .select('session_id')
          .where('session_id', '=', change.keptSessionId)
          .where('ended_at_ms', 'is', null),
      ),
    )
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await dropLinks(db, change.userId, 'reset_password');
  return true;
}

export async function endOtherSessions(
  db: Db,
  change: Pick<PasswordChange, 'userId' | 'keptSessionId' | 'atMs'>,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ ended_at_ms: change.atMs })
    .where('user_id', '=', change.userId)
    .where('session_id', '<>', change.keptSessionId)
    .where('ended_at_ms', 'is', null)
    .where('expires_at_ms', '>', change.atMs)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export function sessionById(db: Db, sessionId: string): Promise<SessionRow | undefined> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
}

/** False if it has ended before. */
export function endSession(db: Db, sessionId: string, atMs: number): Promise<boolean> {
  return changeOpenSession(db, sessionId, { ended_at_ms: atMs });
}

export function stepUpSession(db: Db, sessionId: string, atMs: number): Promise<boolean> {
  return changeOpenSession(db, sessionId, { stepped_up_at_ms: atMs });
}

async function changeOpenSession(
  db: Db,
  sessionId: string,
  set: { readonly ended_at_ms: number } | { readonly stepped_up_at_ms: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set(set)
    .where('session_id', '=', sessionId)
    .where('ended_at_ms', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function keyById(db: Db, publicId: string): Promise<KeyRow | undefined> {
  return db.selectFrom('keys').selectAll().where('public_id', '=', publicId).executeTakeFirst();
}

/** Whether the session or the key that mints another is in force. */
export async function isParentInForce(db: Db, parentId: string): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('session_id')
    .where('session_id', '=', parentId)
    .where('ended_at_ms', 'is', null)
    .executeTakeFirst();
  if (session !== undefined) return true;
  const key = await db
    .selectFrom('keys')
    .select('public_id')
    .where('public_id', '=', parentId)
    .where('revoked_at_ms', 'is', null)
    .executeTakeFirst();
  return key !== undefined;
}

export async function countActiveKeys(db: Db, holderId: string, atMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('holder_id', '=', holderId)
    .where('revoked_at_ms', 'is', null)
    .where((eb) => eb.or([eb('expires_at_ms', 'is', null), eb('expires_at_ms', '>', atMs)]))
    .executeTakeFirstOrThrow();
  return count;
}

export async function hasClaim(db: Db, { day, addressHash }: MintClaim): Promise<boolean> {
  const claim = await db
    .selectFrom('mint_claims')
    .select('day')
    .where('day', '=', day)
    .where('address_hash', '=', addressHash)
    .executeTakeFirst();
  return claim !== undefined;
}

/** Newest first, then by id. */
export function keysOf(db: Db, holderId: string, page: KeyPage): Promise<KeyRow[]> {
  const { limit, after, environment = null } = page;
  return db
    .selectFrom('keys')
    .selectAll()
    .where('holder_id', '=', holderId)
    .$if(environment === 'sandbox', (query) =>
      query.where((eb) => eb.or([eb('minted_at', '=', 'sandbox'), eb('tier', '=', 'self_serve')])),
    )
    .$if(environment === 'live', (query) =>
      query.where('minted_at', '=', 'live').where('tier', '<>', 'self_serve'),
    )
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at_ms', 'public_id'), '<', tuple(after!.createdAtMs, after!.publicId)),
      ),
    )
    .orderBy('created_at_ms', 'desc')
    .orderBy('public_id', 'desc')
    .limit(limit)
    .execute();
}

export function selfServeKeys(db: Db, afterId: string, limit: number): Promise<KeyRow[]> {
  return db
    .selectFrom('keys')
    .selectAll()
    .where('tier', '=', 'self_serve')
    .where('public_id', '>', afterId)
    .where('minted_at', '=', 'live')
    .where('revoked_at_ms', 'is', null)
    .orderBy('public_id')
    .limit(limit)
    .execute();
}

/** The keys that stem from a session or a key, in any generation. */
function withBranch(db: Db, rootId: string) {
  return db.withRecursive('branch(id)', (query) =>
    query
      .selectFrom('keys')
      .select('public_id as id')
      .where('minted_by', '=', rootId)
      .union((also) =>
        also
          .selectFrom('keys')
          .innerJoin('branch', 'branch.id', 'keys.minted_by')
          .select('keys.public_id as id'),
      ),
  );
}

/** Those that are revoked already keep their time. Gives the ids of the others. */
export async function revokeBranch(db: Db, rootId: string, atMs: number): Promise<string[]> {
  const rows = await withBranch(db, rootId)
    .updateTable('keys')
    .set({ revoked_at_ms: atMs })
    .where('revoked_at_ms', 'is', null)
    .where((eb) =>
      eb.or([
        eb('public_id', '=', rootId),
        eb('public_id', 'in', eb.selectFrom('branch').select('id')),
      ]),
    )
    .returning('public_id')
    .execute();
  return rows.map(({ public_id: id }) => id);
}

/** Every key of the user but those that stem from the kept session. Gives the ids of those that were in force. */
export async function revokeOtherBranches(
  db: Db,
  change: Pick<PasswordChange, 'userId' | 'keptSessionId' | 'atMs'>,
): Promise<string[]> {
  const rows = await withBranch(db, change.keptSessionId)
    .updateTable('keys')
    .set({ revoked_at_ms: change.atMs })
    .where('holder_id', '=', change.userId)
    .where('revoked_at_ms', 'is', null)
    .where((eb) => eb('public_id', 'not in', eb.selectFrom('branch').select('id')))
    .returning('public_id')
    .execute();
  return rows.map(({ public_id: id }) => id);
}

/** Later times only. */
export async function touchKey(db: Db, publicId: string, atMs: number): Promise<void> {
  await db
    .updateTable('keys')
    .set({ last_used_at_ms: atMs })
    .where('public_id', '=', publicId)
    .where((eb) => eb.or([eb('last_used_at_ms', 'is', null), eb('last_used_at_ms', '<', atMs)]))
    .execute();
}

export async function recordChange(db: Db, change: RecordedTierChange): Promise<void> {
  await db.insertInto('tier_changes').values(changeRow(change)).execute();
}

/** Those that go on or ended since. */
export function incidents(db: Db, sinceMs: number): Promise<IncidentRow[]> {
  return db
    .selectFrom('incidents')
    .selectAll()
    .where((eb) => eb.or([eb('to_ms', 'is', null), eb('to_ms', '>=', sinceMs)]))
    .orderBy('from_ms')
    .execute();
}

/** Those that ended before the time given are dropped. */
export async function putIncident(db: Db, row: IncidentRow, oldestMs: number): Promise<void> {
  const { to_ms, reason } = row;
  await db
    .insertInto('incidents')
    .values(row)
    .onConflict((conflict) => conflict.column('incident_id').doUpdateSet({ to_ms, reason }))
    .execute();
  await db.deleteFrom('incidents').where('to_ms', '<', oldestMs).execute();
}
