import { operations } from '@sibyl/contract';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkTable } from '../../src/http/bind.ts';
import { expectError, expectHeaders } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

const ORDER = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'market',
  size: '10',
};

describe('order of the checks', () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness.close());

  /** Everything wrong at once, then one thing after the other put right. */
  it('[IF43] is credential, environment, permission, rate limit, parse, validation, idempotency, business', async () => {
    const { platform } = harness;
    const session = await harness.session();
    const test = await harness.key({ session, at: '/sandbox' });
    const reader = await harness.key({ session, permissions: ['read'], tier: 'read_live' });
    const trader = await harness.key({ session, tier: 'read_live' });
    const batch = (headers: Record<string, string>, payload: string): Promise<Response> =>
      harness.call({
        method: 'POST',
        url: '/v1/orders/batch',
        headers: { 'content-type': 'application/json', ...headers },
        payload,
      });
    const wrong = '{"items":1}';
    const good = JSON.stringify({ items: [{ action: 'place', order: ORDER }] });
    const badKey = { 'idempotency-key': 'x' };
    const unreadable = '{"items":';
    expectError(await batch({ ...bearer('sk_nothing'), ...badKey }, unreadable), 'AUTH_INVALID');
    expectError(await batch(badKey, unreadable), 'AUTH_REQUIRED');
    expectError(await batch({ ...bearer(test), ...badKey }, unreadable), 'WRONG_ENV_KEY');
    expectError(await batch({ ...bearer(reader), ...badKey }, unreadable), 'SCOPE_MISSING');
    const publicId = trader.slice(0, 24);
    for (let index = 0; index < 30; index += 1) {
      expectError(await batch({ ...bearer(trader), ...badKey }, wrong), 'VALIDATION_FAILED');
    }
    expectError(await batch({ ...bearer(trader), ...badKey }, unreadable), 'RATE_LIMITED');
    await platform.setKeyRate(publicId, 50, { actor: 'test', reason: 'test', atMs: 1 });
    expectError(await batch({ ...bearer(trader), ...badKey }, unreadable), 'BAD_REQUEST');
    expectError(await batch({ ...bearer(trader), ...badKey }, wrong), 'VALIDATION_FAILED');
    expectError(await batch({ ...bearer(trader), ...badKey }, good), 'IDEMPOTENCY_KEY_MALFORMED');
    expectError(await batch(bearer(trader), good), 'IDEMPOTENCY_KEY_MISSING');
    const done = await batch({ ...bearer(trader), 'idempotency-key': 'abcdefgh' }, good);
    expect(done.statusCode).toBe(200);
  });

  it('[IF43] puts SANDBOX_ONLY after the credential and before the permission', async () => {
    const session = await harness.session();
    const reader = await harness.key({ session, permissions: ['read'], tier: 'read_live' });
    const faucet = (headers: Record<string, string>, at = ''): Promise<Response> =>
      harness.call({ method: 'POST', url: `${at}/v1/sandbox/faucet`, headers });
    expectError(await faucet({}), 'AUTH_REQUIRED');
    expectError(await faucet(bearer(session)), 'SANDBOX_ONLY');
    expectError(await faucet(bearer(reader)), 'SANDBOX_ONLY');
    expectError(await faucet(bearer(reader), '/sandbox'), 'SCOPE_MISSING');
    expect((await faucet(bearer(session), '/sandbox')).statusCode).toBe(200);
  });
});

