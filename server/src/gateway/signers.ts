// Keys by which requests may be signed: looked up by their public id, remembered until something changes.
import type { Clock } from '@sibyl/lane';
import type { Credential } from '../handling/handler.ts';
import { ApiError } from '../handling/handler.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { SigningRecord } from '../ports/signing.ts';
import type { Spender } from '../signing/nonce-book.ts';
import type { SigningKey } from '../signing/signing-key.ts';
import type { SigningSecrets } from '../signing/signing-secrets.ts';
import type { Authenticator } from './authenticate.ts';

export interface Signer {
  readonly key: SigningKey;
  readonly record: SigningRecord;
  /** Who has signed, once the signature is found right; or why the key opens nothing any more. */
  readonly credential: Credential | ApiError;
  readonly spender: Spender;
  /** When its use was noted last. */
  notedAtMs: number;
}

/** Null if there is no such key, or signing is not switched on for it; without a secret until its holder has drawn one. */
export type Found = Signer | 'without_secret' | null;

/** Opened secrets are in memory for no longer, and no more of them. */
const REMEMBERED_MS = 900_000;
const REMEMBERED_MAX = 10_000;

interface Remembered {
  readonly signer: Signer;
  readonly changes: number;
  readonly untilMs: number;
}

export class Signers {
  readonly #platform: PlatformStore;
  readonly #signing: SigningSecrets;
  readonly #authenticator: Authenticator;
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #remembered = new Map<string, Remembered>();

  constructor(parts: {
    readonly platform: PlatformStore;
    readonly signing: SigningSecrets;
    readonly authenticator: Authenticator;
    readonly clock: Clock;
    readonly failed: (error: unknown) => void;
  }) {
    this.#platform = parts.platform;
    this.#signing = parts.signing;
    this.#authenticator = parts.authenticator;
    this.#clock = parts.clock;
    this.#failed = parts.failed;
  }

  /** Null for one who has to be found. */
  remembered(publicId: string, nowMs: number): Signer | null {
    const known = this.#remembered.get(publicId);
    const isFresh =
      known !== undefined && known.changes === this.#authenticator.changes && nowMs < known.untilMs;
    return isFresh ? known.signer : null;
  }

  async find(publicId: string): Promise<Found> {
    for (;;) {
      const { changes } = this.#authenticator;
      const signer = await this.#readOnce(publicId);
      // What was read before a change must not be remembered after it.
      if (changes !== this.#authenticator.changes) continue;
      this.#remembered.delete(publicId);
      if (signer === null || signer === 'without_secret') return signer;
      if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
      const { credential } = signer;
      const changesAtMs =
        credential instanceof ApiError ? 0 : this.#authenticator.changesAtMs(credential);
      const untilMs = Math.min(changesAtMs, this.#clock.wallMs() + REMEMBERED_MS);
      this.#remembered.set(publicId, { signer, changes, untilMs });
      return signer;
    }
  }

  async #readOnce(publicId: string): Promise<Found> {
    const [kept, record] = await Promise.all([
      this.#platform.keyById(publicId),
      this.#signing.store.of(publicId),
    ]);
    if (kept === null || this.#signing.entitlementOf(kept, record) === null) return null;
    if (record === null) return 'without_secret';
    try {
      const key = this.#signing.open(record);
      if (key === null) return 'without_secret';
      const credential = await this.#authenticator.credentialOf(kept);
      const spender = this.#signing.nonces.spenderOf(publicId);
      return { key, record, credential, spender, notedAtMs: 0 };
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }
}
