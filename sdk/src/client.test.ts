import { operations as contractOperations } from '@sibyl/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CannedServer, failure, hangUp, json, silence, success } from '../test/canned-server.ts';
import { createClient, createSandboxClient, type SibylClient } from './client.ts';
import { SibylConnectionError, SibylError, SibylTimeoutError } from './errors.ts';
import { BalanceInsufficientError, RateLimitedError } from './generated/errors.ts';
import { operations } from './generated/operations.ts';
import type { AnswerMeta } from './options.ts';
import { createSocket } from './socket/socket.ts';

const server = new CannedServer();
let client: SibylClient;

beforeEach(async () => {
  await server.listen();
  server.asked.length = 0;
  client = createClient({ baseUrl: `${server.baseUrl}/`, token: 'sk_test_x', timeoutMs: 2_000 });
});
afterEach(() => server.close());

const order = { market_id: 'm_0123456789abcdef', outcome_id: 'yes', side: 'buy' } as const;
const limitOrder = { ...order, order_type: 'limit', price: '0.52', size: '10' } as const;

describe('[SK22] a client for a subaccount', () => {
  it('names it in body or query where a call can be about one, and nowhere else', async () => {
    const its = client.forSubaccount('sub_1');
    for (let count = 0; count < 6; count += 1) server.script(success({ balances: [] }));
    await its.orders.place({ ...limitOrder, client_order_id: 'mine' });
    await its.orders.cancel('ord_1');
    await its.portfolio.balance();
    await its.portfolio.balance({ subaccount_id: 'sub_2' });
    await its.account.get();
    await its.keys.mint({});
    expect(server.asked.map(({ url, body }) => [url, body])).toEqual([
      ['/v1/orders', { ...limitOrder, client_order_id: 'mine', subaccount_id: 'sub_1' }],
      ['/v1/orders/ord_1?subaccount_id=sub_1', undefined],
      ['/v1/balance?subaccount_id=sub_1', undefined],
      ['/v1/balance?subaccount_id=sub_2', undefined],
      ['/v1/account', undefined],
      ['/v1/keys', {}],
    ]);
    expect(
      Object.values(operations).filter(({ subaccount }) => subaccount !== 'none'),
    ).toHaveLength(15);
  });
});

describe('[SK23] an address that is none', () => {
  it('is refused when the client or the socket is made, with what it should be', () => {
    for (const baseUrl of [
      'localhost:8080',
      '127.0.0.1:8080',
      'sibyl.test',
      '',
      'ws://sibyl.test',
    ]) {
      expect(() => createClient({ baseUrl }), baseUrl).toThrow(/must begin with http/);
      expect(() => createSocket({ baseUrl }), baseUrl).toThrow(/must begin with http/);
    }
  });
});

describe('[SK1] calls', () => {
  it('every operation of the contract is in the table with its method and path', () => {
    const table = Object.entries(operations).map(([id, { method, path }]) => [id, method, path]);
    const wanted = Object.values(contractOperations).map(({ id, method, path }) => [
      id,
      method,
      path,
    ]);
    expect(table).toEqual(wanted);
  });

  it('every group and method of the table can be called', () => {
    for (const { group, name } of Object.values(operations)) {
      expect(Reflect.get(Reflect.get(client, group), name)).toBeTypeOf('function');
    }
  });

  it('ids, body and query reach their places', async () => {
    server.script(success({ order_id: 'ord_1' }), success({ bids: [] }));
    await client.orders.amend('coid:a/b?c', { price: '0.5' });
    await client.markets.orderBook('m_0123456789abcdef', { outcome_id: 'yes', depth: 5 });
    expect(server.asked.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['PATCH', '/v1/orders/coid%3Aa%2Fb%3Fc', { price: '0.5' }],
      ['GET', '/v1/orderbook/m_0123456789abcdef?outcome_id=yes&depth=5', undefined],
    ]);
    expect(server.asked[0]?.headers.authorization).toBe('Bearer sk_test_x');
  });

  it('an id that would climb to another path is refused before anything is sent', async () => {
    await expect(client.markets.get('..')).rejects.toThrow(TypeError);
    await expect(client.markets.get('')).rejects.toThrow(TypeError);
    expect(server.asked).toEqual([]);
  });

  it('the metadata of an answer is shown to whoever asks', async () => {
    server.script(success({ order_id: 'ord_1' }, { fill_venue: 'hybrid' }));
    const seen: AnswerMeta[] = [];
    await client.orders.place(limitOrder, {}, { onAnswer: (meta) => seen.push(meta) });
    expect(seen).toEqual([
      {
        requestId: 'req_1',
        status: 200,
        fillVenue: 'hybrid',
        isReplay: false,
        attempts: 1,
        rateLimit: { category: 'trade', limit: 30, remaining: 29, resetAtSec: 1_794_657_660 },
      },
    ]);
  });

  it('a sandbox client mints a key, uses it and takes test money', async () => {
    server.script(success({ key_id: 'sk_live_k' }), success({ amount: '10000' }));
    const sandbox = await createSandboxClient({ baseUrl: server.baseUrl });
    expect(sandbox.token).toBe('sk_live_k');
    expect(server.asked.map(({ url }) => url)).toEqual(['/v1/sandbox-keys', '/v1/sandbox/faucet']);
    expect(server.asked[1]?.headers.authorization).toBe('Bearer sk_live_k');
  });

  it('a sandbox client with a key of its own asks for nothing', async () => {
    const sandbox = await createSandboxClient({ baseUrl: server.baseUrl, token: 'sk_live_k' });
    expect(sandbox.token).toBe('sk_live_k');
    expect(server.asked).toEqual([]);
  });
});

