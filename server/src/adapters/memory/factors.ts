// Second factors in memory: the reference the durable adapter is held against, and for tests.
import type {
  FactorStore,
  FactorsRemoved,
  PasskeyAddition,
  PasskeyRecord,
} from '../../ports/factors.ts';
import { MemoryAuthenticators } from './authenticators.ts';

export class MemoryFactorStore extends MemoryAuthenticators implements FactorStore {
  readonly #passkeys = new Map<string, PasskeyRecord>();
  readonly #changes = new Map<string, number>();
  readonly #tradingHeld = new Map<string, number>();
  /** Challenges that were answered, with when they end. */
  readonly #answered = new Map<string, number>();
  readonly #endSessions: (userId: string, atMs: number) => number;

  /** `endSessions` ends all of a user and gives how many. */
  constructor(endSessions: (userId: string, atMs: number) => number) {
    super();
    this.#endSessions = endSessions;
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
    this.dropSpareCodes(userId);
    this.noteChange(userId, atMs);
    return passkey;
  }

  async removeAll(userId: string, atMs: number): Promise<FactorsRemoved | null> {
    const passkeys = (await this.passkeysOf(userId)).length;
    const hadTotp = ((await this.totpOf(userId))?.confirmedAtMs ?? null) !== null;
    if (!hadTotp && passkeys === 0) return null;
    this.forget(userId);
    this.noteChange(userId, atMs);
    return { hadTotp, passkeys, sessionsEnded: this.#endSessions(userId, atMs) };
  }

  async useChallenge(challenge: string, untilMs: number, nowMs: number): Promise<boolean> {
    for (const [old, endMs] of this.#answered) if (endMs <= nowMs) this.#answered.delete(old);
    if (this.#answered.has(challenge)) return false;
    this.#answered.set(challenge, untilMs);
    return true;
  }

  async changedAtMs(userId: string): Promise<number | null> {
    return this.#changes.get(userId) ?? null;
  }

  async tradingHeldUntilMs(userId: string): Promise<number | null> {
    return this.#tradingHeld.get(userId) ?? null;
  }

  holdTrading(userId: string, untilMs: number): void {
    this.#tradingHeld.set(userId, untilMs);
  }

  override forget(userId: string): void {
    super.forget(userId);
    this.#tradingHeld.delete(userId);
    this.#changes.delete(userId);
    for (const passkey of this.#passkeys.values()) {
      if (passkey.userId === userId) this.#passkeys.delete(passkey.passkeyId);
    }
  }

  noteChange(userId: string, atMs: number): void {
    this.#changes.set(userId, atMs);
  }

  protected override hasOther(userId: string): boolean {
    return [...this.#passkeys.values()].some((passkey) => passkey.userId === userId);
  }

  protected override changed(userId: string, atMs: number): void {
    this.noteChange(userId, atMs);
  }
}
