// What every store of signing keys must do, whatever it is kept in.
import { describe, expect, it } from 'vitest';
import type { PlatformChange } from '../../src/ports/platform.ts';
import { stageOf } from './platform-stage.ts';
import type { PlatformHarness } from './platform-suite.ts';

const KEY = 'sk_live_0123456789abcdef';
const OTHER = 'sk_test_0123456789abcdef';
const NOW = 1_790_000_000_000;
const secret = (name: string) => ({ sealed: `sealed ${name}`, passphraseHash: `hash ${name}` });

export function describeSigning(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`signing keys: ${name}`, () => {
    const stage = stageOf(create);

    it('[HM1] switching it off destroys the secret; every change is told', async () => {
      const { signing } = stage.store;
      const told: PlatformChange[] = [];
      const stop = stage.store.onChange((change) => told.push(change));
      expect([await signing.of(KEY), await signing.sealed()]).toEqual([null, []]);
      await signing.enable(KEY, true, NOW);
      expect(await signing.of(KEY)).toEqual({ publicId: KEY, isEnabled: true, secret: null });
      await signing.putSecret(KEY, secret('a'), NOW);
      await signing.enable(KEY, true, NOW + 1);
      const on = { publicId: KEY, isEnabled: true, secret: secret('a') };
      const sealed = [{ publicId: KEY, sealed: 'sealed a' }];
      expect([await signing.of(KEY), await signing.sealed()]).toEqual([on, sealed]);
      await signing.enable(KEY, false, NOW + 2);
      expect(await signing.of(KEY)).toEqual({ publicId: KEY, isEnabled: false, secret: null });
      stop();
      expect(told).toEqual(Array.from({ length: 4 }, () => ({ kind: 'key', publicId: KEY })));
    });

    it('[HM1] a secret takes the place of the one before, together with its answer', async () => {
      const { signing } = stage.store;
      await signing.putSecret(KEY, secret('a'), NOW);
      const saved = { scope: 'usr_ada POST /x', key: 'k', bodyHash: 'b', answer: '{}', atMs: NOW };
      await signing.putSecret(KEY, secret('b'), NOW, saved);
      await stage.reopen();
      const record = { publicId: KEY, isEnabled: false, secret: secret('b') };
      expect(await stage.store.signing.of(KEY)).toEqual(record);
      expect(await stage.store.savedAnswer(saved.scope, saved.key, NOW)).toEqual(saved);
    });

    it('[HM6] all secrets are sealed anew, or none', async () => {
      const { signing } = stage.store;
      await signing.putSecret(KEY, secret('a'), NOW);
      await signing.putSecret(OTHER, secret('b'), NOW);
      await signing.enable('sk_live_ffffffffffffffff', true, NOW);
      const failing = signing.resealAll(({ publicId, sealed }) => {
        if (publicId === OTHER) throw new Error('does not open');
        return `anew ${sealed}`;
      });
      await expect(failing).rejects.toThrow('does not open');
      expect((await signing.of(KEY))?.secret).toEqual(secret('a'));
      expect(await signing.resealAll(({ publicId, sealed }) => `${publicId} ${sealed}`)).toBe(2);
      expect((await signing.of(OTHER))?.secret).toEqual({
        sealed: `${OTHER} sealed b`,
        passphraseHash: 'hash b',
      });
      const drop = await signing.resealAll(({ publicId, sealed }) =>
        publicId === OTHER ? null : sealed,
      );
      expect([drop, (await signing.of(OTHER))?.secret]).toEqual([2, null]);
      expect(await signing.sealed()).toEqual([{ publicId: KEY, sealed: `${KEY} sealed a` }]);
    });

    it('[HM5] a nonce is spent once, also after a restart, until it has ended', async () => {
      const spend = (nonce: string, nowMs: number) =>
        stage.store.signing.spendNonce(nonce, nowMs + 600_000, nowMs);
      expect([await spend('a', NOW), await spend('b', NOW)]).toEqual([true, true]);
      expect(await spend('a', NOW + 1)).toBe(false);
      await stage.reopen();
      expect(await spend('a', NOW + 599_999)).toBe(false);
      expect(await spend('a', NOW + 600_000)).toBe(true);
    });
  });
}
