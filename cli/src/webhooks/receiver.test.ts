import type { Server } from 'node:http';
import { webhookEventTypes } from '@sibyl/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReceiver, type Received, sendExample } from './receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

describe('[IS4] sibyl webhooks', () => {
  let server: Server;
  let received: Received[];
  let url: string;

  beforeEach(async () => {
    received = [];
    server = createReceiver(
      () => secret,
      (one) => received.push(one),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    url = `http://127.0.0.1:${address.port}/hooks`;
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('receives an example of every type and verifies it', async () => {
    for (const [index, type] of webhookEventTypes.entries()) {
      const sequence = index + 1;
      expect(await sendExample({ type, url, secret, nowMs: Date.now(), sequence })).toBe(200);
    }
    expect(received.map(({ notice }) => notice?.type)).toEqual([...webhookEventTypes]);
    expect(received.every(({ missed, isRepeat }) => missed === 0 && !isRepeat)).toBe(true);
  });

  it('refuses what is signed by somebody else, or long ago', async () => {
    const nowMs = Date.now();
    expect(await sendExample({ type: 'webhook.ping', url, secret: other, nowMs })).toBe(401);
    const longAgo = { type: 'webhook.ping', url, secret, nowMs: nowMs - 600_000 } as const;
    expect(await sendExample(longAgo)).toBe(401);
    expect(received.map(({ problem }) => problem)).toEqual([
      'WEBHOOK_SIGNATURE_INVALID',
      'WEBHOOK_TIMESTAMP_SKEW',
    ]);
  });

  it('says what is missing before a delivery', async () => {
    const nowMs = Date.now();
    for (const sequence of [4, 7]) {
      await sendExample({ type: 'webhook.ping', url, secret, nowMs, sequence });
    }
    expect(received.map(({ missed }) => missed)).toEqual([0, 2]);
  });

  it('answers what is no delivery at all', async () => {
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    const large = await fetch(url, { method: 'POST', body: 'x'.repeat(1_048_577) });
    expect(large.status).toBe(400);
  });
});
