// Signed requests: who may sign, what is signed, and what is refused.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalHash, canonicalOf, isSignedBy } from '../../src/signing/canonical.ts';
import { SigningKey } from '../../src/signing/signing-key.ts';
import { bearer, type Harness, NOON_MS, openHarness } from './harness.ts';

const NOW_SEC = NOON_MS / 1000;
let harness: Harness;
let key = '';
let publicId = '';
let secret = '';
let passphrase = '';

async function mint(on: Harness) {
  const minted = await on.call({
    method: 'POST',
    url: '/v1/keys',
    headers: bearer(await on.session()),
    payload: { permissions: ['read', 'trade'] },
  });
  return minted.json().data;
}

beforeEach(async () => {
  harness = await openHarness({ rateMultiplier: 1000 });
  const minted = await mint(harness);
  key = minted.key_id;
  publicId = minted.public_id;
  await harness.platform.signing.enable(publicId, true, NOON_MS);
  const drawn = await harness.call({
    method: 'POST',
    url: `/v1/keys/${publicId}/signing-secret`,
    headers: { authorization: `Bearer ${key}` },
  });
  expect(drawn.statusCode, drawn.body).toBe(200);
  ({ secret, passphrase } = drawn.json().data);
});
afterEach(() => harness.close());

interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly url?: string;
  readonly payload?: string;
  readonly timestamp?: number | string;
  readonly nonce?: string;
  readonly with?: string;
  readonly address?: string;
  readonly prefix?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in the place of what was signed. */
  readonly sent?: { readonly url?: string; readonly payload?: string; readonly method?: 'POST' };
}

let counter = 0;
const fresh = (): string => {
  counter += 1;
  return `nonce-${counter}`;
};

function signedA(asked: Asked) {
  const { method = 'GET', url = '/v1/account', payload = '', timestamp = NOW_SEC } = asked;
  const nonce = asked.nonce ?? fresh();
  const hashed = createHash('sha256').update(payload).digest('hex');
  const text = [method, url, timestamp, nonce, hashed].join('\n');
  const prefix = asked.prefix ?? 'svc-';
  return {
    text,
    headers: {
      [`${prefix}address`]: asked.address ?? publicId,
      [`${prefix}timestamp`]: String(timestamp),
      [`${prefix}nonce`]: nonce,
      [`${prefix}signature`]: createHmac('sha256', asked.with ?? secret)
        .update(text)
        .digest('hex'),
    },
  };
}

function signedB(asked: Asked & { readonly phrase?: string }) {
  const { method = 'GET', url = '/v1/account', payload = '', timestamp = NOW_SEC } = asked;
  const prefix = asked.prefix ?? 'alt-';
  const text = `${timestamp}${method}${url}${payload}`;
  const name = prefix === 'alt_' ? 'access_key' : 'access-key';
  return {
    [`${prefix}${name}`]: publicId,
    [`${prefix}timestamp`]: String(timestamp),
    [`${prefix}passphrase`]: asked.phrase ?? passphrase,
    [`${prefix}signature`]: createHmac('sha256', secret).update(text).digest('base64'),
  };
}

async function send(asked: Asked, headers: Record<string, string>) {
  const { method = 'GET', url = '/v1/account', payload = '', sent = {} } = asked;
  const body = sent.payload ?? payload;
  const response = await harness.call({
    method: sent.method ?? method,
    url: sent.url ?? url,
    headers: {
      ...headers,
      ...(body !== '' && { 'content-type': 'application/json' }),
      ...asked.headers,
    },
    ...(body !== '' && { payload: body }),
  });
  const { error } = response.json();
  return { status: response.statusCode, code: error?.code ?? 'ok', error };
}

const sendA = (asked: Asked) => send(asked, signedA(asked).headers);
const sendB = (asked: Asked & { readonly phrase?: string }) => send(asked, signedB(asked));

