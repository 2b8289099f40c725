// The platform store in memory: the reference its durable adapters are held against, and for tests.
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
import { MemoryAppStore } from './apps.ts';
import { MemoryBuilderStore } from './builders.ts';
import { MemoryClosingStore } from './closing.ts';
import { MemoryComplianceStore } from './compliance.ts';
import { MemoryDestinationStore } from './destinations.ts';
import { MemoryFactorStore } from './factors.ts';
import { MemoryGrantStore } from './grants.ts';
import { environmentOf, isAfter, newestFirst } from './key-order.ts';
import { MemoryLetterStore } from './letters.ts';
import { MemoryLinkStore } from './links.ts';
import { MemoryPlatformNotes } from './platform-notes.ts';
import { MemoryProfileStore } from './profiles.ts';
import { MemorySessionList } from './sessions.ts';
import { MemorySigningStore } from './signing.ts';
import { MemoryTillStore } from './till.ts';

const DAY_MS = 86_400_000;

export class MemoryPlatformStore extends MemoryPlatformNotes implements PlatformStore {
  readonly factors = new MemoryFactorStore((userId, atMs) => {
    const ended = this.sessions.end(userId, '', atMs);
    this.#tell({ kind: 'user', userId });
    return ended;
  });
  readonly destinations = new MemoryDestinationStore();
  readonly till = new MemoryTillStore();
  readonly letters = new MemoryLetterStore();
  readonly compliance = new MemoryComplianceStore((userId) => this.#tell({ kind: 'user', userId }));
  readonly #users = new Map<string, UserRecord>();
  readonly #sessions = new Map<string, SessionRecord>();
  readonly #keys = new Map<string, KeyRecord>();
  readonly #answers = new Map<string, SavedAnswer>();
  readonly signing = new MemorySigningStore(this.#answers, (change) => this.#tell(change));
  readonly #claims = new Map<string, MintClaim>();
  readonly #changes: RecordedTierChange[] = [];
  readonly profiles = new MemoryProfileStore(this.#users, (userId) =>
    this.#tell({ kind: 'user', userId }),
  );
  readonly sessions = new MemorySessionList(this.#sessions, (change) => this.#tell(change));
  readonly links = new MemoryLinkStore({
    verified: (userId, atMs) => this.profiles.verify(userId, atMs),
    passwordSet: ({ userId, byHand }, reset) => {
      this.destinations.restartDelay(userId, reset.destinations);
      if (byHand) this.factors.holdTrading(userId, reset.tradingHeldUntilMs);
      return this.#setPassword({ ...reset, userId, keptSessionId: '' });
    },
  });
  readonly grants = new MemoryGrantStore({
    save: (saved) => saved !== undefined && this.#save(saved),
    changed: (grantId) => this.#tell({ kind: 'grant', grantId }),
  });
  readonly apps = new MemoryAppStore({
    save: (saved) => saved !== undefined && this.#save(saved),
    changed: (appId) => this.#tell({ kind: 'app', appId }),
    disabled: (appId, atMs) =>
      this.grants.endAll((grant) => grant.appId === appId, 'app_disabled', atMs),
  });
  readonly builders = new MemoryBuilderStore({
    save: (saved) => saved !== undefined && this.#save(saved),
    setTier: (userId, tier, change) => this.#setTiers(userId, tier, change),
    changed: (userId) => this.#tell({ kind: 'user', userId }),
  });
  readonly closing = new MemoryClosingStore({
    users: this.#users,
    sessions: this.#sessions,
    answers: this.#answers,
    keys: this.#keys,
    factors: this.factors,
    profiles: this.profiles,
    links: this.links,
    letters: this.letters,
    destinations: this.destinations,
    apps: this.apps,
    builders: this.builders,
    grants: this.grants,
    replaceKey: (key) => void this.#replaceKey(key),
    changed: (userId) => this.#tell({ kind: 'user', userId }),
  });
  readonly #listeners = new Set<(change: PlatformChange) => void>();

  async addUser(user: UserRecord): Promise<boolean> {
    if ((await this.userByEmail(user.email)) !== null) return false;
    this.#users.set(user.userId, Object.freeze({ ...user }));
    return true;
  }

  async userById(userId: string): Promise<UserRecord | null> {
    return this.#users.get(userId) ?? null;
  }

  async userByEmail(email: string): Promise<UserRecord | null> {
    const wanted = email.toLowerCase();
    return this.#findUser((user) => user.email.toLowerCase() === wanted);
  }

  async userByReferralCode(code: string): Promise<UserRecord | null> {
    return this.#findUser((user) => user.referralCode === code);
  }

  async userByAccount(accountId: string): Promise<UserRecord | null> {
    return this.#findUser(({ accounts }) => Object.values(accounts).includes(accountId));
  }

  async removeDemo(userId: string): Promise<boolean> {
    if (this.#users.get(userId)?.isDemo !== true) return false;
    for (const [id, session] of this.#sessions)
      if (session.userId === userId) this.#sessions.delete(id);
    this.#users.delete(userId);
    this.#tell({ kind: 'user', userId });
    return true;
  }

  async replaceDemo(demoUserId: string, user: UserRecord): Promise<DemoReplacement> {
    if ((await this.userByEmail(user.email)) !== null) return 'email_taken';
    const isGone = !(await this.removeDemo(demoUserId));
    return isGone || !(await this.addUser(user)) ? 'demo_gone' : 'replaced';
  }

  setUserTier(userId: string, tier: string, change: TierChange): Promise<UserRecord | null> {
    return this.#changeUser(userId, { tier }, { ...change, field: 'tier', to: tier });
  }

  setUserRate(userId: string, multiplier: number, change: TierChange): Promise<UserRecord | null> {
    const said = { ...change, field: 'rate_multiplier', to: String(multiplier) } as const;
    return this.#changeUser(userId, { rateMultiplier: multiplier }, said);
  }

  async changePassword(change: PasswordChange): Promise<PasswordChanged | null> {
    const { userId, verifiedHash, keptSessionId } = change;
    const user = this.#users.get(userId);
    const isOpen = this.#sessions.get(keptSessionId)?.endedAtMs === null;
    if (user === undefined || user.passwordHash !== verifiedHash || !isOpen) return null;
    this.links.drop(userId, 'reset_password');
    return this.#setPassword(change);
  }

  #setPassword({
    userId,
    passwordHash,
    keptSessionId,
    atMs,
  }: Omit<PasswordChange, 'verifiedHash'>): PasswordChanged {
    const user = this.#users.get(userId)!;
    this.#users.set(userId, Object.freeze({ ...user, passwordHash }));
    this.factors.noteChange(userId, atMs);
    const sessionsEnded = this.sessions.end(userId, keptSessionId, atMs);
    this.grants.endAll((grant) => grant.userId === userId, 'password_changed', atMs);
    this.#tell({ kind: 'user', userId });
    const kept = this.#branchOf(keptSessionId);
    const others = [...this.#keys.values()].filter(
      ({ holderId, publicId }) => holderId === userId && !kept.has(publicId),
    );
    return { sessionsEnded, keysRevoked: this.#revoke(others, atMs) };
  }

  async addSession(session: SessionRecord, verifiedHash?: string, fromIp?: string) {
    const known = this.#users.get(session.userId)?.passwordHash;
    if (verifiedHash !== undefined && known !== verifiedHash) return false;
    this.#sessions.set(session.sessionId, Object.freeze({ ...session }));
    if (fromIp !== undefined) this.profiles.noteLogin(session.userId, fromIp);
    return true;
  }

  async sessionById(sessionId: string): Promise<SessionRecord | null> {
    return this.#sessions.get(sessionId) ?? null;
  }

  async endSession(sessionId: string, atMs: number): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || session.endedAtMs !== null) return;
    this.#sessions.set(sessionId, { ...session, endedAtMs: atMs });
    this.#tell({ kind: 'session', sessionId });
  }

  async stepUpSession(sessionId: string, atMs: number): Promise<boolean> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || session.endedAtMs !== null) return false;
    this.#sessions.set(sessionId, { ...session, steppedUpAtMs: atMs });
    this.#tell({ kind: 'session', sessionId });
    return true;
  }

