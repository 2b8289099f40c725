import { operations } from '@sibyl/contract';
import type { InjectOptions, Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TierCeilings } from '../../src/gateway/tier-ceilings.ts';
import { exampleRequest } from './example.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness({ allowedOrigins: ['https://app.example.com'] });
});
afterEach(() => harness.close());

/** Category, scope, limit and what is left. */
function bucketOf({ headers }: Response): readonly unknown[] {
  const of = (name: string): unknown => headers[`x-ratelimit-${name}`];
  return [of('category'), of('scope'), Number(of('limit')), Number(of('remaining'))];
}

function asking(key: string): (options: InjectOptions) => Promise<Response> {
  return (options) => harness.call({ ...options, headers: { ...bearer(key), ...options.headers } });
}

/** The example of an operation with a key. */
function ask(key: string, id: 'placeOrder' | 'cancelOrder' | 'cancelAllOrders' | 'heartbeat') {
  const { method, url, payload } = exampleRequest(operations[id]);
  return asking(key)({ method, url, ...(payload === undefined ? {} : { payload }) });
}

describe('buckets', () => {
  it('[RQ1] are named on every answer, whoever asks', async () => {
    const session = await harness.session();
    const key = await harness.key({ session, tier: 'read_live' });
    expect(bucketOf(await ask(key, 'placeOrder'))).toEqual(['trade', 'key', 30, 29]);
    const account = { url: '/v1/account', headers: bearer(session) };
    expect(bucketOf(await harness.call(account))).toEqual(['account_read', 'session', 600, 599]);
    expect(bucketOf(await harness.call({ url: '/v1/markets' }))).toEqual([
      'read',
      'address',
      120,
      119,
    ]);
    expect(bucketOf(await harness.call({ url: '/v1/nothing' }))).toEqual([
      'read',
      'address',
      120,
      118,
    ]);
  });

  it('[RQ1] may be read by pages', async () => {
    const headers = { origin: 'https://app.example.com' };
    const { headers: told } = await harness.call({ url: '/v1/account', headers });
    const exposed = String(told['access-control-expose-headers']);
    expect(exposed).toContain('X-RateLimit-Category');
    expect(exposed).toContain('X-RateLimit-Scope');
  });

  it('[RQ1] are named by the text of a 429, with when to come again', async () => {
    const key = await harness.key({ tier: 'read_live' });
    for (let left = 30; left > 0; left -= 1) await ask(key, 'placeOrder');
    harness.clock.advance(59_000);
    const refused = await ask(key, 'placeOrder');
    expectError(refused, 'RATE_LIMITED');
    const { message, details } = refused.json().error;
    expect(details).toEqual({ category: 'trade', scope: 'key', retry_after_sec: 1 });
    expect(message).toBe(
      'Too many trade requests with this key: 30 a minute are allowed. Try again in 1 second.',
    );
  });
});

describe('the window of an account', () => {
  const reads = async (key: string, count: number): Promise<Response[]> => {
    const answers: Response[] = [];
    for (let left = count; left > 0; left -= 1)
      answers.push(await asking(key)({ url: '/v1/markets' }));
    return answers;
  };

  it('[RQ2] has room for ten keys, and is what headers speak of when it is nearer to its end', async () => {
    const session = await harness.session();
    const keys: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      if (count === 9) harness.clock.advance(60_000);
      keys.push(await harness.key({ session, tier: 'read_live' }));
    }
    const [first = '', ...others] = keys;
    expect(bucketOf((await reads(first, 60)).at(-1)!)).toEqual(['read', 'key', 60, 0]);
    for (const key of others.slice(0, 8)) await reads(key, 60);
    expect(bucketOf((await reads(others[8]!, 20)).at(-1)!)).toEqual(['read', 'key', 60, 40]);
    // 560 are taken: of the last key as many are left as of the account, then the account has fewer.
    const last = await reads(others[9]!, 40);
    expect(last.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(bucketOf(last.at(-1)!)).toEqual(['read', 'account', 600, 0]);
    const [refused] = await reads(others[9]!, 1);
    expectError(refused!, 'RATE_LIMITED');
    expect(refused!.json().error).toMatchObject({
      details: { category: 'read', scope: 'account', retry_after_sec: 60 },
      message: expect.stringContaining('with all keys of the account together: 600 a minute'),
    });
    // The session, another account and another category are not concerned.
    const page = await harness.call({ url: '/v1/markets', headers: bearer(session) });
    expect(bucketOf(page)).toEqual(['read', 'session', 600, 599]);
    expect((await reads(await harness.key(), 1))[0]!.statusCode).toBe(200);
    expect((await ask(others[9]!, 'placeOrder')).statusCode).toBe(200);
    // What was refused was charged to nobody.
    harness.clock.advance(60_000);
    expect(bucketOf((await reads(others[9]!, 1))[0]!)).toEqual(['read', 'key', 60, 59]);
  });
});

