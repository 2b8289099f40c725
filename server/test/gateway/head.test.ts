// HEAD on every path that has GET.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
let port = 0;
beforeEach(async () => {
  harness = await openHarness({ allowedOrigins: ['https://app.example.com'] });
  port = await harness.gateway.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => harness.close());

const ofOneRequest =
  /^(?:x-request-id|x-ratelimit-(?:remaining|reset)|date|connection|keep-alive)$/;

async function ask(method: 'GET' | 'HEAD', path: string) {
  const headers = { 'accept-encoding': 'identity' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers });
  const told = [...response.headers].filter(([name]) => !ofOneRequest.test(name));
  return { status: response.status, headers: told, body: await response.text() };
}

describe('[RQ24] HEAD', () => {
  it.each([
    '/v1/markets',
    '/sandbox/v1/markets/templates',
    '/v1/health',
    '/openapi.json',
    '/docs/streams',
    '/v1/account',
    '/v1/markets?limit=0',
    '/v1/nothing',
    '/v1/markets/hello!',
  ])('%s answers as GET does, without the body', async (path) => {
    const get = await ask('GET', path);
    expect(get.body).not.toBe('');
    expect(await ask('HEAD', path)).toEqual({ ...get, body: '' });
  });

  it('takes from the quota of GET', async () => {
    const left = async (method: 'GET' | 'HEAD') =>
      Number((await harness.call({ url: '/v1/markets', method })).headers['x-ratelimit-remaining']);
    const first = await left('GET');
    expect(await left('HEAD')).toBe(first - 1);
    expect(await left('GET')).toBe(first - 2);
  });

  it('is not there where GET is not, and is named where it is', async () => {
    const wrong = await harness.call({ url: '/v1/orders', method: 'HEAD' });
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([404, 'POST, DELETE']);
    for (const url of ['/v1/markets', '/openapi.json']) {
      const put = await harness.call({ url, method: 'PUT' });
      expect(put.headers.allow).toMatch(/^GET, HEAD/);
    }
    const preflight = await harness.call({
      url: '/v1/markets',
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'HEAD' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toContain('HEAD');
  });
});
