// Platform records that both lanes share: users, sessions, keys and what goes with them.
import type { LaneName } from '@sibyl/engine';
import type { AppStore } from './apps.ts';
import type { BuilderStore } from './builders.ts';
import type { ClosingStore } from './closing.ts';
import type { ComplianceStore } from './compliance.ts';
import type { DestinationStore } from './destinations.ts';
import type { FactorStore } from './factors.ts';
import type { GrantStore } from './grants.ts';
import type { LetterStore } from './letters.ts';
import type { LinkStore } from './links.ts';
import type { ProfileStore } from './profiles.ts';
import type { SessionList } from './sessions.ts';
import type { SigningStore } from './signing.ts';
import type { IncidentRecord } from './status.ts';
import type { TillStore } from './till.ts';

export type AccountIds = Readonly<Record<LaneName, string>>;

export type DemoReplacement = 'replaced' | 'email_taken' | 'demo_gone';

export interface UserRecord {
  readonly userId: string;
  /** As typed; unique without regard to case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly displayName: string | null;
  /** What the user hands to those it invites. */
  readonly referralCode: string;
  readonly referrerId: string | null;
  /** For minting: keys carry tiers of their own. */
  readonly tier: string;
  /** Of the rate limits of its sessions. */
  readonly rateMultiplier: number;
  readonly accounts: AccountIds;
  /** A visitor of the page: no password, no keys, and an account in the sandbox only. */
  readonly isDemo: boolean;
  readonly createdAtMs: number;
}

export interface SessionRecord {
  readonly sessionId: string;
  readonly tokenHash: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly endedAtMs: number | null;
  /** When its user last proved who they are, by a login or a step-up. */
  readonly steppedUpAtMs: number | null;
  readonly lastSeenAtMs: number;
  /** Where it was begun, coarsely: the network of the address, and the kind of browser. */
  readonly network: string;
  readonly device: string;
}

export interface KeyRecord {
  /** `sk_live_` or `sk_test_` and 16 characters. */
  readonly publicId: string;
  readonly salt: string;
  readonly keyHash: string;
  /** The user, or the sandbox account of an anonymous holder. */
  readonly holderId: string;
  readonly userId: string | null;
  readonly label: string;
  readonly permissions: readonly string[];
  readonly tier: string;
  /** The address it was minted at. */
  readonly mintedAt: LaneName;
  readonly bornSelfServe: boolean;
  readonly rateMultiplier: number;
  readonly accounts: AccountIds;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  /** The session or the key that it ends with; null for an anonymous one. */
  readonly mintedBy: string | null;
  /** Minted while its user had proved who they are, or by nobody who could. */
  readonly isSteppedUp: boolean;
  /** Networks that it may be used from, such as 192.0.2.0/24; from anywhere if there are none. */
  readonly allowedNetworks: readonly string[];
  /** What an operator lets it do for others. */
  readonly partnerScopes: readonly string[];
}

/** Whether a key was added, or what stood against it by the time it was to be written. */
export type KeyAddition = 'added' | 'parent_revoked' | 'too_many';

/** Who changed a tier or a multiplier, and why. */
export interface TierChange {
  readonly actor: string;
  /** What the holder reads; the operator's own reason is in the audit log. */
  readonly reason: string;
  readonly atMs: number;
}

export interface RecordedTierChange extends TierChange {
  /** A key's public id or a user id. */
  readonly subject: string;
  readonly field: 'tier' | 'rate_multiplier';
  readonly from: string;
  readonly to: string;
}

/** The recorded answer to a platform write with an Idempotency-Key; never holds a secret. */
export interface SavedAnswer {
  readonly scope: string;
  readonly key: string;
  readonly bodyHash: string;
  readonly answer: string;
  readonly atMs: number;
}

/** One anonymous key per address and day; the address is a keyed hash of that day. */
export interface MintClaim {
  readonly addressHash: string;
  readonly day: number;
}

/** An account's orders are cancelled when the last socket that asked for it with this credential is lost. */
export interface DisconnectCancelRecord {
  readonly lane: LaneName;
  /** A key or a session by its public name. */
  readonly credential: string;
  readonly accountId: string;
  readonly graceMs: number;
}

/** What a cache of credentials must forget; told after the change is durable. */
/** A key also when it is made, so that nobody has to look for it. */
export type PlatformChange =
  | { readonly kind: 'key'; readonly publicId: string }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'app'; readonly appId: string }
  /** Also when one of its tokens was revoked alone. */
  | { readonly kind: 'grant'; readonly grantId: string };

/** Every write is durable when its promise resolves, and happens whole or not at all. */
export interface PlatformStore {
  /** In the same database. */
  readonly factors: FactorStore;
  readonly profiles: ProfileStore;
  readonly sessions: SessionList;
  readonly links: LinkStore;
  readonly letters: LetterStore;
  readonly destinations: DestinationStore;
  readonly signing: SigningStore;
  readonly closing: ClosingStore;
  /** The books of the local custody. */
  readonly till: TillStore;
  /** Records of compliance, in the same database. */
  readonly compliance: ComplianceStore;
  readonly builders: BuilderStore;
  readonly apps: AppStore;
  readonly grants: GrantStore;

