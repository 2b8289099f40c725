import { operations } from '@sibyl/contract';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRequest } from './example.ts';
import { expectError, expectHeaders } from './expect.ts';
import { bearer, type Harness, NOON_MS, openHarness } from './harness.ts';

describe('headers and envelopes', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness({ allowedOrigins: ['https://app.example.com'] });
  });
  afterAll(() => harness.close());

  it('[IF41] puts every header on a success', async () => {
    const response = await harness.call({ url: '/v1/markets' });
    expect(response.statusCode).toBe(200);
    expectHeaders(response);
    expect(response.headers['x-ratelimit-limit']).toBe('120');
    expect(response.headers['x-canonical-path']).toBeUndefined();
    expect(response.headers['retry-after']).toBeUndefined();
    const { meta, ok, error } = response.json();
    expect({ ok, error }).toEqual({ ok: true, error: null });
    expect(meta).toEqual({
      request_id: response.headers['x-request-id'],
      server_ts_ms: NOON_MS,
      next_cursor: null,
      page_size: 1,
      total_count: null,
    });
  });

  it.each([
    ['unknown path', { url: '/v1/nothing' }, 404, 'NOT_FOUND'],
    ['unknown path below the sandbox', { url: '/sandbox/v1/nothing' }, 404, 'NOT_FOUND'],
    ['root', { url: '/' }, 404, 'NOT_FOUND'],
    ['wrong method', { url: '/v1/markets/templates', method: 'DELETE' }, 404, 'NOT_FOUND'],
    ['no credential', { url: '/v1/account' }, 401, 'AUTH_REQUIRED'],
    ['bad url', { url: '/v1/markets/%E0%A4%A' }, 400, 'BAD_REQUEST'],
    ['bad query', { url: '/v1/markets?limit=0' }, 400, 'VALIDATION_FAILED'],
    ['unknown parameter', { url: '/v1/markets?offset=3' }, 400, 'VALIDATION_FAILED'],
    ['repeated parameter', { url: '/v1/markets?limit=3&limit=4' }, 400, 'VALIDATION_FAILED'],
    ['no id at all', { url: '/v1/markets/hello!' }, 400, 'ID_MALFORMED'],
    ['id of another kind', { url: '/v1/markets/ord_1' }, 400, 'ID_INVALID_KIND'],
    ['very long part', { url: `/v1/markets/${'x'.repeat(2000)}` }, 400, 'BAD_REQUEST'],
  ] as const)(
    '[IF41] answers %s with the envelope and every header',
    async (_name, request, status, code) => {
      const response = await harness.call({ ...request });
      expect(response.statusCode).toBe(status);
      expectHeaders(response);
      if (response.payload !== '') expectError(response, code);
    },
  );

  it.each(['/v1/orders', '/sandbox/v1/%6frders?x=1'])(
    '[KY16] a wrong method on %s is told what is allowed, in words too',
    async (url) => {
      const wrong = await harness.call({ method: 'PUT', url });
      expectError(wrong, 'NOT_FOUND');
      const { message, details } = wrong.json().error;
      expect(message).toBe('There is no PUT here; there is POST and DELETE.');
      expect(details).toEqual({ allowed: ['POST', 'DELETE'] });
      expect(wrong.headers.allow).toBe('POST, DELETE');
    },
  );

  it('[IF41] names the methods of a path on a wrong one, and only then', async () => {
    const wrong = await harness.call({ method: 'PATCH', url: '/v1/orders' });
    expect(wrong.headers.allow).toBe('POST, DELETE');
    const unknown = await harness.call({ method: 'PATCH', url: '/v1/nothing' });
    expect(unknown.headers.allow).toBeUndefined();
  });

  it.each([
    ['not JSON', 'application/json', '{"a":', 'BAD_REQUEST'],
    ['other type', 'text/plain', 'hello', 'BAD_REQUEST'],
    ['form', 'application/x-www-form-urlencoded', 'a=b', 'BAD_REQUEST'],
    ['broken type', 'application', '{}', 'BAD_REQUEST'],
    ['array', 'application/json', '[]', 'VALIDATION_FAILED'],
    ['null', 'application/json', 'null', 'VALIDATION_FAILED'],
    ['empty object', 'application/json', '{}', 'MISSING_FIELD'],
    ['empty', 'application/json', '', 'MISSING_FIELD'],
    ['number for money', 'application/json', order({ size: 10 }), 'VALIDATION_FAILED'],
    ['unknown field', 'application/json', order({ tier: 'trade_full' }), 'VALIDATION_FAILED'],
    ['charset', 'application/json; charset=utf-8', order({}), null],
  ])('[IF34] tells bodies apart: %s', async (_name, type, payload, code) => {
    const token = await harness.session();
    const response = await harness.call({
      method: 'POST',
      url: '/v1/orders',
      headers: { ...bearer(token), 'content-type': type },
      payload,
    });
    expectHeaders(response);
    if (code === null) expect(response.statusCode).toBe(200);
    else expectError(response, code);
  });

  it('[IF34] names the field that is missing or wrong', async () => {
    const token = await harness.session();
    const post = async (payload: object): Promise<Record<string, unknown>> => {
      const response = await harness.call({
        method: 'POST',
        url: '/v1/orders/batch',
        headers: { ...bearer(token), 'idempotency-key': 'abcdefgh1' },
        payload,
      });
      const { code, details } = response.json().error;
      return { code, field: details.field };
    };
    const place = { market_id: 'm_0123456789abcdef', outcome_id: 'yes', side: 'buy' };
    expect(await post({})).toEqual({ code: 'MISSING_FIELD', field: 'items' });
    expect(await post({ items: [{ action: 'place', order: place }] })).toEqual({
      code: 'MISSING_FIELD',
      field: 'items[0].order.order_type',
    });
    expect(await post({ items: [{ action: 'cancel', order_id: 'nothing' }] })).toEqual({
      code: 'VALIDATION_FAILED',
      field: 'items[0].order_id',
    });
    expect(await post({ items: [{ action: 'fly' }] })).toEqual({
      code: 'VALIDATION_FAILED',
      field: 'items[0]',
    });
  });

  it('[IF29] refuses a body that is too large by Content-Length and by count', async () => {
    const token = await harness.session();
    const payload = JSON.stringify({ label: 'x'.repeat(70_000) });
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const response = await harness.call({ method: 'POST', url: '/v1/keys', headers, payload });
    expectError(response, 'BAD_REQUEST');
    expectHeaders(response);
    expect(response.json().error.details.limit_bytes).toBe(65_536);
    const larger = { items: [{ action: 'cancel', order_id: 'ord_1', x: 'y'.repeat(70_000) }] };
    const batch = await harness.call({
      method: 'POST',
      url: '/v1/orders/batch',
      headers,
      payload: larger,
    });
    // 70 kB are read for a batch, and then found wrong.
    expectError(batch, 'VALIDATION_FAILED');
    expect(batch.json().error.details.field).toBe('items[0].x');
  });

  it('[IF47] rewrites aliases at both addresses and names the canonical path', async () => {
    for (const prefix of ['', '/sandbox']) {
      const response = await harness.call({
        url: `${prefix}/api/v1/market/m_0123456789abcdef?x=1`,
      });
      expect(response.headers['x-canonical-path']).toBe('/v1/markets/m_0123456789abcdef');
      const one = await harness.call({ url: `${prefix}/v1/market/m_0123456789abcdef` });
      expect(one.statusCode).toBe(200);
      expect(harness.calls.at(-1)?.request.laneName).toBe(prefix === '' ? 'live' : 'sandbox');
    }
    const missing = await harness.call({ url: '/api/v1/nothing' });
    expect(missing.statusCode).toBe(404);
    expect(missing.headers['x-canonical-path']).toBe('/v1/nothing');
  });

  it('[CO1] lets any page read public data, and only named ones the rest', async () => {
    const foreign = { origin: 'https://elsewhere.example' };
    const named = { origin: 'https://app.example.com' };
    const open = await harness.call({ url: '/v1/markets', headers: foreign });
    expect(open.headers['access-control-allow-origin']).toBe('*');
    expect(open.headers['access-control-allow-credentials']).toBeUndefined();
    const closed = await harness.call({ url: '/v1/account', headers: foreign });
    expect(closed.headers['access-control-allow-origin']).toBeUndefined();
    const allowed = await harness.call({ url: '/v1/account', headers: named });
    expect(allowed.headers['access-control-allow-origin']).toBe(named.origin);
    expect(allowed.headers.vary).toBe('Origin');
    const preflight = (headers: Record<string, string>, method: string): Promise<Response> =>
      harness.call({
        method: 'OPTIONS',
        url: '/v1/orders',
        headers: { ...headers, 'access-control-request-method': method },
      });
    const refused = await preflight(foreign, 'POST');
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    const accepted = await preflight(named, 'POST');
    expect(accepted.statusCode).toBe(204);
    expect(accepted.headers['access-control-allow-origin']).toBe(named.origin);
    expect(accepted.headers['access-control-allow-headers']).toContain('idempotency-key');
  });

  it('[IF32] serialises every example without losing a field', async () => {
    const full = await openHarness({ rateMultiplier: 0 });
    const token = await full.session();
    for (const operation of Object.values(operations)) {
      if (['keys', 'sessions', 'system'].includes(operation.group.toLowerCase())) continue;
      const { method, url, payload, data } = exampleRequest(operation);
      const response = await full.call({
        method,
        url: operation.prodOnly ? url : `/sandbox${url}`,
        headers: { ...bearer(token), 'idempotency-key': `example-${operation.id}` },
        ...(payload === undefined ? {} : { payload }),
      });
      expect(response.statusCode, `${operation.id}: ${response.payload}`).toBe(200);
      expect(response.json().data, operation.id).toEqual(data);
    }
    await full.close();
  });
});

function order(change: Record<string, unknown>): string {
  return JSON.stringify({
    market_id: 'm_0123456789abcdef',
    outcome_id: 'yes',
    side: 'buy',
    order_type: 'market',
    size: '10',
    ...change,
  });
}
