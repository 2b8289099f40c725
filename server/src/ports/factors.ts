// Second factors of users: authenticators, passkeys, and when something of it was changed.
import type { AuthenticatorStore } from './authenticators.ts';

export interface PasskeyRecord {
  readonly passkeyId: string;
  /** As the authenticator calls it, in base64url; no two are the same. */
  readonly credentialId: string;
  readonly userId: string;
  /** In base64url. */
  readonly publicKey: string;
  /** How often it was used, by its own count; 0 for ever with those that do not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly isSynced: boolean;
  readonly label: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** Whether recovery codes were taken with a new factor, or why there is none. */
export type PasskeyAddition = 'with_codes' | 'without_codes' | 'taken' | 'too_many';

/** What a user had who had lost it all. */
export interface FactorsRemoved {
  readonly hadTotp: boolean;
  readonly passkeys: number;
  readonly sessionsEnded: number;
}

/** Every write is durable when its promise resolves, and happens whole or not at all. */
export interface FactorStore extends AuthenticatorStore {
  /** The oldest first. */
  passkeysOf(userId: string): Promise<readonly PasskeyRecord[]>;
  passkeyByCredential(credentialId: string): Promise<PasskeyRecord | null>;
  /** The recovery codes are taken only if there are none yet. */
  addPasskey(
    passkey: PasskeyRecord,
    recoveryHashes: readonly string[],
    max: number,
  ): Promise<PasskeyAddition>;
  renamePasskey(userId: string, passkeyId: string, label: string): Promise<PasskeyRecord | null>;
  /** False if its count has gone on meanwhile, or it is gone. */
  usePasskey(credentialId: string, counter: number, atMs: number): Promise<boolean>;
  /** With the recovery codes, if no other factor is left. */
  removePasskey(userId: string, passkeyId: string, atMs: number): Promise<PasskeyRecord | null>;

  /**
   * Every factor of the user with the recovery codes and what was begun of one, and with them every session. Null, and nothing
   * is changed, if there is none.
   */
  removeAll(userId: string, atMs: number): Promise<FactorsRemoved | null>;

  /** Each counts once; what is over by the given time is forgotten. */
  useChallenge(challenge: string, untilMs: number, nowMs: number): Promise<boolean>;

  /** When the password or a factor was last changed; null if never. */
  changedAtMs(userId: string): Promise<number | null>;
  /** Until when a password that was reset by hand stops trading; null if none was. */
  tradingHeldUntilMs(userId: string): Promise<number | null>;
}
