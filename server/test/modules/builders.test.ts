// Builders over the interface: applications, progress, rates by agreement and for load tests, early operations, live keys.
import { builderAgreement, limits, operation, operations } from '@sibyl/contract';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgreedRate, Track } from '../../src/ports/builders.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer, NOON_MS } from '../gateway/harness.ts';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
afterEach(() => exchange.close());

const { version } = builderAgreement;
const application = operations.applyForTrack.example.body;
const DAY_MS = 86_400_000;

/** As an operator would. */
async function approve(session: string, track: Track, agreedRate: AgreedRate | null = null) {
  const { platform, clock } = exchange;
  await exchange.ask('applyForTrack', { token: session, body: { ...application, track } });
  const userId = await userOf(session);
  const change = { actor: 'opr_1', reason: 'ticket 1', atMs: clock.wallMs() };
  await platform.builders.approve({ userId, change, agreedRate, note: null, cohortMax: 20 });
  return userId;
}

async function userOf(session: string): Promise<string> {
  return (await exchange.ask('getBuilder', { token: session })).data.user_id;
}

/** Requests a minute that a read with the credential is told it may have. */
async function readLimit(token: string, at = ''): Promise<number> {
  const url = `${at}/v1/markets?limit=1`;
  const { headers } = await exchange.call({ url, headers: bearer(token) });
  return Number(headers['x-ratelimit-limit']);
}

