// Keys that may sign their requests: what is kept of their secrets, and the nonces that were spent.
import type { KeyRecord, SavedAnswer } from './platform.ts';

export interface SigningRecord {
  readonly publicId: string;
  /** Switched on by an operator; otherwise its tier decides. */
  readonly isEnabled: boolean;
  /** Null until one was drawn. */
  readonly secret: SigningSecret | null;
}

/** The secret opens in the vault alone; of the passphrase only a keyed hash is kept. */
export interface SigningSecret {
  readonly sealed: string;
  readonly passphraseHash: string;
}

export interface SealedSecret {
  readonly publicId: string;
  readonly sealed: string;
}

export interface DrawnSecret {
  /** 32 bytes as 64 hexadecimal digits; this text is the key of the HMAC. */
  readonly secret: string;
  readonly passphrase: string;
}

/** Who may sign, and with what. */
export interface SigningOffice {
  readonly store: SigningStore;
  /** By whom a key may have a secret; null if it may not. */
  entitlementOf(
    key: Pick<KeyRecord, 'tier'>,
    record: SigningRecord | null,
  ): 'operator' | 'tier' | null;
  draw(): DrawnSecret;
  /** In the place of the one before, which no longer signs. */
  keep(publicId: string, drawn: DrawnSecret, atMs: number, saved?: SavedAnswer): Promise<void>;
}

export interface SigningStore {
  of(publicId: string): Promise<SigningRecord | null>;
  /** Switching it off destroys the secret. */
  enable(publicId: string, isEnabled: boolean, atMs: number): Promise<void>;
  /** In the place of the one before. */
  putSecret(
    publicId: string,
    secret: SigningSecret,
    atMs: number,
    saved?: SavedAnswer,
  ): Promise<void>;
  /** All that are kept, as they are sealed. */
  sealed(): Promise<readonly SealedSecret[]>;
  /** All secrets sealed anew, or none; null destroys one. How many there were. */
  resealAll(reseal: (secret: SealedSecret) => string | null): Promise<number>;
  /** False if it was spent before; those that ended by now are dropped. */
  spendNonce(nonce: string, untilMs: number, nowMs: number): Promise<boolean>;
}
