import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CannedServer, hangUp, success } from '../test/canned-server.ts';
import { createClient } from './client.ts';
import { signRequest } from './signing.ts';

interface Vector {
  readonly name: string;
  readonly variant: 'A' | 'B';
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly timestamp: string;
  readonly nonce?: string;
  readonly canonical: string;
  readonly canonical_hash: string;
  readonly signature: string;
}

const file = new URL('../../docs/examples/signing-vectors.json', import.meta.url);
const { key_id: keyId, secret, passphrase, vectors } = JSON.parse(readFileSync(file, 'utf8'));

describe('[SK30] signed requests', () => {
  it.each<Vector>(vectors)('$name comes to the published signature', async (vector) => {
    const { variant, method, path, body, timestamp, nonce } = vector;
    const credential =
      variant === 'A' ? { keyId, secret } : { keyId, secret, passphrase, variant: 'B' as const };
    const signed = await signRequest(credential, {
      ...{ method, path, body, timestamp },
      ...(nonce !== undefined && { nonce }),
    });
    expect(signed.canonical).toBe(vector.canonical);
    expect(signed.canonicalHash).toBe(vector.canonical_hash);
    const prefix = variant === 'A' ? 'svc' : 'alt';
    expect(signed.headers[`${prefix}-signature`]).toBe(vector.signature);
  });

  it('of a whole key only the id is sent', async () => {
    const request = { method: 'GET', path: '/v1/account' };
    const whole = `${keyId}_${'x'.repeat(43)}`;
    const a = await signRequest({ keyId: whole, secret }, request);
    expect(a.headers['svc-address']).toBe(keyId);
    const b = await signRequest({ keyId: whole, secret, passphrase, variant: 'B' }, request);
    expect(b.headers['alt-access-key']).toBe(keyId);
  });

  it('a client that signs sends no bearer, signs the path as it is sent, and each attempt anew', async () => {
    const server = new CannedServer();
    await server.listen();
    server.script(hangUp, success({ order_id: 'ord_1' }));
    const client = createClient({
      baseUrl: `${server.baseUrl}/sandbox`,
      token: 'sk_live_never_sent',
      signing: { keyId, secret },
    });
    await client.orders.get('coid:größer', { subaccount_id: 'sub_1' });
    await server.close();
    const nonces = new Set<unknown>();
    for (const { method, url, headers } of server.asked) {
      expect(headers.authorization).toBeUndefined();
      expect(headers['svc-address']).toBe(keyId);
      const nonce = String(headers['svc-nonce']);
      nonces.add(nonce);
      const timestamp = String(headers['svc-timestamp']);
      const lines = [method, url, timestamp, nonce, createHash('sha256').digest('hex')];
      const expected = createHmac('sha256', secret).update(lines.join('\n')).digest('hex');
      expect(headers['svc-signature']).toBe(expected);
    }
    expect([server.asked.length, nonces.size]).toEqual([2, 2]);
  });

  it('by variant B every write bears an Idempotency-Key', async () => {
    const server = new CannedServer();
    await server.listen();
    server.script(success({ cancelled: 0 }), success({ balances: [] }));
    const signing = { keyId, secret, passphrase, variant: 'B' as const };
    const client = createClient({ baseUrl: server.baseUrl, signing });
    await client.orders.cancelAll();
    await client.portfolio.balance();
    await server.close();
    const keys = server.asked.map(({ headers }) => headers['idempotency-key'] !== undefined);
    expect(keys).toEqual([true, false]);
    expect(server.asked[0]?.headers['alt-passphrase']).toBe(passphrase);
  });
});
