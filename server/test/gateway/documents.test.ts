import { brotliDecompressSync, crc32, gunzipSync } from 'node:zlib';
import {
  type AnyStreamMessage,
  channels,
  closeCodes,
  exampleFrame,
  limits,
  streamMessages,
  streamNames,
} from '@sibyl/contract';
import { systemClock } from '@sibyl/lane';
import fastify from 'fastify';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackedDocuments } from '../../src/gateway/packed-documents.ts';
import { expectError, expectHeaders } from './expect.ts';
import { type Harness, openHarness } from './harness.ts';
import { RawClient } from './raw-client.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

describe('documents', () => {
  it('[SP5] serves the OpenAPI document with its own addresses', async () => {
    const response = await harness.call({ url: '/openapi.json' });
    expectHeaders(response);
    const document = response.json();
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(['/sandbox', '/']);
    expect(document.paths).toHaveProperty('/v1/orders');
  });

  it('[SP5] serves the AsyncAPI document, and a page that shows every message of it', async () => {
    const response = await harness.call({ url: '/asyncapi.json' });
    expectHeaders(response);
    expect(response.json().asyncapi).toBe('3.0.0');
    const page = await harness.call({ url: '/docs/streams' });
    expect(page.headers['content-type']).toContain('text/html');
    expect(String(page.headers['content-security-policy'])).toContain("default-src 'self'");
    for (const type of Object.keys(streamMessages)) {
      expect(page.payload).toContain(`<article id="${type}">`);
    }
    expect(Object.keys(streamMessages)).toHaveLength(57);
    expect(page.payload).not.toMatch(/<script|https?:\/\/(?!example|localhost)[^"<]*"/);
    // Without pages for people there is nothing to lead back to.
    expect(page.payload).not.toContain('href="/developers"');
  });

  it('[DC4] shows whole frames, fields, stream names and close codes on the page of the streams', async () => {
    const { payload } = await harness.call({ url: '/docs/streams' });
    for (const [type, message] of Object.entries<AnyStreamMessage>(streamMessages)) {
      const [, shown = ''] =
        new RegExp(`<article id="${type}">[\\s\\S]*?<pre>([\\s\\S]*?)</pre>`).exec(payload) ?? [];
      expect(JSON.parse(unescapeText(shown))).toEqual(exampleFrame(message));
      expect(payload).toMatch(new RegExp(`<article id="${type}">[\\s\\S]*?<code>ts_ms</code>`));
    }
    const bases = channels.filter((one) => one !== 'session' && one !== 'broadcast');
    for (const name of bases.flatMap(streamNames))
      expect(payload).toContain(`<code>${name}</code>`);
    for (const { code, reason } of Object.values(closeCodes)) {
      expect(payload).toContain(`<code>${code}</code></td><td>${reason}`);
    }
  });

  it('[DC4] shows the checksum with a book that a server sent', async () => {
    const { payload } = await harness.call({ url: '/docs/streams' });
    const [, text = ''] = /<pre class="wrapped">([^<]*)<\/pre>/.exec(payload) ?? [];
    const { bids, asks, checksum } = streamMessages.orderbook.example;
    const levels = (side: readonly (readonly [string, string])[]) =>
      side.map(([price, size]) => `${price}:${size}`).join(',');
    expect(text).toBe(`${levels(bids)}|${levels(asks)}`);
    expect(crc32(text)).toBe(checksum);
    expect(payload).toContain(`<code>${checksum}</code>`);
    expect(bids).toHaveLength(10);
  });

  it.each([
    ['both', null, { sandbox: 'ws://localhost:8080/sandbox/ws', live: 'ws://localhost:8080/ws' }],
    ['sandbox', null, { sandbox: 'ws://localhost:8080/ws' }],
    ['live', 'https://api.example.com', { live: 'wss://api.example.com/ws' }],
  ] as const)(
    '[DC5] names where the socket is: lanes %s at %s',
    async (lanes, publicUrl, expected) => {
      const own = await openHarness({
        publicUrl,
        lanes: lanes === 'both' ? ['live', 'sandbox'] : [lanes],
      });
      const { servers } = (await own.call({ url: '/asyncapi.json' })).json();
      const named = Object.entries<Record<string, string>>(servers).map(
        ([name, { protocol, host, pathname }]) => [name, `${protocol}://${host}${pathname}`],
      );
      expect(Object.fromEntries(named)).toEqual(expected);
      await own.close();
    },
  );

  it('[DC2] serves a reference whose page may load and call this origin only', async () => {
    const page = await harness.call({ url: '/docs/' });
    expect(page.statusCode).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
    const addresses = [...page.payload.matchAll(/(?:src|href)="(https?:)?\/\/[^"]*/g)];
    expect(addresses).toEqual([]);
    expect(policy).toContain("script-src 'self';");
    expect(page.payload).not.toMatch(/<script(?![^>]* src="\/docs\/)/);
    const start = await harness.call({ url: '/docs/reference.js' });
    expect(start.headers['content-type']).toContain('text/javascript');
    expect(start.payload).toContain('withDefaultFonts: false');
    expect(start.payload).toContain('telemetry: false');
    const style = await harness.call({ url: '/docs/page.css' });
    expect(style.headers['content-type']).toContain('text/css');
    const script = await harness.call({ url: '/docs/js/scalar.js' });
    expect(script.statusCode).toBe(200);
    expect(script.payload.length).toBeGreaterThan(1_000_000);
  });

  const DOCUMENTS = [
    '/openapi.json',
    '/asyncapi.json',
    '/docs/streams',
    '/docs/',
    '/docs/js/scalar.js',
  ];
  const readAs = (url: string, accepted: string, named = ''): Promise<Response> =>
    harness.call({
      url,
      remoteAddress: '192.0.2.30',
      headers: { 'accept-encoding': accepted, ...(named === '' ? {} : { 'if-none-match': named }) },
    });

  it.each(DOCUMENTS)('[CN5] sends %s compressed as the client takes it, and once', async (url) => {
    const plain = await readAs(url, 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0, *', 'gzip', gunzipSync],
      ['gzip;q=1.0', 'gzip', gunzipSync],
    ] as const) {
      const packed = await readAs(url, accepted);
      expect([packed.statusCode, packed.headers['content-encoding']]).toEqual([200, encoding]);
      expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
      expect(packed.headers.vary).toBe('Accept-Encoding');
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length);
      expect(unpack(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
      const { etag } = packed.headers;
      expect(etag).not.toBe(plain.headers.etag);
      const again = await readAs(url, accepted, `"other", W/${etag}`);
      expect([again.statusCode, again.payload, again.headers.etag]).toEqual([304, '', etag]);
    }
  });

  it('[CN5] sends a document as it is to who takes nothing else', async () => {
    for (const accepted of ['br;q=0.0, gzip;q=0', 'deflate', '']) {
      const { headers } = await readAs('/docs/streams', accepted);
      expect(headers['content-encoding']).toBeUndefined();
    }
  });

  it('[CN5] sends a document from the same memory each time', async () => {
    const texts = new PackedDocuments();
    const sent: unknown[] = [];
    const app = fastify();
    app.addHook('onSend', async (request, reply, payload) => {
      sent.push(await texts.pack(request, reply, String(payload)));
      return sent.at(-1);
    });
    app.get('/text', () => 'a text');
    const headers = { 'accept-encoding': 'br' };
    const asked = [1, 2, 3].map(() => app.inject({ url: '/text', headers }));
    await Promise.all(asked);
    expect(sent[0]).toBeInstanceOf(Buffer);
    expect(sent.map((one) => one === sent[0])).toEqual([true, true, true]);
    await app.close();
  });

  it('[CN5] keeps what varies beside, and does not pack what is no document', async () => {
    const headers = { origin: 'https://elsewhere.example', 'accept-encoding': 'br' };
    const page = await harness.call({ url: '/docs/streams', headers });
    expect(page.headers.vary).toBe('Origin, Accept-Encoding');
    const moved = await harness.call({ url: '/docs', headers: { ...headers, host: 'x' } });
    expect([moved.statusCode, moved.headers['content-encoding']]).toEqual([301, undefined]);
  });

  it('[CN5] serves a document whatever name it is asked by', async () => {
    for (const host of ['x', '192.0.2.1:80', '[::1]', 'a_b.example.']) {
      const page = await harness.call({ url: '/docs/', headers: { host } });
      expect(page.statusCode).toBe(200);
      const moved = await harness.call({ url: '/docs', headers: { host } });
      expect([moved.statusCode, moved.headers.location]).toEqual([301, '/docs/']);
    }
  });

  it('[CN6] counts a document as a read of its address, with or without a credential', async () => {
    const headers = { authorization: `Bearer ${await harness.session()}` };
    const remoteAddress = '192.0.2.31';
    const { read } = limits.rate.perMinute.anonymous;
    for (let count = 0; count < read; count += 1) {
      const url = DOCUMENTS[count % 3]!;
      const { statusCode } = await harness.call({
        url,
        remoteAddress,
        ...(count % 2 === 0 ? { headers } : {}),
      });
      expect(statusCode).toBe(200);
    }
    for (const url of DOCUMENTS) {
      const refused = await harness.call({ url, remoteAddress, headers });
      expectError(refused, 'RATE_LIMITED');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    expectError(await harness.call({ url: '/v1/markets', remoteAddress }), 'RATE_LIMITED');
  });

  it('[CN6] counts a connection that reads documents as a stranger’s', async () => {
    const own = await openHarness({ clock: systemClock });
    const port = await own.gateway.listen({ host: '127.0.0.1', port: 0 });
    const clients: RawClient[] = [];
    const ask = (path: string): Promise<string> => {
      const client = new RawClient(port);
      clients.push(client);
      return client.ask(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    };
    const { strangersPerAddressMax } = limits.connection;
    for (let count = 0; count < strangersPerAddressMax; count += 1) {
      const path = count % 2 === 0 ? '/docs/streams' : '/nothing';
      expect(await ask(path)).toContain(count % 2 === 0 ? 'HTTP/1.1 200' : 'HTTP/1.1 404');
    }
    for (const path of ['/docs/streams', '/nothing']) {
      const refused = await ask(path);
      expect(refused).toContain('HTTP/1.1 429');
      expect(refused).toContain('"limit":"connections"');
    }
    for (const client of clients) client.close();
    await own.close();
  });

  it('[OA3] has no metrics: to the public that is a path like any unknown one', async () => {
    expectError(await harness.call({ url: '/metrics' }), 'NOT_FOUND');
  });

  it('[HL1] tells that trading waits because of the clock, and by how much it is off', async () => {
    const own = await openHarness();
    own.clock.setWall(own.clock.wallMs() + 90_000);
    own.clock.advance(1_000);
    expect((await own.call({ url: '/v1/health' })).json().data).toMatchObject({
      status: 'degraded',
      lanes: { read: 'ok', trade: 'degraded', create: 'degraded', sandbox: 'degraded' },
      read_only: true,
      reason: 'clock: journal time differs from wall time by 90000 ms',
      clock_difference_ms: 90_000,
    });
    for (const lane of Object.values(own.lanes)) lane.decideClock('accept');
    const after = (await own.call({ url: '/v1/health' })).json().data;
    expect(after).toMatchObject({ reason: null, clock_difference_ms: null });
    await own.close();
  });

  it('[HL1] tells the health of every lane', async () => {
    const before = (await harness.call({ url: '/v1/health' })).json().data;
    expect(before).toMatchObject({
      status: 'ok',
      lanes: { read: 'ok', trade: 'ok', create: 'ok', sandbox: 'ok' },
      read_only: false,
    });
    await harness.lanes.live!.submit({
      body: { type: 'set_read_only', readOnly: true, reason: 'test' },
      actor: { kind: 'operator', name: 'ops', reason: 'test' },
      requestId: 'r',
    });
    const after = (await harness.call({ url: '/v1/health' })).json().data;
    expect(after).toMatchObject({
      status: 'degraded',
      lanes: { read: 'ok', trade: 'degraded', create: 'degraded', sandbox: 'ok' },
      read_only: true,
    });
    const below = (await harness.call({ url: '/sandbox/v1/health' })).json().data;
    expect(below).toMatchObject({ status: 'ok', read_only: false });
    await harness.lanes.live!.close();
    const down = (await harness.call({ url: '/v1/health' })).json().data;
    expect(down).toMatchObject({
      status: 'down',
      lanes: { read: 'down', trade: 'down', sandbox: 'ok' },
    });
  });
});

function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
