// What every platform store must do, whatever it is kept in; each adapter's test runs this suite.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  KeyRecord,
  PlatformChange,
  PlatformStore,
  SavedAnswer,
  UserRecord,
} from '../../src/ports/platform.ts';

export interface PlatformHarness {
  open(): Promise<PlatformStore>;
  /** Whether what one store wrote is there when it is opened again. */
  readonly isDurable: boolean;
  dispose(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Ada's, from the one that she registers with. */
const newPassword = { userId: 'usr_ada', verifiedHash: 'hash', passwordHash: 'new' };

export function describePlatform(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`platform store: ${name}`, () => {
    let harness: PlatformHarness;
    let store: PlatformStore;
    let changes: PlatformChange[];

    beforeEach(async () => {
      harness = await create();
      store = await harness.open();
      changes = [];
      store.onChange((change) => changes.push(change));
    });

    afterEach(async () => {
      await store.close();
      await harness.dispose();
    });

    it('[IF28] finds a user by id, email, code and either account, and nobody otherwise', async () => {
      const ada = user('ada');
      expect(await store.addUser(ada)).toBe(true);
      expect(await store.userById('usr_ada')).toEqual(ada);
      expect(await store.userByEmail('ADA@Example.COM')).toEqual(ada);
      expect(await store.userByReferralCode('code-ada')).toEqual(ada);
      expect(await store.userByAccount('acc_live_ada')).toEqual(ada);
      expect(await store.userByAccount('acc_sandbox_ada')).toEqual(ada);
      for (const nobody of [
        await store.userById('usr_x'),
        await store.userByEmail('x@example.com'),
        await store.userByReferralCode('x'),
        await store.userByAccount('acc_x'),
      ]) {
        expect(nobody).toBeNull();
      }
    });

    it('[IF28] takes an email once, whatever its case', async () => {
      expect(await store.addUser(user('ada'))).toBe(true);
      const again = { ...user('eve'), email: 'ADA@example.com' };
      expect(await store.addUser(again)).toBe(false);
      expect(await store.userById('usr_eve')).toBeNull();
    });

    it('[SE9] removes a demo user with all sessions, and nobody else', async () => {
      const eve = { ...user('eve'), isDemo: true };
      for (const one of [user('ada'), eve]) await store.addUser(one);
      await store.addSession(session('ses_1', 1000));
      await store.addSession({ ...session('ses_2', 1000), userId: 'usr_eve' });
      for (const other of ['usr_ada', 'usr_x']) expect(await store.removeDemo(other)).toBe(false);
      expect(await store.sessionById('ses_1')).not.toBeNull();
      expect(await store.removeDemo('usr_eve')).toBe(true);
      expect(await store.removeDemo('usr_eve')).toBe(false);
      expect(await store.userById('usr_eve')).toBeNull();
      expect(await store.sessionById('ses_2')).toBeNull();
      expect(await store.userById('usr_ada')).not.toBeNull();
      expect(changes).toContainEqual({ kind: 'user', userId: 'usr_eve' });
      expect(await store.addUser(eve)).toBe(true);
      expect(await store.userById('usr_eve')).toEqual(eve);
    });

    it('[SE14] puts a user in place of a demo, once, and both or neither', async () => {
      const eve = { ...user('eve'), isDemo: true };
      for (const one of [user('ada'), eve]) await store.addUser(one);
      await store.addSession({ ...session('ses_2', 1000), userId: 'usr_eve' });
      const accounts = { live: 'acc_live_fay', sandbox: eve.accounts.sandbox };
      const fay = { ...user('fay'), accounts };
      const gil = { ...user('gil'), accounts: { ...accounts, live: 'acc_live_gil' } };
      // The email of another user changes nothing, and a user is no demo.
      const taken = { ...fay, email: 'ADA@example.com' };
      expect(await store.replaceDemo('usr_eve', taken)).toBe('email_taken');
      expect(await store.userById('usr_eve')).toEqual(eve);
      expect(await store.replaceDemo('usr_ada', fay)).toBe('demo_gone');
      expect(await store.userByEmail(fay.email)).toBeNull();
      const both = await Promise.all([
        store.replaceDemo('usr_eve', fay),
        store.replaceDemo('usr_eve', gil),
      ]);
      expect(both.toSorted()).toEqual(['demo_gone', 'replaced']);
      const [winner, loser] = both[0] === 'replaced' ? [fay, gil] : [gil, fay];
      expect(await store.userByAccount(eve.accounts.sandbox)).toEqual(winner);
      for (const gone of [loser.userId, 'usr_eve']) expect(await store.userById(gone)).toBeNull();
      expect(await store.sessionById('ses_2')).toBeNull();
      expect(changes).toContainEqual({ kind: 'user', userId: 'usr_eve' });
    });

    it('[RE10] mints one anonymous key per address and day, and not both of two at once', async () => {
      const claim = { day: 20_000, addressHash: 'h1' };
      expect(await store.hasClaim(claim)).toBe(false);
      const both = await Promise.all([
        store.addAnonymousKey(key('a'), claim),
        store.addAnonymousKey(key('b'), claim),
      ]);
      expect(both.filter((isAdded) => isAdded)).toHaveLength(1);
      expect(await store.hasClaim(claim)).toBe(true);
      expect(
        [await store.keyById(key('a').publicId), await store.keyById(key('b').publicId)].filter(
          (found) => found !== null,
        ),
      ).toHaveLength(1);
      expect(await store.addAnonymousKey(key('c'), { ...claim, day: 20_001 })).toBe(true);
      expect(await store.addAnonymousKey(key('d'), { ...claim, addressHash: 'h2' })).toBe(true);
    });

    it('[IF5] gives back every field of a key', async () => {
      await store.addUser(user('ada'));
      const full: KeyRecord = {
        ...key('a'),
        userId: 'usr_ada',
        holderId: 'usr_ada',
        label: 'bot ☃',
        permissions: ['read', 'trade', 'withdraw'],
        tier: 'genesis',
        mintedAt: 'sandbox',
        bornSelfServe: false,
        rateMultiplier: 10,
        expiresAtMs: 5,
        revokedAtMs: 6,
        lastUsedAtMs: 7,
        mintedBy: 'ses_0000000000000001',
        isSteppedUp: false,
        allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'],
        partnerScopes: ['delegation:trade'],
      };
      await store.addSession(session('ses_0000000000000001', 1000));
      await store.addKey(full);
      expect(await store.keyById(full.publicId)).toEqual(full);
      expect(await store.keyById('sk_live_none')).toBeNull();
    });

    it('[P14] revokes once, keeps the first time, and tells after each change', async () => {
      await store.addKey(key('a'));
      const { publicId } = key('a');
      expect((await store.revokeKey(publicId, 100))?.revokedAtMs).toBe(100);
      expect((await store.revokeKey(publicId, 200))?.revokedAtMs).toBe(100);
      expect(await store.revokeKey('sk_live_none', 1)).toBeNull();
      expect(changes).toEqual([
        { kind: 'key', publicId },
        { kind: 'key', publicId },
        { kind: 'key', publicId },
      ]);
    });

    it('[KY3] revokes what a key minted, in every generation, and tells of each', async () => {
      await store.addKey(key('a'));
      await store.addKey({ ...key('b'), mintedBy: key('a').publicId });
      await store.addKey({ ...key('c'), mintedBy: key('b').publicId });
      await store.addKey({ ...key('d'), mintedBy: key('a').publicId });
      await store.addKey(key('other'));
      await store.revokeKey(key('d').publicId, 50);
      changes.length = 0;
      await store.revokeKey(key('a').publicId, 100);
      expect(await revocations('a', 'b', 'c', 'd', 'other')).toEqual([100, 100, 100, 50, null]);
      const told = changes.map((one) => (one.kind === 'key' ? one.publicId : one.kind));
      expect(told.sort()).toEqual(['a', 'b', 'c'].map((name) => key(name).publicId));
    });

    it('[KY4] a new password leaves the kept session and what stems from it', async () => {
      await store.addUser(user('ada'));
      for (const id of ['kept', 'other', 'over']) await store.addSession(session(id, 1000));
      const own = { holderId: 'usr_ada', userId: 'usr_ada' };
      await store.addKey({ ...key('a'), ...own, mintedBy: 'kept' });
      await store.addKey({ ...key('b'), ...own, mintedBy: key('a').publicId });
      await store.addKey({ ...key('c'), ...own, mintedBy: 'other' });
      await store.addKey({ ...key('d'), ...own, mintedBy: key('c').publicId });
      await store.addKey({ ...key('e'), ...own, mintedBy: 'over' });
      await store.addKey({ ...key('f'), ...own, mintedBy: null });
      await store.addKey(key('foreign'));
      await store.endSession('over', 200);
      await store.prune(300);
      const changed = { ...newPassword, keptSessionId: 'kept', atMs: 400 };
      expect(await store.changePassword(changed)).toEqual({ sessionsEnded: 1, keysRevoked: 4 });
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'foreign'];
      expect(await revocations(...names)).toEqual([null, null, 400, 400, 400, 400, null]);
    });

    it('[KY4] a password that was changed meanwhile opens no session and is not changed again', async () => {
      await store.addUser(user('ada'));
      for (const id of ['owner', 'thief']) await store.addSession(session(id, 1000));
      const byOwner = { ...newPassword, keptSessionId: 'owner', atMs: 400 };
      expect(await store.changePassword(byOwner)).toEqual({ sessionsEnded: 1, keysRevoked: 0 });
      expect(await store.addSession(session('late', 1000), 'hash')).toBe(false);
      expect(await store.sessionById('late')).toBe(null);
      const byThief = { ...newPassword, passwordHash: 'his', keptSessionId: 'thief', atMs: 401 };
      expect(await store.changePassword(byThief)).toBe(null);
      // Nor with the right password, once its own session has ended.
      expect(await store.changePassword({ ...byThief, verifiedHash: 'new' })).toBe(null);
      expect((await store.userById('usr_ada'))?.passwordHash).toBe('new');
      expect(await store.addSession(session('again', 1000), 'new')).toBe(true);
    });

    it('[KY3] adds no key whose parent has been revoked or ended meanwhile', async () => {
      await store.addUser(user('ada'));
      await store.addSession(session('s1', 1000));
      await store.endSession('s1', 2);
      await store.addKey(key('a'));
      await store.revokeKey(key('a').publicId, 2);
      for (const mintedBy of ['s1', key('a').publicId, 'nobody']) {
        expect(await store.addKey({ ...key('b'), mintedBy })).toBe('parent_revoked');
      }
      expect(await store.keyById(key('b').publicId)).toBeNull();
    });

    it('[KY5] counts keys in force, and adds none above the most', async () => {
      await store.addKey(key('a'));
      await store.addKey({ ...key('b'), expiresAtMs: 5 });
      const late = (name: string): KeyRecord => ({ ...key(name), createdAtMs: 5 });
      expect(await store.addKey(late('c'), undefined, 2)).toBe('added');
      expect(await store.addKey(late('d'), saved(1), 2)).toBe('too_many');
      expect(await store.savedAnswer('scope', 'key-0001', 0)).toBeNull();
      expect(await store.addKey({ ...late('e'), holderId: 'somebody' }, undefined, 2)).toBe(
        'added',
      );
      await store.revokeKey(key('a').publicId, 6);
      expect(await store.addKey(late('d'), undefined, 2)).toBe('added');
    });

    it('[KY2] lists the keys of one environment', async () => {
      await store.addKey({ ...key('live'), tier: 'trade_full' });
      await store.addKey(key('learner'));
      await store.addKey({ ...key('test'), tier: 'trade_full', mintedAt: 'sandbox' });
      const names = async (environment?: 'live' | 'sandbox'): Promise<string[]> =>
        (
          await store.keysOf('acc_sandbox', {
            limit: 9,
            after: null,
            environment: environment ?? null,
          })
        ).map(({ publicId }) => publicId.replace(/^sk_live_0*/, ''));
      expect((await names()).sort()).toEqual(['learner', 'live', 'test']);
      expect(await names('live')).toEqual(['live']);
      expect((await names('sandbox')).sort()).toEqual(['learner', 'test']);
    });

    async function revocations(...names: string[]): Promise<(number | null | undefined)[]> {
      const found = await Promise.all(names.map((name) => store.keyById(key(name).publicId)));
      return found.map((one) => one?.revokedAtMs);
    }

    it('[P14] has the change in the store when it tells of it', async () => {
      await store.addKey(key('a'));
      const { publicId } = key('a');
      const seen: Promise<KeyRecord | null>[] = [];
      store.onChange(() => seen.push(store.keyById(publicId)));
      await store.setKeyTier(publicId, 'read_live', change(1));
      expect((await seen[0])?.tier).toBe('read_live');
    });

    it('[IF17] records who changed a tier or a multiplier, and from what', async () => {
      await store.addUser(user('ada'));
      await store.addKey(key('a'));
      const { publicId } = key('a');
      expect((await store.setKeyTier(publicId, 'trade_full', change(1)))?.tier).toBe('trade_full');
      expect((await store.setKeyRate(publicId, 20, change(2)))?.rateMultiplier).toBe(20);
      expect((await store.setUserTier('usr_ada', 'genesis', change(3)))?.tier).toBe('genesis');
      expect((await store.setUserRate('usr_ada', 5, change(3)))?.rateMultiplier).toBe(5);
      expect((await store.userById('usr_ada'))?.rateMultiplier).toBe(5);
      expect(await store.setUserRate('none', 2, change(4))).toBeNull();
      expect(await store.setKeyTier('none', 'genesis', change(4))).toBeNull();
      expect(await store.setKeyRate('none', 2, change(4))).toBeNull();
      expect(await store.setUserTier('none', 'genesis', change(4))).toBeNull();
      expect(await store.tierChanges(publicId)).toEqual([
        { ...change(1), subject: publicId, field: 'tier', from: 'self_serve', to: 'trade_full' },
        { ...change(2), subject: publicId, field: 'rate_multiplier', from: '1', to: '20' },
      ]);
      expect(await store.tierChanges('usr_ada')).toHaveLength(2);
      // The first one is that of the key itself, which somebody may want to be told of.
      expect(changes.map(({ kind }) => kind)).toEqual(['key', 'key', 'key', 'user', 'user']);
    });

    it('[DG5] sets what a key may do for others, and tells of the key', async () => {
      await store.addKey(key('a'));
      const { publicId } = key('a');
      const scopes = ['delegation:trade'];
      expect((await store.setPartnerScopes(publicId, scopes))?.partnerScopes).toEqual(scopes);
      expect((await store.setPartnerScopes(publicId, []))?.partnerScopes).toEqual([]);
      expect(await store.setPartnerScopes('none', scopes)).toBeNull();
      expect(changes.map(({ kind }) => kind)).toEqual(['key', 'key', 'key']);
    });

    it('[PA16] pages of a holder partition its keys, newest first, while more are added', async () => {
      for (let index = 0; index < 23; index += 1) {
        await store.addKey({ ...key(`k${index}`), createdAtMs: 1000 + Math.floor(index / 3) });
      }
      await store.addKey({ ...key('foreign'), holderId: 'somebody' });
      const seen: KeyRecord[] = [];
      let after: { createdAtMs: number; publicId: string } | null = null;
      for (;;) {
        const page: readonly KeyRecord[] = await store.keysOf('acc_sandbox', { limit: 4, after });
        const last = page.at(-1);
        if (last === undefined) break;
        seen.push(...page);
        await store.addKey({ ...key(`new${seen.length}`), createdAtMs: 9999 });
        after = { createdAtMs: last.createdAtMs, publicId: last.publicId };
      }
      expect(seen).toHaveLength(23);
      expect(new Set(seen.map(({ publicId }) => publicId)).size).toBe(23);
      const times = seen.map(({ createdAtMs }) => createdAtMs);
      expect(times).toEqual([...times].sort((a, b) => b - a));
    });

    it('[IF17] lists keys that may graduate: self_serve, of the live address, in force', async () => {
      await store.addKey(key('a'));
      await store.addKey(key('b'));
      await store.addKey({ ...key('c'), tier: 'read_live' });
      await store.addKey({ ...key('d'), mintedAt: 'sandbox' });
      await store.addKey({ ...key('e'), revokedAtMs: 1 });
      const ids = async (after: string, limit: number): Promise<string[]> =>
        (await store.selfServeKeys(after, limit)).map(({ publicId }) => publicId);
      const [first, second] = [key('a').publicId, key('b').publicId];
      expect(await ids('', 10)).toEqual([first, second]);
      expect(await ids('', 1)).toEqual([first]);
      expect(await ids(first, 10)).toEqual([second]);
    });

    it('[IF27] sessions end once, all but one end with the password, and users are told of', async () => {
      await store.addUser(user('ada'));
      for (const id of ['s1', 's2', 's3', 's4']) await store.addSession(session(id, 1000));
      await store.addSession(session('old', 50));
      await store.endSession('s1', 100);
      await store.endSession('s1', 200);
      expect((await store.sessionById('s1'))?.endedAtMs).toBe(100);
      const ended = await store.changePassword({ ...newPassword, keptSessionId: 's2', atMs: 300 });
      expect(ended).toEqual({ sessionsEnded: 2, keysRevoked: 0 });
      expect((await store.userById('usr_ada'))?.passwordHash).toBe('new');
      const ends = await Promise.all(['s2', 's3', 's4'].map((id) => store.sessionById(id)));
      expect(ends.map((found) => found?.endedAtMs)).toEqual([null, 300, 300]);
      expect(changes).toEqual([
        { kind: 'session', sessionId: 's1' },
        { kind: 'user', userId: 'usr_ada' },
      ]);
    });

    it('[IF6] saves an answer with the write it belongs to, for as long as is asked', async () => {
      await store.addKey(key('a'), saved(1000));
      expect(await store.savedAnswer('scope', 'key-0001', 1000)).toEqual(saved(1000));
      expect(await store.savedAnswer('scope', 'key-0001', 1001)).toBeNull();
      expect(await store.savedAnswer('other', 'key-0001', 0)).toBeNull();
      await store.revokeKey(key('a').publicId, 1, { ...saved(5000), bodyHash: 'h2' });
      expect((await store.savedAnswer('scope', 'key-0001', 0))?.bodyHash).toBe('h2');
    });

    it('[OA1] keeps the answer to a command, and a later one with the same key in its place', async () => {
      await store.keepAnswer(saved(1000));
      expect(await store.savedAnswer('scope', 'key-0001', 1000)).toEqual(saved(1000));
      await store.keepAnswer({ ...saved(5000), answer: 'later' });
      expect((await store.savedAnswer('scope', 'key-0001', 1000))?.answer).toBe('later');
    });

    it('[PA22] keeps the latest use of a key', async () => {
      await store.addKey(key('a'));
      const { publicId } = key('a');
      await store.touchKeys(
        new Map([
          [publicId, 500],
          ['sk_live_none', 9],
        ]),
      );
      await store.touchKeys(new Map([[publicId, 400]]));
      expect((await store.keyById(publicId))?.lastUsedAtMs).toBe(500);
    });

    it('[RE10] prunes what has passed and nothing else', async () => {
      await store.addUser(user('ada'));
      await store.addSession(session('gone', 10 * DAY_MS - 1));
      await store.addSession(session('here', 10 * DAY_MS));
      await store.addKey(key('a'), saved(10 * DAY_MS));
      await store.addAnonymousKey(key('b'), { day: 9, addressHash: 'h' });
      await store.addAnonymousKey(key('c'), { day: 10, addressHash: 'h' });
      await store.prune(10 * DAY_MS);
      expect(await store.sessionById('gone')).toBeNull();
      expect(await store.sessionById('here')).not.toBeNull();
      expect(await store.savedAnswer('scope', 'key-0001', 0)).not.toBeNull();
      expect(await store.hasClaim({ day: 9, addressHash: 'h' })).toBe(false);
      expect(await store.hasClaim({ day: 10, addressHash: 'h' })).toBe(true);
    });

    it('[WS8] has one cancel on disconnect for a lane and a credential, the last, over a restart too', async () => {
      const held = { lane: 'live', credential: 'key a', accountId: 'acc_1', graceMs: 5 } as const;
      await store.putDisconnectCancel({ ...held, lane: 'sandbox' });
      await store.putDisconnectCancel({ ...held, credential: 'key b' });
      await store.putDisconnectCancel({ ...held, graceMs: 1 });
      await store.putDisconnectCancel(held);
      await store.dropDisconnectCancel('live', 'key b');
      await store.dropDisconnectCancel('live', 'key c');
      if (harness.isDurable) {
        await store.close();
        store = await harness.open();
      }
      expect(await store.disconnectCancels()).toEqual([held, { ...held, lane: 'sandbox' }]);
    });

    it('[SU3] keeps incidents, each as it was last put, over a restart too', async () => {
      const open = {
        incidentId: 'inc_1',
        lane: 'live',
        kind: 'read_only',
        fromMs: 100,
        toMs: null,
        reason: 'a drill',
      } as const;
      const old = { ...open, incidentId: 'inc_0', fromMs: 10, toMs: 20 };
      await store.putIncident(open);
      await store.putIncident(old);
      expect(await store.incidents(20)).toEqual([old, open]);
      await store.putIncident({ ...open, toMs: 200 });
      if (harness.isDurable) {
        await store.close();
        store = await harness.open();
      }
      expect(await store.incidents(21)).toEqual([{ ...open, toMs: 200 }]);
      expect(await store.incidents(201)).toEqual([]);
    });

    it('[RE10] keeps settings, claims, keys and answers over a restart', async () => {
      if (!harness.isDurable) return;
      await store.putSetting('x', '1');
      await store.putSetting('x', '2');
      await store.addAnonymousKey(key('a'), { day: 1, addressHash: 'h' });
      await store.addKey(key('b'), saved(1));
      await store.close();
      store = await harness.open();
      expect(await store.setting('x')).toBe('2');
      expect(await store.setting('y')).toBeNull();
      expect(await store.hasClaim({ day: 1, addressHash: 'h' })).toBe(true);
      expect(await store.keyById(key('a').publicId)).toEqual(key('a'));
      expect(await store.savedAnswer('scope', 'key-0001', 0)).toEqual(saved(1));
    });
  });
}

