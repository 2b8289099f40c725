import { limits, operations } from '@sibyl/contract';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleRequest } from './example.ts';
import { expectError, expectHeaders } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness({ rateMultiplier: 0 });
});
afterEach(() => harness.close());

const account = (headers: Record<string, string>, at = ''): Promise<Response> =>
  harness.call({ url: `${at}/v1/account`, headers });

describe('credentials', () => {
  it('[IF5] takes a key as bearer and as X-Api-Key, and both only if they agree', async () => {
    const session = await harness.session();
    const key = await harness.key({ session });
    const other = await harness.key({ session });
    expect((await account(bearer(key))).statusCode).toBe(200);
    expect((await account({ authorization: `bearer ${key}` })).statusCode).toBe(200);
    expect((await account({ 'x-api-key': key })).statusCode).toBe(200);
    expect((await account({ ...bearer(key), 'x-api-key': key })).statusCode).toBe(200);
    expectError(await account({ ...bearer(key), 'x-api-key': other }), 'AUTH_INVALID');
    expectError(await account({ 'x-api-key': session }), 'AUTH_INVALID');
    expectError(await account({ authorization: `Basic ${key}` }), 'AUTH_INVALID');
    expectError(await account({ authorization: 'Bearer ' }), 'AUTH_INVALID');
  });

  it.each([
    'SVC-SIGNATURE',
    'svc-address',
    'SIBYL-SIGNATURE',
    'Sibyl-Address',
    'ALT-SIGNATURE',
    'ALT_ACCESS_KEY',
  ])('[SG1] refuses a signed request by %s with the hint to use the bearer', async (name) => {
    const key = await harness.key();
    for (const headers of [{ [name]: 'x' }, { [name]: 'x', ...bearer(key) }]) {
      const response = await account(headers);
      expectError(response, 'AUTH_INVALID');
      expect(response.json().error.details.hint).toMatch(/Bearer/);
    }
  });

  it('[SR4] gives unknown ids and wrong secrets the same answer', async () => {
    const key = await harness.key();
    const last = key.endsWith('A') ? 'B' : 'A';
    const wrong = `${key.slice(0, -1)}${last}`;
    const unknown = `sk_live_${'z'.repeat(16)}_${'a'.repeat(43)}`;
    const answers = await Promise.all(
      [wrong, unknown, 'sk_live_', 'nonsense'].map((t) => account(bearer(t))),
    );
    const bodies = answers.map((answer) => {
      const { code, message, details } = answer.json().error;
      return { status: answer.statusCode, code, message, details };
    });
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expectError(await account(bearer('oat_something')), 'TOKEN_INVALID');
  });

  it('[KY18] say in details.reason why they are rejected, and in the message', async () => {
    const unknown = await account(bearer(`sk_live_${'z'.repeat(16)}_${'a'.repeat(43)}`));
    expectRejected(unknown, 'unknown');
    expect(unknown.json().error.message).toBe('The credential was rejected.');
    expectRejected(await account({ authorization: 'Basic eDp5' }), 'malformed');
    expectRejected(await account({ 'svc-address': 'sk_live_x' }), 'not_enabled');
    const session = await harness.session();
    await harness.call({ method: 'POST', url: '/api/auth/logout', headers: bearer(session) });
    const ended = await account(bearer(session));
    expectRejected(ended, 'revoked');
    expect(ended.json().error.message).toBe('The credential was revoked.');
    const other = await harness.session();
    harness.clock.advance(limits.session.lifetimeMs);
    const expired = await account(bearer(other));
    expectRejected(expired, 'expired');
    expect(expired.json().error.message).toBe('The credential has expired.');
  });

  it('[P14] stops a revoked key and an ended session on the next request', async () => {
    const session = await harness.session();
    const key = await harness.key({ session });
    expect((await account(bearer(key))).statusCode).toBe(200);
    const revoked = await harness.call({
      method: 'DELETE',
      url: `/v1/keys/${key}`,
      headers: bearer(session),
    });
    expect(revoked.json().data).toMatchObject({ key_id: key.slice(0, 24), status: 'revoked' });
    expectRejected(await account(bearer(key)), 'revoked');
    await harness.call({ method: 'POST', url: '/api/auth/logout', headers: bearer(session) });
    expectRejected(await account(bearer(session)), 'revoked');
  });

  it('[P14] does not remember what was read before a revocation and verified after it', async () => {
    const key = await harness.key();
    const publicId = key.slice(0, 24);
    const keyById = harness.platform.keyById.bind(harness.platform);
    // The store answers with what it had, and the key is revoked before that answer arrives.
    harness.platform.keyById = async (id) => {
      const before = await keyById(id);
      harness.platform.keyById = keyById;
      await harness.platform.revokeKey(publicId, 1);
      return before;
    };
    expectRejected(await account(bearer(key)), 'revoked');
  });

  it('[P14] asks the store once for a token, not for one it refused, and again when it was long unused', async () => {
    const key = await harness.key();
    let reads = 0;
    const keyById = harness.platform.keyById.bind(harness.platform);
    harness.platform.keyById = (id) => {
      reads += 1;
      return keyById(id);
    };
    for (const _ of [1, 2, 3]) expect((await account(bearer(key))).statusCode).toBe(200);
    expect(reads).toBe(1);
    const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    for (const _ of [1, 2, 3]) expectError(await account(bearer(wrong)), 'AUTH_INVALID');
    expect(reads).toBe(4);
    harness.clock.advance(10 * 60_000);
    expect((await account(bearer(key))).statusCode).toBe(200);
    harness.clock.advance(10 * 60_000);
    expect((await account(bearer(key))).statusCode).toBe(200);
    expect(reads).toBe(4);
    harness.clock.advance(17 * 60_000);
    expect((await account(bearer(key))).statusCode).toBe(200);
    expect(reads).toBe(5);
  });

  it('[IF27] ends a session after twelve hours and a key at its time', async () => {
    const session = await harness.session();
    const minted = await harness.call({
      method: 'POST',
      url: '/v1/keys',
      headers: bearer(session),
      payload: { expires_at_ms: harness.clock.wallMs() + 1000 },
    });
    const key = minted.json().data.key_id;
    expect((await account(bearer(key))).statusCode).toBe(200);
    harness.clock.advance(1000);
    expectRejected(await account(bearer(key)), 'expired');
    harness.clock.advance(12 * 3_600_000 - 1001);
    expect((await account(bearer(session))).statusCode).toBe(200);
    harness.clock.advance(1);
    expectRejected(await account(bearer(session)), 'expired');
  });

  it('[IF1] leads a key to its lane, with its caps and its fills', async () => {
    const session = await harness.session();
    const selfServe = await harness.key({ session });
    const test = await harness.key({ session, at: '/sandbox' });
    const seen = async (token: string, at: string): Promise<unknown> => {
      const response = await account(bearer(token), at);
      if (response.statusCode !== 200) return response.json().error.code;
      const { laneName, execution, caps, tier } = harness.calls.at(-1)!.request;
      return [
        laneName,
        execution,
        tier,
        caps?.tier ?? null,
        caps?.orderMax ?? null,
        caps?.dayMax ?? null,
      ];
    };
    const capped = ['sandbox', 'mid', 'self_serve', 'self_serve', 10_000_000n, 100_000_000n];
    expect(await seen(selfServe, '')).toEqual(capped);
    expect(await seen(selfServe, '/sandbox')).toEqual(capped);
    expect(await seen(test, '')).toBe('WRONG_ENV_KEY');
    expect(await seen(test, '/sandbox')).toEqual([
      'sandbox',
      'hybrid',
      'self_serve',
      null,
      null,
      null,
    ]);
    expect(await seen(session, '')).toEqual(['live', 'hybrid', null, null, null, null]);
    const change = { actor: 'ops', reason: 'ticket', atMs: 1 };
    await harness.platform.setKeyTier(selfServe.slice(0, 24), 'read_live', change);
    expect(await seen(selfServe, '')).toEqual([
      'live',
      'hybrid',
      'read_live',
      'read_live',
      25_000_000n,
      250_000_000n,
    ]);
    expect(await seen(selfServe, '/sandbox')).toEqual([
      'sandbox',
      'mid',
      'read_live',
      'self_serve',
      10_000_000n,
      100_000_000n,
    ]);
    await harness.platform.setKeyTier(selfServe.slice(0, 24), 'trade_full', change);
    expect(await seen(selfServe, '')).toEqual(['live', 'hybrid', 'trade_full', null, null, null]);
  });

  it('[PA21] states both environments of a wrong key', async () => {
    const key = await harness.key({ at: '/sandbox' });
    const response = await account(bearer(key));
    expectError(response, 'WRONG_ENV_KEY');
    expect(response.json().error.details).toEqual({
      credential_environment: 'sandbox',
      requested_environment: 'live',
    });
  });

  it('[IF28] ignores a stale credential where a new one is to be had, and at health', async () => {
    const headers = bearer('ses_stale');
    for (const request of [
      { url: '/v1/health', headers },
      { method: 'POST', url: '/v1/sandbox-keys', headers },
      {
        method: 'POST',
        url: '/api/auth/login',
        headers,
        payload: { email: 'a@b.cc', password: 'x' },
      },
    ] as const) {
      expect((await harness.call(request)).json().error?.code).not.toBe('AUTH_INVALID');
    }
    expectError(await harness.call({ url: '/v1/markets', headers }), 'AUTH_INVALID');
  });
});

