// Live and sandbox are counted apart, and whoever is told that it was too much is told how long to wait.
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Exchange, openExchange } from '../modules/exchange.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, NOON_MS, openHarness } from './harness.ts';

const HALF_A_DAY_SEC = 43_200;

function remaining({ headers }: Response): number {
  return Number(headers['x-ratelimit-remaining']);
}

describe('rate limits', () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness.close());

  it('[RQ17] of a session, a graduated key and an address have room in the sandbox when live is used up', async () => {
    const session = await harness.session();
    const key = await harness.key({ session, tier: 'read_live' });
    const get = (url: string, token?: string): Promise<Response> =>
      harness.call({ url, ...(token === undefined ? {} : { headers: bearer(token) }) });
    for (const [token, perMinute] of [
      [key, 60],
      [session, 600],
      [undefined, 120],
    ] as const) {
      for (let left = perMinute - 1; left >= 0; left -= 1)
        expect(remaining(await get('/v1/markets', token))).toBe(left);
      expectError(await get('/v1/markets', token), 'RATE_LIMITED');
      const beside = await get('/sandbox/v1/markets', token);
      expect([beside.statusCode, remaining(beside)]).toEqual([200, perMinute - 1]);
    }
    expectError(await get('/v1/nothing'), 'RATE_LIMITED');
    expectError(await get('/sandbox/v1/nothing'), 'NOT_FOUND');
    expect(remaining(await get('/sandbox/v1/markets'))).toBe(117);
  });

  it('[RQ17] the keys of an account have one window together in each lane', async () => {
    const session = await harness.session();
    const live = await harness.key({ session, tier: 'read_live' });
    const sandbox = await harness.key({ session, at: '/sandbox' });
    for (let count = 0; count < 60; count += 1)
      await harness.call({ url: '/v1/markets', headers: bearer(live) });
    const { headers } = await harness.call({
      url: '/sandbox/v1/markets',
      headers: bearer(sandbox),
    });
    expect([headers['x-ratelimit-scope'], headers['x-ratelimit-remaining']]).toEqual(['key', '59']);
  });
});

describe('Retry-After', () => {
  let exchange: Exchange;
  beforeEach(async () => {
    exchange = await openExchange();
  });
  afterEach(() => exchange.close());

  it('[RQ11][RQ16] stands on TIER_LIMIT_EXCEEDED: until the day ends', async () => {
    expect(exchange.clock.wallMs()).toBe(NOON_MS);
    const session = await exchange.trader();
    const token = await exchange.key({ session });
    const market_id = await exchange.market('pool');
    const place = (price: string, size: string) =>
      exchange.ask('placeOrder', {
        token,
        body: { market_id, outcome_id: 'yes', side: 'buy', order_type: 'limit', price, size },
      });
    const large = await place('0.5', '100');
    expectError(large.response, 'TIER_LIMIT_EXCEEDED');
    expect(large.response.headers['retry-after']).toBe(String(HALF_A_DAY_SEC));
    expect(large.error.details.limit).toBe('order');
    expect(large.error.message).toContain('No wait changes that');
    for (let count = 0; count < 10; count += 1)
      expect((await place('0.1', '100')).error).toBe(null);
    exchange.clock.advance(3_600_000);
    const late = await place('0.1', '100');
    expectError(late.response, 'TIER_LIMIT_EXCEEDED');
    const { resets_at_ms: resetsAtMs, limit } = late.error.details;
    expect(limit).toBe('day');
    expect(resetsAtMs - exchange.clock.wallMs()).toBe((HALF_A_DAY_SEC - 3_600) * 1000);
    expect(late.response.headers['retry-after']).toBe(String(HALF_A_DAY_SEC - 3_600));
  });

  it('[RQ16] stands on the second faucet, and on the second key of a day', async () => {
    const token = await exchange.session();
    await exchange.ask('useFaucet', { token });
    expectError((await exchange.ask('useFaucet', { token })).response, 'RATE_LIMITED');
    await exchange.ask('mintSandboxKey', { body: {} });
    const { response } = await exchange.ask('mintSandboxKey', { body: {} });
    expectError(response, 'SANDBOX_KEY_DAILY_LIMIT');
  });
});
