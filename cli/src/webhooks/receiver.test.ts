import type { Server } from 'node:http';
import { webhookEventTypes } from '@sibyl/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createReceiver,
  describe as describeDelivery,
  type Received,
  sendExample,
} from './receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

describe('[IS4] sibyl webhooks', () => {
  let server: Server;
  let received: Received[];
  let url: string;
  let nowMs: number;

  beforeEach(async () => {
    received = [];
    nowMs = 0;
    server = createReceiver(
      () => secret,
      (one) => received.push(one),
      () => nowMs,
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
    expect(received.every(({ missed, isRepeat }) => missed.length === 0 && !isRepeat)).toBe(true);
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

  const send = (sequence: number) =>
    sendExample({ type: 'webhook.ping', url, secret, nowMs: Date.now(), sequence });

  it('says what is missing once it has not come for ten seconds, and each number once', async () => {
    for (const sequence of [4, 9, 8]) await send(sequence);
    nowMs += 9999;
    for (const sequence of [6, 10]) await send(sequence);
    nowMs += 1;
    for (const sequence of [11, 12, 5]) await send(sequence);
    expect(received.map(({ missed }) => missed)).toEqual([[], [], [], [], [], [5, 7], [], []]);
    expect(describeDelivery(received[5]!)).toContain('#11 webhook.ping');
    expect(describeDelivery(received[5]!)).toContain('(test, missing: #5 #7)');
  });

  it('does not wait for more numbers than it has room for', async () => {
    for (const sequence of [1, 10_002, 10_004]) await send(sequence);
    expect(received.map(({ missed }) => missed)).toEqual([[], [], [2]]);
    await send(10_008);
    expect(received.at(-1)?.missed).toEqual([3, 4, 5]);
    expect(describeDelivery(received.at(-1)!)).toContain('missing: #3–#5');
    // Nor does it count through a leap that no sender makes.
    await send(Number.MAX_SAFE_INTEGER);
    expect(received.at(-1)?.missed).toHaveLength(10_000);
  });

  it('answers what is no delivery at all', async () => {
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    const large = await fetch(url, { method: 'POST', body: 'x'.repeat(1_048_577) });
    expect(large.status).toBe(400);
  });
});
