// Who may ask: a person in a session, a key, or an app with a token.
import type { Permission, Tier, TierLimits } from '@sibyl/contract';
import type { AccountId, BuilderFee, GrantTerms, LaneName } from '@sibyl/engine';
import type { AnnouncedCeilings, Quotas } from './quotas.ts';

/** Who holds a credential: the same in both lanes, with one account in each. */
interface Holder {
  /** The user, or the sandbox account of an anonymous holder; idempotency keys belong to it. */
  readonly holderId: string;
  readonly userId: string | null;
  readonly accounts: Readonly<Record<LaneName, AccountId>>;
  readonly permissions: readonly Permission[];
  readonly expiresAtMs: number | null;
  /** How often it may ask, as its kind of credential does. */
  readonly quotas: Quotas;
}

/** A person at the page; no tier and no caps. */
export interface SessionCredential extends Holder {
  readonly kind: 'session';
  readonly sessionId: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Of the rate limits. */
  readonly rateMultiplier: number;
  /** What the user may mint keys of, and reach early; a session itself has no caps. */
  readonly userTier: Tier;
  /** A visitor, whose one account is in the sandbox. */
  readonly isDemo: boolean;
  /** When the user last proved who they are; see step-up.ts. */
  readonly steppedUpAtMs: number | null;
}

export interface KeyCredential extends Holder {
  readonly kind: 'key';
  /** `sk_live_` or `sk_test_` and 16 characters: safe to log. */
  readonly publicId: string;
  readonly tier: Tier;
  /** Of the rate limits; beside that of the tier. */
  readonly rateMultiplier: number;
  /** The address it was minted at: `sandbox` for sk_test_ keys. */
  readonly mintedAt: LaneName;
  /** Minted while self_serve: it keeps its sandbox account after graduation. */
  readonly bornSelfServe: boolean;
  /** Minted while its user had proved who they are. */
  readonly isSteppedUp: boolean;
  /** Networks that it may be used from; from anywhere if there are none. */
  readonly allowedNetworks: readonly string[];
  /** What an operator lets it do for others; nothing in a lower tier than a partner's. */
  readonly partnerScopes: readonly string[];
  /** What its tier may do at present. */
  readonly tierLimits: TierLimits;
  /** Lower limits that its tier gets, since when that is known and from when on; null if none are announced. */
  readonly notice: AnnouncedCeilings | null;
  /** When a load test ends that widens its rates; infinite if none does. */
  readonly ratesUntilMs: number;
  /** By contract of its builder: reads and account reads have no limit. */
  readonly isUncapped: boolean;
  /** The builder who holds it, to whom its orders are attributed; null for everybody else's. */
  readonly builder: BuilderFee | null;
}

/** An app that acts for a user, within one grant. */
export interface TokenCredential extends Holder {
  readonly kind: 'token';
  /** `oat_` and 16 characters: safe to log. */
  readonly publicId: string;
  readonly grantId: string;
  readonly appId: string;
  readonly userId: string;
  readonly expiresAtMs: number;
  /** The lane that the grant was given for, and the only one that it reaches. */
  readonly lane: LaneName;
  readonly scopes: readonly string[];
  /** What every command under the grant carries: its daily cap and its end. */
  readonly terms: GrantTerms;
  /** The app's own name on its orders; the fee is the order's to say. */
  readonly builder: BuilderFee;
}

/** What somebody asks with for themselves. */
export type OwnCredential = SessionCredential | KeyCredential;

export type Credential = OwnCredential | TokenCredential;

/** What it is called in logs and lists: its public part. */
export function nameOf(credential: Credential): string {
  return credential.kind === 'session' ? credential.sessionId : credential.publicId;
}

/** The subaccount that a key is bound to, else null: it has no other account, in no lane. */
export function boundTo<Id extends string>({
  accounts,
}: {
  readonly accounts: Readonly<Record<LaneName, Id>>;
}): Id | null {
  return accounts.sandbox.startsWith('sub_') ? accounts.sandbox : null;
}

/** Whether it must see nothing of the person behind the account: a key of a subaccount, or an app. */
export function hidesPerson(credential: Credential): boolean {
  return credential.kind === 'token' || boundTo(credential) !== null;
}
