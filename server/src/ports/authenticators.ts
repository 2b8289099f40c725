// Authenticators of those who sign in, users or operators: their seeds, and recovery codes for the day they are lost.

export interface TotpRecord {
  /** The user or the operator that it belongs to. */
  readonly ownerId: string;
  /** Encrypted; see the vault. */
  readonly sealedSeed: string;
  readonly createdAtMs: number;
  /** Null until a first code was given: until then it counts for nothing. */
  readonly confirmedAtMs: number | null;
}

export interface KnownTotp extends TotpRecord {
  /** The last step of time whose code counted; 0 if none has. */
  readonly lastStep: number;
}

export interface TotpConfirmation {
  readonly ownerId: string;
  /** The seed that the code was of, so that one begun meanwhile is not confirmed by it. */
  readonly sealedSeed: string;
  readonly step: number;
  /** Taken only if there are none yet. */
  readonly recoveryHashes: readonly string[];
  readonly atMs: number;
}

/** Every write is durable when its promise resolves, and happens whole or not at all. */
export interface AuthenticatorStore {
  totpOf(ownerId: string): Promise<KnownTotp | null>;
  /** Takes the place of one that is not confirmed; false if there is one that is. */
  beginTotp(totp: TotpRecord): Promise<boolean>;
  /** Uses up the step. Null if it is not there any more or is confirmed already; else whether the codes were taken. */
  confirmTotp(confirmation: TotpConfirmation): Promise<'with_codes' | 'without_codes' | null>;
  /** Each step counts once, and none before one that has counted. */
  useTotpStep(ownerId: string, step: number): Promise<boolean>;
  /** With the recovery codes, if no other factor is left. False if there is no confirmed one. */
  removeTotp(ownerId: string, atMs: number): Promise<boolean>;

  /** How many are not used yet. */
  recoveryCodesLeft(ownerId: string): Promise<number>;
  /** Each counts once. */
  useRecoveryCode(ownerId: string, codeHash: string, atMs: number): Promise<boolean>;
  replaceRecoveryCodes(ownerId: string, codeHashes: readonly string[]): Promise<void>;
}
