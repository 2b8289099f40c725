// The platform store in either database: every transaction is on disk before its promise resolves.
import type { Kysely } from 'kysely';
import type {
  DemoReplacement,
  KeyAddition,
  KeyPage,
  KeyRecord,
  MintClaim,
  PasswordChange,
  PasswordChanged,
  PlatformChange,
  PlatformStore,
  RecordedTierChange,
  SavedAnswer,
  SessionRecord,
  TierChange,
  UserRecord,
} from '../../ports/platform.ts';
import { findAnswer, pruneAnswers, saveAnswer, saving, valuesOf } from './answers.ts';
import { SqlAppStore } from './apps.ts';
import { SqlBuilderStore } from './builders.ts';
import { SqlClosingStore } from './closing.ts';
import { SqlComplianceStore } from './compliance.ts';
import { SqlDestinationStore } from './destinations.ts';
import { noteCredentialChange, SqlFactorStore } from './factors.ts';
import { endGrants, SqlGrantStore } from './grants.ts';
import { SqlLetterStore } from './letters.ts';
import { SqlLinkStore } from './links.ts';
import { SqlPlatformNotes } from './platform-notes.ts';
import * as query from './platform-queries.ts';
import {
  changeOf,
  keyOf,
  keyRow,
  sessionOf,
  sessionRow,
  userOf,
  userRow,
} from './platform-rows.ts';
import type { PlatformTables } from './platform-schema.ts';
import { keepLoginIp, SqlProfileStore } from './profiles.ts';
import { SqlSessionList } from './sessions.ts';
import { SqlSigningStore } from './signing.ts';
import type { StoreDatabase } from './store-database.ts';
import { SqlTillStore } from './till.ts';

const DAY_MS = 86_400_000;

type Db = Kysely<PlatformTables>;

export class SqlPlatformStore extends SqlPlatformNotes implements PlatformStore {
  readonly factors: SqlFactorStore;
  readonly profiles: SqlProfileStore;
  readonly sessions: SqlSessionList;
  readonly links: SqlLinkStore;
  readonly closing: SqlClosingStore;
  readonly compliance: SqlComplianceStore;
  readonly destinations: SqlDestinationStore;
  readonly signing: SqlSigningStore;
  readonly till: SqlTillStore;
  readonly letters: SqlLetterStore;
  readonly builders: SqlBuilderStore;
  readonly apps: SqlAppStore;
  readonly grants: SqlGrantStore;
  readonly #database: StoreDatabase<PlatformTables>;
  readonly #listeners = new Set<(change: PlatformChange) => void>();

  constructor(database: StoreDatabase<PlatformTables>) {
    super(database);
    this.#database = database;
    this.destinations = new SqlDestinationStore(database);
    this.till = new SqlTillStore(database);
    this.letters = new SqlLetterStore(database);
    const changed = (userId: string): void => this.#tell({ kind: 'user', userId });
    this.profiles = new SqlProfileStore(database, changed);
    const tell = (change: PlatformChange): void => this.#tell(change);
    this.factors = new SqlFactorStore(database, tell);
    this.signing = new SqlSigningStore(database, tell);
    this.sessions = new SqlSessionList(database, tell);
    this.links = new SqlLinkStore(database, tell);
    this.closing = new SqlClosingStore(database, tell);
    this.compliance = new SqlComplianceStore(database, changed);
    this.builders = new SqlBuilderStore(database, tell);
    this.apps = new SqlAppStore(database, tell);
    this.grants = new SqlGrantStore(database, tell);
  }