export function user(name: string): UserRecord {
  return {
    userId: `usr_${name}`,
    email: `${name}@example.com`,
    passwordHash: 'hash',
    displayName: null,
    referralCode: `code-${name}`,
    referrerId: null,
    tier: 'self_serve',
    rateMultiplier: 1,
    accounts: { live: `acc_live_${name}`, sandbox: `acc_sandbox_${name}` },
    isDemo: false,
    createdAtMs: 1,
  };
}

export function key(name: string): KeyRecord {
  return {
    publicId: `sk_live_${name.padStart(16, '0')}`,
    salt: 'salt',
    keyHash: 'hash',
    holderId: 'acc_sandbox',
    userId: null,
    label: '',
    permissions: ['read'],
    tier: 'self_serve',
    mintedAt: 'live',
    bornSelfServe: true,
    rateMultiplier: 1,
    accounts: { live: 'acc_live', sandbox: 'acc_sandbox' },
    createdAtMs: 1,
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: null,
    mintedBy: null,
    isSteppedUp: true,
    allowedNetworks: [],
    partnerScopes: [],
  };
}

function session(sessionId: string, expiresAtMs: number) {
  return {
    sessionId,
    tokenHash: 'hash',
    userId: 'usr_ada',
    createdAtMs: 1,
    expiresAtMs,
    endedAtMs: null,
    steppedUpAtMs: 5,
    lastSeenAtMs: 1,
    network: '192.0.2.0/24',
    device: 'Firefox on Linux',
  };
}

function saved(atMs: number): SavedAnswer {
  return { scope: 'scope', key: 'key-0001', bodyHash: 'h', answer: '{}', atMs };
}

function change(atMs: number) {
  return { actor: 'ops', reason: 'ticket 1', atMs };
}