describe('builders', () => {
  it('[BD1] an application takes the agreement in its current version, and one is in review at a time', async () => {
    exchange = await openExchange();
    const token = await exchange.session();
    const apply = (body: object, key?: string) =>
      exchange.ask('applyForTrack', { token, body, ...(key !== undefined && { key }) });
    const { agreement: _, ...silent } = application;
    for (const agreement of [
      undefined,
      { version, accepted: false },
      { version: '2020-01', accepted: true },
    ]) {
      const refused = await apply({ ...silent, ...(agreement !== undefined && { agreement }) });
      expect(refused.error).toMatchObject({
        code: 'OPERATOR_AGREEMENT_MISSING',
        details: { version },
      });
    }
    expect((await apply({ ...application, website: 'http://x.example' })).error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'website' },
    });
    expect((await exchange.ask('getBuilder', { token })).data.profile).toBeNull();
    const first = await apply(application, 'apply-once');
    expect(first.data).toMatchObject({
      application: { track: 'genesis', status: 'in_review', decided_at: null },
      profile: { name: 'Grace Example', agreement_version: version },
      is_approved: false,
    });
    expect((await apply(application, 'apply-once')).data).toEqual(first.data);
    expect((await exchange.ask('getBuilder', { token })).data).toEqual(first.data);
    // People read the message: it says what is in the way.
    expect((await apply({ ...application, track: 'partner' })).error).toMatchObject({
      code: 'ALREADY_EXISTS',
      message: expect.stringContaining('in review'),
    });
  });

  it('[BD1] who is nobody is no builder and cannot apply', async () => {
    exchange = await openExchange();
    const { data } = await exchange.ask('mintSandboxKey');
    const anonymous = { token: data.key_id };
    expect((await exchange.ask('getBuilder', anonymous)).error.code).toBe('NOT_FOUND');
    const refused = await exchange.ask('applyForTrack', { ...anonymous, body: application });
    expect(refused.error.code).toBe('SCOPE_NOT_ALLOWED');
    expect((await exchange.ask('listApps', anonymous)).data).toEqual([]);
    const session = await exchange.session();
    const { subaccount_id } = (
      await exchange.ask('createSubaccount', { token: session, body: { label: 'hedge' } })
    ).data;
    const body = { permissions: ['read', 'trade'], subaccount_id };
    const bound = await exchange.ask('mintKey', { token: session, body });
    const asked = { token: bound.data.key_id };
    expect((await exchange.ask('getBuilder', asked)).error.code).toBe('NOT_FOUND');
  });

  it('[BD9] an uncapped key reads without a limit, and orders with that of its tier', async () => {
    exchange = await openExchange(undefined, { rateMultiplier: 1 });
    const session = await exchange.session();
    const token = await exchange.key({ session, at: '' });
    const uncapped = async () =>
      (await exchange.ask('getBuilder', { token: session })).data.uncapped;
    expect(await uncapped()).toBe(false);
    await approve(session, 'partner', 'uncapped');
    expect(await uncapped()).toBe(true);
    const { perMinute } = limits.rate;
    const most = 20 * perMinute.key.read;
    const ask = (url: string) => exchange.call({ url, headers: bearer(token) });
    for (const url of ['/v1/markets?limit=1', '/v1/keys']) {
      const codes = new Set<number>();
      for (let count = 0; count <= 2 * most + 1; count += 1) codes.add((await ask(url)).statusCode);
      expect([url, [...codes]]).toEqual([url, [200]]);
    }
    const { headers } = await ask('/v1/markets?limit=1');
    expect(headers['x-ratelimit-remaining']).toBe(headers['x-ratelimit-limit']);
    const write = () =>
      exchange.call({
        ...{ method: 'POST', url: '/v1/orders', headers: bearer(token), payload: {} },
      });
    const left = async () => Number((await write()).headers['x-ratelimit-remaining']);
    const first = await left();
    expect(first).toBe(20 * perMinute.key.trade - 1);
    expect(await left()).toBe(first - 1);
    // The contract goes with its track: another tier has the limits of that.
    const act = { actor: 'opr_1', reason: 'ticket 2', atMs: exchange.clock.wallMs() };
    await exchange.platform.setKeyTier(token.slice(0, 24), 'trade_full', act);
    const capped = (await ask('/v1/markets?limit=1')).headers;
    expect(capped['x-ratelimit-remaining']).toBe(String(perMinute.key.read - 1));
  });

  it('[BD5] a builder sees what is left to graduation, of the key that has traded most, and its own limits', async () => {
    exchange = await openExchange(undefined, { rateMultiplier: 1 });
    const session = await exchange.session();
    const key = await exchange.key({ session, at: '' });
    await exchange.key({ session, at: '' });
    await exchange.ask('useFaucet', { token: key });
    const market_id = await exchange.market('pool');
    const order = { market_id, outcome_id: 'yes', side: 'buy', order_type: 'market', size: '10' };
    const placed = await exchange.ask('placeOrder', { token: key, body: order });
    // A fill at the mid counts nothing; of an order that rests and that another user fills its cost counts.
    expect(placed.data.status).toBe('filled');
    const book = await exchange.market('book');
    const resting = { ...order, market_id: book, order_type: 'limit', price: '0.4', size: '10' };
    expect((await exchange.ask('placeOrder', { token: key, body: resting })).error).toBeNull();
    const other = { ...resting, outcome_id: 'no', price: '0.6' };
    const taken = await exchange.ask('placeOrder', { token: await exchange.trader(), body: other });
    expect(taken.data.status).toBe('filled');
    const traded = 4;
    const { data } = await exchange.ask('getBuilder', { token: session });
    expect(Number(data.graduation.volume_30d)).toBeCloseTo(traded, 5);
    expect(data.graduation.threshold).toBe('100.000000');
    expect(Number(data.graduation.remaining)).toBeCloseTo(100 - traded, 5);
    expect([data.tier, data.rate_multiplier]).toEqual(['self_serve', 1]);
    expect(data.rate_limits).toEqual(limits.rate.perMinute.session);
    const asKey = (await exchange.ask('getBuilder', { token: key, at: '' })).data;
    expect(asKey.rate_limits).toEqual(limits.rate.perMinute.key);
  });

  it('[BD2] a key has the limits of its new tier on the next request, and graduation is over', async () => {
    exchange = await openExchange(undefined, { rateMultiplier: 1 });
    const session = await exchange.session();
    const key = await exchange.key({ session, at: '' });
    expect(await readLimit(key)).toBe(60);
    await approve(session, 'genesis');
    expect(await readLimit(key)).toBe(600);
    const { data } = await exchange.ask('getBuilder', { token: session });
    expect(data).toMatchObject({ tier: 'genesis', track: 'genesis', is_approved: true });
    expect(data.graduation).toBeNull();
  });

  it('[BD4] an agreed multiplier takes the place of what the tier says, for keys of that tier', async () => {
    exchange = await openExchange(undefined, { rateMultiplier: 1 });
    const session = await exchange.session();
    const key = await exchange.key({ session, at: '' });
    const other = await exchange.key({ session, at: '' });
    await approve(session, 'partner', 15);
    expect(await readLimit(key)).toBe(60 * 15);
    const listed = await exchange.ask('listKeys', { token: session });
    expect(listed.data.map((one: { rate_multiplier: number }) => one.rate_multiplier)).toEqual([
      15, 15,
    ]);
    const { publicId } = (await exchange.platform.keyById(other.slice(0, 24)))!;
    const change = { actor: 'opr_1', reason: 'ticket 2', atMs: 1 };
    await exchange.platform.setKeyTier(publicId, 'genesis', change);
    expect(await readLimit(other)).toBe(60 * 10);
  });

  it('[BD4] a load test widens the limits of every key until its end, and no longer', async () => {
    const manualClock = new ManualClock(NOON_MS);
    exchange = await openExchange(undefined, { rateMultiplier: 1, manualClock });
    const session = await exchange.session();
    const live = await exchange.key({ session, at: '' });
    const sandbox = await exchange.key({ session, at: '/sandbox' });
    const userId = await approve(session, 'trade_full');
    const grant = { multiplier: 50, endsAtMs: NOON_MS + 60_000 };
    expect([await readLimit(live), await readLimit(sandbox, '/sandbox')]).toEqual([60, 60]);
    await exchange.platform.builders.setLoadTest(userId, grant);
    expect([await readLimit(live), await readLimit(sandbox, '/sandbox')]).toEqual([3000, 3000]);
    expect((await exchange.ask('getBuilder', { token: live, at: '' })).data).toMatchObject({
      load_test: { multiplier: 50, ends_at_ms: grant.endsAtMs },
      rate_multiplier: 50,
    });
    manualClock.advance(59_999);
    expect(await readLimit(live)).toBe(3000);
    manualClock.advance(1);
    expect([await readLimit(live), await readLimit(sandbox, '/sandbox')]).toEqual([60, 60]);
    const ended = (await exchange.ask('getBuilder', { token: live, at: '' })).data;
    expect([ended.load_test, ended.rate_multiplier]).toEqual([null, 1]);
    await exchange.platform.builders.setLoadTest(userId, { ...grant, endsAtMs: NOON_MS + DAY_MS });
    expect(await readLimit(live)).toBe(3000);
    await exchange.platform.builders.setLoadTest(userId, null);
    expect(await readLimit(live)).toBe(60);
  });

  it('[BD6] an operation that is marked early is reached by the first builders and by no others', async () => {
    const { call: _call, ...trait } = operations.getBuilder;
    const planted = operation({
      ...trait,
      ...{ id: 'getPlanted', call: null, path: '/v1/planted', early: true },
    });
    exchange = await openExchange(undefined, {
      operations: { ...operations, getPlanted: planted },
      plantedHandlers: { getPlanted: () => ({ data: planted.example.data }) },
    });
    const session = await exchange.session();
    const key = await exchange.key({ session, at: '' });
    const planting = (token: string) =>
      exchange.call({ url: '/v1/planted', headers: bearer(token) });
    for (const token of [session, key]) {
      const refused = await planting(token);
      expectError(refused, 'TIER_UPGRADE_REQUIRED');
      expect(refused.json().error.details).toEqual({
        tier: 'self_serve',
        required_tier: 'genesis',
      });
    }
    expectError(await exchange.call({ url: '/v1/planted' }), 'AUTH_REQUIRED');
    await approve(session, 'genesis');
    for (const token of [session, key]) expect((await planting(token)).statusCode).toBe(200);
  });

  it('[BD7] a key for the live lane ends after 90 days unless its user has an approved app', async () => {
    exchange = await openExchange();
    const session = await exchange.session();
    const mint = (at: '' | '/sandbox', body: object = {}) =>
      exchange.ask('mintKey', { token: session, at, body });
    const latestMs = NOON_MS + 90 * DAY_MS;
    // Of a self_serve user every key is for the sandbox.
    expect((await mint('')).data.expires_at_ms).toBeNull();
    const userId = await approve(session, 'trade_full');
    expect((await mint('/sandbox')).data.expires_at_ms).toBeNull();
    expect((await mint('')).data).toMatchObject({ environment: 'live', expires_at_ms: latestMs });
    const soon = { expires_at_ms: NOON_MS + DAY_MS };
    expect((await mint('', soon)).data.expires_at_ms).toBe(soon.expires_at_ms);
    const refused = await mint('', { expires_at_ms: latestMs + 1 });
    expect(refused.error).toMatchObject({
      code: 'BUILDER_NOT_APPROVED',
      details: { expires_at_ms_max: latestMs },
    });
    const made = await exchange.ask('createApp', {
      token: session,
      body: { ...operations.createApp.example.body, submit: true },
    });
    const act = { actor: 'opr_1', reason: 'ticket 1', atMs: 1 };
    expect((await mint('')).data.expires_at_ms).toBe(latestMs);
    await exchange.platform.apps.change(made.data.app_id, act, (app) => ({
      ...app,
      status: 'approved',
    }));
    expect((await mint('')).data.expires_at_ms).toBeNull();
    const long = { expires_at_ms: latestMs + 1 };
    expect((await mint('', long)).data.expires_at_ms).toBe(long.expires_at_ms);
    expect(userId).toMatch(/^usr_/);
  });
});