  /** False if the email is taken. */
  addUser(user: UserRecord): Promise<boolean>;
  userById(userId: string): Promise<UserRecord | null>;
  userByEmail(email: string): Promise<UserRecord | null>;
  userByReferralCode(code: string): Promise<UserRecord | null>;
  userByAccount(accountId: string): Promise<UserRecord | null>;
  /** With its sessions, which are unknown from then on. False if there is no such demo user. */
  removeDemo(userId: string): Promise<boolean>;
  /**
   * Removes a demo user and adds the user who has its sandbox account from then on, both or neither. Of two at once with the
   * same demo one finds it gone.
   */
  replaceDemo(demoUserId: string, user: UserRecord): Promise<DemoReplacement>;
  setUserTier(userId: string, tier: string, change: TierChange): Promise<UserRecord | null>;
  setUserRate(userId: string, multiplier: number, change: TierChange): Promise<UserRecord | null>;
  /**
   * Ends every other session of the user, every key but those that stem from the kept one, every grant, and links to set a password.
   * Null, and nothing is changed, if the password is no longer the one that was verified or the kept session has ended meanwhile.
   */
  changePassword(change: PasswordChange): Promise<PasswordChanged | null>;

  /** False, and nothing is added, if the password is no longer the one that was verified. The profile keeps `fromIp`. */
  addSession(session: SessionRecord, verifiedHash?: string, fromIp?: string): Promise<boolean>;
  sessionById(sessionId: string): Promise<SessionRecord | null>;
  endSession(sessionId: string, atMs: number): Promise<void>;
  /** False, and nothing is changed, if it has ended. */
  stepUpSession(sessionId: string, atMs: number): Promise<boolean>;

  /** Refused if its parent is no longer in force, or if the holder has `activeMax` keys in force. */
  addKey(key: KeyRecord, saved?: SavedAnswer, activeMax?: number): Promise<KeyAddition>;
  hasClaim(claim: MintClaim): Promise<boolean>;
  /** False if the address has had its key of that day. */
  addAnonymousKey(key: KeyRecord, claim: MintClaim): Promise<boolean>;
  keyById(publicId: string): Promise<KeyRecord | null>;
  /** Newest first, then by id; after the given place. */
  keysOf(holderId: string, page: KeyPage): Promise<readonly KeyRecord[]>;
  /** Keys that graduation may lift: self_serve, minted at the live address, not revoked. */
  selfServeKeys(afterId: string, limit: number): Promise<readonly KeyRecord[]>;
  /** With all that stem from it. The first revocation stands; null if there is no such key. */
  revokeKey(publicId: string, atMs: number, saved?: SavedAnswer): Promise<KeyRecord | null>;
  setKeyTier(publicId: string, tier: string, change: TierChange): Promise<KeyRecord | null>;
  setKeyRate(publicId: string, multiplier: number, change: TierChange): Promise<KeyRecord | null>;
  setPartnerScopes(publicId: string, scopes: readonly string[]): Promise<KeyRecord | null>;
  /** Later times only; an earlier one changes nothing. */
  touchKeys(uses: ReadonlyMap<string, number>): Promise<void>;

  tierChanges(subject: string): Promise<readonly RecordedTierChange[]>;
  /** Records older than the time given are as good as absent. */
  savedAnswer(scope: string, key: string, sinceMs: number): Promise<SavedAnswer | null>;
  /** For writes that bear being repeated; others save their answer together with the write. */
  saveAnswer(saved: SavedAnswer): Promise<void>;
  /**
   * The same for acts that a journal remembers: it outlives the process, yet a power cut may take it. That is quicker, so
   * that those who trade need not wait for it.
   */
  keepAnswer(saved: SavedAnswer): Promise<void>;
  setting(name: string): Promise<string | null>;
  putSetting(name: string, value: string): Promise<void>;
  /** One for each lane and credential: a new one takes the place of the old. */
  putDisconnectCancel(entry: DisconnectCancelRecord): Promise<void>;
  dropDisconnectCancel(lane: LaneName, credential: string): Promise<void>;
  disconnectCancels(): Promise<readonly DisconnectCancelRecord[]>;
  /** A new one, or an old one that has changed; those that ended long before it begins are dropped. */
  putIncident(incident: IncidentRecord): Promise<void>;
  /** Those that go on or ended since, in the order in which they began. */
  incidents(sinceMs: number): Promise<readonly IncidentRecord[]>;
  /** Drops ended sessions, answers and mint claims from before the given time. */
  prune(beforeMs: number): Promise<void>;

  /** Copies everything into a new file while being used; what changes meanwhile may or may not be in it. */
  copyTo(file: string): Promise<void>;
  onChange(listener: (change: PlatformChange) => void): () => void;
  close(): Promise<void>;
}

export interface PasswordChange {
  readonly userId: string;
  /** Of the current password, as it was verified. */
  readonly verifiedHash: string;
  readonly passwordHash: string;
  readonly keptSessionId: string;
  readonly atMs: number;
}

export interface PasswordChanged {
  readonly sessionsEnded: number;
  readonly keysRevoked: number;
}

export interface KeyPage {
  readonly limit: number;
  /** Of the keys wanted; both unless told. */
  readonly environment?: LaneName | null;
  readonly after: { readonly createdAtMs: number; readonly publicId: string } | null;
}
