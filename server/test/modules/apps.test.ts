// Apps over the interface: registered, changed, submitted, their secrets, and the keys of their widgets.
import { limits, operations, scopes } from '@sibyl/contract';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { isRegistered, originFault, redirectFault } from '../../src/handling/app-addresses.ts';
import { isSecretOf } from '../../src/handling/client-secret.ts';
import type { AppRecord } from '../../src/ports/apps.ts';
import { expectError } from '../gateway/expect.ts';
import { NOON_MS } from '../gateway/harness.ts';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
let token: string;
let manualClock: ManualClock;
afterEach(() => exchange.close());

const wanted = operations.createApp.example.body;
const application = operations.applyForTrack.example.body;
const act = { actor: 'opr_1', reason: 'ticket 1', atMs: 1 };

/** A builder with a profile; approved unless told. */
async function open({ isApproved = true, rateMultiplier = 0 } = {}): Promise<void> {
  manualClock = new ManualClock(NOON_MS);
  exchange = await openExchange(undefined, { rateMultiplier, manualClock });
  token = await exchange.session();
  const { data } = await exchange.ask('applyForTrack', { token, body: application });
  const approval = { change: act, agreedRate: null, note: null, cohortMax: 20 };
  if (isApproved) await exchange.platform.builders.approve({ userId: data.user_id, ...approval });
}

const create = (more: object = {}, key?: string) =>
  exchange.ask('createApp', {
    ...{ token, body: { ...wanted, ...more } },
    ...(key !== undefined && { key }),
  });

const update = (app_id: string, body: object, by = token) =>
  exchange.ask('updateApp', { token: by, params: { app_id }, body });

/** As an operator would. */
async function become(appId: string, change: Partial<AppRecord>): Promise<void> {
  await exchange.platform.apps.change(appId, act, (app) => ({ ...app, ...change }));
}

