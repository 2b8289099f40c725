import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { secretText, signatureHeaders } from './sign.ts';

describe('[IF3c] signatures', () => {
  it('gives the published vector of Standard Webhooks', () => {
    const headers = signatureHeaders({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      atMs: 1_614_265_330_999,
      body: '{"test": 2432232314}',
      secrets: [Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')],
    });
    expect(headers['webhook-id']).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek');
    expect(headers['webhook-timestamp']).toBe('1614265330');
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('signs t, a dot and the raw body with the secret as its owner sees it', () => {
    const secret = Buffer.alloc(32, 7);
    const body = '{"a":"ü"}';
    const shown = `whsec_${secret.toString('base64')}`;
    expect(secretText(secret)).toBe(shown);
    const { 'x-svc-signature': header } = signatureHeaders({
      id: 'evt_1',
      atMs: 1_794_657_600_123,
      body,
      secrets: [secret],
    });
    const hex = createHmac('sha256', shown).update('1794657600.').update(body).digest('hex');
    expect(header).toBe(`t=1794657600,v1=${hex}`);
  });

  it('carries one signature of each secret while there are two', () => {
    const secrets = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const both = signatureHeaders({ id: 'evt_1', atMs: 5000, body: '{}', secrets });
    const each = secrets.map((secret) =>
      signatureHeaders({ id: 'evt_1', atMs: 5000, body: '{}', secrets: [secret] }),
    );
    const [first, second] = each.map((headers) => headers['x-svc-signature']?.slice('t=5,'.length));
    expect(both['x-svc-signature']).toBe(`t=5,${first},${second}`);
    expect(both['webhook-signature']).toBe(
      `${each[0]?.['webhook-signature']} ${each[1]?.['webhook-signature']}`,
    );
  });
});
