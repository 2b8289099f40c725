// Which answers are compressed, over real connections.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { operations } from '@sibyl/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness({ allowedOrigins: ['https://app.example.com'] });
});
afterEach(() => harness.close());

const LONG = '/v1/markets/templates';

function ask(url: string, headers: Readonly<Record<string, string>>) {
  return harness.call({ url, headers: { 'accept-encoding': 'br, gzip', ...headers } });
}

describe('[RQ25] answers to public reads', () => {
  it('are compressed as the client asks, and are the same', async () => {
    const plain = await ask(LONG, { 'accept-encoding': 'identity' });
    expect(plain.rawPayload.length).toBeGreaterThan(1_024);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [accepted, encoding, unpack] of [
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      const packed = await ask(LONG, { 'accept-encoding': accepted });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(Number(packed.headers['content-length'])).toBe(packed.rawPayload.length);
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length);
      expect(JSON.parse(String(unpack(packed.rawPayload))).data).toEqual(plain.json().data);
    }
    for (const refused of ['', 'deflate', 'gzip;q=0', 'identity']) {
      const answer = await ask(LONG, { 'accept-encoding': refused });
      expect([refused, answer.headers['content-encoding']]).toEqual([refused, undefined]);
    }
  });

  it('none of which is part of signing in', () => {
    const reads = Object.values(operations).filter(
      ({ method, auth }) => method === 'GET' && auth === 'public',
    );
    expect(reads.length).toBeGreaterThan(5);
    expect(reads.filter(({ path }) => !path.startsWith('/v1/'))).toEqual([]);
  });

  it('vary by what the client accepts, whatever it accepts, and by its origin', async () => {
    for (const accepted of ['br', 'identity']) {
      const answer = await ask(LONG, { 'accept-encoding': accepted });
      expect(answer.headers.vary).toBe('Accept-Encoding');
    }
    const page = await ask(LONG, { origin: 'https://app.example.com' });
    expect(page.headers.vary).toMatch(/Accept-Encoding$/);
  });

  it('are left as they are if they are short', async () => {
    expect((await ask('/v1/nothing', {})).headers['content-encoding']).toBeUndefined();
    const refused = await ask('/v1/markets?limit=0', {});
    expect([refused.statusCode, refused.headers['content-encoding']]).toEqual([400, undefined]);
  });

  it.each([
    ['a bearer', { authorization: 'Bearer sk_live_wrong' }],
    ['a key', { 'x-api-key': 'sk_live_wrong' }],
    ['a signature', { 'svc-address': 'sk_live_0123456789abcdef' }],
    ['a cookie', { cookie: 'sibyl_session=x' }],
    ['a cookie behind the language', { cookie: 'sibyl_reader=de/UTC; sibyl_session=x' }],
  ] as const)('are never compressed with %s', async (_name, headers) => {
    const answer = await ask(LONG, headers);
    expect(answer.rawPayload.length).toBeGreaterThan(0);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('are compressed for a browser that shows its language only', async () => {
    const answer = await ask(LONG, { cookie: 'sibyl_reader=de/Europe/Berlin' });
    expect(answer.headers['content-encoding']).toBeDefined();
  });

  it('HEAD tells the length that GET would send', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const get = await harness.call({ url: LONG, headers });
    const head = await harness.call({ url: LONG, method: 'HEAD', headers });
    expect(head.headers['content-encoding']).toBe('gzip');
    // The time of an answer is in it, so two are not of one length to the byte.
    const difference = Number(head.headers['content-length']) - get.rawPayload.length;
    expect(Math.abs(difference)).toBeLessThan(32);
  });
});