  async addKey(key: KeyRecord, saved?: SavedAnswer, activeMax = Infinity): Promise<KeyAddition> {
    if (key.mintedBy !== null && !this.#isInForce(key.mintedBy)) return 'parent_revoked';
    const active = [...this.#keys.values()].filter(
      ({ holderId, revokedAtMs, expiresAtMs }) =>
        holderId === key.holderId &&
        revokedAtMs === null &&
        (expiresAtMs === null || expiresAtMs > key.createdAtMs),
    );
    if (active.length >= activeMax) return 'too_many';
    this.#keys.set(key.publicId, Object.freeze({ ...key }));
    if (saved !== undefined) this.#save(saved);
    this.#tell({ kind: 'key', publicId: key.publicId });
    return 'added';
  }

  async hasClaim(claim: MintClaim): Promise<boolean> {
    return this.#claims.has(keyOf(claim));
  }

  async addAnonymousKey(key: KeyRecord, claim: MintClaim): Promise<boolean> {
    const claimKey = keyOf(claim);
    if (this.#claims.has(claimKey)) return false;
    this.#claims.set(claimKey, claim);
    this.#keys.set(key.publicId, Object.freeze({ ...key }));
    return true;
  }

  async keyById(publicId: string): Promise<KeyRecord | null> {
    return this.#keys.get(publicId) ?? null;
  }

  async keysOf(holderId: string, page: KeyPage): Promise<readonly KeyRecord[]> {
    return [...this.#keys.values()]
      .filter((key) => key.holderId === holderId && isAfter(key, page))
      .filter((key) => (page.environment ?? environmentOf(key)) === environmentOf(key))
      .sort(newestFirst)
      .slice(0, page.limit);
  }

  async selfServeKeys(afterId: string, limit: number): Promise<readonly KeyRecord[]> {
    return [...this.#keys.values()]
      .filter((key) => key.tier === 'self_serve' && key.mintedAt === 'live')
      .filter((key) => key.revokedAtMs === null && key.publicId > afterId)
      .sort((a, b) => (a.publicId < b.publicId ? -1 : 1))
      .slice(0, limit);
  }

  async revokeKey(publicId: string, atMs: number, saved?: SavedAnswer): Promise<KeyRecord | null> {
    const key = this.#keys.get(publicId);
    if (key === undefined) return null;
    const revoked = this.#replaceKey({ ...key, revokedAtMs: key.revokedAtMs ?? atMs });
    if (saved !== undefined) this.#save(saved);
    const branch = this.#branchOf(publicId);
    this.#revoke(
      [...this.#keys.values()].filter((other) => branch.has(other.publicId)),
      atMs,
    );
    return revoked;
  }

  async setKeyTier(publicId: string, tier: string, change: TierChange): Promise<KeyRecord | null> {
    const key = this.#keys.get(publicId);
    if (key === undefined) return null;
    this.#changes.push({ ...change, subject: publicId, field: 'tier', from: key.tier, to: tier });
    return this.#replaceKey({ ...key, tier });
  }

  async setKeyRate(
    publicId: string,
    multiplier: number,
    change: TierChange,
  ): Promise<KeyRecord | null> {
    const key = this.#keys.get(publicId);
    if (key === undefined) return null;
    const [from, to] = [String(key.rateMultiplier), String(multiplier)];
    this.#changes.push({ ...change, subject: publicId, field: 'rate_multiplier', from, to });
    return this.#replaceKey({ ...key, rateMultiplier: multiplier });
  }

  async setPartnerScopes(publicId: string, partnerScopes: readonly string[]) {
    const key = this.#keys.get(publicId);
    return key === undefined ? null : this.#replaceKey({ ...key, partnerScopes });
  }

  async touchKeys(uses: ReadonlyMap<string, number>): Promise<void> {
    for (const [publicId, atMs] of uses) {
      const key = this.#keys.get(publicId);
      if (key === undefined || (key.lastUsedAtMs ?? 0) >= atMs) continue;
      this.#keys.set(publicId, Object.freeze({ ...key, lastUsedAtMs: atMs }));
    }
  }

  async tierChanges(subject: string): Promise<readonly RecordedTierChange[]> {
    return this.#changes.filter((change) => change.subject === subject);
  }

  async savedAnswer(scope: string, key: string, sinceMs: number): Promise<SavedAnswer | null> {
    const saved = this.#answers.get(`${scope}|${key}`);
    return saved === undefined || saved.atMs < sinceMs ? null : saved;
  }

  async saveAnswer(saved: SavedAnswer): Promise<void> {
    this.#save(saved);
  }

  async keepAnswer(saved: SavedAnswer): Promise<void> {
    this.#save(saved);
  }

  async prune(beforeMs: number): Promise<void> {
    for (const [id, session] of this.#sessions) {
      if ((session.endedAtMs ?? session.expiresAtMs) < beforeMs) this.#sessions.delete(id);
    }
    for (const [key, saved] of this.#answers) {
      if (saved.atMs < beforeMs) this.#answers.delete(key);
    }
    for (const [key, claim] of this.#claims) {
      if ((claim.day + 1) * DAY_MS <= beforeMs) this.#claims.delete(key);
    }
    await this.compliance.pruneAddresses(beforeMs);
    await this.closing.pruneExclusions(beforeMs);
    await this.links.prune(beforeMs);
    await this.letters.prune(beforeMs);
    await this.grants.prune(beforeMs);
  }

  copyTo(): Promise<void> {
    return Promise.reject(new Error('there is no file to copy from'));
  }

  onChange(listener: (change: PlatformChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  async #setTiers(userId: string, tier: string, change: TierChange): Promise<void> {
    await this.setUserTier(userId, tier, change);
    for (const key of this.#keys.values()) {
      if (key.userId !== userId || !isLifted(key)) continue;
      await this.setKeyTier(key.publicId, tier, change);
    }
  }

  async #changeUser(
    userId: string,
    fields: Partial<UserRecord>,
    said: Omit<RecordedTierChange, 'subject' | 'from'>,
  ): Promise<UserRecord | null> {
    const user = this.#users.get(userId);
    if (user === undefined) return null;
    this.#users.set(userId, Object.freeze({ ...user, ...fields }));
    const from = said.field === 'tier' ? user.tier : String(user.rateMultiplier);
    this.#changes.push({ ...said, subject: userId, from });
    this.#tell({ kind: 'user', userId });
    return this.userById(userId);
  }

  #findUser(matches: (user: UserRecord) => boolean): UserRecord | null {
    return [...this.#users.values()].find(matches) ?? null;
  }

  #isInForce(parentId: string): boolean {
    const key = this.#keys.get(parentId);
    if (key !== undefined) return key.revokedAtMs === null;
    return this.#sessions.get(parentId)?.endedAtMs === null;
  }

  /** The keys that stem from a session or a key, in any generation. */
  #branchOf(rootId: string): ReadonlySet<string> {
    const branch = new Set([rootId]);
    for (const parentId of branch) {
      for (const { publicId, mintedBy } of this.#keys.values())
        if (mintedBy === parentId) branch.add(publicId);
    }
    return branch;
  }

  /** Those that are revoked already keep their time. */
  #revoke(keys: readonly KeyRecord[], atMs: number): number {
    const active = keys.filter(({ revokedAtMs }) => revokedAtMs === null);
    for (const key of active) this.#replaceKey({ ...key, revokedAtMs: atMs });
    return active.length;
  }

  #replaceKey(key: KeyRecord): KeyRecord {
    this.#keys.set(key.publicId, Object.freeze(key));
    this.#tell({ kind: 'key', publicId: key.publicId });
    return key;
  }

  #save(saved: SavedAnswer): void {
    this.#answers.set(`${saved.scope}|${saved.key}`, saved);
  }

  #tell(change: PlatformChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** Whether the key gets the tier that its user gets. */
function isLifted({ mintedAt, revokedAtMs, accounts }: KeyRecord): boolean {
  return mintedAt === 'live' && revokedAtMs === null && !accounts.sandbox.startsWith('sub_');
}

const keyOf = ({ day, addressHash }: MintClaim): string => `${day} ${addressHash}`;