const ORDER = JSON.stringify({
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'limit',
  price: '0.55',
  size: '10',
});
const order = { method: 'POST', url: '/v1/orders', payload: ORDER } as const;

describe('[HM1] who may sign', () => {
  it('a key that an operator switched it on for, under both prefixes', async () => {
    expect((await sendA({})).code).toBe('ok');
    expect((await sendA({ prefix: 'sibyl-' })).code).toBe('ok');
    expect((await sendA(order)).code).toBe('ok');
  });

  it('[HM10] a whole key in place of its id is refused with a hint, whether the key may sign or not', async () => {
    const asked = [{ address: key }, { address: key, prefix: 'sibyl-' }];
    const answers = await Promise.all(asked.map(sendA));
    await harness.platform.signing.enable(publicId, false, NOON_MS);
    answers.push(await sendA({ address: key }));
    for (const { code, error } of answers) {
      expect([code, error.details.reason]).toEqual(['AUTH_INVALID', 'malformed']);
      expect(error.message).toMatch(/id of your key.*not the whole key.*Revoke/);
      expect(JSON.stringify(error)).not.toContain(publicId);
    }
  });

  it('no other key, and no longer when it is switched off: the bearer is what they are told to use', async () => {
    await harness.platform.signing.enable(publicId, false, NOON_MS);
    const off = await sendA({});
    expect(off).toMatchObject({
      code: 'AUTH_INVALID',
      error: { details: { reason: 'not_enabled' } },
    });
    expect(off.error.message).toContain('Authorization: Bearer');
    // The secret was destroyed, not put aside.
    await harness.platform.signing.enable(publicId, true, NOON_MS);
    const bare = await sendA({});
    expect(bare.code).toBe('AUTH_INVALID');
    expect(bare.error.message).toContain('/signing-secret');
    const unknown = await sendA({ address: 'sk_live_0000000000000000' });
    expect(unknown.error.details).toEqual(off.error.details);
  });

  it('a revoked key is told so by a right signature alone', async () => {
    await harness.platform.revokeKey(publicId, NOON_MS);
    expect((await sendA({})).error.details.reason).toBe('revoked');
    expect((await sendA({ with: 'f'.repeat(64) })).code).toBe('SIGNATURE_INVALID');
  });

  it('by tier, with the secret of the mint', async () => {
    const tiered = await openHarness({ signingTiers: ['self_serve'] });
    const minted = await mint(tiered);
    const record = await tiered.platform.signing.of(minted.public_id);
    expect(record).toMatchObject({ isEnabled: false, secret: { sealed: expect.any(String) } });
    expect(JSON.stringify(record)).not.toContain(minted.secret);
    expect(JSON.stringify(record)).not.toContain(minted.passphrase);
    await tiered.close();
    // Elsewhere it is shown, as the interface asks, and kept nowhere.
    expect(await harness.platform.signing.of('sk_live_0000000000000000')).toBeNull();
  });
});

