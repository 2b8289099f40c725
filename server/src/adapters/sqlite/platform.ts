// The platform store in SQLite: one file, every transaction on disk before its promise resolves.

import { migrate, ownFile, PageSums, sumPages } from '@sibyl/storage';
import Database from 'better-sqlite3';
import type {
  KeyAddition,
  KeyPage,
  KeyRecord,
  LifelineRecord,
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
import type { IncidentRecord } from '../../ports/status.ts';
import {
  type ChangeRow,
  changeOf,
  type KeyRow,
  keyOf,
  keyRow,
  type SavedRow,
  type SessionRow,
  savedOf,
  sessionOf,
  sessionRow,
  type UserRow,
  userOf,
  userRow,
} from './platform-rows.ts';
import { preparePlatform, type Statements } from './platform-statements.ts';

const DAY_MS = 86_400_000;
/** Longer than anybody is told of them. */
const INCIDENTS_KEPT_MS = 120 * DAY_MS;

type PublicId = Pick<KeyRow, 'public_id'>;

/** Another process that holds the file will not let go of it soon. */
const BUSY_TIMEOUT_MS = 500;

/** What `PRAGMA synchronous` must read back as: below FULL a power cut takes acknowledged writes. */
const SYNCHRONOUS_FULL = 2;

export class SqlitePlatformStore implements PlatformStore {
  readonly #database: Database.Database;
  readonly #sums: PageSums;
  readonly #sql: Statements;
  readonly #listeners = new Set<(change: PlatformChange) => void>();

  /** Opens the file alone, with its pragmas verified and its schema brought up to date. */
  static open(file: string, migrationsDir: string): SqlitePlatformStore {
    ownFile(file);
    const sums = new PageSums({ file });
    const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma('trusted_schema = OFF');
    database.pragma('wal_autocheckpoint = 0');
    if (database.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL) {
      database.close();
      throw new Error(`${file}: this SQLite does not sync its commits`);
    }
    migrate(database, migrationsDir);
    sums.settle(database);
    return new SqlitePlatformStore(database, sums);
  }

  private constructor(database: Database.Database, sums: PageSums) {
    this.#database = database;
    this.#sums = sums;
    this.#sql = preparePlatform(database);
  }

  async addUser(user: UserRecord): Promise<boolean> {
    return this.#atomically(() => this.#sql.addUser.run(userRow(user)).changes === 1);
  }

  async userById(userId: string): Promise<UserRecord | null> {
    return userOf(this.#sql.userById.get(userId) as UserRow | undefined);
  }

  async userByEmail(email: string): Promise<UserRecord | null> {
    return userOf(this.#sql.userByEmail.get(email.toLowerCase()) as UserRow | undefined);
  }

  async userByReferralCode(code: string): Promise<UserRecord | null> {
    return userOf(this.#sql.userByReferralCode.get(code) as UserRow | undefined);
  }

  async userByAccount(accountId: string): Promise<UserRecord | null> {
    return userOf(this.#sql.userByAccount.get({ accountId }) as UserRow | undefined);
  }

  async removeUser(userId: string): Promise<void> {
    const removed = this.#atomically(() => {
      this.#sql.removeSessions.run(userId);
      return this.#sql.removeUser.run(userId).changes;
    });
    if (removed > 0) this.#tell({ kind: 'user', userId });
  }

  async setUserTier(userId: string, tier: string, change: TierChange): Promise<UserRecord | null> {
    const changed = this.#atomically(() => {
      const user = userOf(this.#sql.userById.get(userId) as UserRow | undefined);
      if (user === null) return null;
      this.#sql.setUserTier.run(tier, userId);
      this.#recordChange({ ...change, subject: userId, field: 'tier', from: user.tier, to: tier });
      return { ...user, tier };
    });
    if (changed !== null) this.#tell({ kind: 'user', userId });
    return changed;
  }

  async setUserRate(
    userId: string,
    multiplier: number,
    change: TierChange,
  ): Promise<UserRecord | null> {
    const changed = this.#atomically(() => {
      const user = userOf(this.#sql.userById.get(userId) as UserRow | undefined);
      if (user === null) return null;
      this.#sql.setUserRate.run(multiplier, userId);
      const [from, to] = [String(user.rateMultiplier), String(multiplier)];
      this.#recordChange({ ...change, subject: userId, field: 'rate_multiplier', from, to });
      return { ...user, rateMultiplier: multiplier };
    });
    if (changed !== null) this.#tell({ kind: 'user', userId });
    return changed;
  }

  async changePassword(change: PasswordChange): Promise<PasswordChanged | null> {
    const { passwordHash, verifiedHash, ...kept } = change;
    const { userId, keptSessionId } = kept;
    const done = this.#atomically(() => {
      const wanted = { passwordHash, verifiedHash, userId, keptSessionId };
      if (this.#sql.setPassword.run(wanted).changes === 0) return null;
      return {
        sessionsEnded: this.#sql.endOtherSessions.run(kept).changes,
        revoked: this.#sql.revokeOtherBranches.all(kept) as PublicId[],
      };
    });
    if (done === null) return null;
    this.#tell({ kind: 'user', userId });
    this.#tellOfKeys(done.revoked);
    return { sessionsEnded: done.sessionsEnded, keysRevoked: done.revoked.length };
  }

  async addSession(session: SessionRecord, verifiedHash?: string): Promise<boolean> {
    return this.#atomically(() => {
      const isStale =
        verifiedHash !== undefined &&
        this.#sql.hasPassword.get(session.userId, verifiedHash) === undefined;
      if (!isStale) this.#sql.addSession.run(sessionRow(session));
      return !isStale;
    });
  }

  async sessionById(sessionId: string): Promise<SessionRecord | null> {
    return sessionOf(this.#sql.sessionById.get(sessionId) as SessionRow | undefined);
  }

  async endSession(sessionId: string, atMs: number): Promise<void> {
    const ended = this.#atomically(() => this.#sql.endSession.run(atMs, sessionId).changes);
    if (ended === 0) return;
    this.#tell({ kind: 'session', sessionId });
  }

  async addKey(key: KeyRecord, saved?: SavedAnswer, activeMax = Infinity): Promise<KeyAddition> {
    const { publicId, holderId, mintedBy, createdAtMs } = key;
    const addition = this.#atomically((): KeyAddition => {
      if (mintedBy !== null && this.#sql.parentInForce.get({ mintedBy }) === undefined)
        return 'parent_revoked';
      const active = this.#sql.activeKeys.get({ holderId, createdAtMs }) as { count: number };
      if (active.count >= activeMax) return 'too_many';
      this.#sql.addKey.run(keyRow(key));
      if (saved !== undefined) this.#sql.save.run(saved);
      return 'added';
    });
    if (addition === 'added') this.#tell({ kind: 'key', publicId });
    return addition;
  }

  async hasClaim(claim: MintClaim): Promise<boolean> {
    return this.#sql.claim.get(claim.day, claim.addressHash) !== undefined;
  }

  async addAnonymousKey(key: KeyRecord, claim: MintClaim): Promise<boolean> {
    return this.#atomically(() => {
      if (this.#sql.claimMint.run(claim.day, claim.addressHash).changes === 0) return false;
      this.#sql.addKey.run(keyRow(key));
      return true;
    });
  }

  async keyById(publicId: string): Promise<KeyRecord | null> {
    return keyOf(this.#sql.keyById.get(publicId) as KeyRow | undefined);
  }

  async keysOf(holderId: string, page: KeyPage): Promise<readonly KeyRecord[]> {
    const { limit, after, environment = null } = page;
    // With no place to begin after, one that every key lies after.
    const { createdAtMs, publicId } = after ?? {
      createdAtMs: Number.MAX_SAFE_INTEGER,
      publicId: '',
    };
    const place = { holderId, environment, createdAtMs, publicId, limit };
    const rows = this.#sql.keysOf.all(place) as KeyRow[];
    return rows.map((row) => keyOf(row)!);
  }

  async selfServeKeys(afterId: string, limit: number): Promise<readonly KeyRecord[]> {
    const rows = this.#sql.selfServeKeys.all(afterId, limit) as KeyRow[];
    return rows.map((row) => keyOf(row)!);
  }

  async revokeKey(publicId: string, atMs: number, saved?: SavedAnswer): Promise<KeyRecord | null> {
    let revoked: PublicId[] = [];
    const changed = this.#changeKey(publicId, () => {
      revoked = this.#sql.revokeBranch.all({ publicId, atMs }) as PublicId[];
      if (saved !== undefined) this.#sql.save.run(saved);
    });
    this.#tellOfKeys(revoked.filter(({ public_id: other }) => other !== publicId));
    return changed;
  }

  async setKeyTier(publicId: string, tier: string, change: TierChange): Promise<KeyRecord | null> {
    return this.#changeKey(publicId, (key) => {
      this.#sql.setKeyTier.run(tier, publicId);
      this.#recordChange({ ...change, subject: publicId, field: 'tier', from: key.tier, to: tier });
    });
  }

  async setKeyRate(
    publicId: string,
    multiplier: number,
    change: TierChange,
  ): Promise<KeyRecord | null> {
    return this.#changeKey(publicId, (key) => {
      this.#sql.setKeyRate.run(multiplier, publicId);
      const [from, to] = [String(key.rateMultiplier), String(multiplier)];
      this.#recordChange({ ...change, subject: publicId, field: 'rate_multiplier', from, to });
    });
  }

  async touchKeys(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    this.#atomically(() => {
      for (const [publicId, atMs] of uses) this.#sql.touchKey.run({ publicId, atMs });
    });
  }

  async tierChanges(subject: string): Promise<readonly RecordedTierChange[]> {
    return (this.#sql.tierChanges.all(subject) as ChangeRow[]).map(changeOf);
  }

  async savedAnswer(scope: string, key: string, sinceMs: number): Promise<SavedAnswer | null> {
    return savedOf(this.#sql.savedAnswer.get(scope, key, sinceMs) as SavedRow | undefined);
  }

  async saveAnswer(saved: SavedAnswer): Promise<void> {
    this.#atomically(() => this.#sql.save.run(saved));
  }

  async keepAnswer(saved: SavedAnswer): Promise<void> {
    this.#database.pragma('synchronous = NORMAL');
    try {
      this.#sql.save.run(saved);
    } finally {
      this.#database.pragma('synchronous = FULL');
    }
  }

  async setting(name: string): Promise<string | null> {
    const row = this.#sql.setting.get(name) as { readonly value: string } | undefined;
    return row?.value ?? null;
  }

  async putSetting(name: string, value: string): Promise<void> {
    this.#atomically(() => this.#sql.putSetting.run(name, value));
  }

  async putLifeline(lifeline: LifelineRecord): Promise<void> {
    this.#sql.putLifeline.run(lifeline);
  }

  async dropLifeline(lane: LifelineRecord['lane'], credential: string): Promise<void> {
    this.#sql.dropLifeline.run(lane, credential);
  }

  async lifelines(): Promise<readonly LifelineRecord[]> {
    return this.#sql.lifelines.all() as LifelineRecord[];
  }

  async putIncident(incident: IncidentRecord): Promise<void> {
    this.#atomically(() => {
      this.#sql.putIncident.run(incident);
      this.#sql.pruneIncidents.run(incident.fromMs - INCIDENTS_KEPT_MS);
    });
  }

  async incidents(sinceMs: number): Promise<readonly IncidentRecord[]> {
    return this.#sql.incidents.all(sinceMs) as IncidentRecord[];
  }

  async prune(beforeMs: number): Promise<void> {
    this.#atomically(() => {
      this.#sql.pruneSessions.run(beforeMs);
      this.#sql.pruneAnswers.run(beforeMs);
      this.#sql.pruneClaims.run(Math.floor(beforeMs / DAY_MS));
    });
  }

  async copyTo(file: string): Promise<void> {
    ownFile(file);
    await this.#database.backup(file);
    await sumPages(file);
  }

  onChange(listener: (change: PlatformChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#sums.close(this.#database);
  }

  #changeKey(publicId: string, change: (key: KeyRecord) => void): KeyRecord | null {
    const changed = this.#atomically(() => {
      const key = keyOf(this.#sql.keyById.get(publicId) as KeyRow | undefined);
      if (key === null) return null;
      change(key);
      return keyOf(this.#sql.keyById.get(publicId) as KeyRow | undefined);
    });
    if (changed !== null) this.#tell({ kind: 'key', publicId });
    return changed;
  }

  #recordChange(change: RecordedTierChange): void {
    this.#sql.recordChange.run(change);
  }

  #atomically<T>(work: () => T): T {
    const transaction = this.#database.transaction(work);
    return this.#sums.commit(this.#database, () => transaction.immediate(), true);
  }

  #tellOfKeys(keys: readonly PublicId[]): void {
    for (const { public_id: publicId } of keys) this.#tell({ kind: 'key', publicId });
  }

  #tell(change: PlatformChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
