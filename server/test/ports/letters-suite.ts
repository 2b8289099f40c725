// What every store of letters that wait must do, whatever it is kept in.
import { describe, expect, it } from 'vitest';
import { stageOf } from './platform-stage.ts';
import type { PlatformHarness } from './platform-suite.ts';

const letter = (letterId: string, userId = 'usr_ada', expiresAtMs = 1_000) => ({
  ...{ letterId, userId, sealed: `sealed ${letterId} ☃`, expiresAtMs },
});

export function describeLetters(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`letters: ${name}`, () => {
    const stage = stageOf(create);
    const ids = async (nowMs: number, untilMs: number, limit = 10): Promise<readonly string[]> =>
      (await stage.store.letters.take(nowMs, untilMs, limit)).map(({ letterId }) => letterId);

    it('[MF22] one waits until it is removed, over a restart too, and is taken by one at a time', async () => {
      const { letters } = stage.store;
      expect(await letters.waiting()).toEqual({ count: 0, nextDueMs: null });
      for (const [id, dueAtMs] of [
        ['b', 20],
        ['a', 10],
        ['c', 30],
        ['d', 20],
      ] as const) {
        expect(await letters.add(letter(id), dueAtMs, 4)).toBe(true);
      }
      expect(await letters.add(letter('e'), 1, 4)).toBe(false);
      expect(await letters.waiting()).toEqual({ count: 4, nextDueMs: 10 });
      expect(await letters.take(20, 100, 2)).toEqual([
        { ...letter('a'), attempts: 1 },
        { ...letter('b'), attempts: 1 },
      ]);
      const both = await Promise.all([ids(29, 100), ids(29, 100)]);
      expect(both.flat()).toEqual(['d']);
      await letters.remove('a');
      await letters.postpone('b', 40);
      await letters.postpone('unknown', 40);
      await stage.reopen();
      expect(await stage.store.letters.waiting()).toEqual({ count: 3, nextDueMs: 30 });
      expect(await stage.store.letters.take(40, 200, 10)).toEqual([
        { ...letter('c'), attempts: 1 },
        { ...letter('b'), attempts: 2 },
      ]);
      // Whoever took it has not been heard of since.
      expect(await ids(100, 200)).toEqual(['d']);
    });

    it('[MF21] those of a user go with the user, and those that are over after a while', async () => {
      const { letters, closing } = stage.store;
      await letters.add(letter('a'), 1, 9);
      await letters.add(letter('b', 'usr_bob'), 1, 9);
      await letters.add(letter('o', 'usr_bob', 49), 1, 9);
      await closing.erase('usr_ada', 5);
      expect(await ids(1, 1)).toEqual(['b', 'o']);
      await stage.store.prune(50);
      expect(await ids(1, 1)).toEqual(['b']);
    });
  });
}
