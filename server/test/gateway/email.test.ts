// Verified addresses and forgotten passwords over the gateway, and attacks on the links.
import { limits } from '@sibyl/contract';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withdrawalsHeldUntilMs } from '../../src/handling/withdrawal-hold.ts';
import { linkIn } from '../mailbox.ts';
import { codeAt } from './authenticator-app.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, openHarness, STRANGERS_PASSWORD } from './harness.ts';
import { SoftPasskey } from './soft-passkey.ts';

let harness: Harness;
let session: string;
beforeEach(async () => {
  harness = await openHarness({ rateMultiplier: 0 });
  session = (await post('/api/auth/register', ada)).json().data.session_token;
});
afterEach(() => harness.close());

const ada = { email: 'ada@example.com', password: 'horse battery' };
const NEW = 'plum otter ladder';

function post(
  url: string,
  body?: object,
  {
    token,
    from = '192.0.2.1',
    headers = {},
  }: { token?: string; from?: string; headers?: object } = {},
): Promise<Response> {
  return harness.call({
    method: 'POST',
    url,
    remoteAddress: from,
    headers: { ...headers, ...(token === undefined ? {} : bearer(token)) },
    ...(body === undefined ? {} : { payload: body }),
  });
}

const forgot = (email = ada.email, from?: string): Promise<Response> =>
  post('/api/auth/password/forgot', { email }, from === undefined ? {} : { from });
const reset = (token: string, more: object = {}): Promise<Response> =>
  post('/api/auth/password/reset', { token, new_password: NEW, ...more });
const confirm = (token: string): Promise<Response> => post('/api/auth/email/confirm', { token });
const logIn = (password: string, more: object = {}): Promise<Response> =>
  post('/api/auth/login', { ...ada, password, ...more });
const profile = async (): Promise<Record<string, unknown>> =>
  (await harness.call({ url: '/api/auth/profile', headers: bearer(session) })).json().data;

async function lastToken(): Promise<string> {
  const letter = (await harness.letters()).at(-1);
  return linkIn(letter?.text ?? '').token;
}

describe('a verified address', () => {
  it('[MF14] is shown by the link that registering mails, once and for a day; nothing waits for it', async () => {
    const [letter] = await harness.letters();
    expect(letter).toMatchObject({ to: ada.email, subject: 'Is this your address?' });
    const { url, token } = linkIn(letter!.text);
    expect(url).toBe(`https://sibyl.example/verify#${token}`);
    expect(await profile()).toMatchObject({ email_verified_at: null });
    const key = await post('/v1/keys', {}, { token: session });
    expect(key.statusCode).toBe(200);
    const done = await confirm(token);
    expect(done.json().data.email_verified_at_ms).toBe(harness.clock.wallMs());
    expect(await profile()).toMatchObject({ email_verified_at_ms: harness.clock.wallMs() });
    expectError(await confirm(token), 'NOT_FOUND');
    expectError(
      await post('/api/auth/email/verification', undefined, { token: session }),
      'STATE_CONFLICT',
    );
  });

  it('[MF14] a link is over after a day, and is good for nothing else', async () => {
    const token = await lastToken();
    expectError(await reset(token), 'NOT_FOUND');
    harness.clock.advance(limits.mail.verificationMs);
    expectError(await confirm(token), 'NOT_FOUND');
  });

  it('[MF14] is asked for again, in the language of the user, and older links stay good', async () => {
    const first = await lastToken();
    await harness.call({
      method: 'PATCH',
      url: '/api/auth/profile',
      headers: bearer(session),
      payload: { language: 'de' },
    });
    const again = await post('/api/auth/email/verification', undefined, { token: session });
    expect(again.json().data).toEqual({ sent: true });
    const letters = await harness.letters();
    expect(letters).toHaveLength(2);
    expect(letters[1]?.subject).toBe('Ist das Ihre Adresse?');
    expect((await confirm(first)).statusCode).toBe(200);
    expectError(await confirm(await lastToken()), 'NOT_FOUND');
  });

  it('[MF14] the letter of somebody who has chosen no language is in that of the browser', async () => {
    const headers = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' };
    await post('/api/auth/register', { ...ada, email: 'eva@example.com' }, { headers });
    expect((await harness.letters()).at(-1)?.subject).toBe('¿Es esta su dirección?');
  });
});

