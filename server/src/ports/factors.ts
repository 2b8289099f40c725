// Second factors of users: seeds of authenticators, recovery codes, and when something of it was changed.

export interface TotpRecord {
  readonly userId: string;
  /** Encrypted; see the vault. */
  readonly sealedSeed: string;
  readonly createdAtMs: number;
  /** Null until a first code was given: until then it counts for nothing. */
  readonly confirmedAtMs: number | null;
}

export interface TotpConfirmation {
  readonly userId: string;
  /** The seed that the code was of, so that one begun meanwhile is not confirmed by it. */
  readonly sealedSeed: string;
  readonly step: number;
  /** Taken only if there are none yet. */
  readonly recoveryHashes: readonly string[];
  readonly atMs: number;
}

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

/** Every write is durable when its promise resolves, and happens whole or not at all. */
export interface FactorStore {
  totpOf(userId: string): Promise<TotpRecord | null>;
  /** Takes the place of one that is not confirmed; false if there is one that is. */
  beginTotp(totp: TotpRecord): Promise<boolean>;
  /** Uses up the step. Null if it is not there any more or is confirmed already; else whether the codes were taken. */
  confirmTotp(confirmation: TotpConfirmation): Promise<'with_codes' | 'without_codes' | null>;
  /** Each step counts once, and none before one that has counted. */
  useTotpStep(userId: string, step: number): Promise<boolean>;
  /** With the recovery codes, if no other factor is left. False if there is no confirmed one. */
  removeTotp(userId: string, atMs: number): Promise<boolean>;

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

  /** Each counts once; what is over by the given time is forgotten. */
  useChallenge(challenge: string, untilMs: number, nowMs: number): Promise<boolean>;

  /** How many are not used yet. */
  recoveryCodesLeft(userId: string): Promise<number>;
  /** Each counts once. */
  useRecoveryCode(userId: string, codeHash: string, atMs: number): Promise<boolean>;
  replaceRecoveryCodes(userId: string, codeHashes: readonly string[]): Promise<void>;

  /** When the password or a factor was last changed; null if never. */
  changedAtMs(userId: string): Promise<number | null>;
}