describe('apps', () => {
  it('[AP1] an app is a draft of its owner, with a secret that is shown once and kept as a hash', async () => {
    await open({ isApproved: false });
    const made = await create({}, 'make-one-app');
    const { client_secret: secret, ...shown } = made.data;
    expect(shown).toMatchObject({ status: 'draft', fee_cap_bps: 100, client_type: 'confidential' });
    expect(secret).toMatch(/^acs_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}$/);
    const replayed = await create({}, 'make-one-app');
    expect(replayed.data).toEqual({ ...shown, client_secret: null, secrets_withheld: true });
    const { data: listed } = await exchange.ask('listApps', { token });
    const { secrets_withheld: _, ...app } = shown;
    expect(listed).toEqual([app]);
    const record = (await exchange.platform.apps.appById(app.app_id))!;
    expect(JSON.stringify(record)).not.toContain(secret);
    expect(isSecretOf(exchange.secrets, record, secret, NOON_MS)).toBe(true);
    expect(isSecretOf(exchange.secrets, record, `${secret.slice(0, -1)}!`, NOON_MS)).toBe(false);
    const open_ = await create({ name: 'A phone app', client_type: 'public' });
    expect(open_.data.client_secret).toBeNull();
    const phone = (await exchange.platform.apps.appById(open_.data.app_id))!;
    expect(isSecretOf(exchange.secrets, phone, 'none', NOON_MS)).toBe(false);
    expect((await exchange.ask('getBuilder', { token })).data.apps.draft).toBe(2);
  });

  it('[AP1] an app that asks for too much is not registered, and is told what is wrong', async () => {
    await open({ isApproved: false });
    const refusals: readonly (readonly [object, string, object])[] = [
      [
        { redirect_uris: ['http://example.com/'] },
        'VALIDATION_FAILED',
        { field: 'redirect_uris[0]' },
      ],
      [
        { allowed_origins: ['https://a.example/x'] },
        'VALIDATION_FAILED',
        { field: 'allowed_origins[0]' },
      ],
      [
        { allowed_scopes: ['delegation:trade'] },
        'SCOPE_NOT_ALLOWED',
        { not_allowed: ['delegation:trade'] },
      ],
      [{ allowed_scopes: ['constructor'] }, 'SCOPE_NOT_ALLOWED', { not_allowed: ['constructor'] }],
      [{ builder_fee_bps: 101 }, 'BUILDER_FEE_ABOVE_CAP', { cap_bps: 100 }],
      [{ submit: true }, 'BUILDER_NOT_APPROVED', {}],
    ];
    for (const [more, code, details] of refusals) {
      const { error } = await create(more);
      expect([more, error.code]).toEqual([more, code]);
      expect(error.details ?? {}).toMatchObject(details);
    }
    await create();
    expect((await create({ name: wanted.name.toUpperCase() })).error.code).toBe('CONFLICT');
    const stranger = await exchange.session();
    const early = await exchange.ask('createApp', { token: stranger, body: wanted });
    expect(early.error.code).toBe('OPERATOR_AGREEMENT_MISSING');
    for (let count = 1; count < limits.apps.perOwnerMax; count += 1) {
      await create({ name: `App ${count}` });
    }
    expect((await create({ name: 'One more' })).error).toMatchObject({
      code: 'CONFLICT',
      details: { limit: limits.apps.perOwnerMax },
    });
    const page = await exchange.ask('listApps', { token, query: { limit: 45 } });
    const rest = await exchange.ask('listApps', {
      ...{ token, query: { limit: 45, cursor: page.meta.next_cursor } },
    });
    expect([page.data.length, rest.data.length, rest.meta.next_cursor]).toEqual([45, 5, null]);
  });

  it.each([
    ['https://example.com/callback', null],
    ['https://example.com/callback?from=sibyl', null],
    ['http://127.0.0.1:8080/done', null],
    ['http://[::1]/done', null],
    ['http://localhost/done', null],
    ['http://example.com/', 'https'],
    ['http://localhost.example.com/', 'https'],
    ['javascript:alert(1)', 'https'],
    ['https://user@example.com/', 'userinfo'],
    ['https://@example.com/', 'userinfo'],
    ['https://:@example.com/', 'userinfo'],
    ['https:example.com/callback', 'as browsers write it'],
    ['https:///example.com/callback', 'as browsers write it'],
    ['http://0x7f.1/done', 'as browsers write it'],
    ['https://*.example.com/callback', 'not a pattern'],
    ['https://example.com/a/../callback', 'as browsers write it'],
    ['https://example.com', null],
    ['https://example.com/#fragment', 'fragment'],
    ['https://example.com\\@evil.example/', 'whole address'],
    ['https://example.com/ https://evil.example/', 'whole address'],
    ['callback', 'whole address'],
  ])('[AP1] %s as a redirect address', (address, fault) => {
    const found = redirectFault(address);
    if (fault === null) expect(found).toBeNull();
    else expect(found).toContain(fault);
  });

  it('[AP1] a redirect address is compared as it is, but for the port of a loopback', () => {
    const registered = ['https://example.com/callback', 'http://127.0.0.1/done?x=1'];
    for (const same of ['https://example.com/callback', 'http://127.0.0.1:53123/done?x=1']) {
      expect([same, isRegistered(registered, same)]).toEqual([same, true]);
    }
    for (const other of [
      'https://example.com/callback/',
      'https://example.com:444/callback',
      'https://EXAMPLE.com/callback',
      'http://127.0.0.1:53123/done',
      'http://localhost:53123/done?x=1',
      'http://127.0.0.1:53123@evil.example/done?x=1',
      'http://127.0.0.1.evil.example/done?x=1',
    ]) {
      expect([other, isRegistered(registered, other)]).toEqual([other, false]);
    }
    expect(originFault('https://example.com')).toBeNull();
    expect(originFault('https://example.com/')).not.toBeNull();
    expect(originFault('null')).not.toBeNull();
  });

  it('[AP2] a draft is changed at will, what is in review waits, and an owner cannot undo a disabling', async () => {
    await open();
    const { app_id } = (await create()).data;
    const other = { name: 'Another', allowed_scopes: Object.keys(scopes) };
    expect((await update(app_id, other)).data).toMatchObject(other);
    expect((await update(app_id, { action: 'withdraw' })).error.code).toBe('STATE_CONFLICT');
    expect((await update(app_id, { action: 'submit' })).data).toMatchObject({
      ...{ status: 'in_review', submitted_at_ms: NOON_MS },
    });
    expect((await update(app_id, { name: 'Third' })).error.details).toEqual({
      status: 'in_review',
    });
    expect((await update(app_id, { action: 'withdraw' })).data.status).toBe('draft');
    expect((await update(app_id, { action: 'disable' })).data).toMatchObject({
      ...{ status: 'disabled', disabled_by: 'owner' },
    });
    for (const body of [{ action: 'submit' }, { name: 'Third' }, { action: 'disable' }]) {
      expect((await update(app_id, body)).error.code).toBe('STATE_CONFLICT');
    }
    const stranger = await exchange.session();
    expect((await update(app_id, { name: 'Mine now' }, stranger)).error.code).toBe('NOT_FOUND');
    const rotated = await exchange.ask('rotateAppSecret', { token: stranger, params: { app_id } });
    expect(rotated.error.code).toBe('NOT_FOUND');
  });

  it('[AP2] what users have agreed to changes only by a new review', async () => {
    await open();
    const { app_id } = (await create()).data;
    await become(app_id, { status: 'approved', verifiedName: 'Ada Ltd', feeCapBps: 20 });
    expect((await update(app_id, { builder_fee_bps: 21 })).error).toMatchObject({
      ...{ code: 'BUILDER_FEE_ABOVE_CAP', details: { cap_bps: 20 } },
    });
    const light = { builder_fee_bps: 20, allowed_origins: [], allowed_scopes: ['account:read'] };
    expect((await update(app_id, light)).data).toMatchObject({ ...light, status: 'approved' });
    for (const body of [
      { name: 'Another' },
      { redirect_uris: ['https://evil.example/'] },
      { allowed_scopes: ['account:read', 'orders:trade'] },
    ]) {
      const refused = await update(app_id, body);
      expect(refused.error).toMatchObject({ code: 'STATE_CONFLICT', details: { resubmit: true } });
    }
    const { data: before } = await exchange.ask('listApps', { token });
    expect(before[0]).toMatchObject({ ...light, name: wanted.name, status: 'approved' });
    const again = await update(app_id, { name: 'Another', resubmit: true });
    expect(again.data).toMatchObject({ name: 'Another', status: 'in_review' });
  });

  it('[AP3] after a rotation both secrets are good for a day, and then the new one alone', async () => {
    await open();
    const made = await create();
    const params = { app_id: made.data.app_id };
    const rotate = () => exchange.ask('rotateAppSecret', { token, params });
    const first: string = made.data.client_secret;
    const rotated = await rotate();
    const second: string = rotated.data.client_secret;
    const endMs = NOON_MS + 86_400_000;
    expect(rotated.data.old_secret_expires_at_ms).toBe(endMs);
    const record = (await exchange.platform.apps.appById(params.app_id))!;
    const good = (raw: string, atMs: number) => isSecretOf(exchange.secrets, record, raw, atMs);
    expect([good(first, endMs - 1), good(second, endMs - 1)]).toEqual([true, true]);
    expect([good(first, endMs), good(second, endMs)]).toEqual([false, true]);
    expect((await rotate()).error).toMatchObject({
      ...{ code: 'STATE_CONFLICT', details: { old_secret_expires_at_ms: endMs } },
    });
    await update(params.app_id, { action: 'submit' });
    expect((await rotate()).error.code).toBe('APP_NOT_APPROVED');
    const phone = await create({ name: 'A phone app', client_type: 'public' });
    const none = await exchange.ask('rotateAppSecret', {
      ...{ token, params: { app_id: phone.data.app_id } },
    });
    expect(none.error.code).toBe('STATE_CONFLICT');
    // A key of a session that proved nothing rotates nothing.
    manualClock.advance(limits.factors.stepUpMs);
    expect((await rotate()).error.code).toBe('STEP_UP_MFA_REQUIRED');
  });
});

