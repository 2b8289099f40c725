import { asAccountId } from '@sibyl/engine';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Vault } from '../../src/delivery/vault.ts';
import { Turns } from '../../src/handling/turns.ts';
import type { Passwords } from '../../src/ports/passwords.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, openHarness, quickPasswords } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness({ rateMultiplier: 0 });
});
afterEach(() => harness.close());

const post = (
  url: string,
  payload: object,
  token?: string,
  remoteAddress = '192.0.2.1',
): Promise<Response> =>
  harness.call({
    method: 'POST',
    url,
    payload,
    remoteAddress,
    ...(token === undefined ? {} : { headers: bearer(token) }),
  });
const ada = { email: 'Ada@Example.com', password: 'horse battery' };

describe('sessions', () => {
  it('[IF28] registers: an account in each lane, a session, and the data of the interface', async () => {
    const response = await post('/api/auth/register', { ...ada, display_name: 'Ada' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const { data } = response.json();
    expect(data.session_token).toMatch(/^ses_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}$/);
    expect(data.expires_at_ms).toBe(harness.clock.wallMs() + 12 * 3_600_000);
    expect(data.expires_at).toBe(new Date(data.expires_at_ms).toISOString());
    const user = (await harness.platform.userByEmail('ada@example.com'))!;
    expect(data).toMatchObject({ user_id: user.userId, account_id: user.accounts.live });
    for (const lane of ['live', 'sandbox'] as const) {
      const id = asAccountId(user.accounts[lane]);
      expect(await harness.lanes[lane]!.read((state) => state.accounts.get(id)?.mode)).toBe(lane);
    }
    const below = await post('/sandbox/api/auth/login', ada);
    expect(below.json().data.account_id).toBe(user.accounts.sandbox);
  });

  it('[KY7] answers for an email that is registered as a login would, whatever its case', async () => {
    const { user_id: userId } = (await post('/api/auth/register', ada)).json().data;
    const again = { ...ada, email: 'ADA@example.COM' };
    expect((await post('/api/auth/register', again)).json().data.user_id).toBe(userId);
    const wrong = { ...again, password: 'another battery' };
    const errors = await Promise.all(
      ['/api/auth/register', '/api/auth/login'].map(async (url) => {
        const refused = await post(url, wrong);
        expectError(refused, 'PASSWORD_INCORRECT');
        const { trace_id: _id, ...error } = refused.json().error;
        return error;
      }),
    );
    expect(errors[0]).toEqual(errors[1]);
    expect((await harness.platform.userByEmail(ada.email))?.passwordHash).toBe(
      `hash of ${ada.password}`,
    );
  });

  it.each([{ referral_code: 'nope' }, { password: 'my password 1' }, { password: 'short' }])(
    '[KY7] refuses %j alike for an email that is registered and one that is not',
    async (more) => {
      await post('/api/auth/register', ada);
      const wrong = { ...ada, password: 'another battery', ...more };
      const known = await post('/api/auth/register', wrong);
      const unknown = await post('/api/auth/register', { ...wrong, email: 'bob@example.com' });
      expect(known.json().error.code).not.toBe('PASSWORD_INCORRECT');
      const { trace_id: _one, ...first } = known.json().error;
      const { trace_id: _other, ...second } = unknown.json().error;
      expect(first).toEqual(second);
    },
  );

  it.each(['200b', '200d', '2060', 'feff', 'ad', '3164', 'fe0f', 'e0061'])(
    '[KY22] does not register an email with the invisible U+%s',
    async (code) => {
      const mark = String.fromCodePoint(Number.parseInt(code, 16));
      for (const email of [`a${mark}da@example.com`, `ada@exa${mark}mple.com`]) {
        const refused = await post('/api/auth/register', { ...ada, email });
        expectError(refused, 'VALIDATION_FAILED');
        expect(refused.json().error.details.field).toBe('email');
      }
    },
  );

  it('[KY22] registers an email in any script', async () => {
    for (const email of ['ádá@example.com', '艾达@example.com', 'o’neil+a@example.com']) {
      const answer = await post('/api/auth/register', { ...ada, email });
      expect([email, answer.statusCode]).toEqual([email, 200]);
    }
  });

  it('[KY7] counts what is tried by registering as failed logins', async () => {
    await post('/api/auth/register', ada);
    const wrong = { ...ada, password: 'another battery' };
    for (let index = 0; index < 10; index += 1)
      expectError(await post('/api/auth/register', wrong), 'PASSWORD_INCORRECT');
    expectError(await post('/api/auth/register', ada), 'RATE_LIMITED');
    expectError(await post('/api/auth/login', ada), 'RATE_LIMITED');
  });

  it('[PW4] says why a password is too weak', async () => {
    const refused = async (password: string) =>
      (await post('/api/auth/register', { ...ada, password })).json().error;
    const short = await refused('short1');
    expect(short.details).toEqual({ reason: 'length', length_min: 10 });
    expect(short.message).toBe('The password has fewer than 10 characters.');
    const common = await refused('my password 1');
    expect(common.details).toEqual({ reason: 'common' });
    expect(common.message).toContain('many people use');
  });

  it('[IF28] does not tell unknown users from wrong passwords', async () => {
    await post('/api/auth/register', ada);
    const wrong = await post('/api/auth/login', { ...ada, password: 'no' });
    const unknown = await post('/api/auth/login', { email: 'bob@example.com', password: 'no' });
    expectError(wrong, 'PASSWORD_INCORRECT');
    expectError(unknown, 'PASSWORD_INCORRECT');
    expect(unknown.json().error.message).toBe(wrong.json().error.message);
    expect((await post('/api/auth/login', ada)).statusCode).toBe(200);
  });

  it.each([
    [{ email: 'a@b.cc', password: 'short1' }, 'PASSWORD_TOO_WEAK'],
    [{ email: 'a@b.cc', password: 'my password 1' }, 'PASSWORD_TOO_WEAK'],
    [{ email: 'nobody', password: 'long enough 1' }, 'VALIDATION_FAILED'],
    [{ email: 'a b@c.dd', password: 'long enough 1' }, 'VALIDATION_FAILED'],
    [{ email: 'a@b.cc' }, 'MISSING_FIELD'],
    [{ email: 'a@b.cc', password: 'long enough 1', referral_code: 'nope' }, 'VALIDATION_FAILED'],
    [{ email: 'a@b.cc', password: 'x'.repeat(257) }, 'VALIDATION_FAILED'],
    [{ email: 'a@b.cc', password: 'long enough 1', tier: 'trade_full' }, 'VALIDATION_FAILED'],
  ])('[IF28] refuses to register %j', async (body, code) => {
    expectError(await post('/api/auth/register', body), code);
  });

  it('[IF28] names the referrer in both lanes', async () => {
    await post('/api/auth/register', ada);
    const referrer = (await harness.platform.userByEmail(ada.email))!;
    const joined = {
      email: 'eve@example.com',
      password: 'horse battery',
      referral_code: referrer.referralCode,
    };
    expect((await post('/api/auth/register', joined)).statusCode).toBe(200);
    const eve = (await harness.platform.userByEmail('eve@example.com'))!;
    for (const lane of ['live', 'sandbox'] as const) {
      const referrerId = await harness.lanes[lane]!.read(
        (state) => state.accounts.get(asAccountId(eve.accounts[lane]))?.referrerId,
      );
      expect(referrerId).toBe(referrer.accounts[lane]);
    }
  });

  it('[IF28] mends at login a registration that a crash cut in half', async () => {
    await harness.platform.addUser({
      userId: 'usr_half',
      email: 'half@example.com',
      passwordHash: 'hash of horse battery',
      displayName: null,
      referralCode: 'half',
      referrerId: null,
      tier: 'self_serve',
      rateMultiplier: 1,
      accounts: { live: 'acc_half1', sandbox: 'acc_half2' },
      isDemo: false,
      createdAtMs: 1,
    });
    expect((await post('/api/auth/login', { ...ada, email: 'half@example.com' })).statusCode).toBe(
      200,
    );
    expect(
      await harness.lanes.live!.read((state) => state.accounts.has(asAccountId('acc_half1'))),
    ).toBe(true);
  });

  it('[KY6] slows down an address that guesses, and never keeps the owner out elsewhere', async () => {
    const guess = { ...ada, password: 'no' };
    await post('/api/auth/register', ada);
    for (let index = 0; index < 100; index += 1) {
      const stranger = `198.51.100.${index >> 3}`;
      expectError(await post('/api/auth/login', guess, undefined, stranger), 'PASSWORD_INCORRECT');
    }
    expect((await post('/api/auth/login', ada, undefined, '198.51.100.200')).statusCode).toBe(200);
    for (let index = 0; index < 10; index += 1)
      expectError(await post('/api/auth/login', guess), 'PASSWORD_INCORRECT');
    const refused = await post('/api/auth/login', ada);
    expectError(refused, 'RATE_LIMITED');
    expect(refused.headers['retry-after']).toBe('900');
    const elsewhere = { ...ada, email: 'bob@example.com' };
    expectError(await post('/api/auth/login', elsewhere), 'PASSWORD_INCORRECT');
    harness.clock.advance(900_000);
    expect((await post('/api/auth/login', ada)).statusCode).toBe(200);
    // However many emails it tries.
    for (let index = 0; index < 50; index += 1) {
      await post(
        '/api/auth/login',
        { email: `p${index}@example.com`, password: 'no' },
        undefined,
        '203.0.113.1',
      );
    }
    expectError(await post('/api/auth/login', ada, undefined, '203.0.113.1'), 'RATE_LIMITED');
    expect((await post('/api/auth/login', ada)).statusCode).toBe(200);
  });

  it('[IF28] changes the password, ends the other sessions and keeps this one', async () => {
    const first = (await post('/api/auth/register', ada)).json().data.session_token;
    const second = (await post('/api/auth/login', ada)).json().data.session_token;
    const change = { current_password: ada.password, new_password: 'battery horse' };
    expectError(
      await post('/api/auth/password', { ...change, current_password: 'no' }, first),
      'PASSWORD_INCORRECT',
    );
    expectError(
      await post('/api/auth/password', { ...change, new_password: 'password12' }, first),
      'PASSWORD_TOO_WEAK',
    );
    expectError(await post('/api/auth/password', change), 'AUTH_REQUIRED');
    const changed = await post('/api/auth/password', change, first);
    expect(changed.json().data).toEqual({
      sessions_ended: 1,
      keys_revoked: 0,
      webhooks_paused: [],
    });
    expectError(await post('/api/auth/logout', {}, second), 'AUTH_INVALID');
    expectError(await post('/api/auth/login', ada), 'PASSWORD_INCORRECT');
    expect((await post('/api/auth/logout', {}, first)).json().data).toEqual({ logged_out: true });
  });

  it('[IF28] is for people: a key cannot log out or change a password', async () => {
    const key = await harness.key();
    expectError(await post('/api/auth/logout', {}, key), 'SCOPE_MISSING');
  });
});

describe('work on passwords', () => {
  it('[PW2, PW3] an unknown email costs a verification, and a full queue is SERVICE_UNAVAILABLE', async () => {
    const asked: (string | null)[] = [];
    const watched: Passwords = {
      ...quickPasswords,
      verify: async (hash) => {
        asked.push(hash);
        return asked.length > 1 ? null : false;
      },
    };
    const { sessionHandlers } = await import('../../src/modules/sessions/handlers.ts');
    const { systemRandom } = await import('../../src/adapters/node/random.ts');
    const { platform, secrets, clock, gateway, links } = harness;
    const { logIn } = sessionHandlers({
      platform,
      secrets,
      clock,
      random: systemRandom,
      vault: new Vault(secrets, systemRandom),
      flushUses: () => gateway.authenticator.flush(),
      passwords: watched,
      closingTurns: new Turns(),
      destinationDelayMs: 0,
      links,
      publicUrl: null,
      demosPerHour: 100,
      identify: (token) => gateway.authenticator.identifyToken(token),
    });
    const other = await openHarness({ overrides: { logIn } });
    const login = (): Promise<Response> =>
      other.call({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email: 'x@y.zz', password: 'p' },
      });
    expectError(await login(), 'PASSWORD_INCORRECT');
    expect(asked).toEqual([null]);
    const busy = await login();
    expectError(busy, 'SERVICE_UNAVAILABLE');
    expect(busy.headers['retry-after']).toBe('1');
    await other.close();
  });
});
