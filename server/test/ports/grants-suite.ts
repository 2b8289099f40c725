// What every store of grants must do, whatever it is kept in.
import { describe, expect, it } from 'vitest';
import type { CodeRecord, GrantRecord, TokenPair, TokenRecord } from '../../src/ports/grants.ts';
import type { PlatformChange } from '../../src/ports/platform.ts';
import { app } from './apps-suite.ts';
import { stageOf } from './platform-stage.ts';
import type { PlatformHarness } from './platform-suite.ts';

const NOW = 1_790_000_000_000;

export const grant = (name: string, more: Partial<GrantRecord> = {}): GrantRecord => ({
  grantId: `grt_${name}`,
  kind: 'oauth',
  userId: 'usr_ada',
  accountId: 'acc_ada_live',
  lane: 'live',
  appId: 'app_a',
  partnerId: null,
  scopes: ['account:read', 'offline'],
  dailyCap: 12_345_678_901_234_567_890n,
  feeCapBps: 35,
  text: 'line ☃\n',
  signature: 'signed',
  createdAtMs: NOW,
  expiresAtMs: NOW + 60_000,
  revokedAtMs: null,
  revokedFor: null,
  lastUsedAtMs: null,
  ...more,
});

export const code = (name: string): CodeRecord => ({
  ...{ publicId: `oac_${name}`, salt: 'salt', hash: `hash-${name}`, grantId: `grt_${name}` },
  ...{ redirectUri: 'https://example.com/callback', challenge: 'challenge' },
  ...{ createdAtMs: NOW, expiresAtMs: NOW + 60_000, consumedAtMs: null },
});

const token = (name: string, grantId: string, kind: TokenRecord['kind']): TokenRecord => ({
  ...{ publicId: `${kind}_${name}`, salt: 'salt', hash: `hash-${name}`, kind, grantId },
  ...{ createdAtMs: NOW, expiresAtMs: NOW + 900_000, usedAtMs: null, revokedAtMs: null },
});

export const pair = (name: string, grantId: string): TokenPair => ({
  access: token(name, grantId, 'access'),
  refresh: token(name, grantId, 'refresh'),
});

const LATER = NOW + 7_776_000_000;
const all = { limit: 10, inForceAtMs: null, after: null };