describe('[HM2] what is signed', () => {
  it('body, path, query and method as they were sent', async () => {
    const dry = { ...order, url: '/v1/orders?dry_run=true' };
    expect((await sendA(dry)).code).toBe('ok');
    const altered = ORDER.replace('"10"', '"11"');
    expect((await sendA({ ...order, sent: { payload: altered } })).code).toBe('SIGNATURE_INVALID');
    expect((await sendA({ ...order, sent: { url: '/v1/orders?dry_run=true' } })).code).toBe(
      'SIGNATURE_INVALID',
    );
    const spaced = ORDER.replace(':', ': ');
    expect((await sendA({ ...order, sent: { payload: spaced } })).code).toBe('SIGNATURE_INVALID');
    expect((await sendA({ ...order, payload: spaced })).code).toBe('ok');
  });

  it('by the secret of the key alone', async () => {
    expect((await sendA({ with: 'f'.repeat(64) })).code).toBe('SIGNATURE_INVALID');
    expect((await sendA({ with: secret.toUpperCase() })).code).toBe('SIGNATURE_INVALID');
  });

  it('in digits of either case, each of which counts', async () => {
    const { headers } = signedA({});
    const signature = headers['svc-signature'] ?? '';
    for (let at = 0; at < signature.length; at += 1) {
      const other = signature[at] === '0' ? '1' : '0';
      const altered = signature.slice(0, at) + other + signature.slice(at + 1);
      const { code } = await send({}, { ...headers, 'svc-signature': altered });
      expect(code).toBe('SIGNATURE_INVALID');
    }
    const upper = { ...headers, 'svc-signature': signature.toUpperCase() };
    expect((await send({}, upper)).code).toBe('ok');
  });

  it('[HM9] whether a secret is there is said of each key, and nothing more of it', async () => {
    const child = await harness.call({
      method: 'POST',
      url: '/v1/keys',
      headers: { authorization: `Bearer ${key}` },
      payload: { permissions: ['read'] },
    });
    const { public_id: childId } = child.json().data;
    const entries = async () => {
      const { body } = await harness.call({
        method: 'GET',
        url: '/v1/keys',
        headers: { authorization: `Bearer ${key}` },
      });
      expect(body).not.toContain(secret);
      expect(body).not.toContain(passphrase);
      const keys: { key_id: string; has_signing_secret: boolean }[] = JSON.parse(body).data;
      return Object.fromEntries(keys.map((entry) => [entry.key_id, entry.has_signing_secret]));
    };
    expect(await entries()).toMatchObject({ [publicId]: true, [childId]: false });
    await harness.platform.signing.enable(publicId, false, NOON_MS);
    expect(await entries()).toMatchObject({ [publicId]: false });
  });

  it('[HM9] a key that was revoked is not said to sign', async () => {
    const { body } = await harness.call({
      method: 'DELETE',
      url: `/v1/keys/${publicId}`,
      headers: { authorization: `Bearer ${key}` },
    });
    expect(JSON.parse(body).data).toMatchObject({ status: 'revoked', has_signing_secret: false });
  });

  it('a new secret takes the place of the old', async () => {
    const old = secret;
    const drawn = await harness.call({
      method: 'POST',
      url: `/v1/keys/${publicId}/signing-secret`,
      headers: { authorization: `Bearer ${key}` },
    });
    ({ secret } = drawn.json().data);
    expect((await sendA({ with: old })).code).toBe('SIGNATURE_INVALID');
    expect((await sendA({})).code).toBe('ok');
  });

  it('what cannot be read is refused for who asks before it is for what it is', async () => {
    const broken = { method: 'POST', url: '/v1/orders', payload: '{"side":' } as const;
    expect((await sendA({ ...broken, with: 'f'.repeat(64) })).code).toBe('SIGNATURE_INVALID');
    expect((await sendA(broken)).code).toBe('BAD_REQUEST');
  });

  it('headers that are missing, malformed or of two variants are said', async () => {
    const { headers } = signedA({});
    const without = async (name: string, value?: string) => {
      const { [name]: _left, ...rest } = headers;
      return (await send({}, value === undefined ? rest : { ...rest, [name]: value })).error;
    };
    for (const [name, value] of [
      ['svc-timestamp'],
      ['svc-nonce'],
      ['svc-nonce', 'x'.repeat(65)],
      ['svc-signature'],
      ['svc-nonce', 'a nonce'],
      ['svc-signature', 'zz'],
      ['svc-signature', 'z'.repeat(64)],
      ['svc-signature', `${headers['svc-signature']}00`],
      ['svc-timestamp', '2026-11-14'],
      ['svc-timestamp', '1'.repeat(13)],
    ] as const) {
      const error = await without(name, value);
      expect([name, error.code, error.details.reason]).toEqual([name, 'AUTH_INVALID', 'malformed']);
      expect(error.message.toLowerCase()).toContain(name);
    }
    for (const more of [signedB({}), { authorization: `Bearer ${key}` }]) {
      const error = (await send({}, { ...headers, ...more })).error;
      expect(error.details.reason).toBe('malformed');
    }
  });

  it('a header that comes under both of its names must say the same under both', async () => {
    const nonce = fresh();
    const { error } = await sendA({ nonce, headers: { 'sibyl-nonce': 'another' } });
    expect(error.details.hint).toBe(
      'SVC-NONCE and SIBYL-NONCE are two names of one header and differ: send one of them.',
    );
    expect((await sendA({ nonce, headers: { 'sibyl-nonce': nonce } })).code).toBe('ok');
  });

  it('in the sandbox a refusal carries the hash of what the server would have signed, in live it does not', async () => {
    const wrong = { with: 'f'.repeat(64) };
    const { text, headers } = signedA(wrong);
    const { error } = await send(wrong, headers);
    const hash = createHash('sha256').update(text).digest('hex');
    expect(error.details).toEqual({ canonical_hash: hash });
    await harness.platform.setKeyTier(publicId, 'trade_full', {
      ...{ actor: 'test', reason: 'test', atMs: NOON_MS },
    });
    const live = await sendA(wrong);
    expect([live.code, live.error.details]).toEqual(['SIGNATURE_INVALID', undefined]);
  });
});

