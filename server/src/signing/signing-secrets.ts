// Secrets of keys that sign: drawn, shown once, kept encrypted, and opened to check a signature.
import type { Tier } from '@sibyl/contract';
import type { KeyRecord, SavedAnswer } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { DrawnSecret, SigningOffice, SigningRecord, SigningStore } from '../ports/signing.ts';
import type { SecretVault } from '../ports/vault.ts';
import { NonceBook } from './nonce-book.ts';
import { SigningKey } from './signing-key.ts';

interface SigningParts {
  readonly store: SigningStore;
  readonly vault: SecretVault;
  readonly secrets: Secrets;
  readonly random: Random;
  /** Tiers whose keys may sign without being switched on one by one. */
  readonly tiers: readonly Tier[];
}

const SECRET_BYTES = 32;
const PASSPHRASE_LENGTH = 16;

export class SigningSecrets implements SigningOffice {
  readonly store: SigningStore;
  /** Spent in this process, and by what its journals remember. */
  readonly nonces = new NonceBook();
  readonly #parts: SigningParts;

  constructor(parts: SigningParts) {
    this.store = parts.store;
    this.#parts = parts;
  }

  entitlementOf(
    { tier }: Pick<KeyRecord, 'tier'>,
    record: SigningRecord | null,
  ): 'operator' | 'tier' | null {
    if (record?.isEnabled === true) return 'operator';
    return this.#parts.tiers.some((entitled) => entitled === tier) ? 'tier' : null;
  }

  draw(): DrawnSecret {
    const { random } = this.#parts;
    return {
      secret: Buffer.from(random.bytes(SECRET_BYTES)).toString('hex'),
      passphrase: random.token(PASSPHRASE_LENGTH),
    };
  }

  async keep(
    publicId: string,
    { secret, passphrase }: DrawnSecret,
    atMs: number,
    saved?: SavedAnswer,
  ): Promise<void> {
    const { store, vault } = this.#parts;
    const sealed = vault.seal(Buffer.from(secret), ownerOf(publicId));
    const passphraseHash = this.#hashOf(publicId, passphrase);
    await store.putSecret(publicId, { sealed, passphraseHash }, atMs, saved);
  }

  /** Throws where the text was altered or the key that wraps it is not there. */
  open({ publicId, secret }: SigningRecord): SigningKey | null {
    if (secret === null) return null;
    return new SigningKey(this.#parts.vault.open(secret.sealed, ownerOf(publicId)));
  }

  isPassphrase({ publicId, secret }: SigningRecord, passphrase: string): boolean {
    if (secret === null) return false;
    return this.#parts.secrets.isEqual(secret.passphraseHash, this.#hashOf(publicId, passphrase));
  }

  /** The id of the key salts it: no two keys have one. */
  #hashOf(publicId: string, passphrase: string): string {
    return this.#parts.secrets.digest('token', `passphrase ${publicId} ${passphrase}`);
  }
}

/** What a secret is bound to: it opens for this key only. */
export function ownerOf(publicId: string): string {
  return `signing ${publicId}`;
}