  get #reads(): Db {
    return this.#database.reads;
  }

  addUser(user: UserRecord): Promise<boolean> {
    return this.#database.write((tx) => query.addUser(tx, userRow(user)));
  }

  async userById(userId: string): Promise<UserRecord | null> {
    return userOf(await query.userBy(this.#reads, 'user_id', userId));
  }

  async userByEmail(email: string): Promise<UserRecord | null> {
    return userOf(await query.userBy(this.#reads, 'email_folded', email.toLowerCase()));
  }

  async userByReferralCode(code: string): Promise<UserRecord | null> {
    return userOf(await query.userBy(this.#reads, 'referral_code', code));
  }

  async userByAccount(accountId: string): Promise<UserRecord | null> {
    return userOf(await query.userByAccount(this.#reads, accountId));
  }

  async removeDemo(userId: string): Promise<boolean> {
    const isRemoved = await this.#database.write((tx) => query.removeDemo(tx, userId));
    if (isRemoved) this.#tell({ kind: 'user', userId });
    return isRemoved;
  }

  async replaceDemo(demoUserId: string, user: UserRecord): Promise<DemoReplacement> {
    const row = userRow(user);
    const came = await this.#database.write((tx) => query.replaceDemo(tx, demoUserId, row));
    if (came === 'replaced') this.#tell({ kind: 'user', userId: demoUserId });
    return came;
  }

  setUserTier(userId: string, tier: string, change: TierChange): Promise<UserRecord | null> {
    return this.#changeUser(userId, { tier }, (user) => ({
      ...change,
      subject: userId,
      field: 'tier',
      from: user.tier,
      to: tier,
    }));
  }

  setUserRate(userId: string, multiplier: number, change: TierChange): Promise<UserRecord | null> {
    const to = String(multiplier);
    return this.#changeUser(userId, { rate_multiplier: multiplier }, (user) => ({
      ...change,
      subject: userId,
      field: 'rate_multiplier',
      from: String(user.rateMultiplier),
      to,
    }));
  }

  async changePassword(change: PasswordChange): Promise<PasswordChanged | null> {
    const done = await this.#database.write(async (tx) => {
      if (!(await query.setPassword(tx, change))) return null;
      await noteCredentialChange(tx, change.userId, change.atMs);
      const sessionsEnded = await query.endOtherSessions(tx, change);
      await endGrants(tx, { user_id: change.userId }, 'password_changed', change.atMs);
      return { sessionsEnded, revoked: await query.revokeOtherBranches(tx, change) };
    });
    if (done === null) return null;
    this.#tell({ kind: 'user', userId: change.userId });
    for (const publicId of done.revoked) this.#tell({ kind: 'key', publicId });
    return { sessionsEnded: done.sessionsEnded, keysRevoked: done.revoked.length };
  }

  addSession(session: SessionRecord, verifiedHash?: string, fromIp?: string): Promise<boolean> {
    return this.#database.write(async (tx) => {
      const user = await query.userBy(tx, 'user_id', session.userId);
      if (verifiedHash !== undefined && user?.password_hash !== verifiedHash) return false;
      await tx.insertInto('sessions').values(sessionRow(session)).execute();
      if (fromIp !== undefined) await keepLoginIp(tx, session.userId, fromIp);
      return true;
    });
  }

  async sessionById(sessionId: string): Promise<SessionRecord | null> {
    return sessionOf(await query.sessionById(this.#reads, sessionId));
  }

  async endSession(sessionId: string, atMs: number): Promise<void> {
    const isDone = await this.#database.write((tx) => query.endSession(tx, sessionId, atMs));
    if (isDone) this.#tell({ kind: 'session', sessionId });
  }

  async stepUpSession(sessionId: string, atMs: number): Promise<boolean> {
    const isDone = await this.#database.write((tx) => query.stepUpSession(tx, sessionId, atMs));
    if (isDone) this.#tell({ kind: 'session', sessionId });
    return isDone;
  }

  async addKey(key: KeyRecord, saved?: SavedAnswer, activeMax = Infinity): Promise<KeyAddition> {
    const { publicId, holderId, mintedBy, createdAtMs } = key;
    const addition = await this.#database.write(async (tx): Promise<KeyAddition> => {
      if (mintedBy !== null && !(await query.isParentInForce(tx, mintedBy)))
        return 'parent_revoked';
      const active = await query.countActiveKeys(tx, holderId, createdAtMs);
      if (active >= activeMax) return 'too_many';
      await tx.insertInto('keys').values(keyRow(key)).execute();
      await saveAnswer(tx, saved);
      return 'added';
    });
    if (addition === 'added') this.#tell({ kind: 'key', publicId });
    return addition;
  }

  hasClaim(claim: MintClaim): Promise<boolean> {
    return query.hasClaim(this.#reads, claim);
  }

  addAnonymousKey(key: KeyRecord, { day, addressHash }: MintClaim): Promise<boolean> {
    return this.#database.write(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('mint_claims')
        .values({ day, address_hash: addressHash })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      await tx.insertInto('keys').values(keyRow(key)).execute();
      return true;
    });
  }

  async keyById(publicId: string): Promise<KeyRecord | null> {
    return keyOf(await query.keyById(this.#reads, publicId));
  }

  async keysOf(holderId: string, page: KeyPage): Promise<readonly KeyRecord[]> {
    return (await query.keysOf(this.#reads, holderId, page)).map((row) => keyOf(row)!);
  }

  async selfServeKeys(afterId: string, limit: number): Promise<readonly KeyRecord[]> {
    return (await query.selfServeKeys(this.#reads, afterId, limit)).map((row) => keyOf(row)!);
  }

  async revokeKey(publicId: string, atMs: number, saved?: SavedAnswer): Promise<KeyRecord | null> {
    let revoked: readonly string[] = [];
    const changed = await this.#changeKey(publicId, async (tx) => {
      revoked = await query.revokeBranch(tx, publicId, atMs);
      await saveAnswer(tx, saved);
    });
    for (const other of revoked)
      if (other !== publicId) this.#tell({ kind: 'key', publicId: other });
    return changed;
  }

  setKeyTier(publicId: string, tier: string, change: TierChange): Promise<KeyRecord | null> {
    return this.#changeKey(publicId, async (tx, key) => {
      await tx.updateTable('keys').set({ tier }).where('public_id', '=', publicId).execute();
      const what = { subject: publicId, field: 'tier', from: key.tier, to: tier } as const;
      await query.recordChange(tx, { ...change, ...what });
    });
  }

  setKeyRate(publicId: string, multiplier: number, change: TierChange): Promise<KeyRecord | null> {
    return this.#changeKey(publicId, async (tx, key) => {
      const set = { rate_multiplier: multiplier };
      await tx.updateTable('keys').set(set).where('public_id', '=', publicId).execute();
      const [from, to] = [String(key.rateMultiplier), String(multiplier)];
      await query.recordChange(tx, {
        ...change,
        subject: publicId,
        field: 'rate_multiplier',
        from,
        to,
      });
    });
  }

  setPartnerScopes(publicId: string, scopes: readonly string[]): Promise<KeyRecord | null> {
    return this.#changeKey(publicId, async (tx) => {
      const set = { partner_scopes: scopes.join(' ') };
      await tx.updateTable('keys').set(set).where('public_id', '=', publicId).execute();
    });
  }

  async touchKeys(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    await this.#database.write(async (tx) => {
      for (const [publicId, atMs] of uses) await query.touchKey(tx, publicId, atMs);
    });
  }

  async tierChanges(subject: string): Promise<readonly RecordedTierChange[]> {
    const rows = await this.#reads
      .selectFrom('tier_changes')
      .selectAll()
      .where('subject', '=', subject)
      .orderBy('change_id')
      .execute();
    return rows.map(changeOf);
  }

  savedAnswer(scope: string, key: string, sinceMs: number): Promise<SavedAnswer | null> {
    return findAnswer(this.#reads, scope, key, sinceMs);
  }

  saveAnswer(saved: SavedAnswer): Promise<void> {
    return this.#database.write((tx) => saveAnswer(tx, saved));
  }

  keepAnswer(saved: SavedAnswer): Promise<void> {
    return this.#database.writeOne(saving, valuesOf(saved));
  }

  async prune(beforeMs: number): Promise<void> {
    await this.#database.write(async (tx) => {
      await tx
        .deleteFrom('sessions')
        .where(({ eb, fn }) => eb(fn.coalesce('ended_at_ms', 'expires_at_ms'), '<', beforeMs))
        .execute();
      await pruneAnswers(tx, beforeMs);
      const day = Math.floor(beforeMs / DAY_MS);
      await tx.deleteFrom('mint_claims').where('day', '<', day).execute();
    });
    await this.compliance.pruneAddresses(beforeMs);
    await this.closing.pruneExclusions(beforeMs);
    await this.links.prune(beforeMs);
    await this.letters.prune(beforeMs);
    await this.grants.prune(beforeMs);
  }

  copyTo(file: string): Promise<void> {
    return this.#database.copyTo(file);
  }

  onChange(listener: (change: PlatformChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#database.close();
  }

  async #changeUser(
    userId: string,
    set: { readonly tier: string } | { readonly rate_multiplier: number },
    recorded: (user: UserRecord) => RecordedTierChange,
  ): Promise<UserRecord | null> {
    const changed = await this.#database.write(async (tx) => {
      const user = userOf(await query.userBy(tx, 'user_id', userId));
      if (user === null) return null;
      await tx.updateTable('users').set(set).where('user_id', '=', userId).execute();
      await query.recordChange(tx, recorded(user));
      return userOf(await query.userBy(tx, 'user_id', userId));
    });
    if (changed !== null) this.#tell({ kind: 'user', userId });
    return changed;
  }

  async #changeKey(
    publicId: string,
    change: (tx: Db, key: KeyRecord) => Promise<void>,
  ): Promise<KeyRecord | null> {
    const changed = await this.#database.write(async (tx) => {
      const key = keyOf(await query.keyById(tx, publicId));
      if (key === null) return null;
      await change(tx, key);
      return keyOf(await query.keyById(tx, publicId));
    });
    if (changed !== null) this.#tell({ kind: 'key', publicId });
    return changed;
  }

  #tell(change: PlatformChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
