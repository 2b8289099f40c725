// Builders and apps as operators decide about them.
import { limits } from '@sibyl/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Track } from '../../src/ports/builders.ts';
import { bearer } from '../gateway/harness.ts';
import { app } from '../ports/apps-suite.ts';
import { user } from '../ports/platform-suite.ts';
import { type OperatorHarness, openOperator } from './harness.ts';
import { joined } from './people.ts';

let harness: OperatorHarness;
beforeEach(async () => {
  harness = await openOperator('live');
});
afterEach(() => harness.close());

const reason = 'ticket 4711';

async function applied(name: string, track: Track = 'genesis'): Promise<string> {
  const { platform, clock } = harness;
  const userId = `usr_${name}`;
  await platform.addUser(user(name));
  const told = { name, website: null, about: 'A dashboard.', agreementVersion: '1' };
  await platform.builders.apply({ userId, track, ...told, atMs: clock.wallMs() });
  return userId;
}

const waiting = async (kind: string): Promise<readonly { id: string; title: string }[]> => {
  const { queues } = (await harness.get('/queues?lane=live')).json().data;
  return queues.find((queue: { kind: string }) => queue.kind === kind).items;
};

describe('review of builders', () => {
  it('[BD2] an approval opens the live account before any key leads there, and is in the trail', async () => {
    const userId = await applied('ada');
    expect(await waiting('builder')).toMatchObject([{ id: userId, title: 'ada: genesis' }]);
    const isOpen = () =>
      harness.lane.read((state) => [...state.accounts.keys()].map(String).includes('acc_live_ada'));
    expect(await isOpen()).toBe(false);
    const answer = await harness.post(`/builders/${userId}/approve`, { reason });
    expect(answer.json().data).toMatchObject({
      ...{ status: 'approved', tier: 'genesis', approved_track: 'genesis', decided_by: 'token' },
      genesis_places_left: 19,
    });
    expect(await isOpen()).toBe(true);
    expect(await waiting('builder')).toEqual([]);
    const trail = (await harness.get('/trail?operation=approveBuilder')).json().data;
    const target = `/admin/v1/builders/${userId}/approve`;
    expect(trail).toMatchObject([{ target, reason, outcome: 'ok' }]);
    const again = await harness.post(`/builders/${userId}/approve`, { reason });
    expect(again.json().error).toMatchObject({
      ...{ code: 'STATE_CONFLICT', details: { status: 'approved' } },
    });
    const nobody = await harness.post('/builders/usr_nobody/approve', { reason });
    expect(nobody.json().error).toMatchObject({
      ...{ code: 'NOT_FOUND', message: 'There is no application of usr_nobody.' },
    });
  });

  it('[BD3] the first cohort has twenty places, and the 21st is told so', async () => {
    const { genesisMax } = limits.builders;
    for (let place = 1; place <= genesisMax; place += 1) {
      const answer = await harness.post(`/builders/${await applied(`b${place}`)}/approve`, {
        reason,
      });
      expect(answer.json().data.genesis_places_left).toBe(genesisMax - place);
    }
    const last = await applied('last');
    const refused = await harness.post(`/builders/${last}/approve`, { reason });
    expect(refused.json().error).toMatchObject({
      code: 'STATE_CONFLICT',
      message: 'All 20 places of the first cohort are taken.',
      details: { reason: 'cohort_full', limit: 20 },
    });
    expect((await harness.platform.userById(last))?.tier).toBe('self_serve');
    const other = await applied('other', 'trade_full');
    const taken = await harness.post(`/builders/${other}/approve`, { reason });
    expect(taken.json().data.tier).toBe('trade_full');
  });

  it.each([
    ['genesis', 10],
    ['partner', 20],
    ['institutional', 20],
    ['trade_full', 1],
  ] as const)('[BD4] at most %s x%i is agreed on', async (track, most) => {
    const path = `/builders/${await applied('ada', track)}/approve`;
    const above = { reason, rate_multiplier: most + 1 };
    expect((await harness.post(path, above)).json().error).toMatchObject({
      ...{ code: 'VALIDATION_FAILED', details: { field: 'rate_multiplier' } },
    });
    const agreed = await harness.post(path, { reason, rate_multiplier: most });
    expect(agreed.json().data.agreed_rate_multiplier).toBe(most);
  });

  it('[BD9] a contract lifts the limits of a partner or institution, and of nobody else', async () => {
    const lift = { reason, uncapped: true };
    for (const track of ['genesis', 'trade_full'] as const) {
      const path = `/builders/${await applied(track.replace('_', ''), track)}/approve`;
      expect((await harness.post(path, lift)).json().error).toMatchObject({
        ...{ code: 'VALIDATION_FAILED', details: { field: 'uncapped' } },
      });
    }
    for (const track of ['partner', 'institutional'] as const) {
      const path = `/builders/${await applied(track.replace('_', ''), track)}/approve`;
      const both = await harness.post(path, { ...lift, rate_multiplier: 20 });
      expect(both.json().error.details.field).toBe('uncapped');
      const agreed = await harness.post(path, lift);
      expect(agreed.json().data).toMatchObject({ uncapped: true, agreed_rate_multiplier: null });
    }
  });

  it('[BD8] who is rejected reads why and may apply again', async () => {
    const userId = await applied('ada');
    const path = `/builders/${userId}/reject`;
    const answer = await harness.post(path, { reason, note: 'Who is behind it?' });
    expect(answer.json().data).toMatchObject({
      ...{ status: 'rejected', note: 'Who is behind it?', tier: 'self_serve' },
    });
    expect((await harness.post(path, { reason, note: 'Again.' })).json().error.code).toBe(
      'STATE_CONFLICT',
    );
    const { platform } = harness;
    const again = { track: 'genesis', name: 'ada', website: null, about: 'A desk.' } as const;
    const added = await platform.builders.apply({
      ...{ userId, ...again, agreementVersion: '1', atMs: 9 },
    });
    expect(added).toBe('added');
  });

  it('[BD4] a load test has a factor of at most 50 and an end within thirty days', async () => {
    const path = `/builders/${await applied('ada')}/load-test`;
    const nowMs = harness.clock.wallMs();
    const endsAtMs = nowMs + 30 * 86_400_000;
    const refusals: readonly (readonly [object, string])[] = [
      [{ multiplier: 51, ends_at_ms: endsAtMs }, 'VALIDATION_FAILED'],
      [{ multiplier: 50 }, 'MISSING_FIELD'],
      [{ multiplier: 50, ends_at_ms: endsAtMs + 1 }, 'VALIDATION_FAILED'],
      [{ multiplier: 50, ends_at_ms: nowMs }, 'VALIDATION_FAILED'],
      [{ multiplier: null }, 'STATE_CONFLICT'],
    ];
    for (const [input, code] of refusals) {
      const refused = await harness.post(path, { reason, ...input });
      expect([input, refused.json().error.code]).toEqual([input, code]);
    }
    const granted = await harness.post(path, { reason, multiplier: 50, ends_at_ms: endsAtMs });
    expect(granted.json().data.load_test).toMatchObject({ multiplier: 50, ends_at_ms: endsAtMs });
    const ended = await harness.post(path, { reason, multiplier: null });
    expect(ended.json().data.load_test).toBeNull();
  });

  it('[BD8] support decides, others look', async () => {
    const userId = await applied('ada');
    const manager = await joined(harness, 'max', ['market_manager']);
    const support = await joined(harness, 'sue', ['support']);
    const by = (token: string, method: 'GET' | 'POST', url: string) =>
      harness.gateway.app.inject({
        ...{ method, url: `/admin/v1${url}`, headers: bearer(token) },
        ...(method === 'POST' && { payload: { reason } }),
      });
    const listed = await by(manager.token, 'GET', '/builders?status=in_review');
    expect(listed.json().data).toMatchObject([{ user_id: userId }]);
    const refused = await by(manager.token, 'POST', `/builders/${userId}/approve`);
    expect(refused.json().error.code).toBe('SCOPE_MISSING');
    const done = await by(support.token, 'POST', `/builders/${userId}/approve`);
    expect(done.json().data.decided_by).toBe(support.operatorId);
  });
});