describe('[HM3] when, and how often', () => {
  it('within 300 seconds of the clock', async () => {
    for (const [off, code] of [
      [300, 'ok'],
      [-300, 'ok'],
      [301, 'TIMESTAMP_SKEW'],
      [-301, 'TIMESTAMP_SKEW'],
    ] as const) {
      const { error, code: told } = await sendA({ timestamp: NOW_SEC + off });
      expect([off, told]).toEqual([off, code]);
      if (told === 'TIMESTAMP_SKEW') {
        expect(error.details).toEqual({
          ...{ timestamp: NOW_SEC + off, server_time: NOW_SEC, window_sec: 300 },
        });
      }
    }
  });

  it('once, whatever the request is; another key may use the same nonce', async () => {
    expect((await sendA({ nonce: 'same' })).code).toBe('ok');
    expect((await sendA({ nonce: 'same' })).code).toBe('NONCE_REUSED');
    expect((await sendA({ nonce: 'same', ...order })).code).toBe('NONCE_REUSED');
    const once = { ...order, nonce: 'write' };
    expect((await sendA(once)).code).toBe('ok');
    const calls = harness.calls.length;
    expect((await sendA(once)).code).toBe('NONCE_REUSED');
    expect(harness.calls.length).toBe(calls);
  });

  it('a wrong signature spends no nonce', async () => {
    expect((await sendA({ nonce: 'mine', with: 'f'.repeat(64) })).code).toBe('SIGNATURE_INVALID');
    expect((await sendA({ nonce: 'mine' })).code).toBe('ok');
  });

  it('wrong signatures count against the address, not against the key', async () => {
    await harness.close();
    harness = await openHarness({});
    const minted = await mint(harness);
    publicId = minted.public_id;
    await harness.platform.signing.enable(publicId, true, NOON_MS);
    const codes = new Set<string>();
    const drawn = await harness.call({
      method: 'POST',
      url: `/v1/keys/${publicId}/signing-secret`,
      headers: { authorization: `Bearer ${minted.key_id}` },
    });
    ({ secret } = drawn.json().data);
    for (let count = 0; count < 400; count += 1) {
      const wrong = { url: '/v1/account', with: 'f'.repeat(64) };
      codes.add((await sendA(wrong)).code);
    }
    expect(codes).toEqual(new Set(['SIGNATURE_INVALID', 'RATE_LIMITED']));
    expect((await sendA({})).code).toBe('ok');
  });
});

