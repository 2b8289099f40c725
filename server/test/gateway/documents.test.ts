import { streamMessages } from '@sibyl/contract';
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
    expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(['/', '/sandbox']);
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

  it('[EC1] serves a reference whose page may load and call this origin only', async () => {
    const page = await harness.call({ url: '/docs/' });
    expect(page.statusCode).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
    const addresses = [...page.payload.matchAll(/(?:src|href)="(https?:)?\/\/[^"]*/g)];
    expect(addresses).toEqual([]);
    expect(page.payload).toContain('"withDefaultFonts": false');
    expect(page.payload).toContain('"telemetry": false');
    const script = await harness.call({ url: '/docs/js/scalar.js' });
    expect(script.statusCode).toBe(200);
    expect(script.payload.length).toBeGreaterThan(1_000_000);
  });

  it('[OA3] has no metrics: to the public that is a path like any unknown one', async () => {
    expectError(await harness.call({ url: '/metrics' }), 'NOT_FOUND');
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