describe('[SK2] names of writes', () => {
  it('a placement carries a fresh Idempotency-Key and client_order_id', async () => {
    server.script(success({}), success({}));
    await client.orders.place(limitOrder);
    await client.orders.place(limitOrder);
    const [first, second] = server.asked;
    expect(first?.headers['idempotency-key']).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
    expect(first?.body).toMatchObject({ ...limitOrder, client_order_id: expect.any(String) });
    expect(first?.headers['idempotency-key']).not.toBe(second?.headers['idempotency-key']);
    expect(Reflect.get(Object(first?.body), 'client_order_id').length).toBeLessThanOrEqual(64);
  });

  it('what the caller names stays', async () => {
    server.script(success({}));
    await client.orders.place(
      { ...limitOrder, client_order_id: 'mine' },
      {},
      {
        idempotencyKey: 'my-key-0001',
      },
    );
    expect(server.asked[0]?.headers['idempotency-key']).toBe('my-key-0001');
    expect(server.asked[0]?.body).toMatchObject({ client_order_id: 'mine' });
  });

  it('every new order of a batch is named, and cancels are left alone', async () => {
    server.script(success({ results: [] }));
    await client.orders.batch({
      items: [
        { action: 'place', order: limitOrder },
        { action: 'cancel', order_id: 'ord_1' },
      ],
    });
    expect(server.asked[0]?.body).toEqual({
      items: [
        { action: 'place', order: { ...limitOrder, client_order_id: expect.any(String) } },
        { action: 'cancel', order_id: 'ord_1' },
      ],
    });
  });

  it('a dry run is not named, and reads carry no key', async () => {
    server.script(success({}), success({ status: 'ok' }));
    await client.orders.place(limitOrder, { dry_run: true });
    await client.system.health();
    expect(server.asked[0]?.body).toEqual(limitOrder);
    expect(server.asked[0]?.url).toBe('/v1/orders?dry_run=true');
    expect(server.asked[1]?.headers['idempotency-key']).toBeUndefined();
  });
});

