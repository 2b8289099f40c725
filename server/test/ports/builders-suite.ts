// What every store of builders must do, whatever it is kept in.
import { describe, expect, it } from 'vitest';
import type { NewApplication } from '../../src/ports/builders.ts';
import type { PlatformChange } from '../../src/ports/platform.ts';
import { stageOf } from './platform-stage.ts';
import { key, type PlatformHarness, user } from './platform-suite.ts';

const application = (name: string, more: Partial<NewApplication> = {}): NewApplication => ({
  userId: `usr_${name}`,
  track: 'genesis',
  name: `${name} ☃`,
  website: 'https://example.com/',
  about: 'A dashboard.',
  agreementVersion: '1',
  atMs: 1_790_000_000_000,
  ...more,
});

const approval = (name: string, cohortMax = Infinity) => ({
  userId: `usr_${name}`,
  change: { actor: 'opr_1', reason: 'ticket 1', atMs: 1_790_000_000_500 },
  agreedRate: null,
  note: null,
  cohortMax,
});

export function describeBuilders(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`builders: ${name}`, () => {
    const stage = stageOf(create);

    it('[BD1] one application is in review at a time, and a new one takes the place of a decided one', async () => {
      const { builders } = stage.store;
      expect(await builders.of('usr_ada')).toBeNull();
      expect(await builders.apply(application('ada'))).toBe('added');
      expect(await builders.apply(application('ada', { track: 'partner' }))).toBe('in_review');
      const decision = { by: 'opr_1', note: 'Who are you?', atMs: 1_790_000_000_100 };
      await builders.reject('usr_ada', decision);
      expect(await builders.reject('usr_ada', decision)).toBe('no_application');
      expect(await builders.reject('usr_bob', decision)).toBe('no_application');
      const rejected = await builders.of('usr_ada');
      expect(rejected).toMatchObject({
        ...{ name: 'ada ☃', approvedTrack: null, approvedName: null, loadTest: null },
      });
      expect(rejected?.application).toEqual({
        ...{ track: 'genesis', status: 'rejected', appliedAtMs: 1_790_000_000_000 },
        ...{ decidedAtMs: 1_790_000_000_100, decidedBy: 'opr_1', note: 'Who are you?' },
      });
      const again = application('ada', { name: 'Ada', website: null, atMs: 1_790_000_000_200 });
      expect(await builders.apply(again)).toBe('added');
      await builders.approve(approval('ada'));
      expect(await builders.apply(again)).toBe('held');
      const later = { ...again, name: 'Ada Ltd', track: 'partner' } as const;
      expect(await builders.apply(later)).toBe('added');
      const shown = {
        ...{ name: 'Ada Ltd', website: null, approvedTrack: 'genesis', approvedName: 'Ada' },
        createdAtMs: 1_790_000_000_000,
      };
      expect(await builders.of('usr_ada')).toMatchObject(shown);
      if (!(await stage.reopen())) return;
      expect(await stage.store.builders.of('usr_ada')).toMatchObject(shown);
    });

    it('[BD2] an approval gives the tier to the user and to the keys of the live address, each told once', async () => {
      const { store } = stage;
      const own = { holderId: 'usr_ada', userId: 'usr_ada', mintedBy: null };
      const bound = { live: 'sub_1', sandbox: 'sub_1' };
      await store.addKey({ ...key('a'), ...own, mintedAt: 'live' });
      await store.addKey({ ...key('b'), ...own, mintedAt: 'live', accounts: bound });
      await store.addKey({ ...key('c'), ...own, mintedAt: 'sandbox' });
      await store.addKey({ ...key('d'), ...own, mintedAt: 'live' });
      await store.addKey({ ...key('e'), mintedAt: 'live', holderId: 'usr_bob', userId: 'usr_bob' });
      await store.revokeKey(key('d').publicId, 1);
      await store.builders.apply(application('ada'));
      const told: PlatformChange[] = [];
      store.onChange((change) => told.push(change));
      expect(await store.builders.approve(approval('ada'))).toMatchObject({
        ...{ approvedTrack: 'genesis', approvedAtMs: 1_790_000_000_500, agreedRate: null },
        application: { status: 'approved', decidedBy: 'opr_1' },
      });
      const lifted = key('a').publicId;
      expect(told).toEqual([
        { kind: 'user', userId: 'usr_ada' },
        { kind: 'key', publicId: lifted },
      ]);
      expect((await store.userById('usr_ada'))?.tier).toBe('genesis');
      const tiers = await Promise.all(
        ['a', 'b', 'c', 'd', 'e'].map(
          async (one) => (await store.keyById(key(one).publicId))?.tier,
        ),
      );
      expect(tiers).toEqual(['genesis', ...Array.from({ length: 4 }, () => key('b').tier)]);
      const change = { actor: 'opr_1', reason: 'ticket 1', atMs: 1_790_000_000_500 };
      for (const [subject, from] of [
        ['usr_ada', user('ada').tier],
        [lifted, key('a').tier],
      ]) {
        expect(await store.tierChanges(String(subject))).toEqual([
          { ...change, subject, field: 'tier', from, to: 'genesis' },
        ]);
      }
    });

    it('[BD3] a cohort that is full takes nobody, and nothing of the approval happens', async () => {
      const { store } = stage;
      await store.builders.apply(application('ada'));
      await store.builders.apply(application('bob'));
      await store.builders.approve(approval('ada', 1));
      expect(await store.builders.cohort('genesis')).toBe(1);
      expect(await store.builders.approve(approval('bob', 1))).toBe('cohort_full');
      expect((await store.userById('usr_bob'))?.tier).toBe(user('bob').tier);
      expect((await store.builders.of('usr_bob'))?.application.status).toBe('in_review');
      expect(await store.tierChanges('usr_bob')).toEqual([]);
      expect(await store.builders.approve(approval('bob', 2))).toMatchObject({ userId: 'usr_bob' });
    });

    it('[BD1] applications are listed by age and state', async () => {
      const { builders } = stage.store;
      await builders.apply(application('bob', { atMs: 1_790_000_000_001 }));
      await builders.apply(application('ada'));
      const first = await builders.page({ limit: 1, status: null, after: null });
      expect(first.map(({ userId }) => userId)).toEqual(['usr_ada']);
      const after = { appliedAtMs: 1_790_000_000_000, userId: 'usr_ada' };
      const rest = await builders.page({ limit: 5, status: 'in_review', after });
      expect(rest.map(({ userId }) => userId)).toEqual(['usr_bob']);
      expect(await builders.page({ limit: 5, status: 'rejected', after: null })).toEqual([]);
    });

    it('[BD4] a load test is granted and taken back, and told as a change of the user', async () => {
      const { store } = stage;
      const grant = { multiplier: 50, endsAtMs: 1_790_000_009_000 };
      expect(await store.builders.setLoadTest('usr_ada', grant)).toBeNull();
      await store.builders.apply(application('ada'));
      const told: PlatformChange[] = [];
      store.onChange((change) => told.push(change));
      expect((await store.builders.setLoadTest('usr_ada', grant))?.loadTest).toEqual(grant);
      expect((await store.builders.setLoadTest('usr_ada', null))?.loadTest).toBeNull();
      expect(told).toEqual([
        { kind: 'user', userId: 'usr_ada' },
        { kind: 'user', userId: 'usr_ada' },
      ]);
    });

    it('[AP7] nothing is known of a builder who has left', async () => {
      const { store } = stage;
      await store.builders.apply(application('ada'));
      await store.closing.erase('usr_ada', 5);
      expect(await store.builders.of('usr_ada')).toBeNull();
    });
  });
}