describe('rate limits over HTTP', () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await openHarness({ trustedProxies: ['10.0.0.0/8', 'fd00::/8'] });
  });
  afterEach(() => harness.close());

  const headersOf = ({ headers }: Response): unknown[] =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`]));

  it('[IF30] counts a key down exactly, answers 429 with Retry-After, and starts over', async () => {
    const key = await harness.key();
    const nowSec = harness.clock.wallMs() / 1000;
    const read = (): Promise<Response> =>
      harness.call({ url: '/v1/markets', headers: bearer(key) });
    for (let left = 59; left >= 0; left -= 1) {
      const response = await read();
      expect(response.statusCode).toBe(200);
      expect(headersOf(response)).toEqual([60, left, nowSec + 60]);
    }
    harness.clock.advance(20_000);
    const refused = await read();
    expectError(refused, 'RATE_LIMITED');
    expectHeaders(refused);
    expect(refused.headers['retry-after']).toBe('40');
    expect(refused.json().error.details).toEqual({
      category: 'read',
      scope: 'key',
      retry_after_sec: 40,
    });
    expect(headersOf(refused)).toEqual([60, 0, nowSec + 60]);
    const trade = await harness.call({
      method: 'POST',
      url: '/v1/orders',
      headers: bearer(key),
      payload: ORDER,
    });
    expect(headersOf(trade)).toEqual([30, 29, nowSec + 80]);
    harness.clock.advance(40_000);
    expect((await read()).statusCode).toBe(200);
  });

  it('[IF30] charges a dry run as an order, be it of an order or of a market', async () => {
    const key = await harness.key();
    const left = async (url: string, payload: object): Promise<unknown[]> =>
      headersOf(await harness.call({ method: 'POST', url, headers: bearer(key), payload })).slice(
        0,
        2,
      );
    expect(await left('/v1/orders', ORDER)).toEqual([30, 29]);
    expect(await left('/v1/orders?dry_run=true', ORDER)).toEqual([30, 28]);
    const market = operations.createMarket.example.body;
    expect(await left('/v1/markets?dry_run=true', market)).toEqual([30, 27]);
    expect(await left('/v1/markets?dry_run=false', market)).toEqual([20, 19]);
    expect(await left('/v1/markets', market)).toEqual([20, 18]);
    for (let count = 27; count > 0; count -= 1) await left('/v1/orders?dry_run=true', ORDER);
    const url = '/v1/orders?dry_run=true';
    const refused = await harness.call({
      method: 'POST',
      url,
      headers: bearer(key),
      payload: ORDER,
    });
    expectError(refused, 'RATE_LIMITED');
    expect(refused.json().error.details).toMatchObject({ category: 'trade' });
  });

  it('[RQ7] [IF30] charges a batch one for its head and the rest of its items with its body, all or nothing', async () => {
    const key = await harness.key();
    const batch = (count: number): Promise<Response> =>
      harness.call({
        method: 'POST',
        url: '/v1/orders/batch',
        headers: { ...bearer(key), 'idempotency-key': `batch-${count}-0001` },
        payload: {
          items: Array.from({ length: count }, () => ({ action: 'place', order: ORDER })),
        },
      });
    expect(headersOf(await batch(20))[1]).toBe(10);
    harness.clock.advance(20_000);
    const refused = await batch(11);
    expectError(refused, 'RATE_LIMITED');
    expect(headersOf(refused)[1]).toBe(9);
    // When the twenty are gone, eleven fit beside the one that was spent on asking.
    expect(refused.headers['retry-after']).toBe('40');
    expect(headersOf(await batch(9))[1]).toBe(0);
    harness.clock.advance(40_000);
    expect((await batch(11)).statusCode).toBe(200);
  });

  it('[AD1] takes the address from trusted proxies only, and IPv6 by /64', async () => {
    const read = async (remoteAddress: string, forwarded?: string): Promise<number> => {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      const response = await harness.call({ url: '/v1/markets', remoteAddress, headers });
      return Number(response.headers['x-ratelimit-remaining']);
    };
    expect(await read('192.0.2.1', '198.51.100.7')).toBe(119);
    expect(await read('192.0.2.1', '203.0.113.9')).toBe(118);
    expect(await read('10.0.0.1', '198.51.100.7')).toBe(119);
    expect(await read('10.0.0.2', '203.0.113.9, 198.51.100.7')).toBe(118);
    expect(await read('10.0.0.2', '198.51.100.7, 10.1.1.1')).toBe(117);
    expect(await read('2001:db8:1:2::1')).toBe(119);
    expect(await read('2001:db8:1:2:ffff::9')).toBe(118);
    expect(await read('2001:db8:1:3::1')).toBe(119);
    expect(await read('::ffff:192.0.2.1')).toBe(117);
  });

  it('[CN9] refuses what a trusted proxy forwards for an address that cannot be read', async () => {
    const read = (remoteAddress: string, forwarded: string): Promise<Response> =>
      harness.call({
        url: '/v1/markets',
        remoteAddress,
        headers: { 'x-forwarded-for': forwarded },
      });
    const proxies = Array.from({ length: 17 }, () => '10.0.0.3').join(', ');
    for (const hops of [
      'garbage',
      '198.51.100.8, garbage',
      '198.51.100.8, garbage, 10.1.1.1',
      '198.51.100.8,',
      '',
      'unknown',
      '198.51.100',
      '0x7f.1',
      '198.51.100.8:99999999',
      '[2001:db8::1',
      proxies,
    ]) {
      const refused = await read('10.0.0.2', hops);
      expectError(refused, 'BAD_REQUEST');
      expect(refused.json().error.details.reason).toContain('X-Forwarded-For');
      // A peer that is no proxy may say what it likes: nobody listens.
      expect((await read('192.0.2.77', hops)).statusCode).toBe(200);
    }
    const remaining = async (hops: string): Promise<number> =>
      Number((await read('10.0.0.2', hops)).headers['x-ratelimit-remaining']);
    // What stands left of the client was written by the client.
    expect(await remaining('garbage, 198.51.100.9')).toBe(119);
    expect(await remaining('198.51.100.9:4711')).toBe(118);
    expect(await remaining('[2001:db8:9::1]:443, 10.1.1.1:80')).toBe(119);
    expect(await remaining('2001:db8:9::1')).toBe(118);
    expectError(
      await harness.call({
        url: '/nothing',
        remoteAddress: '10.0.0.2',
        headers: { 'x-forwarded-for': '?' },
      }),
      'BAD_REQUEST',
    );
  });

  it('[RQ9] counts rejected credentials against their address', async () => {
    const guess = (): Promise<Response> =>
      harness.call({
        method: 'POST',
        url: '/v1/keys',
        headers: bearer('sk_live_x'),
        remoteAddress: '192.0.2.9',
      });
    for (let index = 0; index < 10; index += 1) expectError(await guess(), 'AUTH_INVALID');
    expectError(await guess(), 'RATE_LIMITED');
  });

  it('[IF30] scales all limits, and switches them off at 0', async () => {
    const wide = await openHarness({ rateMultiplier: 2 });
    expect((await wide.call({ url: '/v1/markets' })).headers['x-ratelimit-limit']).toBe('240');
    // The account tells what its answers bear.
    const key = await wide.key({ tier: 'genesis' });
    const { headers } = await wide.call({ url: '/v1/account', headers: bearer(key) });
    expect(wide.calls.at(-1)!.request.perMinute).toMatchObject({
      read: 60 * 10 * 2,
      account_read: Number(headers['x-ratelimit-limit']),
    });
    await wide.close();
    const off = await openHarness({ rateMultiplier: 0 });
    for (let index = 0; index < 200; index += 1) {
      const response = await off.call({ url: '/v1/markets' });
      expect(headersOf(response).slice(0, 2)).toEqual([120, 120]);
    }
    await off.close();
  });

  it('[IF30] multiplies by the tier and by the key', async () => {
    const key = await harness.key({ tier: 'genesis' });
    const limit = async (): Promise<string> =>
      String(
        (await harness.call({ url: '/v1/markets', headers: bearer(key) })).headers[
          'x-ratelimit-limit'
        ],
      );
    expect(await limit()).toBe('600');
    await harness.platform.setKeyRate(key.slice(0, 24), 3, { actor: 'a', reason: 'b', atMs: 1 });
    expect(await limit()).toBe('1800');
  });
});

describe('the table of handlers', () => {
  it('[CV1] must match the operations one to one', () => {
    const handler = (): never => {
      throw new Error('never called');
    };
    const full = Object.fromEntries(Object.keys(operations).map((id) => [id, handler]));
    expect(() => checkTable(operations, full)).not.toThrow();
    const { getMarket: _dropped, ...missing } = full;
    expect(() => checkTable(operations, missing)).toThrow(/without a handler: getMarket/);
    expect(() => checkTable(operations, { ...full, flyAway: handler })).toThrow(/flyAway/);
  });
});