describe('getting out', () => {
  it('[RQ3] goes on when orders have used up the quota, as often again', async () => {
    const key = await harness.key({ tier: 'read_live' });
    expect(bucketOf(await ask(key, 'cancelOrder'))).toEqual(['trade', 'key', 30, 29]);
    for (let left = 29; left > 0; left -= 1) await ask(key, 'placeOrder');
    expectError(await ask(key, 'placeOrder'), 'RATE_LIMITED');
    const ways = ['cancelOrder', 'cancelAllOrders', 'heartbeat'] as const;
    for (let left = 29; left >= 0; left -= 1) {
      const answer = await ask(key, ways[left % ways.length]!);
      expect([answer.statusCode, bucketOf(answer)]).toEqual([200, ['cancel', 'key', 30, left]]);
    }
    harness.clock.advance(10_000);
    const refused = await ask(key, 'cancelAllOrders');
    expectError(refused, 'RATE_LIMITED');
    expect(refused.json().error.details).toEqual({
      category: 'cancel',
      scope: 'key',
      retry_after_sec: 50,
    });
    harness.clock.advance(50_000);
    expect(bucketOf(await ask(key, 'cancelOrder'))).toEqual(['trade', 'key', 30, 29]);
  });

  it('[RQ3] says the wait of whichever bucket has room first', async () => {
    const key = await harness.key({ tier: 'read_live' });
    for (let left = 30; left > 0; left -= 1) await ask(key, 'placeOrder');
    harness.clock.advance(30_000);
    for (let left = 30; left > 0; left -= 1) await ask(key, 'cancelOrder');
    const refused = await ask(key, 'cancelOrder');
    expect(refused.json().error.details).toEqual({
      category: 'trade',
      scope: 'key',
      retry_after_sec: 30,
    });
  });

  it('[RQ3] cannot be held up by orders of other keys of the account', async () => {
    const session = await harness.session();
    const keys: string[] = [];
    for (let count = 0; count < 11; count += 1)
      keys.push(await harness.key({ session, tier: 'read_live' }));
    for (const key of keys.slice(0, 10)) {
      for (let left = 30; left > 0; left -= 1) await ask(key, 'placeOrder');
    }
    expectError(await ask(keys[10]!, 'placeOrder'), 'RATE_LIMITED');
    expect(bucketOf(await ask(keys[10]!, 'cancelOrder'))).toEqual(['cancel', 'key', 30, 29]);
  });
});

describe('tiers', () => {
  it('[RQ4] multiply by themselves, at once, in headers, keys and the account’s window', async () => {
    const session = await harness.session();
    const key = await harness.key({ session });
    const change = { actor: 'test', reason: 'test', atMs: 0 };
    const multiplierOf = async (): Promise<unknown> => {
      const listed = await harness.call({ url: '/v1/keys', headers: bearer(session) });
      return listed.json().data[0].rate_multiplier;
    };
    expect([bucketOf(await ask(key, 'placeOrder'))[2], await multiplierOf()]).toEqual([30, 1]);
    for (const [tier, times] of [
      ['genesis', 10],
      ['partner', 20],
      ['institutional', 20],
      ['trade_full', 1],
    ] as const) {
      await harness.platform.setKeyTier(key.slice(0, 24), tier, change);
      expect(bucketOf(await ask(key, 'placeOrder'))[2]).toBe(30 * times);
      expect(harness.calls.at(-1)?.request.perMinute.trade).toBe(30 * times);
      expect(await multiplierOf()).toBe(times);
    }
    // As the operator sets it, not as it was published.
    await TierCeilings.of(harness.platform).set('trade_full', { rateMultiplier: 4 }, change);
    expect([bucketOf(await ask(key, 'placeOrder'))[2], await multiplierOf()]).toEqual([120, 4]);
    await harness.platform.setKeyTier(key.slice(0, 24), 'genesis', change);
    await harness.platform.setKeyRate(key.slice(0, 24), 3, change);
    expect([bucketOf(await ask(key, 'placeOrder'))[2], await multiplierOf()]).toEqual([900, 30]);
  });
});

