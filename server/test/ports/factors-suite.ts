// What every store of second factors must do, whatever it is kept in.
import { describe, expect, it } from 'vitest';
import type { PasskeyRecord } from '../../src/ports/factors.ts';
import { begunBy, describeAuthenticators } from './authenticators-suite.ts';
import { stageOf } from './platform-stage.ts';
import type { PlatformHarness } from './platform-suite.ts';

const { totp, confirmation } = begunBy('usr_ada');

const passkey = (name: string): PasskeyRecord => ({
  passkeyId: `pk_${name}`,
  credentialId: `c${name}`,
  userId: 'usr_ada',
  publicKey: 'key',
  counter: 0,
  transports: ['internal', 'hybrid'],
  isSynced: true,
  label: 'laptop',
  createdAtMs: 11,
  lastUsedAtMs: null,
});

export function describeFactors(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`second factors: ${name}`, () => {
    const stage = stageOf(create);

    describeAuthenticators({
      owners: ['usr_ada', 'usr_bob'],
      factors: () => stage.store.factors,
      reopen: () => stage.reopen(),
    });

    it('[MF7] a change of a factor or of the password is noted with its time', async () => {
      const { factors } = stage.store;
      await factors.beginTotp(totp);
      expect(await factors.removeTotp('usr_ada', 15)).toBe(false);
      expect(await factors.changedAtMs('usr_ada')).toBeNull();
      await factors.confirmTotp(confirmation);
      expect(await factors.changedAtMs('usr_ada')).toBe(20);
      expect(await factors.removeTotp('usr_ada', 40)).toBe(true);
      expect(await factors.removeTotp('usr_ada', 41)).toBe(false);
      expect(await factors.changedAtMs('usr_ada')).toBe(40);
      expect(await factors.recoveryCodesLeft('usr_ada')).toBe(0);
      expect(await factors.totpOf('usr_ada')).toBeNull();
      expect(await factors.changedAtMs('usr_bob')).toBeNull();
      await stage.store.addSession({
        sessionId: 'kept',
        tokenHash: 'hash',
        userId: 'usr_bob',
        createdAtMs: 1,
        expiresAtMs: 9,
        endedAtMs: null,
        steppedUpAtMs: null,
        lastSeenAtMs: 1,
        network: '',
        device: '',
      });
      const hashes = { verifiedHash: 'hash', passwordHash: 'new' };
      const change = { userId: 'usr_bob', ...hashes, keptSessionId: 'kept', atMs: 50 };
      expect(await stage.store.changePassword(change)).not.toBeNull();
      expect(await factors.changedAtMs('usr_bob')).toBe(50);
    });

    it('[MF8] passkeys belong to their users, and their count only rises', async () => {
      const { factors } = stage.store;
      const [first, second] = [passkey('1'), { ...passkey('2'), createdAtMs: 12, transports: [] }];
      expect(await factors.addPasskey(first, ['a'], 2)).toBe('with_codes');
      expect(await factors.addPasskey({ ...first, passkeyId: 'pk_x' }, ['b'], 2)).toBe('taken');
      expect(await factors.addPasskey(second, ['b'], 2)).toBe('without_codes');
      expect(await factors.addPasskey(passkey('3'), [], 2)).toBe('too_many');
      expect(await factors.passkeysOf('usr_ada')).toEqual([first, second]);
      expect(await factors.passkeysOf('usr_bob')).toEqual([]);
      expect(await factors.passkeyByCredential('c2')).toEqual(second);
      expect(await factors.passkeyByCredential('c9')).toBeNull();
      expect(await factors.usePasskey('c1', 0, 20)).toBe(true);
      expect(await factors.usePasskey('c1', 5, 21)).toBe(true);
      for (const count of [0, 4, 5]) expect(await factors.usePasskey('c1', count, 22)).toBe(false);
      expect(await factors.usePasskey('c9', 1, 22)).toBe(false);
      expect(await factors.renamePasskey('usr_bob', 'pk_1', 'x')).toBeNull();
      const renamed = { ...first, label: 'desk', counter: 5, lastUsedAtMs: 21 };
      expect(await factors.renamePasskey('usr_ada', 'pk_1', 'desk')).toEqual(renamed);
      expect(await factors.removePasskey('usr_bob', 'pk_1', 30)).toBeNull();
      expect(await factors.removePasskey('usr_ada', 'pk_1', 30)).toEqual(renamed);
      expect(await factors.changedAtMs('usr_ada')).toBe(30);
      expect(await factors.recoveryCodesLeft('usr_ada')).toBe(1);
      await factors.removePasskey('usr_ada', 'pk_2', 31);
      expect(await factors.recoveryCodesLeft('usr_ada')).toBe(0);
    });

    it('[OP66] all that a user has lost is removed at once with the sessions, and nothing of others', async () => {
      const { store } = stage;
      const { factors } = store;
      const open = (sessionId: string, userId: string) => ({
        ...{ sessionId, tokenHash: 'hash', userId, createdAtMs: 1, expiresAtMs: 999 },
        ...{ endedAtMs: null, steppedUpAtMs: 1, lastSeenAtMs: 1, network: '', device: '' },
      });
      for (const one of [open('s1', 'usr_ada'), open('s2', 'usr_ada'), open('s3', 'usr_bob')])
        await store.addSession(one);
      const bobs = begunBy('usr_bob');
      await factors.beginTotp(bobs.totp);
      await factors.confirmTotp(bobs.confirmation);
      await factors.beginTotp(totp);
      const told: unknown[] = [];
      store.onChange((change) => told.push(change));
      // What was only begun is no factor.
      expect(await factors.removeAll('usr_ada', 30)).toBeNull();
      expect(await factors.changedAtMs('usr_ada')).toBeNull();
      expect((await store.sessions.of('usr_ada', 30)).length).toBe(2);
      expect(told).toEqual([]);
      await factors.addPasskey(passkey('1'), ['a', 'b'], 2);
      await factors.addPasskey(passkey('2'), [], 2);
      const onlyPasskeys = { hadTotp: false, passkeys: 2, sessionsEnded: 2 };
      expect(await factors.removeAll('usr_ada', 30)).toEqual(onlyPasskeys);
      expect(told).toEqual([{ kind: 'user', userId: 'usr_ada' }]);
      expect(await factors.totpOf('usr_ada')).toBeNull();
      await factors.beginTotp(totp);
      await factors.confirmTotp(confirmation);
      await factors.addPasskey(passkey('3'), [], 2);
      const both = { hadTotp: true, passkeys: 1, sessionsEnded: 0 };
      expect(await factors.removeAll('usr_ada', 40)).toEqual(both);
      expect(await factors.removeAll('usr_ada', 41)).toBeNull();
      await stage.reopen();
      const { factors: kept, sessions } = stage.store;
      expect(await kept.totpOf('usr_ada')).toBeNull();
      expect(await kept.passkeysOf('usr_ada')).toEqual([]);
      expect(await kept.recoveryCodesLeft('usr_ada')).toBe(0);
      expect(await kept.changedAtMs('usr_ada')).toBe(40);
      expect(await sessions.of('usr_ada', 50)).toEqual([]);
      expect((await kept.totpOf('usr_bob'))?.confirmedAtMs).toBe(20);
      expect(await kept.recoveryCodesLeft('usr_bob')).toBe(3);
      expect((await sessions.of('usr_bob', 50)).length).toBe(1);
    });

    it('[MF10] a challenge is answered once among many, after a restart too, until it is over', async () => {
      const use = (name: string, nowMs = 10) => stage.store.factors.useChallenge(name, 100, nowMs);
      const all = await Promise.all(Array.from({ length: 20 }, () => use('one')));
      expect(all.filter((isUsed) => isUsed)).toHaveLength(1);
      expect(await use('two')).toBe(true);
      if (await stage.reopen()) {
      }
      expect(await use('one', 99)).toBe(false);
      // Nobody takes it for good any more, so it need not be remembered.
      expect(await use('one', 100)).toBe(true);
    });

    it('[MF12] a profile keeps what it is not told to change', async () => {
      const { profiles } = stage.store;
      const blank = {
        ...{ userId: 'usr_ada', displayName: null, walletAddress: null, country: null },
        ...{ phone: null, language: null, emailVerifiedAtMs: null, isCountryFixed: false },
        lastLoginIp: null,
      };
      expect(await profiles.of('usr_none')).toBeNull();
      expect(await profiles.change('usr_none', { country: 'DE' })).toBeNull();
      expect(await profiles.of('usr_ada')).toEqual(blank);
      const change = { country: 'DE', phone: '+4930123456', displayName: 'Ada ☃' };
      expect(await profiles.change('usr_ada', change)).toEqual({ ...blank, ...change });
      await profiles.change('usr_ada', { phone: null, language: 'de', walletAddress: '0xada' });
      const after = { ...blank, ...change, phone: null, language: 'de', walletAddress: '0xada' };
      expect(await profiles.of('usr_ada')).toEqual(after);
      expect((await stage.store.userById('usr_ada'))?.displayName).toBe('Ada ☃');
    });

    it('[CP10] a profile is not changed against what is there', async () => {
      const { profiles } = stage.store;
      await profiles.change('usr_ada', { country: 'ES', isCountryFixed: true });
      const free = ({ isCountryFixed }: { isCountryFixed: boolean }) => !isCountryFixed;
      expect(await profiles.change('usr_ada', { country: 'PT' }, free)).toBeNull();
      const kept = { country: 'ES', isCountryFixed: true };
      expect(await profiles.of('usr_ada')).toMatchObject(kept);
      await profiles.change('usr_ada', { phone: '+4930123456' });
      expect(await profiles.of('usr_ada')).toMatchObject(kept);
      await profiles.change('usr_ada', { country: null, isCountryFixed: false });
      const after = await profiles.change('usr_ada', { country: 'PT' }, free);
      expect(after).toMatchObject({ country: 'PT', isCountryFixed: false });
    });

    it('[MF11] sessions are listed while they are open, and all others end at once', async () => {
      const open = (sessionId: string, createdAtMs: number, expiresAtMs = 1000) => ({
        ...{ sessionId, tokenHash: 'hash', userId: 'usr_ada', createdAtMs, expiresAtMs },
        ...{ endedAtMs: null, steppedUpAtMs: null, lastSeenAtMs: 1, network: '', device: '' },
      });
      for (const one of [open('s1', 1), open('s2', 2), open('s3', 3), open('old', 4, 50)])
        await stage.store.addSession(one);
      await stage.store.endSession('s3', 10);
      const ids = async () =>
        (await stage.store.sessions.of('usr_ada', 100)).map((one) => one.sessionId);
      expect(await ids()).toEqual(['s2', 's1']);
      await stage.store.sessions.touch(
        new Map([
          ['s1', 40],
          ['none', 40],
        ]),
      );
      await stage.store.sessions.touch(new Map([['s1', 30]]));
      expect((await stage.store.sessionById('s1'))?.lastSeenAtMs).toBe(40);
      expect(await stage.store.sessions.endOthers('usr_ada', 's1', 100)).toBe(1);
      expect(await stage.store.sessions.endOthers('usr_ada', 's1', 100)).toBe(0);
      expect(await ids()).toEqual(['s1']);
      // The last that was begun, though it is over by now.
      expect(await stage.store.sessions.lastBegunMs('usr_ada')).toBe(4);
      expect(await stage.store.sessions.lastBegunMs('usr_bob')).toBeNull();
    });

    it('[MF5] a session is stepped up while it is open, and whoever remembers it is told', async () => {
      const session = {
        ...{
          sessionId: 's1',
          tokenHash: 'hash',
          userId: 'usr_ada',
          createdAtMs: 1,
          expiresAtMs: 9,
        },
        ...{ endedAtMs: null, steppedUpAtMs: null, lastSeenAtMs: 1, network: '', device: '' },
      };
      await stage.store.addSession(session);
      const told: unknown[] = [];
      stage.store.onChange((change) => told.push(change));
      expect(await stage.store.stepUpSession('s1', 7)).toBe(true);
      expect(await stage.store.sessionById('s1')).toEqual({ ...session, steppedUpAtMs: 7 });
      expect(told).toEqual([{ kind: 'session', sessionId: 's1' }]);
      await stage.store.endSession('s1', 8);
      expect(await stage.store.stepUpSession('s1', 9)).toBe(false);
      expect(await stage.store.stepUpSession('none', 9)).toBe(false);
      expect(told).toHaveLength(2);
    });
  });
}