describe('[SK3] retries', () => {
  it('a lost answer is asked for again with the same key and the same order', async () => {
    server.script(hangUp, failure(409, 'IDEMPOTENCY_IN_FLIGHT'), success({ order_id: 'ord_1' }));
    await expect(client.orders.place(limitOrder)).resolves.toEqual({ order_id: 'ord_1' });
    const keys = new Set(server.asked.map(({ headers }) => headers['idempotency-key']));
    const bodies = new Set(server.asked.map(({ body }) => JSON.stringify(body)));
    expect([server.asked.length, keys.size, bodies.size]).toEqual([3, 1, 1]);
  });

  it('Retry-After is honoured on 429 and 503', async () => {
    const started = performance.now();
    server.script(failure(429, 'RATE_LIMITED', { 'retry-after': '1' }), success({}));
    await client.orders.place(limitOrder);
    expect(performance.now() - started).toBeGreaterThan(990);
    server.script(failure(503, 'READ_ONLY_MODE', { 'retry-after': '0' }), success({}));
    await client.orders.place(limitOrder);
    expect(server.asked).toHaveLength(4);
  });

  it('a wait beyond the limit is thrown instead of slept through', async () => {
    server.script(failure(429, 'RATE_LIMITED', { 'retry-after': '3600' }));
    const error = await client.sandbox.faucet().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ retryAfterMs: 3_600_000, retryable: true });
  });

  it('a write without a key is sent once', async () => {
    server.script(failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }), hangUp);
    const login = { email: 'ada@example.com', password: 'correct horse' };
    await expect(client.sessions.logIn(login)).rejects.toBeInstanceOf(SibylError);
    await expect(client.sessions.logIn(login)).rejects.toBeInstanceOf(SibylConnectionError);
    expect(server.asked).toHaveLength(2);
  });

  it('a refusal is final', async () => {
    server.script(failure(429, 'TIER_LIMIT_EXCEEDED'));
    await expect(client.orders.place(limitOrder)).rejects.toMatchObject({
      code: 'TIER_LIMIT_EXCEEDED',
    });
    server.script(failure(409, 'IDEMPOTENCY_IN_FLIGHT'));
    await expect(client.orders.place(limitOrder)).rejects.toMatchObject({ status: 409 });
    expect(server.asked).toHaveLength(2);
  });

  it('a 503 that the service calls final is thrown without a repetition', async () => {
    const off = { reason: 'no_mail', retryable: false };
    server.script(failure(503, 'SERVICE_UNAVAILABLE', {}, off));
    const error = await client.sessions
      .requestPasswordReset({ email: 'ada@example.com' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: false });
  });

  it('it gives up after retriesMax', async () => {
    server.script(hangUp, hangUp, hangUp);
    await expect(client.markets.list({}, { retriesMax: 2 })).rejects.toBeInstanceOf(
      SibylConnectionError,
    );
    expect(server.asked).toHaveLength(3);
  });
});

describe('[SK4] time', () => {
  it('a silent server is a timeout that names the key to repeat with', async () => {
    server.script(silence);
    const options = { timeoutMs: 100, retriesMax: 0, idempotencyKey: 'my-key-0001' };
    const error = await client.orders.place(limitOrder, {}, options).catch((caught) => caught);
    expect(error).toBeInstanceOf(SibylTimeoutError);
    expect(error.idempotencyKey).toBe('my-key-0001');
  });

  it("the caller's abort passes through and ends retries", async () => {
    const controller = new AbortController();
    server.script((response, asked) => {
      hangUp(response, asked);
      controller.abort(new Error('enough'));
    });
    const call = client.orders.place(limitOrder, {}, { signal: controller.signal });
    await expect(call).rejects.toThrow('enough');
  });
});

describe('[SK5] errors', () => {
  it('a code has its class, with details and the id of the request', async () => {
    const details = { required: '5.2', free: '1', reserved: '0' };
    server.script(failure(422, 'BALANCE_INSUFFICIENT', {}, details));
    const error = await client.orders.place(limitOrder).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BalanceInsufficientError);
    expect(error).toBeInstanceOf(SibylError);
    expect(error).toMatchObject({
      name: 'BalanceInsufficientError',
      code: 'BALANCE_INSUFFICIENT',
      status: 422,
      details,
      requestId: 'req_1',
      retryable: false,
    });
  });

  it('a code nobody knew yet is still an error with that code', async () => {
    server.script(failure(418, 'TEAPOT'));
    await expect(client.system.health()).rejects.toMatchObject({ code: 'TEAPOT', status: 418 });
  });

  it('a page of HTML is an error, not a crash', async () => {
    server.script(json(200, '<html>blocked</html>'));
    await expect(client.system.health()).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
  });
});

describe('[SK6] lists', () => {
  const pages = [
    success([{ market_id: 'm_1' }, { market_id: 'm_2' }], { next_cursor: 'c1', total_count: 3 }),
    success([{ market_id: 'm_3' }], { next_cursor: null, total_count: null }),
  ];

  it('awaiting one gives a page', async () => {
    server.script(...pages.slice(0, 1));
    const page = await client.markets.list({ status: 'active' });
    expect(page.items.map((market) => market.market_id)).toEqual(['m_1', 'm_2']);
    expect([page.nextCursor, page.totalCount]).toEqual(['c1', 3]);
  });

  it('walking one passes every entry once and sends the filters with every cursor', async () => {
    server.script(...pages);
    const seen: string[] = [];
    for await (const market of client.markets.list({ status: 'active' })) {
      seen.push(market.market_id);
    }
    expect(seen).toEqual(['m_1', 'm_2', 'm_3']);
    expect(server.asked.map(({ url }) => url)).toEqual([
      '/v1/markets?status=active',
      '/v1/markets?status=active&cursor=c1',
    ]);
  });

  it('leaving the walk early fetches no further page', async () => {
    server.script(...pages.slice(0, 1));
    for await (const _market of client.markets.list()) break;
    expect(server.asked).toHaveLength(1);
  });
});