describe('ceilings of a tier', () => {
  const DAY_MS = 86_400_000;

  it('[AO7] hold at once when raised, and 90 days after they were announced when lowered', async () => {
    const key = await harness.key({ tier: 'trade_capped' });
    const session = await harness.session();
    const ceilings = TierCeilings.of(harness.platform);
    const { clock } = harness;
    const by = () => ({ actor: 'test', reason: 'test', atMs: clock.wallMs() });
    const asked = async () => {
      const { headers } = await ask(key, 'placeOrder');
      const { caps, perMinute } = harness.calls.at(-1)!.request;
      return [caps?.orderMax, caps?.dayMax, perMinute.trade, headers.deprecation, headers.sunset];
    };
    const none = [undefined, undefined];
    expect(await asked()).toEqual([250_000_000n, 2_500_000_000n, 30, ...none]);
    await ceilings.set('trade_capped', { orderNotionalMax: '500', rateMultiplier: 2 }, by());
    expect(await asked()).toEqual([500_000_000n, 2_500_000_000n, 60, ...none]);
    const announcedMs = clock.wallMs();
    await ceilings.set('trade_capped', { orderNotionalMax: '100', dailyNotionalMax: null }, by());
    const notice = [
      `@${Math.floor(announcedMs / 1000)}`,
      new Date(announcedMs + 90 * DAY_MS).toUTCString(),
    ];
    expect(await asked()).toEqual([500_000_000n, 2_500_000_000n, 60, ...notice]);
    const others = await harness.call({ url: '/v1/account', headers: bearer(session) });
    expect(others.headers.sunset).toBeUndefined();
    clock.advance(90 * DAY_MS - 1);
    expect(await asked()).toEqual([500_000_000n, 2_500_000_000n, 60, ...notice]);
    clock.advance(1);
    expect(await asked()).toEqual([100_000_000n, null, 60, ...none]);
  });

  it('[AO7] that are raised again meanwhile are never lowered', async () => {
    const ceilings = TierCeilings.of(harness.platform);
    const by = { actor: 'test', reason: 'test', atMs: 1000 };
    await ceilings.set('read_live', { orderNotionalMax: '1' }, by);
    expect((await ceilings.termsOf('read_live', 1000)).pending?.version).toBe(2);
    await ceilings.set('read_live', { orderNotionalMax: '30' }, { ...by, atMs: 2000 });
    const later = await ceilings.termsOf('read_live', 1000 + 91 * DAY_MS);
    expect([later.limits.orderNotionalMax, later.pending]).toEqual(['30', null]);
  });
});

describe('refusals', () => {
  /** The codes of so many answers in a row. */
  async function codes(count: number, options: InjectOptions): Promise<string[]> {
    const found: string[] = [];
    for (let left = count; left > 0; left -= 1) {
      found.push((await harness.call(options)).json().error.code);
    }
    return found;
  }

  const unreadable = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    payload: '[1,',
  } as const;

  it.each([
    ['no credential', '/v1/keys', 'AUTH_REQUIRED', 10],
    ['a body of a public write', '/api/auth/login', 'BAD_REQUEST', 10],
    ['an unknown path', '/v1/nothing', 'NOT_FOUND', 120],
    ['a URL that cannot be read', '/v1/markets/%E0%A4%A', 'BAD_REQUEST', 120],
  ])('[RQ9] count against the address: %s', async (_name, url, code, perMinute) => {
    const asked = { ...unreadable, url, remoteAddress: '192.0.2.7' };
    expect(new Set(await codes(perMinute, asked))).toEqual(new Set([code]));
    const refused = await harness.call(asked);
    expectError(refused, 'RATE_LIMITED');
    expect(refused.json().error.details.scope).toBe('address');
    expect(await codes(1, { ...asked, remoteAddress: '192.0.2.8' })).toEqual([code]);
  });

  it('[RQ9] of a good credential count against it: no permission, another lane, a body', async () => {
    const session = await harness.session();
    const reader = await harness.key({ session, permissions: ['read'], tier: 'read_live' });
    const test = await harness.key({ session, at: '/sandbox' });
    const trader = await harness.key({ session, tier: 'read_live' });
    for (const [key, code] of [
      [reader, 'SCOPE_MISSING'],
      [test, 'WRONG_ENV_KEY'],
      [trader, 'BAD_REQUEST'],
    ] as const) {
      const headers = { ...unreadable.headers, ...bearer(key) };
      const asked = { ...unreadable, url: '/v1/orders', headers };
      expect(new Set(await codes(30, asked))).toEqual(new Set([code]));
      const refused = await harness.call(asked);
      expectError(refused, 'RATE_LIMITED');
      expect(refused.json().error.details.scope).toBe('key');
    }
  });
});
