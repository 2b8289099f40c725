// What every store of apps must do, whatever it is kept in.
import { describe, expect, it } from 'vitest';
import type { AppRecord } from '../../src/ports/apps.ts';
import type { PlatformChange } from '../../src/ports/platform.ts';
import { stageOf } from './platform-stage.ts';
import type { PlatformHarness } from './platform-suite.ts';

const secret = (name: string) => ({
  ...{ publicId: `acs_${name}`, salt: 'salt', hash: `hash-${name}`, createdAtMs: 7 },
});

export const app = (name: string, more: Partial<AppRecord> = {}): AppRecord => ({
  appId: `app_${name}`,
  ownerId: 'usr_ada',
  name: `Desk ${name} ☃`,
  verifiedName: null,
  isPublic: false,
  redirectUris: ['https://example.com/callback', 'http://127.0.0.1/done'],
  allowedOrigins: ['https://example.com'],
  allowedScopes: ['account:read', 'offline'],
  builderFeeBps: 10,
  feeCapBps: 100,
  widgetKey: `pk_${name}`,
  status: 'draft',
  disabledBy: null,
  reviewNote: null,
  secret: secret(name),
  previousSecret: null,
  rotatedAtMs: null,
  createdAtMs: 1_790_000_000_000,
  updatedAtMs: 1_790_000_000_000,
  submittedAtMs: null,
  ...more,
});

const act = { actor: 'opr_1', reason: 'ticket 1', atMs: 1_790_000_000_500 };

export function describeApps(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`apps: ${name}`, () => {
    const stage = stageOf(create);

    it('[AP1] an app is found by its id and widget key, and belongs to one owner', async () => {
      const { apps } = stage.store;
      const late = app('a', { createdAtMs: 1_790_000_000_001, isPublic: true, secret: null });
      expect(await apps.add(late, 3)).toBe('added');
      expect(await apps.add(app('b', { allowedOrigins: [] }), 3)).toBe('added');
      expect(await apps.appById('app_a')).toEqual(late);
      expect(await apps.appById('app_x')).toBeNull();
      expect(await apps.appByWidgetKey('pk_b')).toEqual(app('b', { allowedOrigins: [] }));
      expect(await apps.appByWidgetKey('pk_x')).toBeNull();
      expect((await apps.appsOf('usr_ada')).map(({ appId }) => appId)).toEqual(['app_b', 'app_a']);
      expect(await apps.appsOf('usr_bob')).toEqual([]);
      if (!(await stage.reopen())) return;
      expect(await stage.store.apps.appById('app_a')).toEqual(late);
    });

    it('[AP1] an owner has no two of a name, whatever its case, and no more than so many', async () => {
      const { apps } = stage.store;
      await apps.add(app('a', { name: 'Desk' }), 2);
      expect(await apps.add(app('b', { name: 'DESK' }), 2)).toBe('name_taken');
      const bobs = app('c', { name: 'desk', ownerId: 'usr_bob' });
      expect(await apps.add(bobs, 2)).toBe('added');
      expect(await apps.add(app('d'), 2)).toBe('added');
      expect(await apps.add(app('e'), 2)).toBe('too_many');
      expect(await apps.change('app_d', act, (one) => ({ ...one, name: 'dESK' }))).toBe(
        'name_taken',
      );
      expect((await apps.appById('app_d'))?.name).toBe(app('d').name);
    });

    it('[AP2] a change is decided on what is there, and every change of the status is kept', async () => {
      const { store } = stage;
      await store.apps.add(app('a'), 3);
      const told: PlatformChange[] = [];
      store.onChange((change) => told.push(change));
      const { apps } = store;
      expect(await apps.change('app_x', act, (one) => one)).toBeNull();
      expect(await apps.change('app_a', act, () => null)).toBe('refused');
      expect(told).toEqual([]);
      const fee = await apps.change('app_a', act, (one) => ({ ...one, builderFeeBps: 5 }));
      expect(fee).toEqual(app('a', { builderFeeBps: 5 }));
      const rotated = { secret: secret('new'), previousSecret: secret('a'), rotatedAtMs: 9 };
      await apps.change('app_a', act, (one) => ({ ...one, ...rotated, status: 'in_review' }));
      await apps.change('app_a', { ...act, actor: 'usr_ada' }, (one) => ({
        ...{ ...one, status: 'disabled', disabledBy: 'owner', reviewNote: 'é' },
      }));
      expect(told).toEqual(Array.from({ length: 3 }, () => ({ kind: 'app', appId: 'app_a' })));
      const steps = [
        { ...act, appId: 'app_a', from: 'draft', to: 'in_review' },
        { ...act, actor: 'usr_ada', appId: 'app_a', from: 'in_review', to: 'disabled' },
      ];
      expect(await apps.statusChanges('app_a')).toEqual(steps);
      if (!(await stage.reopen())) return;
      expect(await stage.store.apps.statusChanges('app_a')).toEqual(steps);
      expect(await stage.store.apps.appById('app_a')).toMatchObject({
        ...rotated,
        reviewNote: 'é',
      });
    });

    it('[AP4] no two apps have the same verified name, whatever its case', async () => {
      const { apps } = stage.store;
      await apps.add(app('a'), 3);
      await apps.add(app('b', { ownerId: 'usr_bob' }), 3);
      await apps.change('app_a', act, (one) => ({ ...one, verifiedName: 'Ada Ltd' }));
      const taken = await apps.change('app_b', act, (one) => ({ ...one, verifiedName: 'ADA ltd' }));
      expect(taken).toBe('verified_name_taken');
      expect(await apps.change('app_a', act, (one) => one)).toMatchObject({ appId: 'app_a' });
    });

    it('[AP4] apps are listed by age and state', async () => {
      const { apps } = stage.store;
      await apps.add(app('b', { createdAtMs: 1_790_000_000_002, status: 'in_review' }), 3);
      await apps.add(app('a', { createdAtMs: 1_790_000_000_001, status: 'in_review' }), 3);
      await apps.add(app('c'), 3);
      const idsOf = async (page: Parameters<typeof apps.page>[0]) =>
        (await apps.page(page)).map(({ appId }) => appId);
      expect(await idsOf({ limit: 2, status: null, after: null })).toEqual(['app_c', 'app_a']);
      const after = { createdAtMs: 1_790_000_000_001, appId: 'app_a' };
      expect(await idsOf({ limit: 5, status: null, after })).toEqual(['app_b']);
      expect(await idsOf({ limit: 5, status: 'draft', after: null })).toEqual(['app_c']);
    });

    it('[AP7] the apps of somebody who has left work for nobody and name nobody', async () => {
      const { store } = stage;
      await store.apps.add(app('a', { status: 'approved', verifiedName: 'Ada Ltd' }), 3);
      const told: PlatformChange[] = [];
      store.onChange((change) => told.push(change));
      await store.closing.erase('usr_ada', 1_790_000_000_900);
      expect(told).toContainEqual({ kind: 'app', appId: 'app_a' });
      expect(await store.apps.appById('app_a')).toEqual(
        app('a', {
          ...{ name: 'app_a', verifiedName: null, redirectUris: [], allowedOrigins: [] },
          ...{ status: 'disabled', disabledBy: 'owner', secret: null },
          updatedAtMs: 1_790_000_000_900,
        }),
      );
      expect(await store.apps.statusChanges('app_a')).toMatchObject([{ to: 'disabled' }]);
    });
  });
}
