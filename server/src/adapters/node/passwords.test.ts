import { afterAll, describe, expect, it } from 'vitest';
import { NodePasswords } from './passwords.ts';

const passwords = new NodePasswords();
afterAll(() => passwords.close());

describe('passwords', () => {
  it('[PW1] are hashed with argon2id and verified; nobody matches without a hash', async () => {
    const hash = await passwords.hash('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hash, 'correct horse')).toBe(true);
    expect(await passwords.verify(hash, 'wrong horse')).toBe(false);
    expect(await passwords.verify(null, 'no user has this password')).toBe(false);
  });

  it('[PW2] an unknown user costs as much as a wrong password', async () => {
    const hash = await passwords.hash('x');
    const cost = async (stored: string | null): Promise<number> => {
      const beganMs = performance.now();
      for (let index = 0; index < 4; index += 1) await passwords.verify(stored, 'y');
      return performance.now() - beganMs;
    };
    await cost(null);
    const [unknown, wrong] = [await cost(null), await cost(hash)];
    expect(unknown).toBeGreaterThan(wrong / 4);
    expect(unknown).toBeLessThan(wrong * 4);
  });

  it('[PW3] bounded: what is too much is turned away, the rest is done', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => passwords.hash('x')));
    expect(answers.filter((hash) => hash === null)).toHaveLength(60 - 34);
  });

  it('[PW3] are judged beside the loop, so that a hostile one stalls nothing', async () => {
    await passwords.judge('warm up the judge', []);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const hostile = await passwords.judge('4@8({[<369'.repeat(25), []);
    clearInterval(timer);
    expect(hostile).not.toBeNull();
    // Judged in the loop, it would let none pass.
    expect(turns).toBeGreaterThan(3);
    expect(await passwords.judge('correct horse battery staple', [])).toEqual({ isStrong: true });
  });

  it('[PW4] that are weak are told why: common, about their owner, or guessed in another way', async () => {
    const reasons = {
      password123: 'common',
      qwertyuiop: 'common',
      iloveyou12: 'common',
      adalovelace: 'personal',
      aaaaaaaaaaaa: 'guessable',
    };
    for (const [weak, reason] of Object.entries(reasons)) {
      const about = ['ada.lovelace@example.com', 'ada', 'lovelace', 'example'];
      expect(await passwords.judge(weak, about), weak).toEqual({ isStrong: false, reason });
    }
  });
});
