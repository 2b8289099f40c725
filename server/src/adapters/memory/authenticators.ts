// Authenticators in memory: the reference the durable adapter is held against, and for tests.
import type {
  AuthenticatorStore,
  KnownTotp,
  TotpConfirmation,
  TotpRecord,
} from '../../ports/authenticators.ts';

export abstract class MemoryAuthenticators implements AuthenticatorStore {
  readonly #seeds = new Map<string, KnownTotp>();
  /** Of each owner, with whether they are used. */
  readonly #codes = new Map<string, Map<string, boolean>>();

  /** Whether the owner has a factor beside the authenticator. */
  protected abstract hasOther(ownerId: string): boolean;
  /** An authenticator was confirmed or removed. */
  protected abstract changed(ownerId: string, atMs: number): void;

  async totpOf(ownerId: string): Promise<KnownTotp | null> {
    return this.#seeds.get(ownerId) ?? null;
  }

  async beginTotp(totp: TotpRecord): Promise<boolean> {
    const known = this.#seeds.get(totp.ownerId);
    if (known !== undefined && known.confirmedAtMs !== null) return false;
    this.#seeds.set(totp.ownerId, { ...totp, confirmedAtMs: null, lastStep: 0 });
    return true;
  }

  async confirmTotp(
    confirmation: TotpConfirmation,
  ): Promise<'with_codes' | 'without_codes' | null> {
    const { ownerId, sealedSeed, step, recoveryHashes, atMs } = confirmation;
    const totp = this.#seeds.get(ownerId);
    if (totp === undefined || totp.confirmedAtMs !== null || totp.sealedSeed !== sealedSeed) {
      return null;
    }
    this.#seeds.set(ownerId, { ...totp, confirmedAtMs: atMs, lastStep: step });
    this.changed(ownerId, atMs);
    if ((await this.recoveryCodesLeft(ownerId)) > 0) return 'without_codes';
    await this.replaceRecoveryCodes(ownerId, recoveryHashes);
    return 'with_codes';
  }

  async useTotpStep(ownerId: string, step: number): Promise<boolean> {
    const totp = this.#seeds.get(ownerId);
    if (totp === undefined || totp.confirmedAtMs === null || totp.lastStep >= step) return false;
    this.#seeds.set(ownerId, { ...totp, lastStep: step });
    return true;
  }

  async removeTotp(ownerId: string, atMs: number): Promise<boolean> {
    if ((this.#seeds.get(ownerId)?.confirmedAtMs ?? null) === null) return false;
    this.#seeds.delete(ownerId);
    this.dropSpareCodes(ownerId);
    this.changed(ownerId, atMs);
    return true;
  }

  async recoveryCodesLeft(ownerId: string): Promise<number> {
    return [...(this.#codes.get(ownerId)?.values() ?? [])].filter((isUsed) => !isUsed).length;
  }

  async useRecoveryCode(ownerId: string, codeHash: string, _atMs: number): Promise<boolean> {
    const codes = this.#codes.get(ownerId);
    if (codes?.get(codeHash) !== false) return false;
    codes.set(codeHash, true);
    return true;
  }

  async replaceRecoveryCodes(ownerId: string, codeHashes: readonly string[]): Promise<void> {
    this.#codes.set(ownerId, new Map(codeHashes.map((hash) => [hash, false])));
  }

  forget(ownerId: string): void {
    this.#seeds.delete(ownerId);
    this.#codes.delete(ownerId);
  }

  /** Codes recover from the loss of a factor: without any they would be a way in of their own. */
  protected dropSpareCodes(ownerId: string): void {
    const hasTotp = (this.#seeds.get(ownerId)?.confirmedAtMs ?? null) !== null;
    if (!hasTotp && !this.hasOther(ownerId)) this.#codes.delete(ownerId);
  }
}