export function describeGrants(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`grants: ${name}`, () => {
    const stage = stageOf(create);
    const given = async (id: string, more: Partial<GrantRecord> = {}) => {
      const { apps, grants } = stage.store;
      await apps.add(app('a'), 9);
      return grants.add(grant(id, more), code(id), 9);
    };

    it('[OAU1] a grant is kept whole with its code and tokens, and lists the newest first', async () => {
      expect(await given('a')).toBe('added');
      await given('b', { createdAtMs: NOW + 1, dailyCap: null, scopes: ['markets:read'] });
      const { grants } = stage.store;
      await grants.exchangeCode('oac_a', pair('1', 'grt_a'), LATER, NOW + 5);
      const check = async () => {
        const { grants: kept } = stage.store;
        expect(await kept.grantById('grt_a')).toEqual(grant('a', { expiresAtMs: LATER }));
        expect(await kept.grantById('grt_x')).toBeNull();
        expect(await kept.codeById('oac_a')).toEqual({ ...code('a'), consumedAtMs: NOW + 5 });
        expect(await kept.codeById('oac_b')).toEqual(code('b'));
        expect(await kept.tokenById('access_1')).toEqual(pair('1', 'grt_a').access);
        expect(await kept.tokenById('refresh_1')).toEqual(pair('1', 'grt_a').refresh);
        const ids = (await kept.grantsOf('usr_ada', all)).map(({ grantId }) => grantId);
        expect(ids).toEqual(['grt_b', 'grt_a']);
        const after = { createdAtMs: NOW + 1, grantId: 'grt_b' };
        expect(await kept.grantsOf('usr_ada', { ...all, after })).toHaveLength(1);
        expect(await kept.grantsOf('usr_bob', all)).toEqual([]);
      };
      await check();
      if (await stage.reopen()) await check();
    });

    it('[OAU1] a user has no more than so many that hold; one whose code nobody exchanged is over with it', async () => {
      const { grants } = stage.store;
      await given('a');
      expect(await grants.add(grant('b'), code('b'), 1)).toBe('too_many');
      expect(await grants.grantById('grt_b')).toBeNull();
      expect(await grants.codeById('oac_b')).toBeNull();
      const late = grant('c', { createdAtMs: NOW + 60_000, expiresAtMs: NOW + 120_000 });
      expect(await grants.add(late, null, 1)).toBe('added');
      const holding = { ...all, inForceAtMs: NOW + 60_000 };
      const ids = (await grants.grantsOf('usr_ada', holding)).map(({ grantId }) => grantId);
      expect(ids).toEqual(['grt_c']);
    });

    it('[OAU2] a code is exchanged once; the second exchange ends the grant with all it issued', async () => {
      const { grants } = stage.store;
      await given('a');
      expect(await grants.exchangeCode('oac_a', pair('1', 'grt_a'), LATER, NOW)).toBe('exchanged');
      expect(await grants.exchangeCode('oac_a', pair('2', 'grt_a'), LATER, NOW + 9)).toBe('reused');
      expect(await grants.tokenById('access_2')).toBeNull();
      const ended = await grants.grantById('grt_a');
      expect(ended).toMatchObject({ revokedAtMs: NOW + 9, revokedFor: 'code_reused' });
      expect(await grants.rotate('refresh_1', pair('3', 'grt_a'), NOW + 10)).toBe('over');
      expect(await grants.tokenById('access_3')).toBeNull();
    });

    it('[OAU3] a refresh token is used once; the second use ends the grant, and neither gives tokens', async () => {
      const { grants } = stage.store;
      await given('a');
      await grants.exchangeCode('oac_a', pair('1', 'grt_a'), LATER, NOW);
      expect(await grants.rotate('refresh_1', pair('2', 'grt_a'), NOW + 1)).toBe('exchanged');
      expect((await grants.tokenById('refresh_1'))?.usedAtMs).toBe(NOW + 1);
      expect(await grants.rotate('access_2', pair('x', 'grt_a'), NOW + 2)).toBe('reused');
      expect(await grants.rotate('refresh_1', pair('3', 'grt_a'), NOW + 3)).toBe('reused');
      expect(await grants.tokenById('refresh_3')).toBeNull();
      const ended = await grants.grantById('grt_a');
      // The first end stands.
      expect(ended).toMatchObject({ revokedAtMs: NOW + 2, revokedFor: 'refresh_token_reused' });
    });

    it('[OAU4] a grant ends by its user, with the app, the password and the account, and whoever ends it is told', async () => {
      const { grants, apps, links, closing } = stage.store;
      for (const id of ['a', 'b', 'c', 'd']) await given(id);
      await grants.add(
        grant('e', { userId: 'usr_bob', appId: null, partnerId: 'usr_ada' }),
        null,
        9,
      );
      const told: PlatformChange[] = [];
      stage.store.onChange((change) => told.push(change));
      const saved = { scope: 's', key: 'k', bodyHash: 'h', answer: '{}', atMs: NOW };
      expect(await grants.end('grt_a', 'user', NOW + 1, saved)).toMatchObject({
        revokedFor: 'user',
      });
      expect(told).toEqual([{ kind: 'grant', grantId: 'grt_a' }]);
      expect(await stage.store.savedAnswer('s', 'k', 0)).toEqual(saved);
      expect(await grants.end('grt_a', 'app', NOW + 2)).toMatchObject({ revokedAtMs: NOW + 1 });
      expect(await grants.end('grt_x', 'user', NOW)).toBeNull();
      const act = { actor: 'usr_ada', reason: 'x', atMs: NOW + 3 };
      await apps.change('app_a', act, (before) => ({ ...before, status: 'disabled' }));
      expect(await grants.grantById('grt_b')).toMatchObject({ revokedFor: 'app_disabled' });
      expect(told).toContainEqual({ kind: 'app', appId: 'app_a' });
      await given('f');
      const link = { tokenHash: 'link', kind: 'reset_password', userId: 'usr_ada' } as const;
      await links.add({ ...link, expiresAtMs: NOW + 60_000, byHand: false });
      await links.resetPassword({
        ...{ tokenHash: 'link', passwordHash: 'new', atMs: NOW + 4 },
        destinations: { addedSinceMs: NOW, usableFromMs: NOW },
        tradingHeldUntilMs: NOW,
      });
      expect(await grants.grantById('grt_f')).toMatchObject({ revokedFor: 'password_changed' });
      expect(told).toContainEqual({ kind: 'user', userId: 'usr_ada' });
      expect(await grants.grantById('grt_e')).toMatchObject({ revokedFor: null });
      await closing.erase('usr_bob', NOW + 5);
      expect(await grants.grantById('grt_e')).toMatchObject({ revokedFor: 'account_closed' });
    });

    it('[DG8] those that a partner holds end with the account of the partner, and each is told', async () => {
      const { grants, closing } = stage.store;
      const held = { kind: 'delegation', userId: 'usr_bob', appId: null } as const;
      await grants.add(grant('held', { ...held, partnerId: 'usr_ada' }), null, 9);
      await grants.add(grant('other', { ...held, partnerId: 'usr_bob' }), null, 9);
      const told: PlatformChange[] = [];
      stage.store.onChange((change) => told.push(change));
      await closing.erase('usr_ada', NOW + 5);
      expect(await grants.grantById('grt_held')).toMatchObject({
        ...{ revokedAtMs: NOW + 5, revokedFor: 'partner_closed' },
      });
      expect(await grants.grantById('grt_other')).toMatchObject({ revokedFor: null });
      expect(told).toContainEqual({ kind: 'grant', grantId: 'grt_held' });
      expect(told).not.toContainEqual({ kind: 'grant', grantId: 'grt_other' });
    });

    it('[OAU4] one token is given back alone, later uses are noted, and what is over is dropped', async () => {
      const { grants } = stage.store;
      await given('a');
      await grants.exchangeCode('oac_a', pair('1', 'grt_a'), LATER, NOW);
      const told: PlatformChange[] = [];
      stage.store.onChange((change) => told.push(change));
      await grants.revokeToken('access_1', NOW + 1);
      await grants.revokeToken('access_x', NOW + 1);
      expect(told).toEqual([{ kind: 'grant', grantId: 'grt_a' }]);
      expect((await grants.tokenById('access_1'))?.revokedAtMs).toBe(NOW + 1);
      expect((await grants.grantById('grt_a'))?.revokedAtMs).toBeNull();
      await grants.touch(new Map([['grt_a', NOW + 7]]));
      await grants.touch(new Map([['grt_a', NOW + 6]]));
      expect((await grants.grantById('grt_a'))?.lastUsedAtMs).toBe(NOW + 7);
      await stage.store.prune(NOW + 60_001);
      expect(await grants.codeById('oac_a')).toBeNull();
      expect(await grants.tokenById('refresh_1')).not.toBeNull();
      await stage.store.prune(NOW + 900_001);
      expect(await grants.tokenById('refresh_1')).toBeNull();
      expect(await grants.grantById('grt_a')).not.toBeNull();
    });

    it('[DG2] delegations are found by partner, account and lane, those that were revoked left out, the longest first', async () => {
      const { grants } = stage.store;
      const held = { partnerId: 'usr_bob', accountId: 'acc_ada_live', lane: 'live' } as const;
      const add = (id: string, more: Partial<GrantRecord>) =>
        grants.add(grant(id, { kind: 'delegation', appId: null, ...held, ...more }), null, 99);
      await add('short', { expiresAtMs: NOW + 1 });
      await add('long', { expiresAtMs: NOW + 9 });
      await add('over', { expiresAtMs: NOW + 99 });
      await add('sub', { accountId: 'sub_x' });
      await add('play', { lane: 'sandbox' });
      await given('app');
      await grants.end('grt_over', 'user', NOW);
      const ids = (await grants.delegations(held)).map(({ grantId }) => grantId);
      expect(ids).toEqual(['grt_long', 'grt_short']);
      expect(await grants.delegations({ ...held, partnerId: 'usr_ada' })).toEqual([]);
    });

    it('[DG4] says which of many grants are over', async () => {
      const { grants } = stage.store;
      await given('a', { expiresAtMs: NOW + 5 });
      await given('b', { expiresAtMs: NOW + 6 });
      await given('c', { expiresAtMs: NOW + 99 });
      await given('d', { expiresAtMs: NOW + 99 });
      await grants.end('grt_c', 'user', NOW + 1);
      const unknown = Array.from({ length: 1200 }, (_, number) => `grt_x${number}`);
      const asked = ['grt_a', 'grt_b', ...unknown, 'grt_c', 'grt_d'];
      const over = (await grants.over(asked, NOW + 5)).map(({ grantId }) => grantId);
      expect(over.sort()).toEqual(['grt_a', 'grt_c']);
      expect(await grants.over([], NOW)).toEqual([]);
    });
  });
}