describe('authorization matrix', () => {
  it('[T9] every operation: nobody, a wrong key, a read-only key, a sandbox key, a revoked one', async () => {
    const session = await harness.session();
    const reader = await harness.key({ session, permissions: ['read'], tier: 'read_live' });
    const trader = await harness.key({ session, tier: 'read_live' });
    const sandboxed = await harness.key({ session, at: '/sandbox' });
    const revoked = await harness.key({ session, tier: 'read_live' });
    await harness.platform.revokeKey(revoked.slice(0, 24), 1);
    const stranger = `sk_live_${'q'.repeat(16)}_${'q'.repeat(43)}`;
    for (const operation of Object.values(operations)) {
      const { auth, permission, sandboxOnly, group, method } = operation;
      const isOpen = auth === 'public';
      const ignores = isOpen && (method !== 'GET' || group === 'System');
      const rejected = (code: string): string | null => (ignores ? null : code);
      const missing = (granted: readonly string[]): string | null => {
        if (sandboxOnly) return 'SANDBOX_ONLY';
        if (auth === 'session') return 'SCOPE_MISSING';
        return permission === null || granted.includes(permission) ? null : 'SCOPE_MISSING';
      };
      const expected: [string, string | null, string | null][] = [
        ['nobody', null, isOpen ? null : 'AUTH_REQUIRED'],
        ['stranger', stranger, rejected('AUTH_INVALID')],
        ['revoked', revoked, rejected('AUTH_INVALID')],
        ['sandboxed', sandboxed, rejected('WRONG_ENV_KEY')],
        ['reader', reader, ignores ? null : missing(['read'])],
        ['trader', trader, ignores ? null : missing(['read', 'trade'])],
        ['session', session, sandboxOnly ? 'SANDBOX_ONLY' : null],
      ];
      // What comes last: it ends the session it is called with.
      if (operation.id === 'logOut') expected.pop();
      for (const [who, token, code] of expected) {
        const response = await callExample(operation.id, token);
        const found = response.json().error?.code ?? null;
        expectHeaders(response);
        if (code === null)
          expect(GATE_CODES, `${operation.id} as ${who}: ${found}`).not.toContain(found);
        else expect(found, `${operation.id} as ${who}`).toBe(code);
      }
    }
  });

  it('[P8] no key of one user reaches the keys, cursors or replays of another', async () => {
    const [ada, eve] = [await harness.session(), await harness.session()];
    const adaKey = await harness.key({ session: ada });
    await harness.key({ session: ada });
    const foreign = await harness.call({
      method: 'DELETE',
      url: `/v1/keys/${adaKey.slice(0, 24)}`,
      headers: bearer(eve),
    });
    expectError(foreign, 'NOT_FOUND');
    const page = await harness.call({ url: '/v1/keys?limit=1', headers: bearer(ada) });
    const { next_cursor: cursor } = page.json().meta;
    expect(cursor).toBeTypeOf('string');
    expect(
      (
        await harness.call({ url: `/v1/keys?limit=1&cursor=${cursor}`, headers: bearer(ada) })
      ).json().data,
    ).toHaveLength(1);
    expectError(
      await harness.call({ url: `/v1/keys?limit=1&cursor=${cursor}`, headers: bearer(eve) }),
      'VALIDATION_FAILED',
    );
    const mint = (token: string): Promise<Response> =>
      harness.call({
        method: 'POST',
        url: '/v1/keys',
        headers: { ...bearer(token), 'idempotency-key': 'same-key-1' },
        payload: {},
      });
    const [first, second] = [await mint(ada), await mint(eve)];
    expect(second.headers['idempotency-replayed']).toBeUndefined();
    expect(second.json().data.public_id).not.toBe(first.json().data.public_id);
  });
});

function expectRejected(response: Response, reason: string): void {
  expectError(response, 'AUTH_INVALID');
  expect(response.json().error.details.reason).toBe(reason);
}

const GATE_CODES = [
  'AUTH_REQUIRED',
  'AUTH_INVALID',
  'WRONG_ENV_KEY',
  'SCOPE_MISSING',
  'SANDBOX_ONLY',
];

function callExample(id: keyof typeof operations, token: string | null): Promise<Response> {
  const { method, url, payload } = exampleRequest(operations[id]);
  return harness.call({
    method,
    url,
    headers: token === null ? {} : bearer(token),
    ...(payload === undefined ? {} : { payload }),
  });
}