describe('[HM4] variant B', () => {
  it('is read with both spellings, by secret and passphrase', async () => {
    expect((await sendB({})).code).toBe('ok');
    expect((await sendB({ prefix: 'alt_' })).code).toBe('ok');
    expect((await sendB({ phrase: 'another' })).code).toBe('SIGNATURE_INVALID');
    expect((await sendB({ timestamp: NOW_SEC + 301 })).code).toBe('TIMESTAMP_SKEW');
  });

  it('a write needs an Idempotency-Key, and the same signature is taken once whatever key comes with it', async () => {
    expect((await sendB(order)).code).toBe('IDEMPOTENCY_KEY_MISSING');
    const keyed = { ...order, headers: { 'idempotency-key': 'the-first-key-0001' } };
    expect((await sendB(keyed)).code).toBe('ok');
    expect((await sendB(keyed)).error).toMatchObject({
      ...{ code: 'NONCE_REUSED', message: 'This signed request was sent before.' },
    });
    const other = { ...order, headers: { 'idempotency-key': 'the-other-key-0002' } };
    expect((await sendB(other)).code).toBe('NONCE_REUSED');
    expect((await sendB({ ...other, timestamp: NOW_SEC + 1 })).code).toBe('ok');
  });

  it('a signature is taken in one spelling alone: the bits to spare of its last character are none', async () => {
    const signature = signedB(order)['alt-signature']!;
    const last = BASE64.indexOf(signature.at(-2)!);
    for (const step of [1, 2, 3]) {
      const respelled = `${signature.slice(0, -2)}${BASE64[last + step]}=`;
      expect(Buffer.from(respelled, 'base64')).toEqual(Buffer.from(signature, 'base64'));
      const key = { 'idempotency-key': `a-key-of-its-own-${step}` };
      const headers = { ...key, 'alt-signature': respelled };
      expect((await sendB({ ...order, headers })).code).toBe('AUTH_INVALID');
    }
  });
});

describe('[HM8] where the path ends and the body begins', () => {
  const cancel = { method: 'DELETE', url: '/v1/orders/coid:9723807' } as const;
  const headers = { 'idempotency-key': 'a-cancel-of-one-0001' };

  it('one signature fits one path: what takes no body is refused with one, and nothing is spent', async () => {
    const moved = { ...cancel, headers, sent: { url: '/v1/orders/coid:972380', payload: '7' } };
    const refused = await sendB(moved);
    expect(refused.code).toBe('VALIDATION_FAILED');
    expect(refused.error.details.field).toBe('body');
    expect((await sendB({ ...cancel, headers })).code).toBe('ok');
  });

  it('in either variant, and whatever the signature is', async () => {
    expect((await sendA({ ...cancel, payload: '{}' })).code).toBe('VALIDATION_FAILED');
    expect((await sendA({ ...cancel, payload: '{}', with: 'f'.repeat(64) })).code).toBe(
      'VALIDATION_FAILED',
    );
    expect((await sendA(cancel)).code).toBe('ok');
  });
});

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

describe('[HM2] published vectors', () => {
  const file = new URL('../../../docs/examples/signing-vectors.json', import.meta.url);
  const published = JSON.parse(readFileSync(file, 'utf8'));

  it.each<Record<string, string>>(published.vectors)(
    '$name is what the server expects',
    (vector) => {
      const head = {
        ...{ variant: vector.variant as 'A' | 'B', publicId: published.key_id },
        ...{ timestamp: vector.timestamp ?? '', atSec: 0, nonce: vector.nonce ?? '' },
        ...{ passphrase: published.passphrase, signature: vector.signature ?? '' },
      };
      const { method = '', path = '', body = '' } = vector;
      const canonical = canonicalOf(head, { method, path, body: Buffer.from(body) });
      expect(Buffer.from(canonical).toString()).toBe(vector.canonical);
      expect(canonicalHash(canonical)).toBe(vector.canonical_hash);
      expect(isSignedBy(new SigningKey(Buffer.from(published.secret)), head, canonical)).toBe(true);
    },
  );
});
