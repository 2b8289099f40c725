import { afterAll, describe, expect, it } from 'vitest';
import { NodePasswords, PUBLIC_TURNS } from './passwords.ts';

const passwords = new NodePasswords(PUBLIC_TURNS);
/** Without a user, each request is of a connection of its own. */
const at = (address: string, userId?: string) => {
  const connection = { destroyed: false, readableEnded: false };
  return { address, holder: userId ?? connection, connection };
};
const one = at('192.0.2.1');
afterAll(() => passwords.close());

describe('passwords', () => {
  it('[PW1] are hashed with argon2id and verified; nobody matches without a hash', async () => {
    const hash = await passwords.hash('correct horse', one);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hash, 'correct horse', one)).toBe(true);
    expect(await passwords.verify(hash, 'wrong horse', one)).toBe(false);
    expect(await passwords.verify(null, 'no user has this password', one)).toBe(false);
  });

  it('[PW2] an unknown user costs as much as a wrong password', async () => {
    const hash = await passwords.hash('x', one);
    const cost = async (stored: string | null): Promise<number> => {
      const beganMs = performance.now();
      for (let index = 0; index < 4; index += 1) await passwords.verify(stored, 'y', one);
      return performance.now() - beganMs;
    };
    await cost(null);
    const [unknown, wrong] = [await cost(null), await cost(hash)];
    expect(unknown).toBeGreaterThan(wrong / 4);
    expect(unknown).toBeLessThan(wrong * 4);
  });

  it('[PW3] bounded: what is too much is turned away, the rest is done', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => passwords.hash('x', at(`192.0.2.${index}`))),
    );
    expect(answers.filter((hash) => hash === null)).toHaveLength(60 - 34);
  });

  it('[PW5] an address has two places in the queue, a user or connection one, and addresses take turns', async () => {
    const done: string[] = [];
    const ask = async (name: string, address: string, userId?: string): Promise<void> => {
      const hash = await passwords.hash('x', at(address, userId));
      done.push(hash === null ? `${name} refused` : name);
    };
    const crowd = Array.from({ length: 6 }, (_, index) => ask(`crowd ${index}`, '192.0.2.1'));
    const users = ['192.0.2.2', '192.0.2.3'].map((address, index) =>
      ask(`user ${index}`, address, 'usr_same'),
    );
    const same = at('192.0.2.5');
    const pipelined = [0, 1].map(() => passwords.hash('x', same));
    await Promise.all([...crowd, ...users, ask('last', '192.0.2.4')]);
    expect(await Promise.all(pipelined)).toEqual([expect.any(String), null]);
    expect(done.filter((name) => name.endsWith('refused'))).toEqual([
      'crowd 4 refused',
      'crowd 5 refused',
      'user 1 refused',
    ]);
    // The second one that waits at the crowded address comes after all other addresses.
    const served = done.filter((name) => !name.endsWith('refused'));
    // Two are hashed at a time: the sixth to begin ends after four others.
    expect(served).toHaveLength(6);
    expect(served.indexOf('crowd 3')).toBeGreaterThanOrEqual(4);
    // The user's place is free again.
    expect(await passwords.hash('x', at('192.0.2.3', 'usr_same'))).not.toBe(null);
  });

  it('[PW3] are judged beside the loop, so that a hostile one stalls nothing', async () => {
    await passwords.judge('warm up the judge', [], one);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const hostile = await passwords.judge('4@8({[<369'.repeat(25), [], one);
    clearInterval(timer);
    expect(hostile).not.toBeNull();
    // Judged in the loop, it would let none pass.
    expect(turns).toBeGreaterThan(3);
    expect(await passwords.judge('correct horse battery staple', [], one)).toEqual({
      isStrong: true,
    });
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
      expect(await passwords.judge(weak, about, one), weak).toEqual({ isStrong: false, reason });
    }
  });
});
