// What every store of authenticators must do, whoever has them and whatever they are kept in.
import { expect, it } from 'vitest';
import type { AuthenticatorStore } from '../../src/ports/authenticators.ts';

interface AuthenticatorStage {
  /** Two who are known to the store. */
  readonly owners: readonly [string, string];
  factors(): AuthenticatorStore;
  /** False where nothing outlives the store. */
  reopen(): Promise<boolean>;
}

/** An authenticator that somebody has begun, and what confirms it. */
export function begunBy(ownerId: string) {
  const [sealedSeed, recoveryHashes] = ['sealed', ['a', 'b', 'c']];
  return {
    totp: { ownerId, sealedSeed, createdAtMs: 10, confirmedAtMs: null },
    confirmation: { ownerId, sealedSeed, step: 100, recoveryHashes, atMs: 20 },
  };
}

/** To be called where the store of the owners is described. */
export function describeAuthenticators(stage: AuthenticatorStage): void {
  const [ada, bob] = stage.owners;
  const { totp, confirmation } = begunBy(ada);

  it('[MF1] an authenticator counts once it is confirmed, by a code of the seed begun last', async () => {
    const factors = stage.factors();
    expect(await factors.totpOf(ada)).toBeNull();
    expect(await factors.beginTotp({ ...totp, sealedSeed: 'first' })).toBe(true);
    expect(await factors.beginTotp(totp)).toBe(true);
    expect(await factors.useTotpStep(ada, 99)).toBe(false);
    expect(await factors.confirmTotp({ ...confirmation, sealedSeed: 'first' })).toBeNull();
    expect(await factors.confirmTotp(confirmation)).toBe('with_codes');
    expect(await factors.confirmTotp(confirmation)).toBeNull();
    expect(await factors.beginTotp(totp)).toBe(false);
    expect(await factors.totpOf(ada)).toEqual({ ...totp, confirmedAtMs: 20, lastStep: 100 });
    expect(await factors.totpOf(bob)).toBeNull();
    if (!(await stage.reopen())) return;
    expect(await stage.factors().totpOf(ada)).toEqual({
      ...totp,
      confirmedAtMs: 20,
      lastStep: 100,
    });
    expect(await stage.factors().useTotpStep(ada, 100)).toBe(false);
  });

  it('[MF3] a step counts once among many at the same time, and none before it counts again', async () => {
    const factors = stage.factors();
    await factors.beginTotp(totp);
    await factors.confirmTotp(confirmation);
    const all = Array.from({ length: 100 }, () => factors.useTotpStep(ada, 102));
    expect((await Promise.all(all)).filter((isUsed) => isUsed)).toHaveLength(1);
    expect(await factors.useTotpStep(ada, 101)).toBe(false);
    expect(await factors.useTotpStep(bob, 103)).toBe(false);
    expect(await factors.useTotpStep(ada, 103)).toBe(true);
  });

  it('[MF3] a recovery code counts once, of its own owner, and not once others took its place', async () => {
    const factors = stage.factors();
    await factors.beginTotp(totp);
    await factors.confirmTotp(confirmation);
    expect(await factors.useRecoveryCode(bob, 'a', 30)).toBe(false);
    const all = Array.from({ length: 100 }, () => factors.useRecoveryCode(ada, 'a', 30));
    expect((await Promise.all(all)).filter((isUsed) => isUsed)).toHaveLength(1);
    expect(await factors.recoveryCodesLeft(ada)).toBe(2);
    await factors.replaceRecoveryCodes(ada, ['d']);
    expect(await factors.useRecoveryCode(ada, 'b', 30)).toBe(false);
    expect(await factors.recoveryCodesLeft(ada)).toBe(1);
  });
}
