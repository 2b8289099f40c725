// Passkeys over the gateway, and attacks on them.
import { randomBytes } from 'node:crypto';
import { limits } from '@sibyl/contract';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeAt } from './authenticator-app.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, openHarness, STRANGERS_PASSWORD } from './harness.ts';
import { type PasskeyFlaws, SoftPasskey } from './soft-passkey.ts';

let harness: Harness;
let session: string;
beforeEach(async () => {
  harness = await openHarness({ rateMultiplier: 0 });
  await register();
});
afterEach(() => harness.close());

const ada = { email: 'ada@example.com', password: 'horse battery' };

function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  token: string | null = session,
): Promise<Response> {
  return harness.call({
    method,
    url,
    remoteAddress: '192.0.2.1',
    headers: token === null ? {} : bearer(token),
    ...(payload === undefined ? {} : { payload }),
  });
}

/** Later than the login, which is no proof for a first factor. */
async function prove(password: string, token = session): Promise<void> {
  pass(1);
  const proved = await call('POST', '/api/auth/step-up', { password }, token);
  expect(proved.statusCode).toBe(200);
}

async function register(): Promise<void> {
  session = (await call('POST', '/api/auth/register', ada, null)).json().data.session_token;
  await prove(ada.password);
}

const optionsAt = async (url: string): Promise<Record<string, unknown>> =>
  (await call('POST', url)).json().data.options;
const challenge = (): Promise<Record<string, unknown>> => optionsAt('/api/auth/passkey/options');
const pass = (ms: number): void => harness.clock.advance(ms);

async function add(passkey: SoftPasskey, flaws: PasskeyFlaws = {}): Promise<Response> {
  const options = await optionsAt('/api/auth/passkeys/options');
  return call('POST', '/api/auth/passkeys', {
    label: 'laptop',
    response: passkey.create(options, flaws),
  });
}

const logIn = (response: object): Promise<Response> =>
  call('POST', '/api/auth/passkey', { response }, null);
const factors = async (): Promise<Record<string, unknown>> =>
  (await call('GET', '/api/auth/factors')).json().data;

