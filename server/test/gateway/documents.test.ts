import { crc32 } from 'node:zlib';
import {
  type AnyStreamMessage,
  channels,
  closeCodes,
  exampleFrame,
  streamMessages,
  streamNames,
} from '@sibyl/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectHeaders } from './expect.ts';
import { type Harness, openHarness } from './harness.ts';

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

  it('[EC1] serves a reference whose page may load and call this origin only', async () => {
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

  it('[RE7] serves metrics of operations, codes, latency and lanes to this machine only', async () => {
    await harness.call({ url: '/v1/health' });
    await harness.call({ url: '/v1/account' });
    const { payload, headers } = await harness.call({ url: '/metrics' });
    expect(headers['content-type']).toContain('text/plain');
    expect(payload).toContain(
      'sibyl_http_requests_total{operation="getHealth",status="200",code="ok"} 1',
    );
    expect(payload).toContain('operation="getAccount",status="401",code="AUTH_REQUIRED"} 1');
    expect(payload).toMatch(/sibyl_http_request_seconds_count\{operation="getHealth"\} 1/);
    expect(payload).toContain('sibyl_lane_state{lane="live",state="running"} 1');
    expect(payload).toMatch(/sibyl_lane_seq\{lane="sandbox",kind="durable"\} \d+/);
    expectError(await harness.call({ url: '/metrics', remoteAddress: '192.0.2.1' }), 'NOT_FOUND');
  });

  it('[IF41] tells that trading waits because of the clock, and by how much it is off', async () => {
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

  it('[IF41] tells the health of every lane', async () => {
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
    expect(below.read_only).toBe(false);
    await harness.lanes.live!.close();
    const down = (await harness.call({ url: '/v1/health' })).json().data;
    expect(down).toMatchObject({
      status: 'degraded',
      lanes: { read: 'down', trade: 'down', sandbox: 'ok' },
    });
  });
});

function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
