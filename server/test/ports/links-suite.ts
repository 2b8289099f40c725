// What every store of one-time links must do, whatever it is kept in.
import { describe, expect, it } from 'vitest';
import type { LinkKind } from '../../src/ports/links.ts';
import { stageOf } from './platform-stage.ts';
import { key, type PlatformHarness, user } from './platform-suite.ts';

const link = (tokenHash: string, kind: LinkKind, userId = 'usr_ada', expiresAtMs = 100) => ({
  ...{ tokenHash, kind, userId, expiresAtMs, byHand: false },
});
const session = (sessionId: string, userId = 'usr_ada') => ({
  ...{ sessionId, tokenHash: 'hash', userId, createdAtMs: 1, expiresAtMs: 1000 },
  ...{ endedAtMs: null, steppedUpAtMs: null, lastSeenAtMs: 1, network: '', device: '' },
});

const held = { tradingHeldUntilMs: 900 };

export function describeLinks(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`one-time links: ${name}`, () => {
    const stage = stageOf(create);

    it('[MF14] one verifies the address of its user, once, and with it go the others of its kind', async () => {
      const { links, profiles } = stage.store;
      await links.add(link('v1', 'verify_email'));
      await links.add(link('v2', 'verify_email'));
      await links.add(link('r1', 'reset_password'));
      await links.add(link('vb', 'verify_email', 'usr_bob'));
      expect(await links.confirmEmail('r1', 10)).toBeNull();
      expect(await links.confirmEmail('v1', 100)).toBeNull();
      expect(await links.confirmEmail('v1', 99)).toBe('usr_ada');
      for (const used of ['v1', 'v2']) expect(await links.confirmEmail(used, 99)).toBeNull();
      expect(await profiles.of('usr_ada')).toMatchObject({ emailVerifiedAtMs: 99 });
      expect(await profiles.of('usr_bob')).toMatchObject({ emailVerifiedAtMs: null });
      await profiles.change('usr_ada', { country: 'DE' });
      const kept = { country: 'DE', emailVerifiedAtMs: 99 };
      expect(await profiles.of('usr_ada')).toMatchObject(kept);
      expect(await links.find('verify_email', 'vb', 50)).toEqual(
        link('vb', 'verify_email', 'usr_bob'),
      );
      if (!(await stage.reopen())) return;
      expect(await stage.store.profiles.of('usr_ada')).toMatchObject(kept);
      expect(await stage.store.links.confirmEmail('v1', 99)).toBeNull();
    });

    it('[MF16] one sets a password among many at once, ends sessions and keys, and is a change', async () => {
      const { links } = stage.store;
      for (const one of [session('s1'), session('s2'), session('sb', 'usr_bob')])
        await stage.store.addSession(one);
      const own = { holderId: 'usr_ada', userId: 'usr_ada', mintedBy: 's1' };
      await stage.store.addKey({ ...key('a'), ...own });
      await stage.store.addKey({
        ...key('b'),
        holderId: 'usr_bob',
        userId: 'usr_bob',
        mintedBy: 'sb',
      });
      await links.add(link('r1', 'reset_password'));
      const told: unknown[] = [];
      stage.store.onChange((change) => told.push(change));
      const destinations = { addedSinceMs: 40, usableFromMs: 200 };
      const reset = { tokenHash: 'r1', passwordHash: 'new', atMs: 50, destinations, ...held };
      expect(await links.resetPassword({ ...reset, atMs: 100 })).toBeNull();
      const all = await Promise.all(Array.from({ length: 20 }, () => links.resetPassword(reset)));
      expect(all.filter((done) => done !== null)).toEqual([{ sessionsEnded: 2, keysRevoked: 1 }]);
      expect((await stage.store.userById('usr_ada'))?.passwordHash).toBe('new');
      expect((await stage.store.keyById(key('a').publicId))?.revokedAtMs).toBe(50);
      expect((await stage.store.keyById(key('b').publicId))?.revokedAtMs).toBeNull();
      expect(await stage.store.sessions.of('usr_ada', 60)).toEqual([]);
      expect(await stage.store.sessions.of('usr_bob', 60)).toHaveLength(1);
      expect(await stage.store.factors.changedAtMs('usr_ada')).toBe(50);
      expect(told).toEqual([
        { kind: 'user', userId: 'usr_ada' },
        { kind: 'key', publicId: key('a').publicId },
      ]);
    });

    it('[MF29] a newer one to set a password ends the older ones of its user', async () => {
      const { links } = stage.store;
      await links.add(link('r1', 'reset_password'));
      await links.add(link('v1', 'verify_email'));
      await links.add(link('rb', 'reset_password', 'usr_bob'));
      await links.add(link('r2', 'reset_password'));
      expect(await links.find('reset_password', 'r1', 50)).toBeNull();
      expect(await links.find('reset_password', 'r2', 50)).not.toBeNull();
      expect(await links.find('reset_password', 'rb', 50)).not.toBeNull();
      expect(await links.find('verify_email', 'v1', 50)).not.toBeNull();
    });

    it('[MF30] one that sets a password starts the delay of recent destinations again', async () => {
      const { links, destinations } = stage.store;
      const add = (destinationId: string, createdAtMs: number, usableFromMs: number) =>
        destinations.add(
          {
            ...{ destinationId, userId: 'usr_ada', label: '', destination: destinationId },
            ...{ createdAtMs, usableFromMs },
          },
          9,
        );
      await add('old', 39, 45);
      await add('recent', 40, 46);
      await add('later', 41, 300);
      await links.add(link('r1', 'reset_password'));
      const recent = { addedSinceMs: 40, usableFromMs: 200 };
      const reset = {
        tokenHash: 'r1',
        passwordHash: 'new',
        atMs: 50,
        destinations: recent,
        ...held,
      };
      expect(await links.resetPassword(reset)).not.toBeNull();
      const kept = await destinations.of('usr_ada');
      expect(kept.map(({ usableFromMs }) => usableFromMs)).toEqual([45, 200, 300]);
    });

    it('[MF31] one that was handed out by an operator holds trading, and a mailed one does not', async () => {
      const { links, factors } = stage.store;
      const destinations = { addedSinceMs: 40, usableFromMs: 200 };
      const reset = { passwordHash: 'new', atMs: 50, destinations, ...held };
      await links.add(link('r1', 'reset_password'));
      await links.resetPassword({ ...reset, tokenHash: 'r1' });
      expect(await factors.tradingHeldUntilMs('usr_ada')).toBeNull();
      await links.add({ ...link('r2', 'reset_password'), byHand: true });
      expect(await links.find('reset_password', 'r2', 5)).toMatchObject({ byHand: true });
      await links.resetPassword({ ...reset, tokenHash: 'r2' });
      // A later change of the password does not end it.
      await links.add(link('r3', 'reset_password'));
      await links.resetPassword({ ...reset, tokenHash: 'r3', tradingHeldUntilMs: 1 });
      if (await stage.reopen()) expect(await stage.store.factors.changedAtMs('usr_ada')).toBe(50);
      expect(await stage.store.factors.tradingHeldUntilMs('usr_ada')).toBe(900);
      expect(await stage.store.factors.tradingHeldUntilMs('usr_bob')).toBeNull();
    });

    it('[MF16] those that set a password end when it is changed otherwise, and old ones are dropped', async () => {
      const { links } = stage.store;
      await stage.store.addSession(session('s1'));
      await links.add(link('r1', 'reset_password'));
      await links.add(link('v1', 'verify_email'));
      await links.add(link('v2', 'verify_email', 'usr_ada', 10));
      const hashes = { verifiedHash: 'hash', passwordHash: 'new' };
      await stage.store.changePassword({
        userId: 'usr_ada',
        ...hashes,
        keptSessionId: 's1',
        atMs: 5,
      });
      expect(await links.find('reset_password', 'r1', 5)).toBeNull();
      await links.prune(50);
      expect(await links.find('verify_email', 'v2', 5)).toBeNull();
      expect(await links.find('verify_email', 'v1', 5)).not.toBeNull();
    });

    it('[MF25] an exclusion is kept with the end of its user, until it is over', async () => {
      const { closing } = stage.store;
      const exclusion = { emailHash: 'h1', untilMs: 1000 };
      await closing.erase('usr_none', 50, exclusion);
      expect(await closing.excludedUntilMs('h1', 60)).toBeNull();
      await closing.erase('usr_ada', 50, exclusion);
      await closing.erase('usr_bob', 50);
      expect(await closing.excludedUntilMs('h1', 999)).toBe(1000);
      expect(await closing.excludedUntilMs('h1', 1000)).toBeNull();
      expect(await closing.excludedUntilMs('h2', 60)).toBeNull();
      await stage.store.prune(1000);
      expect(await closing.excludedUntilMs('h1', 999)).toBe(1000);
      await stage.store.prune(1001);
      expect(await closing.excludedUntilMs('h1', 999)).toBeNull();
    });

    it('[MF21] a user who is erased is found by nothing, others stay, and the address is free', async () => {
      for (const one of [session('s1'), session('sb', 'usr_bob')])
        await stage.store.addSession(one);
      await stage.store.addUser({ ...user('cyd'), referrerId: 'usr_ada' });
      const own = { holderId: 'usr_ada', userId: 'usr_ada', mintedBy: 's1' };
      const answer = { key: 'k', bodyHash: 'h', answer: '{"data":{}}', atMs: 1 };
      const minted = { ...key('a'), ...own, label: 'bot', allowedNetworks: ['192.0.2.0/24'] };
      await stage.store.addKey(minted, { scope: 'usr_ada POST /v1/keys', ...answer });
      await stage.store.saveAnswer({ scope: 'usr_bob POST /v1/keys', ...answer });
      const totp = { ownerId: 'usr_ada', sealedSeed: 's', createdAtMs: 1, confirmedAtMs: null };
      await stage.store.factors.beginTotp(totp);
      const confirmation = { ownerId: 'usr_ada', sealedSeed: 's', step: 1, atMs: 2 };
      await stage.store.factors.confirmTotp({ ...confirmation, recoveryHashes: ['a'] });
      await stage.store.profiles.change('usr_ada', { phone: '+4930123456' });
      await stage.store.links.add(link('v1', 'verify_email'));
      const place = { destinationId: 'dst_1', userId: 'usr_ada', label: 'x', destination: 'y' };
      await stage.store.destinations.add({ ...place, createdAtMs: 1, usableFromMs: 2 }, 9);
      const { email, accounts } = user('ada');
      const { closing } = stage.store;
      const member = { userId: 'usr_ada', referrerId: null };
      expect(await closing.memberByAccount(accounts.live)).toEqual(member);
      expect(await stage.store.closing.erase('usr_none', 50)).toBe(false);
      expect(await stage.store.closing.erase('usr_ada', 50)).toBe(true);
      expect(await stage.store.closing.erase('usr_ada', 51)).toBe(false);
      const gone = [
        stage.store.userById('usr_ada'),
        stage.store.userByEmail(email),
        stage.store.userByAccount(accounts.live),
        stage.store.userByReferralCode(user('ada').referralCode),
        stage.store.profiles.of('usr_ada'),
        stage.store.factors.totpOf('usr_ada'),
        stage.store.factors.changedAtMs('usr_ada'),
        stage.store.sessionById('s1'),
        stage.store.links.find('verify_email', 'v1', 5),
        stage.store.savedAnswer('usr_ada POST /v1/keys', 'k', 0),
      ];
      expect(await Promise.all(gone)).toEqual(gone.map(() => null));
      // Whom the user belonged to stays known to those who ask for it.
      expect(await closing.memberById('usr_ada')).toEqual(member);
      for (const id of Object.values(accounts))
        expect(await closing.memberByAccount(id)).toEqual(member);
      expect(await closing.memberById('usr_cyd')).toMatchObject({ referrerId: 'usr_ada' });
      expect(await closing.memberById('usr_none')).toBeNull();
      expect(await closing.memberByAccount('acc_none')).toBeNull();
      expect(await stage.store.factors.recoveryCodesLeft('usr_ada')).toBe(0);
      expect(await stage.store.destinations.of('usr_ada')).toEqual([]);
      expect(await stage.store.keyById(key('a').publicId)).toMatchObject({
        ...{ label: '', allowedNetworks: [], revokedAtMs: 50, holderId: 'usr_ada' },
      });
      expect(await stage.store.savedAnswer('usr_bob POST /v1/keys', 'k', 0)).not.toBeNull();
      expect(await stage.store.sessionById('sb')).not.toBeNull();
      expect((await stage.store.userById('usr_cyd'))?.referrerId).toBe('usr_ada');
      expect(await stage.store.addUser({ ...user('new'), email })).toBe(true);
    });
  });
}