describe('widget keys', () => {
  const page = 'https://example.com';
  const read = (
    headers: Record<string, string>,
    url = '/sandbox/v1/markets?limit=1',
    ip = '10.1.1.1',
  ) => exchange.call({ url, headers, remoteAddress: ip });

  it('[AP5] a widget key reads public data for the origins of its app, in the sandbox until it is approved', async () => {
    await open();
    const { widget_key: key, app_id } = (await create()).data;
    for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
      expect((await read({ ...headers, origin: page })).statusCode).toBe(200);
      for (const origin of ['https://evil.example', 'https://example.com.evil.example', 'null']) {
        expectError(await read({ ...headers, origin }), 'WIDGET_ORIGIN_BLOCKED');
      }
      expectError(await read(headers), 'WIDGET_ORIGIN_BLOCKED');
      const live = await read({ ...headers, origin: page }, '/v1/markets?limit=1');
      expectError(live, 'AUTH_INVALID');
      expect(live.json().error.details.reason).toBe('not_enabled');
      // Whatever needs a credential stays closed.
      expectError(await read({ ...headers, origin: page }, '/sandbox/v1/account'), 'AUTH_INVALID');
    }
    await become(app_id, { status: 'approved' });
    const headers = { 'x-api-key': key, origin: page };
    expect((await read(headers, '/v1/markets?limit=1')).statusCode).toBe(200);
    await become(app_id, { allowedOrigins: [] });
    expectError(await read(headers), 'WIDGET_ORIGIN_BLOCKED');
    await become(app_id, { allowedOrigins: [page], status: 'disabled' });
    expectError(await read(headers), 'AUTH_INVALID');
    expectError(await read({ ...headers, 'x-api-key': `pk_${'x'.repeat(60)}` }), 'AUTH_INVALID');
  });

  it('[AP5] requests of a widget are counted for its app and the address, so that nobody uses up what others have', async () => {
    await open({ rateMultiplier: 1 });
    const one = (await create()).data.widget_key;
    const other = (await create({ name: 'Another' })).data.widget_key;
    const quota = limits.rate.perMinute.anonymous.read;
    const left = async (headers: Record<string, string>, ip: string) =>
      Number((await read(headers, undefined, ip)).headers['x-ratelimit-remaining']);
    const of = (key: string) => ({ 'x-api-key': key, origin: page });
    expect(await left(of(one), '10.1.1.1')).toBe(quota - 1);
    expect(await left(of(one), '10.1.1.1')).toBe(quota - 2);
    expect(await left(of(one), '10.1.1.2')).toBe(quota - 1);
    expect(await left(of(other), '10.1.1.1')).toBe(quota - 1);
    expect(await left({}, '10.1.1.1')).toBe(quota - 1);
    for (let count = 2; count < quota; count += 1) await read(of(one));
    expectError(await read(of(one)), 'RATE_LIMITED');
    expect((await read(of(other))).statusCode).toBe(200);
    expect((await read({})).statusCode).toBe(200);
  });
});
