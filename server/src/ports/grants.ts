// What users have allowed others: grants to apps and partners, and the codes and tokens that apps hold for them.
import type { LaneName } from '@sibyl/engine';
import type { SavedAnswer } from './platform.ts';

/** `oauth` is drawn on by an app with tokens; `delegation` by a partner with keys of its own. */
export type GrantKind = 'oauth' | 'delegation';

/** Why a grant was ended before its time. */
export type GrantEnd =
  | 'user'
  | 'app'
  | 'app_disabled'
  | 'account_closed'
  | 'partner_closed'
  | 'password_changed'
  | 'code_reused'
  | 'refresh_token_reused';

/** One consent: what was allowed, to whom, for which account. It is also the family of all tokens that come of it. */
export interface GrantRecord {
  readonly grantId: string;
  readonly kind: GrantKind;
  readonly userId: string;
  /** The account of the user in the lane, or a subaccount of it. */
  readonly accountId: string;
  readonly lane: LaneName;
  /** Null for a delegation. */
  readonly appId: string | null;
  /** The user who acts; null for an app. */
  readonly partnerId: string | null;
  readonly scopes: readonly string[];
  /** What its orders of a UTC day may come to, in µ; null for no cap. */
  readonly dailyCap: bigint | null;
  /** The most that its orders may pay the app, as agreed to: of a later, higher cap of the app they know nothing. */
  readonly feeCapBps: number;
  /** What was consented to, in lines of a fixed form, and the signature over them. */
  readonly text: string;
  readonly signature: string;
  readonly createdAtMs: number;
  /** While its code waits to be exchanged, when that ends: a consent that nobody came for leaves nothing behind. */
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
  readonly revokedFor: GrantEnd | null;
  readonly lastUsedAtMs: number | null;
}

/** What is kept of a code or a token: nobody who reads it can use it. */
export interface TokenHash {
  /** The prefix and 16 characters: what the raw one begins with. */
  readonly publicId: string;
  readonly salt: string;
  readonly hash: string;
}

export interface CodeRecord extends TokenHash {
  readonly grantId: string;
  /** As it was asked for: the exchange has to name the same. */
  readonly redirectUri: string;
  /** S256 of the verifier. */
  readonly challenge: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly consumedAtMs: number | null;
}

export type TokenKind = 'access' | 'refresh';

export interface TokenRecord extends TokenHash {
  readonly kind: TokenKind;
  readonly grantId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** When a refresh token was exchanged for the next. */
  readonly usedAtMs: number | null;
  /** When the app gave back this token alone. */
  readonly revokedAtMs: number | null;
}

/** What leaves for an app in one answer. */
export interface TokenPair {
  readonly access: TokenRecord;
  readonly refresh: TokenRecord;
}

export type GrantAddition = 'added' | 'too_many';

/** `reused`: it was exchanged before, and the grant ends with this attempt. `over`: the grant had ended already. */
export type Exchanged = 'exchanged' | 'reused' | 'over';

/** Who may act for which account, and where. */
export interface Delegated {
  readonly partnerId: string;
  readonly accountId: string;
  readonly lane: LaneName;
}

/** The newest first, then by id. */
export interface GrantPage {
  readonly limit: number;
  /** Only those that hold at this moment; null for all. */
  readonly inForceAtMs: number | null;
  readonly after: { readonly createdAtMs: number; readonly grantId: string } | null;
}

/**
 * Every write is durable when its promise resolves, happens whole or not at all, and is told as a change of kind `grant`
 * where a token may be worth less than before.
 */
export interface GrantStore {
  /** With its code; null for a delegation. Refused if the user has `max` that hold. */
  add(
    grant: GrantRecord,
    code: CodeRecord | null,
    max: number,
    saved?: SavedAnswer,
  ): Promise<GrantAddition>;
  grantById(grantId: string): Promise<GrantRecord | null>;
  grantsOf(userId: string, page: GrantPage): Promise<readonly GrantRecord[]>;
  /** Delegations of the account to the partner in the lane that nobody has revoked, the one that lasts longest first. */
  delegations(held: Delegated): Promise<readonly GrantRecord[]>;
  /** Those of the ids whose grant is over at the time. */
  over(grantIds: readonly string[], atMs: number): Promise<readonly GrantRecord[]>;
  codeById(publicId: string): Promise<CodeRecord | null>;
  tokenById(publicId: string): Promise<TokenRecord | null>;
  /**
   * Of two at once one exchanges it, and the grant lasts until the time given from then on; the other, like every later one,
   * ends the grant.
   */
  exchangeCode(
    codeId: string,
    issued: TokenPair,
    lastsUntilMs: number,
    atMs: number,
  ): Promise<Exchanged>;
  /** The same for the refresh token before the one that is issued. */
  rotate(refreshId: string, issued: TokenPair, atMs: number): Promise<Exchanged>;
  /** The first end stands. Null if there is no such grant. */
  end(
    grantId: string,
    why: GrantEnd,
    atMs: number,
    saved?: SavedAnswer,
  ): Promise<GrantRecord | null>;
  /** This token and no other of its grant. */
  revokeToken(publicId: string, atMs: number): Promise<void>;
  /** Later times only; an earlier one changes nothing. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
  /** Drops codes and tokens that were over before the given time; grants stay. */
  prune(beforeMs: number): Promise<void>;
}

export function holdsAt({ revokedAtMs, expiresAtMs }: GrantRecord, nowMs: number): boolean {
  return revokedAtMs === null && expiresAtMs > nowMs;
}