describe('a forgotten password', () => {
  it('[MF15] is answered alike whoever has the address, and mailed to its owner alone', async () => {
    const [known, unknown] = [await forgot('ADA@example.com'), await forgot('eve@example.com')];
    const { request_id: _known, ...told } = known.json().meta;
    const { request_id: _unknown, ...toldToo } = unknown.json().meta;
    expect(known.statusCode).toBe(unknown.statusCode);
    expect(known.json().data).toEqual(unknown.json().data);
    expect(Object.keys(told)).toEqual(Object.keys(toldToo));
    const letters = await harness.letters();
    expect(letters.map(({ to }) => to)).toEqual([ada.email, ada.email]);
  });

  it('[MF15] is limited by the address of mail and by that of the network, known or not', async () => {
    for (const email of [ada.email, 'nobody@example.com']) {
      for (let count = 0; count < limits.mail.perEmail; count += 1) {
        expect((await forgot(email, `198.51.100.${count}`)).statusCode).toBe(200);
      }
      const refused = await forgot(email, '198.51.100.9');
      expectError(refused, 'RATE_LIMITED');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
    }
    for (let count = 0; count < limits.mail.perAddress; count += 1) {
      expect((await forgot(`p${count}@example.com`, '203.0.113.1')).statusCode).toBe(200);
    }
    expectError(await forgot('one-more@example.com', '203.0.113.1'), 'RATE_LIMITED');
    harness.clock.advance(limits.mail.windowMs);
    expect((await forgot()).statusCode).toBe(200);
  });

  it('[MF16] the link sets a new password once, ends every session and key, and holds withdrawals', async () => {
    const key = (await post('/v1/keys', {}, { token: session })).json().data.key_id;
    const other = (await logIn(ada.password)).json().data.session_token;
    await forgot();
    await forgot();
    const letters = await harness.letters();
    const [older, token] = letters.slice(-2).map(({ text }) => linkIn(text).token);
    expectError(await reset(token!, { new_password: 'short' }), 'PASSWORD_TOO_WEAK');
    expectError(await reset('x'.repeat(43)), 'NOT_FOUND');
    expect((await reset(token!)).json().data).toEqual({
      sessions_ended: 2,
      keys_revoked: 1,
      webhooks_paused: [],
    });
    for (const old of [session, other, key])
      expectError(await harness.call({ url: '/v1/keys', headers: bearer(old) }), 'AUTH_INVALID');
    expectError(await logIn(ada.password), 'PASSWORD_INCORRECT');
    expect((await logIn(NEW)).statusCode).toBe(200);
    for (const used of [token!, older!]) expectError(await reset(used), 'NOT_FOUND');
    const { userId } = (await harness.platform.userByEmail(ada.email))!;
    const nowMs = harness.clock.wallMs();
    expect(await withdrawalsHeldUntilMs(harness.platform, userId, nowMs)).toBe(
      nowMs + limits.factors.withdrawalHoldMs,
    );
  });

  it('[MF29] a newer link ends the older one', async () => {
    await forgot();
    const older = await lastToken();
    await forgot();
    expectError(await reset(older), 'NOT_FOUND');
    expect((await reset(await lastToken())).statusCode).toBe(200);
  });

  it('[MF30] a reset starts the delay of destinations of the last seven days again', async () => {
    const { userId } = (await harness.platform.userByEmail(ada.email))!;
    const nowMs = harness.clock.wallMs();
    const weekMs = 7 * 86_400_000;
    for (const [name, ageMs] of Object.entries({ old: weekMs + 1, recent: weekMs })) {
      const times = { createdAtMs: nowMs - ageMs, usableFromMs: nowMs - ageMs + 1 };
      const known = { destinationId: `dst_${name}`, label: name, destination: name };
      await harness.platform.destinations.add({ ...known, ...times, userId }, 9);
    }
    await forgot();
    expect((await reset(await lastToken())).statusCode).toBe(200);
    const kept = await harness.platform.destinations.of(userId);
    expect(kept.map(({ usableFromMs }) => usableFromMs - nowMs)).toEqual([-weekMs, 86_400_000]);
  });

  it('[MF16] of twenty at once with the same link one sets the password', async () => {
    await forgot();
    const token = await lastToken();
    const all = Array.from({ length: 20 }, (_, n) =>
      reset(token, { new_password: `plum otter ladder ${n}` }),
    );
    const done = (await Promise.all(all)).filter(({ statusCode }) => statusCode === 200);
    expect(done).toHaveLength(1);
  });

  it('[MF16] the link is over after an hour, and when the password was changed meanwhile', async () => {
    await forgot();
    const first = await lastToken();
    harness.clock.advance(limits.mail.resetMs);
    expectError(await reset(first), 'NOT_FOUND');
    await forgot();
    const second = await lastToken();
    const change = { current_password: ada.password, new_password: 'quay 47 ladder' };
    expect((await post('/api/auth/password', change, { token: session })).statusCode).toBe(200);
    expectError(await reset(second), 'NOT_FOUND');
  });

  it('[MF16] is kept by nobody: neither the store nor the answer has what stands in the link', async () => {
    const asked = await forgot();
    const token = await lastToken();
    expect(asked.payload).not.toContain(token);
    const hash = harness.links.hashOf('reset_password', token);
    const found = await harness.platform.links.find('reset_password', hash, 0);
    expect(JSON.stringify(found)).not.toContain(token);
  });

  it('[MF17] the link is no second factor: a code is asked for, counts once, and may be tried ten times', async () => {
    harness.clock.advance(1);
    await post('/api/auth/step-up', { password: ada.password }, { token: session });
    const { secret } = (await post('/api/auth/totp', undefined, { token: session })).json().data;
    const code = (): string => codeAt(secret, harness.clock.wallMs());
    const enrolled = await post('/api/auth/totp/confirm', { otp: code() }, { token: session });
    const [recovery] = enrolled.json().data.recovery_codes;
    await forgot();
    const token = await lastToken();
    const refused = await reset(token);
    expectError(refused, 'STEP_UP_MFA_REQUIRED');
    expect(refused.json().error.details).toEqual({ factors: ['totp', 'recovery_code'] });
    // The one that confirmed was used by it.
    expectError(await reset(token, { otp: code() }), 'STEP_UP_MFA_REQUIRED');
    expectError(await reset(token, { passkey: { id: 'x' } }), 'STEP_UP_MFA_REQUIRED');
    expect((await logIn(ada.password, { recovery_code: recovery })).statusCode).toBe(200);
    harness.clock.advance(60_000);
    const wrong = { otp: codeAt(secret, harness.clock.wallMs(), 7) };
    // The one that was used up was the first of ten; that a login went well in between changes nothing here.
    for (let count = 1; count < 10; count += 1)
      expectError(await reset(token, wrong), 'STEP_UP_MFA_REQUIRED');
    expectError(await reset(token, { otp: code() }), 'RATE_LIMITED');
    harness.clock.advance(900_000);
    expect((await reset(token, { otp: code() })).statusCode).toBe(200);
  });

  it('[MF17] a passkey of the same user proves it, one of another does not', async () => {
    const [own, foreign] = [new SoftPasskey(), new SoftPasskey()];
    const stranger = await harness.session();
    harness.clock.advance(1);
    for (const [passkey, token, password] of [
      [own, session, ada.password],
      [foreign, stranger, STRANGERS_PASSWORD],
    ] as const) {
      await post('/api/auth/step-up', { password }, { token });
      const { options } = (await post('/api/auth/passkeys/options', undefined, { token })).json()
        .data;
      const body = { label: 'laptop', response: passkey.create(options) };
      expect((await post('/api/auth/passkeys', body, { token })).statusCode).toBe(200);
    }
    const proof = async (passkey: SoftPasskey): Promise<object> => {
      const { options } = (await post('/api/auth/passkey/options')).json().data;
      return { passkey: passkey.prove(options) };
    };
    await forgot();
    const token = await lastToken();
    expectError(await reset(token, await proof(foreign)), 'STEP_UP_MFA_REQUIRED');
    expect((await reset(token, await proof(own))).statusCode).toBe(200);
  });

  it('[MF18] where no mail is sent, that is said alike to all', async () => {
    await harness.close();
    harness = await openHarness({ rateMultiplier: 0, mail: null });
    session = (await post('/api/auth/register', ada)).json().data.session_token;
    for (const email of [ada.email, 'eve@example.com']) {
      const refused = await forgot(email);
      expectError(refused, 'SERVICE_UNAVAILABLE');
      expect(refused.json().error.details).toEqual({ reason: 'no_mail', retryable: false });
      expect(refused.headers['retry-after']).toBeUndefined();
    }
    expectError(
      await post('/api/auth/email/verification', undefined, { token: session }),
      'SERVICE_UNAVAILABLE',
    );
    const { userId } = (await harness.platform.userByEmail(ada.email))!;
    const { url } = await harness.links.issue('reset_password', userId, false);
    expect((await reset(linkIn(url).token)).statusCode).toBe(200);
  });
});
