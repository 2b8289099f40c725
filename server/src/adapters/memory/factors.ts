// Second factors in memory: the reference the durable adapter is held against, and for tests.
import type {
  FactorStore,
  PasskeyAddition,
  PasskeyRecord,
  TotpConfirmation,
  TotpRecord,
} from '../../ports/factors.ts';

interface Totp extends TotpRecord {
  readonly lastStep: number;
}

export class MemoryFactorStore implements FactorStore {
  readonly #seeds = new Map<string, Totp>();
  /** Of each user, with whether they are used. */
  readonly #codes = new Map<string, Map<string, boolean>>();
  readonly #passkeys = new Map<string, PasskeyRecord>();
  readonly #changes = new Map<string, number>();
  /** Challenges that were answered, with when they end. */
  readonly #answered = new Map<string, number>();

  async totpOf(userId: string): Promise<TotpRecord | null> {
    const totp = this.#seeds.get(userId);
    if (totp === undefined) return null;
    const { lastStep: _lastStep, ...record } = totp;
    return record;
  }

  async beginTotp(totp: TotpRecord): Promise<boolean> {
    const known = this.#seeds.get(totp.userId);
    if (known !== undefined && known.confirmedAtMs !== null) return false;
    this.#seeds.set(totp.userId, { ...totp, confirmedAtMs: null, lastStep: 0 });
    return true;
  }

  async confirmTotp(
    confirmation: TotpConfirmation,
  ): Promise<'with_codes' | 'without_codes' | null> {
    const { userId, sealedSeed, step, recoveryHashes, atMs } = confirmation;
    const totp = this.#seeds.get(userId);
    if (totp === undefined || totp.confirmedAtMs !== null || totp.sealedSeed !== sealedSeed) {
      return null;
    }
    this.#seeds.set(userId, { ...totp, confirmedAtMs: atMs, lastStep: step });
    this.noteChange(userId, atMs);
    if ((await this.recoveryCodesLeft(userId)) > 0) return 'without_codes';
    await this.replaceRecoveryCodes(userId, recoveryHashes);
    return 'with_codes';
  }

  async useTotpStep(userId: string, step: number): Promise<boolean> {
    const totp = this.#seeds.get(userId);
    if (totp === undefined || totp.confirmedAtMs === null || totp.lastStep >= step) return false;
    this.#seeds.set(userId, { ...totp, lastStep: step });
    return true;
  }

  async removeTotp(userId: string, atMs: number): Promise<boolean> {
    if ((this.#seeds.get(userId)?.confirmedAtMs ?? null) === null) return false;
    this.#seeds.delete(userId);
    this.#dropSpareCodes(userId);
    this.noteChange(userId, atMs);
    return true;
  }

  async passkeysOf(userId: string): Promise<readonly PasskeyRecord[]> {
    return [...this.#passkeys.values()]
      .filter((passkey) => passkey.userId === userId)
      .sort((one, other) => one.createdAtMs - other.createdAtMs);
  }

  async passkeyByCredential(credentialId: string): Promise<PasskeyRecord | null> {
    const all = [...this.#passkeys.values()];
    return all.find((passkey) => passkey.credentialId === credentialId) ?? null;
  }

  async addPasskey(
    passkey: PasskeyRecord,
    recoveryHashes: readonly string[],
    max: number,
  ): Promise<PasskeyAddition> {
    const { userId, passkeyId, credentialId, createdAtMs } = passkey;
    if ((await this.passkeysOf(userId)).length >= max) return 'too_many';
    if ((await this.passkeyByCredential(credentialId)) !== null) return 'taken';
    this.#passkeys.set(passkeyId, passkey);
    this.noteChange(userId, createdAtMs);
    if ((await this.recoveryCodesLeft(userId)) > 0) return 'without_codes';
    await this.replaceRecoveryCodes(userId, recoveryHashes);
    return 'with_codes';
  }

  async renamePasskey(
    userId: string,
    passkeyId: string,
    label: string,
  ): Promise<PasskeyRecord | null> {
    const passkey = this.#passkeys.get(passkeyId);
    if (passkey?.userId !== userId) return null;
    const renamed = { ...passkey, label };
    this.#passkeys.set(passkeyId, renamed);
    return renamed;
  }

  async usePasskey(credentialId: string, counter: number, atMs: number): Promise<boolean> {
    const passkey = await this.passkeyByCredential(credentialId);
    const isNext = counter === 0 ? passkey?.counter === 0 : (passkey?.counter ?? counter) < counter;
    if (passkey === null || !isNext) return false;
    this.#passkeys.set(passkey.passkeyId, { ...passkey, counter, lastUsedAtMs: atMs });
    return true;
  }

  async removePasskey(
    userId: string,
    passkeyId: string,
    atMs: number,
  ): Promise<PasskeyRecord | null> {
    const passkey = this.#passkeys.get(passkeyId);
    if (passkey?.userId !== userId) return null;
    this.#passkeys.delete(passkeyId);
    this.#dropSpareCodes(userId);
    this.noteChange(userId, atMs);
    return passkey;
  }

  async useChallenge(challenge: string, untilMs: number, nowMs: number): Promise<boolean> {
    for (const [old, endMs] of this.#answered) if (endMs <= nowMs) this.#answered.delete(old);
    if (this.#answered.has(challenge)) return false;
    this.#answered.set(challenge, untilMs);
    return true;
  }

  async recoveryCodesLeft(userId: string): Promise<number> {
    return [...(this.#codes.get(userId)?.values() ?? [])].filter((isUsed) => !isUsed).length;
  }

  async useRecoveryCode(userId: string, codeHash: string, _atMs: number): Promise<boolean> {
    const codes = this.#codes.get(userId);
    if (codes?.get(codeHash) !== false) return false;
    codes.set(codeHash, true);
    return true;
  }

  async replaceRecoveryCodes(userId: string, codeHashes: readonly string[]): Promise<void> {
    this.#codes.set(userId, new Map(codeHashes.map((hash) => [hash, false])));
  }

  async changedAtMs(userId: string): Promise<number | null> {
    return this.#changes.get(userId) ?? null;
  }

  forget(userId: string): void {
    for (const known of [this.#seeds, this.#codes, this.#changes]) known.delete(userId);
    for (const passkey of this.#passkeys.values()) {
      if (passkey.userId === userId) this.#passkeys.delete(passkey.passkeyId);
    }
  }

  noteChange(userId: string, atMs: number): void {
    this.#changes.set(userId, atMs);
  }

  #dropSpareCodes(userId: string): void {
    const hasTotp = (this.#seeds.get(userId)?.confirmedAtMs ?? null) !== null;
    const hasPasskey = [...this.#passkeys.values()].some((passkey) => passkey.userId === userId);
    if (!hasTotp && !hasPasskey) this.#codes.delete(userId);
  }
}
