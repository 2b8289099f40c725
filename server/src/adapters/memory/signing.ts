// Signing keys in memory.
import type { PlatformChange, SavedAnswer } from '../../ports/platform.ts';
import type {
  SealedSecret,
  SigningRecord,
  SigningSecret,
  SigningStore,
} from '../../ports/signing.ts';

export class MemorySigningStore implements SigningStore {
  readonly #records = new Map<string, SigningRecord>();
  readonly #nonces = new Map<string, number>();
  readonly #tell: (change: PlatformChange) => void;
  readonly #answers: Map<string, SavedAnswer>;

  constructor(answers: Map<string, SavedAnswer>, tell: (change: PlatformChange) => void) {
    this.#answers = answers;
    this.#tell = tell;
  }

  async of(publicId: string): Promise<SigningRecord | null> {
    return this.#records.get(publicId) ?? null;
  }

  async enable(publicId: string, isEnabled: boolean): Promise<void> {
    const known = this.#records.get(publicId);
    const secret = isEnabled ? (known?.secret ?? null) : null;
    this.#records.set(publicId, { publicId, isEnabled, secret });
    this.#tell({ kind: 'key', publicId });
  }

  async putSecret(
    publicId: string,
    secret: SigningSecret,
    _atMs: number,
    saved?: SavedAnswer,
  ): Promise<void> {
    const isEnabled = this.#records.get(publicId)?.isEnabled ?? false;
    this.#records.set(publicId, { publicId, isEnabled, secret });
    if (saved !== undefined) this.#answers.set(`${saved.scope}|${saved.key}`, saved);
    this.#tell({ kind: 'key', publicId });
  }

  async sealed(): Promise<readonly SealedSecret[]> {
    return [...this.#records.values()].flatMap(({ publicId, secret }) =>
      secret === null ? [] : [{ publicId, sealed: secret.sealed }],
    );
  }

  async resealAll(reseal: (secret: SealedSecret) => string | null): Promise<number> {
    const secrets = await this.sealed();
    const anew = secrets.map((secret) => ({ ...secret, sealed: reseal(secret) }));
    for (const { publicId, sealed } of anew) {
      const record = this.#records.get(publicId);
      if (record === undefined || record.secret === null) continue;
      const secret = sealed === null ? null : { ...record.secret, sealed };
      this.#records.set(publicId, { ...record, secret });
    }
    return secrets.length;
  }

  async spendNonce(nonce: string, untilMs: number, nowMs: number): Promise<boolean> {
    for (const [known, endMs] of this.#nonces) if (endMs <= nowMs) this.#nonces.delete(known);
    if (this.#nonces.has(nonce)) return false;
    this.#nonces.set(nonce, untilMs);
    return true;
  }
}
