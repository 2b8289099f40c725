// Second factors and step-up over the gateway, and attacks on them.
import { limits } from '@sibyl/contract';
import type { Response } from 'light-my-request';
import { URI } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withdrawalsHeldUntilMs } from '../../src/handling/withdrawal-hold.ts';
import { codeAt } from './authenticator-app.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

let harness: Harness;
let session: string;
beforeEach(async () => {
  harness = await openHarness({ rateMultiplier: 0 });
  session = await opened('/api/auth/register');
  pass(1);
  await stepUp({ password: ada.password });
});
afterEach(() => harness.close());

const ada = { email: 'ada@example.com', password: 'horse battery' };

function call(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  { token = session, body, key }: { token?: string | null; body?: object; key?: string } = {},
): Promise<Response> {
  return harness.call({
    method,
    url,
    remoteAddress: '192.0.2.1',
    headers: {
      ...(token === null ? {} : bearer(token)),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
}

const logIn = (more: object = {}): Promise<Response> =>
  call('POST', '/api/auth/login', { token: null, body: { ...ada, ...more } });

const stepUp = (body: object, token = session): Promise<Response> =>
  call('POST', '/api/auth/step-up', { body, token });

async function opened(url: string, more: object = {}): Promise<string> {
  const response = await call('POST', url, { token: null, body: { ...ada, ...more } });
  expect(response.statusCode).toBe(200);
  return response.json().data.session_token;
}

const now = (): number => harness.clock.wallMs();
const pass = (ms: number): void => harness.clock.advance(ms);

async function enrol(): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  const { secret } = (await call('POST', '/api/auth/totp')).json().data;
  const body = { otp: codeAt(secret, now()) };
  const confirmed = await call('POST', '/api/auth/totp/confirm', { body });
  expect(confirmed.statusCode).toBe(200);
  return { secret, codes: confirmed.json().data.recovery_codes };
}

const factors = async (): Promise<Record<string, unknown>> =>
  (await call('GET', '/api/auth/factors')).json().data;

describe('an authenticator', () => {
  it('[MF1] is begun, confirmed and removed; seed and recovery codes are shown once and kept by nobody', async () => {
    expect(await factors()).toMatchObject({ totp: null, step_up: ['password'] });
    const begun = (await call('POST', '/api/auth/totp')).json().data;
    expect(URI.parse(begun.uri)).toMatchObject({ issuer: 'Sibyl', label: ada.email, digits: 6 });
    expect(await factors()).toMatchObject({ totp: null, step_up: ['password'] });
    const wrong = await call('POST', '/api/auth/totp/confirm', {
      body: { otp: codeAt(begun.secret, now(), 5) },
    });
    expectError(wrong, 'VALIDATION_FAILED');
    const { codes } = await enrol();
    expect(new Set(codes).size).toBe(limits.factors.recoveryCodes);
    expect(await factors()).toMatchObject({
      totp: { confirmed_at_ms: now() },
      step_up: ['totp', 'recovery_code'],
      recovery_codes_left: limits.factors.recoveryCodes,
    });
    expectError(await call('POST', '/api/auth/totp'), 'STATE_CONFLICT');
    expectError(
      await call('POST', '/api/auth/totp/confirm', { body: { otp: '000000' } }),
      'STATE_CONFLICT',
    );
    const { userId } = (await harness.platform.userByEmail(ada.email))!;
    const kept = JSON.stringify(await harness.platform.factors.totpOf(userId));
    expect(kept).not.toContain(begun.secret);
    expect((await call('DELETE', '/api/auth/totp')).json().data).toMatchObject({
      totp: null,
      recovery_codes_left: 0,
      step_up: ['password'],
    });
    expectError(await call('DELETE', '/api/auth/totp'), 'STATE_CONFLICT');
    expectError(await call('POST', '/api/auth/recovery-codes'), 'STATE_CONFLICT');
    expect((await logIn()).statusCode).toBe(200);
  });

  it('[MF2] is asked for at every login, also by registering again, before there is a session', async () => {
    const { secret, codes } = await enrol();
    pass(60_000);
    for (const url of ['/api/auth/login', '/api/auth/register']) {
      const refused = await call('POST', url, { token: null, body: ada });
      expectError(refused, 'STEP_UP_MFA_REQUIRED');
      expect(refused.json().error.details).toEqual({ factors: ['totp', 'recovery_code'] });
    }
    expectError(await logIn({ otp: codeAt(secret, now(), 5) }), 'STEP_UP_MFA_REQUIRED');
    expectError(await logIn({ password: 'no', otp: codeAt(secret, now()) }), 'PASSWORD_INCORRECT');
    expect((await logIn({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
    expect((await logIn({ recovery_code: codes[0]!.toUpperCase() })).statusCode).toBe(200);
    expect(await factors()).toMatchObject({ recovery_codes_left: 9 });
  });

  it('[MF1] new recovery codes take the place of the old ones', async () => {
    const { codes } = await enrol();
    const renewed = (await call('POST', '/api/auth/recovery-codes')).json().data.recovery_codes;
    const old = await logIn({ recovery_code: codes[0] });
    expect(old.json().error.details).toMatchObject({ reason: 'code_wrong' });
    expect((await logIn({ recovery_code: renewed[0] })).statusCode).toBe(200);
  });
});

describe('attacks on codes', () => {
  it('[MF3] a replayed code is refused, at the login, at the step-up and across the two', async () => {
    const { secret, codes } = await enrol();
    // The one that confirmed is used up as well.
    const used = await logIn({ otp: codeAt(secret, now()) });
    expect(used.json().error.details).toMatchObject({ reason: 'code_used' });
    pass(60_000);
    const otp = codeAt(secret, now());
    expect((await stepUp({ otp })).statusCode).toBe(200);
    for (const replayed of [await stepUp({ otp }), await logIn({ otp })]) {
      expectError(replayed, 'STEP_UP_MFA_REQUIRED');
      expect(replayed.json().error.details).toMatchObject({ reason: 'code_used' });
    }
    // Nor one before it, though its time is not over.
    const before = await stepUp({ otp: codeAt(secret, now(), -1) });
    expect(before.json().error.details).toMatchObject({ reason: 'code_used' });
    expect((await stepUp({ recovery_code: codes[3] })).statusCode).toBe(200);
    expectError(await stepUp({ recovery_code: codes[3] }), 'STEP_UP_MFA_REQUIRED');
  });

  it('[MF3] of a hundred at once with the same code one gets in', async () => {
    const { secret, codes } = await enrol();
    pass(60_000);
    const otp = codeAt(secret, now());
    for (const proof of [{ otp }, { recovery_code: codes[0] }]) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => logIn(proof)));
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
      pass(900_000);
    }
  });

  it('[MF4] guessing with the password or with a link is slowed down for the user, wherever from', async () => {
    const { secret } = await enrol();
    pass(60_000);
    const wrong = { otp: codeAt(secret, now(), 7) };
    for (let count = 0; count < 10; count += 1)
      expectError(await logIn(wrong), 'STEP_UP_MFA_REQUIRED');
    const elsewhere = await harness.call({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: '198.51.100.7',
      payload: { ...ada, otp: codeAt(secret, now()) },
    });
    expectError(elsewhere, 'RATE_LIMITED');
    expect(Number(elsewhere.headers['retry-after'])).toBeGreaterThan(800);
    // Without a code no attempt is made, and with a wrong password none is reached.
    expectError(await logIn(), 'STEP_UP_MFA_REQUIRED');
    expectError(await logIn({ password: 'no', ...wrong }), 'PASSWORD_INCORRECT');
    pass(900_000);
    expect((await logIn({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
  });

  it('[MF26] guessing in a stolen session keeps nobody but that session waiting', async () => {
    const { secret } = await enrol();
    pass(60_000);
    const stolen = await opened('/api/auth/login', { otp: codeAt(secret, now()) });
    pass(60_000);
    const wrong = { otp: codeAt(secret, now(), 7) };
    for (let count = 0; count < 10; count += 1)
      expectError(await stepUp(wrong, stolen), 'STEP_UP_MFA_REQUIRED');
    const right = { otp: codeAt(secret, now()) };
    const refused = await stepUp(right, stolen);
    expectError(refused, 'RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    expect((await stepUp(right)).statusCode).toBe(200);
    pass(60_000);
    expect((await logIn({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
    // What the owner proved elsewhere gives the thief no new tries.
    pass(60_000);
    expectError(await stepUp({ otp: codeAt(secret, now()) }, stolen), 'RATE_LIMITED');
  });

  it('[MF26] wrong codes at the login keep no session from being stepped up, nor anybody from a new password', async () => {
    const { secret } = await enrol();
    const user = await harness.platform.userByEmail(ada.email);
    const { url } = await harness.links.issue('reset_password', user!.userId, false);
    const reset = (given: object): Promise<Response> => {
      const body = { token: url.split('#')[1], new_password: 'otter quay 47', ...given };
      return call('POST', '/api/auth/password/reset', { token: null, body });
    };
    pass(60_000);
    const wrong = { otp: codeAt(secret, now(), 7) };
    for (let count = 0; count < 11; count += 1) await logIn(wrong);
    expectError(await logIn({ otp: codeAt(secret, now()) }), 'RATE_LIMITED');
    expect((await stepUp({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
    for (let count = 0; count < 9; count += 1)
      expectError(await reset(wrong), 'STEP_UP_MFA_REQUIRED');
    pass(60_000);
    expect((await reset({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
  });

  it('[MF26] many sessions are no way to many guesses', async () => {
    const { secret, codes } = await enrol();
    pass(60_000);
    const wrong = { otp: codeAt(secret, now(), 7) };
    const sessions = await Promise.all(
      [0, 1, 2, 3].map((index) => opened('/api/auth/login', { recovery_code: codes[index] })),
    );
    for (const one of sessions.slice(0, 3)) {
      for (let count = 0; count < 10; count += 1)
        expectError(await stepUp(wrong, one), 'STEP_UP_MFA_REQUIRED');
    }
    expectError(await stepUp(wrong, sessions[3]), 'RATE_LIMITED');
    // Whoever has the factor still gets in, and that is a step-up.
    expect((await logIn({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
  });
});

describe('a step-up by password', () => {
  it('[MF28] that is still fresh answers with its end and compares no password', async () => {
    const before = await stepUp({ password: ada.password });
    harness.clock.advance(60_000);
    const again = await stepUp({ password: 'not compared' });
    expect(again.json().data).toEqual(before.json().data);
    harness.clock.advance(limits.factors.stepUpMs);
    expectError(await stepUp({ password: 'not compared' }), 'PASSWORD_INCORRECT');
  });
});

describe('a step-up', () => {
  const withdrawing = { body: { permissions: ['read', 'withdraw'] } };
  /** Everything that a session alone does not open. */
  const guarded: readonly (readonly ['POST' | 'DELETE', string, object | undefined])[] = [
    ['POST', '/v1/keys', { permissions: ['withdraw'] }],
    ['POST', '/api/auth/totp', undefined],
    ['DELETE', '/api/auth/totp', undefined],
    ['POST', '/api/auth/recovery-codes', undefined],
    [
      'POST',
      '/api/auth/password',
      { current_password: ada.password, new_password: 'otter quay 47' },
    ],
  ];

  it('[MF5] lasts five minutes, and so does a login', async () => {
    expect((await call('POST', '/v1/keys', withdrawing)).statusCode).toBe(200);
    expect(await factors()).toMatchObject({ stepped_up_until_at_ms: now() + 300_000 });
    pass(300_000);
    expect(await factors()).toMatchObject({ stepped_up_until_at: null });
    const refused = await call('POST', '/v1/keys', withdrawing);
    expectError(refused, 'STEP_UP_MFA_REQUIRED');
    for (const words of ['your password once more', 'POST /api/auth/step-up']) {
      expect(refused.json().error.message).toContain(words);
    }
    expectError(await stepUp({ password: 'no' }), 'PASSWORD_INCORRECT');
    expectError(await call('POST', '/v1/keys', withdrawing), 'STEP_UP_MFA_REQUIRED');
    const until = now() + 300_000;
    const proved = await stepUp({ password: ada.password });
    expect(proved.json().data).toMatchObject({ stepped_up_until_at_ms: until });
    expect((await call('POST', '/v1/keys', withdrawing)).statusCode).toBe(200);
    // Only the session that was stepped up is.
    pass(300_000);
    await opened('/api/auth/login');
    expectError(await call('POST', '/v1/keys', withdrawing), 'STEP_UP_MFA_REQUIRED');
  });

  it('[MF5] is not had by the password once a factor is enrolled, nor by a code before', async () => {
    const early = await stepUp({ otp: '000000' });
    expectError(early, 'STEP_UP_MFA_REQUIRED');
    expect(early.json().error.details).toEqual({ factors: ['password'], reason: 'not_accepted' });
    await enrol();
    const late = await stepUp({ password: ada.password });
    expectError(late, 'STEP_UP_MFA_REQUIRED');
    expect(late.json().error.details).toMatchObject({ factors: ['totp', 'recovery_code'] });
    for (const body of [{}, { otp: '000000', password: ada.password }])
      expectError(await stepUp(body), 'VALIDATION_FAILED');
  });

  it('[MF24] is needed by the password for the first factor, however fresh the login is', async () => {
    const stolen = await opened('/api/auth/login');
    for (const url of ['/api/auth/totp', '/api/auth/passkeys/options']) {
      const refused = await call('POST', url, { token: stolen });
      expectError(refused, 'STEP_UP_MFA_REQUIRED');
      expect(refused.json().error.details).toEqual({ factors: ['password'] });
    }
    expectError(await stepUp({ password: 'a guess' }, stolen), 'PASSWORD_INCORRECT');
    expectError(await call('POST', '/api/auth/totp', { token: stolen }), 'STEP_UP_MFA_REQUIRED');
    pass(1);
    await stepUp({ password: ada.password }, stolen);
    expect((await call('POST', '/api/auth/totp', { token: stolen })).statusCode).toBe(200);
    const { codes } = await enrol();
    // With one enrolled, a login has proved it.
    const proved = await opened('/api/auth/login', { recovery_code: codes[0] });
    const next = await call('POST', '/api/auth/passkeys/options', { token: proved });
    expect(next.statusCode).toBe(200);
  });

  it('[MF23] is no longer needed by the other sessions when a factor is enrolled: they are over', async () => {
    const other = await opened('/api/auth/login');
    const guarded = { token: other, body: { permissions: ['withdraw'] } };
    expect((await call('POST', '/v1/keys', guarded)).statusCode).toBe(200);
    const stranger = await harness.session();
    const { secret } = await enrol();
    const over = await call('GET', '/api/auth/factors', { token: other });
    expectError(over, 'AUTH_INVALID');
    expect(over.json().error.details).toEqual({ reason: 'revoked' });
    expectError(await stepUp({ otp: codeAt(secret, now()) }, other), 'AUTH_INVALID');
    expect((await call('POST', '/v1/keys', { ...guarded, token: session })).statusCode).toBe(200);
    expect((await call('GET', '/v1/keys', { token: stranger })).statusCode).toBe(200);
  });

  it('[MF6] is needed for everything that is guarded, and nothing is changed without it', async () => {
    const { secret } = await enrol();
    pass(300_000);
    for (const [method, url, body] of guarded) {
      const options = body === undefined ? {} : { body };
      const refused = await call(method, url, options);
      expectError(refused, 'STEP_UP_MFA_REQUIRED');
      expect(refused.json().error.details).toEqual({ factors: ['totp', 'recovery_code'] });
    }
    expect(await factors()).toMatchObject({ step_up: ['totp', 'recovery_code'] });
    expect((await logIn({ otp: codeAt(secret, now()) })).statusCode).toBe(200);
    const listed = (await call('GET', '/v1/keys')).json().data;
    expect(listed).toEqual([]);
  });

  it('[MF6] a key may do it if a session that was stepped up minted it, or its parent', async () => {
    const mint = async (token: string, permissions: readonly string[]): Promise<Response> =>
      call('POST', '/v1/keys', { token, body: { permissions } });
    const trusted = (await mint(session, ['trade', 'withdraw'])).json().data.key_id;
    pass(300_000);
    const child = await mint(trusted, ['trade', 'withdraw']);
    expect(child.statusCode).toBe(200);
    expect((await mint(child.json().data.key_id, ['withdraw'])).statusCode).toBe(200);
    // As a build from before wrote it.
    const old = await harness.platform.keyById(trusted.slice(0, 24));
    const publicId = 'sk_live_00000000000000ld';
    const digest = harness.secrets.digest('token', `s${publicId}_${'x'.repeat(43)}`);
    await harness.platform.addKey({
      ...old!,
      publicId,
      salt: 's',
      keyHash: digest,
      isSteppedUp: false,
    });
    const refused = await mint(`${publicId}_${'x'.repeat(43)}`, ['withdraw']);
    expectError(refused, 'STEP_UP_MFA_REQUIRED');
    expect(refused.json().error.details).toEqual({ factors: [], reason: 'key_not_stepped_up' });
  });

  it('[MF6] the same request with the same key goes through after the step-up', async () => {
    pass(300_000);
    const keyed = { ...withdrawing, key: 'mint-with-withdraw' };
    expectError(await call('POST', '/v1/keys', keyed), 'STEP_UP_MFA_REQUIRED');
    await stepUp({ password: ada.password });
    const minted = await call('POST', '/v1/keys', keyed);
    expect(minted.statusCode).toBe(200);
    expect((await call('POST', '/v1/keys', keyed)).headers['idempotency-replayed']).toBe('true');
  });

  it('[MF6] a visitor has nothing to prove it with', async () => {
    const demo = await call('POST', '/api/auth/demo', { token: null, body: {} });
    const token = demo.json().data.session_token;
    const refused = await harness.call({
      method: 'POST',
      url: '/sandbox/api/auth/step-up',
      headers: bearer(token),
      payload: { password: 'anything' },
    });
    expectError(refused, 'STEP_UP_MFA_REQUIRED');
    expect(refused.json().error.details).toMatchObject({ factors: [] });
    const url = '/sandbox/api/auth/totp';
    const enrolled = await harness.call({ method: 'POST', url, headers: bearer(token) });
    expectError(enrolled, 'SCOPE_NOT_ALLOWED');
  });

  it('[MF7] withdrawals are held for a day after a change of the password or of a factor', async () => {
    const { userId } = (await harness.platform.userByEmail(ada.email))!;
    const held = (): Promise<number | null> =>
      withdrawalsHeldUntilMs(harness.platform, userId, now());
    expect(await held()).toBeNull();
    const body = { current_password: ada.password, new_password: 'otter quay 47' };
    expect((await call('POST', '/api/auth/password', { body })).statusCode).toBe(200);
    const day = 86_400_000;
    expect(await held()).toBe(now() + day);
    expect(await factors()).toMatchObject({ withdrawals_held_until_at_ms: now() + day });
    pass(100_000);
    await enrol();
    expect(await held()).toBe(now() + day);
    pass(100_000);
    await call('DELETE', '/api/auth/totp');
    expect(await held()).toBe(now() + day);
    pass(day);
    expect(await held()).toBeNull();
  });
});
