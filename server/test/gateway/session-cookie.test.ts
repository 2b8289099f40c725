// The cookie of the page: what it is like, who may ask for it, and that it opens nothing by itself.
import { type AnyOperation, limits, operations } from '@sibyl/contract';
import type { Response } from 'light-my-request';
import { afterEach, describe, expect, it } from 'vitest';
import { exampleRequest } from './example.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, type HarnessOptions, openHarness } from './harness.ts';

type Headers = Readonly<Record<string, string>>;

let harness: Harness;
afterEach(() => harness.close());

async function open(options: HarnessOptions = {}): Promise<void> {
  harness = await openHarness({ rateMultiplier: 0, ...options });
}

const ada = { email: 'ada@example.com', password: 'horse battery' };
const HOST: Headers = { host: 'sibyl.example:8080' };
const OWN_PAGE: Headers = { 'sec-fetch-site': 'same-origin' };

function post(path: string, headers: Headers, payload?: object): Promise<Response> {
  const url = `/api/auth/${path}`;
  return harness.call({
    method: 'POST',
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
}

/** As a browser would send it back. */
function cookieOf(response: Response): string {
  return String(response.headers['set-cookie']).split(';')[0]!;
}

async function signIn(): Promise<{ readonly cookie: string; readonly token: string }> {
  const response = await post('register', OWN_PAGE, { ...ada, cookie: true });
  return { cookie: cookieOf(response), token: response.json().data.session_token };
}

describe('the cookie', () => {
  it('[SE1] is out of reach of scripts, lasts as long as the session, and holds its token', async () => {
    await open();
    for (const path of ['register', 'login']) {
      const response = await post(path, OWN_PAGE, { ...ada, cookie: true });
      const { session_token: token, mode } = response.json().data;
      expect(response.headers['set-cookie']).toBe(
        `sibyl_session=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200`,
      );
      expect(response.headers['cache-control']).toBe('no-store');
      expect(mode).toBe('live');
    }
  });

  it('[SE1] is sent over https only where the pages are', async () => {
    await open({ publicUrl: 'https://sibyl.example' });
    const response = await post('register', OWN_PAGE, { ...ada, cookie: true });
    const { session_token: token } = response.json().data;
    expect(response.headers['set-cookie']).toBe(
      `__Host-sibyl_session=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure`,
    );
    const resumed = await post('session', { ...OWN_PAGE, cookie: cookieOf(response) });
    expect(resumed.json().data.session.session_token).toBe(token);
    const plain = `sibyl_session=${token}`;
    const other = await post('session', { ...OWN_PAGE, cookie: plain });
    expect(other.json().data).toEqual({ session: null });
  });

  it('[SE1] is set for nobody who does not ask for it', async () => {
    await open();
    for (const headers of [OWN_PAGE, {}, { origin: 'https://other.example' }]) {
      for (const more of [{}, { cookie: false }]) {
        const response = await post('register', headers, { ...ada, ...more });
        expect(response.statusCode).toBe(200);
        expect(response.headers['set-cookie']).toBeUndefined();
      }
    }
    expectError(await post('login', OWN_PAGE, { ...ada, cookie: 'yes' }), 'VALIDATION_FAILED');
  });
});

describe('logging out', () => {
  const opened = async (): Promise<{ readonly cookie: string; readonly token: string }> => {
    const demo = await post('demo', OWN_PAGE, { cookie: true });
    return { cookie: cookieOf(demo), token: demo.json().data.session_token };
  };
  const isOver = async (token: string): Promise<boolean> => {
    const url = '/sandbox/v1/account';
    const { statusCode } = await harness.call({ method: 'GET', url, headers: bearer(token) });
    return statusCode === 401;
  };

  it('[SE18] ends a demo session at the live address too, for pages and programs', async () => {
    await open();
    for (const headers of [OWN_PAGE, {}]) {
      const { cookie, token } = await opened();
      expect(await isOver(token)).toBe(false);
      const sent = headers === OWN_PAGE ? { ...headers, cookie } : headers;
      const done = await post('logout', { ...sent, ...bearer(token) });
      expect(done.json().data).toEqual({ logged_out: true });
      expect(String(done.headers['set-cookie'] ?? 'none')).toMatch(/^none$|sibyl_session=;/);
      expect(await isOver(token)).toBe(true);
    }
    // Nothing else of a demo account is open there.
    const { token } = await opened();
    const url = '/v1/account';
    const refused = await harness.call({ method: 'GET', url, headers: bearer(token) });
    expectError(refused, 'WRONG_ENV_KEY');
  });

  it('[SE18] of a page ends the demo of its cookie, and no session of another user', async () => {
    await open();
    const demo = await opened();
    const { token } = await signIn();
    await post('logout', { ...OWN_PAGE, ...bearer(token), cookie: demo.cookie });
    expect([await isOver(token), await isOver(demo.token)]).toEqual([true, true]);
    const bob = (
      await post('register', {}, { email: 'bob@example.com', password: 'horse battery' })
    ).json().data.session_token;
    for (const headers of [OWN_PAGE, { 'sec-fetch-site': 'cross-site' }]) {
      const eve = (await post('login', {}, ada)).json().data.session_token;
      await post('logout', { ...headers, ...bearer(eve), cookie: `sibyl_session=${bob}` });
      expect([await isOver(eve), await isOver(bob)]).toEqual([true, false]);
    }
  });
});

describe('resuming', () => {
  it('[SE2] gives the session of the cookie, with the account of the address', async () => {
    await open();
    const { cookie, token } = await signIn();
    const user = (await harness.platform.userByEmail(ada.email))!;
    const resumed = await post('session', { ...OWN_PAGE, cookie: `theme=dark; ${cookie}; a=b` });
    expect(resumed.headers['cache-control']).toBe('no-store');
    expect(resumed.headers['set-cookie']).toBeUndefined();
    const { session } = resumed.json().data;
    expect(session).toMatchObject({ session_token: token, user_id: user.userId, mode: 'live' });
    expect(session.account_id).toBe(user.accounts.live);
    expect(session.expires_at_ms).toBe(harness.clock.wallMs() + 43_200_000);
    const below = await harness.call({
      method: 'POST',
      url: '/sandbox/api/auth/session',
      headers: { ...OWN_PAGE, cookie },
    });
    const { account_id: accountId, mode } = below.json().data.session;
    expect([accountId, mode]).toEqual([user.accounts.sandbox, 'sandbox']);
  });

  it('[SE2] has nothing for a visitor, and that is no fault', async () => {
    await open();
    for (const headers of [OWN_PAGE, {}, { ...OWN_PAGE, cookie: 'theme=dark; xsibyl_session=1' }]) {
      const response = await post('session', headers);
      expect(response.statusCode).toBe(200);
      expect(response.json().data).toEqual({ session: null });
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  it('[SE2] has nothing for a session that is over or unknown, and changes no cookie', async () => {
    await open();
    const key = await harness.key();
    const { cookie, token } = await signIn();
    const expectNothing = async (value: string): Promise<void> => {
      const response = await post('session', { ...OWN_PAGE, cookie: `sibyl_session=${value}` });
      expect(response.statusCode).toBe(200);
      expect(response.json().data).toEqual({ session: null });
      expect(response.headers['set-cookie']).toBeUndefined();
    };
    // A key is no session, however good it is.
    for (const value of ['', 'nonsense', `${token.slice(0, -3)}xxx`, key]) {
      await expectNothing(value);
    }
    const ended = (await post('login', {}, ada)).json().data.session_token;
    await post('logout', bearer(ended));
    await expectNothing(ended);
    expect((await post('session', { ...OWN_PAGE, cookie })).json().data.session).not.toBeNull();
    harness.clock.advance(43_200_000);
    await expectNothing(token);
  });

  it('[SE2] is over with logging out, which clears the cookie of the page', async () => {
    await open();
    const { cookie, token } = await signIn();
    const out = await post('logout', { ...OWN_PAGE, ...bearer(token), cookie });
    expect(out.json().data).toEqual({ logged_out: true });
    expect(out.headers['set-cookie']).toBe(
      'sibyl_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    );
    const resumed = await post('session', { ...OWN_PAGE, cookie });
    expect(resumed.json().data).toEqual({ session: null });
  });

  it('[SE2] is not needed by programs: they log in and out with the bearer alone', async () => {
    await open();
    const { session_token: token } = (await post('register', {}, ada)).json().data;
    const keys = await harness.call({ method: 'GET', url: '/v1/keys', headers: bearer(token) });
    expect(keys.statusCode).toBe(200);
    const out = await post('logout', bearer(token));
    expect(out.json().data).toEqual({ logged_out: true });
    expect(out.headers['set-cookie']).toBeUndefined();
  });
});

describe('other pages', () => {
  const foreign: readonly Headers[] = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'https://blog.sibyl.example' },
    { 'sec-fetch-site': 'none' },
    // The browser's judgement counts, whatever the origin looks like.
    { 'sec-fetch-site': 'cross-site', origin: 'http://sibyl.example:8080' },
    { origin: 'https://evil.example' },
    { origin: 'http://sibyl.example:8081' },
    { origin: 'http://sibyl.example:8080.evil.example' },
    { origin: 'http://evil.example/sibyl.example:8080' },
    { origin: 'null' },
    { origin: '' },
    // No page at all: a program has no business with a cookie.
    {},
  ];

  it('[SE3] can neither set nor read the cookie, nor take it away', async () => {
    await open({ allowedOrigins: ['https://evil.example'] });
    for (const headers of foreign) {
      const { cookie, token } = await signIn();
      const sent = { ...HOST, ...headers };
      const refused = [
        await post('register', sent, { ...ada, cookie: true }),
        await post('login', sent, { ...ada, cookie: true }),
        await post('demo', sent, { cookie: true }),
        await post('session', { ...sent, cookie }),
      ];
      for (const answer of refused) {
        expectError(answer, 'SCOPE_NOT_ALLOWED');
        expect(answer.payload).not.toContain(token);
        expect(answer.headers['set-cookie']).toBeUndefined();
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      }
      const out = await post('logout', { ...sent, ...bearer(token), cookie });
      expect(out.json().data).toEqual({ logged_out: true });
      expect(out.headers['set-cookie']).toBeUndefined();
    }
  });

  it('[SE3] cannot sign a visitor in as somebody else: nothing is looked at', async () => {
    await open();
    await post('register', {}, ada);
    const evil = { 'sec-fetch-site': 'cross-site' };
    for (let index = 0; index < 12; index += 1) {
      const guess = { ...ada, password: 'no', cookie: true };
      expectError(await post('login', evil, guess), 'SCOPE_NOT_ALLOWED');
    }
    const registration = { ...ada, email: 'eve@example.com', cookie: true };
    expectError(await post('register', evil, registration), 'SCOPE_NOT_ALLOWED');
    expect(await harness.platform.userByEmail('eve@example.com')).toBeNull();
    // Twelve guesses would have been too many for this address.
    expect((await post('login', {}, ada)).statusCode).toBe(200);
  });

  it.each([
    [null, { origin: 'http://sibyl.example:8080' }],
    [null, { origin: 'https://sibyl.example:8080' }],
    ['https://www.sibyl.example', { origin: 'https://www.sibyl.example' }],
    ['http://www.sibyl.example', { origin: 'http://www.sibyl.example' }],
    ['https://www.sibyl.example', { 'sec-fetch-site': 'same-origin' }],
  ])('[SE3] with PUBLIC_URL %j a page of ours is known by %j', async (publicUrl, headers) => {
    await open({ publicUrl });
    const response = await post('register', { ...HOST, ...headers }, { ...ada, cookie: true });
    expect(response.statusCode).toBe(200);
    const cookie = cookieOf(response);
    const resumed = await post('session', { ...HOST, ...headers, cookie });
    expect(resumed.json().data.session).not.toBeNull();
  });

  it('[SE3] over http are not those of an exchange at https', async () => {
    await open({ publicUrl: 'https://sibyl.example:8080' });
    const headers = { ...HOST, origin: 'http://sibyl.example:8080' };
    const refused = await post('register', headers, { ...ada, cookie: true });
    expectError(refused, 'SCOPE_NOT_ALLOWED');
  });
});

describe('foreign pages', () => {
  const sandboxKey = (headers: Headers): Promise<Response> =>
    harness.call({ method: 'POST', url: '/v1/sandbox-keys', headers });
  const foreign = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];

  it('[SE3] that name the host they called are not ours where PUBLIC_URL is another', async () => {
    await open({ publicUrl: 'https://www.sibyl.example' });
    for (const origin of ['http://sibyl.example:8080', 'https://sibyl.example:8080', 'null']) {
      const headers = { ...HOST, origin };
      expectError(await post('register', headers, { ...ada, cookie: true }), 'SCOPE_NOT_ALLOWED');
      expectError(await post('session', headers), 'SCOPE_NOT_ALLOWED');
      expectError(await post('demo', headers, {}), 'SCOPE_NOT_ALLOWED');
    }
    expect(await harness.platform.userByEmail(ada.email)).toBeNull();
  });

  it.each(foreign)('[SE12] with %j use up no demo account and no sandbox key', async (said) => {
    await open();
    for (let count = 0; count <= limits.demo.perHour; count += 1) {
      expectError(await post('demo', { ...HOST, ...said }, {}), 'SCOPE_NOT_ALLOWED');
    }
    const refused = await sandboxKey({ ...HOST, ...said });
    expectError(refused, 'SCOPE_NOT_ALLOWED');
    expect(refused.json().error.message).toContain('pages of this exchange');
    expect((await post('demo', {}, {})).statusCode).toBe(200);
    expect((await sandboxKey({})).statusCode).toBe(200);
  });

  it('[SE12] may mint a sandbox key where the operator allows their origin, and so may our own', async () => {
    const origin = 'https://app.example';
    await open({ allowedOrigins: [origin] });
    expectError(await sandboxKey({ origin: `${origin}.evil` }), 'SCOPE_NOT_ALLOWED');
    const allowed = await sandboxKey({ origin, 'sec-fetch-site': 'cross-site' });
    expect(allowed.statusCode).toBe(200);
    const own = await harness.call({
      method: 'POST',
      url: '/v1/sandbox-keys',
      headers: OWN_PAGE,
      remoteAddress: '192.0.2.7',
    });
    expect(own.statusCode).toBe(200);
  });
});

describe('everything else', () => {
  const asking = Object.values<AnyOperation>(operations).filter(({ auth }) => auth !== 'public');

  it('[SE4] no operation that needs a credential takes the cookie for one', async () => {
    await open();
    const { cookie, token } = await signIn();
    const headers = { ...OWN_PAGE, cookie, 'idempotency-key': 'a-key-of-mine' };
    for (const operation of asking) {
      const { method, url, payload } = exampleRequest(operation);
      const call = { method, url, ...(payload === undefined ? {} : { payload }) };
      expectError(await harness.call({ ...call, headers }), 'AUTH_REQUIRED');
    }
    expect(asking.length).toBeGreaterThan(30);
    const own = { method: 'GET', url: '/v1/account', headers: bearer(token) } as const;
    expect((await harness.call(own)).statusCode).toBe(200);
  });

  it('[SE4] what is open to all is answered as to a stranger', async () => {
    await open();
    const { cookie, token } = await signIn();
    const ask = (headers: Headers): Promise<Response> =>
      harness.call({ method: 'GET', url: '/v1/markets', headers });
    const withCookie = await ask({ ...OWN_PAGE, cookie });
    expect(withCookie.headers['x-ratelimit-scope']).toBe('address');
    expect((await ask(bearer(token))).headers['x-ratelimit-scope']).toBe('session');
  });
});