describe('review of apps', () => {
  beforeEach(async () => {
    await harness.platform.addUser(user('ada'));
  });

  it('[AP4] an app is approved with a verified name that no other has, and a cap that lowers its fee', async () => {
    const { apps } = harness.platform;
    for (const name of ['a', 'b']) await apps.add(app(name, { status: 'in_review' }), 9);
    expect((await waiting('app')).map(({ id }) => id)).toEqual(['app_a', 'app_b']);
    const approval = { reason, verified_name: 'Ada Ltd', fee_cap_bps: 5 };
    const answer = await harness.post('/apps/app_a/approve', approval);
    expect(answer.json().data).toMatchObject({
      ...{ status: 'approved', verified_name: 'Ada Ltd', fee_cap_bps: 5, builder_fee_bps: 5 },
    });
    const taken = await harness.post('/apps/app_b/approve', {
      ...approval,
      verified_name: 'ADA LTD',
    });
    expect(taken.json().error).toMatchObject({
      ...{ code: 'CONFLICT', details: { field: 'verified_name' } },
    });
    expect((await harness.post('/apps/app_a/approve', approval)).json().error).toMatchObject({
      ...{ code: 'STATE_CONFLICT', details: { status: 'approved' } },
    });
    const unknown = await harness.post('/apps/app_x/approve', approval);
    expect(unknown.json().error.code).toBe('NOT_FOUND');
    expect((await waiting('app')).map(({ id }) => id)).toEqual(['app_b']);
  });

  it('[AP4] an app is sent back with a note, disabled at once, and enabled as what it was', async () => {
    const { apps } = harness.platform;
    await apps.add(app('a', { status: 'in_review' }), 9);
    const note = 'The address is not yours.';
    const back = await harness.post('/apps/app_a/reject', { reason, note });
    expect(back.json().data).toMatchObject({ status: 'draft', review_note: note });
    const off = await harness.post('/apps/app_a/disable', { reason, note: 'Spam.' });
    expect(off.json().data).toMatchObject({ status: 'disabled', disabled_by: 'operator' });
    const twice = await harness.post('/apps/app_a/disable', { reason, note: 'Spam.' });
    expect(twice.json().error.code).toBe('STATE_CONFLICT');
    const on = await harness.post('/apps/app_a/enable', { reason });
    expect(on.json().data).toMatchObject({ status: 'draft', disabled_by: null });
    await apps.change('app_a', { actor: 'x', reason, atMs: 1 }, (one) => ({
      ...{ ...one, status: 'disabled', disabledBy: 'owner', verifiedName: 'Ada Ltd' },
    }));
    const again = await harness.post('/apps/app_a/enable', { reason });
    expect(again.json().data.status).toBe('approved');
    expect((await harness.post('/apps/app_a/enable', { reason })).json().error.code).toBe(
      'STATE_CONFLICT',
    );
    const listed = await harness.get('/apps?status=approved');
    expect(listed.json().data).toMatchObject([{ app_id: 'app_a', owner_id: 'usr_ada' }]);
  });

  it('[AP7] an app whose owner has left is enabled by nobody', async () => {
    const { platform } = harness;
    await platform.apps.add(app('a', { status: 'approved', verifiedName: 'Ada Ltd' }), 9);
    await platform.closing.erase('usr_ada', 1);
    const refused = await harness.post('/apps/app_a/enable', { reason });
    expect(refused.json().error.code).toBe('STATE_CONFLICT');
  });
});