describe('passkeys', () => {
  it('[MF8] are added, listed, renamed and removed by their owner', async () => {
    const added = await add(new SoftPasskey());
    expect(added.statusCode).toBe(200);
    const { passkey, recovery_codes: codes } = added.json().data;
    expect(codes).toHaveLength(limits.factors.recoveryCodes);
    expect(await factors()).toMatchObject({
      passkeys: [{ label: 'laptop', last_used_at: null }],
      step_up: ['passkey', 'recovery_code'],
    });
    const url = `/api/auth/passkeys/${passkey.passkey_id}`;
    const stranger = await harness.session();
    expectError(await call('PATCH', url, { label: 'mine' }, stranger), 'NOT_FOUND');
    expectError(await call('DELETE', url, undefined, stranger), 'NOT_FOUND');
    expect((await call('PATCH', url, { label: 'desk' })).json().data.label).toBe('desk');
    // Codes that were shown stay in force.
    expect((await add(new SoftPasskey())).json().data.recovery_codes).toEqual([]);
    expect((await call('DELETE', url)).statusCode).toBe(200);
    expectError(await call('DELETE', url), 'NOT_FOUND');
    expect(await factors()).toMatchObject({ recovery_codes_left: 10 });
  });

  it('[MF8] with the last factor go the recovery codes', async () => {
    const { passkey } = (await add(new SoftPasskey())).json().data;
    await call('DELETE', `/api/auth/passkeys/${passkey.passkey_id}`);
    expect(await factors()).toMatchObject({ recovery_codes_left: 0, step_up: ['password'] });
    const login = await call('POST', '/api/auth/login', ada, null);
    expect(login.statusCode).toBe(200);
  });

  it('[MF9] log in without a password, and a password alone no longer does', async () => {
    const passkey = new SoftPasskey();
    await add(passkey);
    const byPassword = await call('POST', '/api/auth/login', ada, null);
    expectError(byPassword, 'STEP_UP_MFA_REQUIRED');
    expect(byPassword.json().error.details).toEqual({ factors: ['passkey', 'recovery_code'] });
    const opened = await logIn(passkey.prove(await challenge()));
    expect(opened.statusCode).toBe(200);
    const token = opened.json().data.session_token;
    expect((await call('GET', '/api/auth/factors', undefined, token)).json().data).toMatchObject({
      passkeys: [{ last_used_at_ms: harness.clock.wallMs() }],
    });
  });

  it('[MF9] step up the session of their owner only', async () => {
    const passkey = new SoftPasskey();
    await add(passkey);
    pass(limits.factors.stepUpMs);
    expectError(await call('POST', '/api/auth/totp'), 'STEP_UP_MFA_REQUIRED');
    const proof = async (): Promise<object> => ({ passkey: passkey.prove(await challenge()) });
    const stranger = await harness.session();
    await call('POST', '/api/auth/login', ada, null);
    expectError(
      await call('POST', '/api/auth/step-up', await proof(), stranger),
      'STEP_UP_MFA_REQUIRED',
    );
    expect((await call('POST', '/api/auth/step-up', await proof())).statusCode).toBe(200);
    expect((await call('POST', '/api/auth/totp')).statusCode).toBe(200);
  });

  it('[MF23] end the other sessions when they are added, with what those began', async () => {
    const login = await call('POST', '/api/auth/login', ada, null);
    const other = login.json().data.session_token;
    const begin = () => call('POST', '/api/auth/passkeys/options', undefined, other);
    await prove(ada.password, other);
    const begun = await begin();
    expect(begun.statusCode).toBe(200);
    const { secret } = (await call('POST', '/api/auth/totp', undefined, other)).json().data;
    await add(new SoftPasskey());
    expectError(await begin(), 'AUTH_INVALID');
    // What was begun before is not ended with it either.
    const response = new SoftPasskey().create(begun.json().data.options);
    const late = { label: 'late', response };
    const passkey = await call('POST', '/api/auth/passkeys', late, other);
    expectError(passkey, 'AUTH_INVALID');
    const otp = codeAt(secret, harness.clock.wallMs());
    const totp = await call('POST', '/api/auth/totp/confirm', { otp }, other);
    expectError(totp, 'AUTH_INVALID');
    expect(await factors()).toMatchObject({ totp: null, passkeys: [{ label: 'laptop' }] });
  });

  it('[MF10] an answer counts once, a hundred at once or one after the other', async () => {
    const passkey = new SoftPasskey();
    await add(passkey);
    const response = passkey.prove(await challenge());
    const answers = await Promise.all(Array.from({ length: 100 }, () => logIn(response)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expectError(await logIn(response), 'PASSWORD_INCORRECT');
  });

  it('[MF10] an answer that was used is not good again after a restart', async () => {
    const master = randomBytes(32);
    await harness.close();
    harness = await openHarness({ rateMultiplier: 0, master });
    await register();
    const passkey = new SoftPasskey();
    // As most of them do, it does not count: nothing but the memory of challenges stands against a replay.
    expect((await add(passkey, { counter: 0 })).statusCode).toBe(200);
    const answer = passkey.prove(await challenge(), { counter: 0 });
    expect((await logIn(answer)).statusCode).toBe(200);
    const { platform } = harness;
    const next = await openHarness({ rateMultiplier: 0, master, platform });
    await harness.close();
    harness = next;
    expectError(await logIn(answer), 'PASSWORD_INCORRECT');
    expect((await logIn(passkey.prove(await challenge(), { counter: 0 }))).statusCode).toBe(200);
  });

  it('[MF10] answers that are old, of another page, not unlocked, counted back or of nobody are refused', async () => {
    const passkey = new SoftPasskey();
    await add(passkey);
    expect((await logIn(passkey.prove(await challenge(), { counter: 9 }))).statusCode).toBe(200);
    const flawed: readonly PasskeyFlaws[] = [
      { origin: 'https://elsewhere.example' },
      { isUnlocked: false },
      { counter: 5 },
    ];
    for (const flaw of flawed) {
      expectError(await logIn(passkey.prove(await challenge(), flaw)), 'PASSWORD_INCORRECT');
    }
    const old = await challenge();
    pass(limits.factors.challengeMs);
    expectError(await logIn(passkey.prove(old, { counter: 20 })), 'PASSWORD_INCORRECT');
    expectError(await logIn(new SoftPasskey().prove(await challenge())), 'PASSWORD_INCORRECT');
    const made = Buffer.from(`x.${harness.clock.wallMs() + 1000}.y`).toString('base64url');
    expectError(
      await logIn(passkey.prove({ challenge: made }, { counter: 21 })),
      'PASSWORD_INCORRECT',
    );
    expectError(await logIn({ id: passkey.id.toString('base64url') }), 'PASSWORD_INCORRECT');
    // A challenge to add one is none to log in with.
    const foreign = await harness.session();
    await prove(STRANGERS_PASSWORD, foreign);
    const adding = await call('POST', '/api/auth/passkeys/options', undefined, foreign);
    const crossed = passkey.prove(adding.json().data.options, { counter: 22 });
    expectError(await logIn(crossed), 'PASSWORD_INCORRECT');
  });

  it('[MF10] what cannot be verified is not added, nor twice, nor by somebody else', async () => {
    const passkey = new SoftPasskey();
    for (const flaw of [{ origin: 'https://elsewhere.example' }, { isUnlocked: false }]) {
      expectError(await add(passkey, flaw), 'VALIDATION_FAILED');
    }
    const wrongSite = await add(new SoftPasskey('elsewhere.example'), {
      origin: 'http://localhost',
    });
    expectError(wrongSite, 'VALIDATION_FAILED');
    const options = await optionsAt('/api/auth/passkeys/options');
    const body = { label: 'x', response: passkey.create(options) };
    const stranger = await harness.session();
    await prove(STRANGERS_PASSWORD, stranger);
    expectError(await call('POST', '/api/auth/passkeys', body, stranger), 'VALIDATION_FAILED');
    expect((await call('POST', '/api/auth/passkeys', body)).statusCode).toBe(200);
    expectError(await call('POST', '/api/auth/passkeys', body), 'VALIDATION_FAILED');
    expectError(await add(passkey), 'ALREADY_EXISTS');
    expectError(
      await call('POST', '/api/auth/passkeys', { label: 'x', response: {} }),
      'VALIDATION_FAILED',
    );
  });

  it('[MF8] are so many at most', async () => {
    for (let count = 0; count < limits.factors.passkeysMax; count += 1) {
      expect((await add(new SoftPasskey())).statusCode).toBe(200);
    }
    expectError(await add(new SoftPasskey()), 'STATE_CONFLICT');
  });
});
