// What the console needs of the operator plane: its cookie, the state of the service, and what is looked up before an act.
import { setTimeout as pause } from 'node:timers/promises';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { firstOperator } from '../../src/operator/new-operator.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer, quickPasswords } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';

type Headers = Readonly<Record<string, string>>;

const HOST = '127.0.0.1:8081';
const OWN_PAGE: Headers = { host: HOST, 'sec-fetch-site': 'same-origin' };

let harness: OperatorHarness;
let password: string;
beforeEach(async () => {
  harness = await openOperator();
  const { operators, clock } = harness;
  const parts = { passwords: quickPasswords, random: systemRandom, clock };
  password = (await firstOperator(operators, parts))?.password ?? '';
});
afterEach(() => harness.close());

function call(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  headers: Headers,
  body?: object,
): Promise<Response> {
  return harness.gateway.app.inject({
    method,
    url: `/admin/v1${path}`,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  });
}

const signIn = (more: object = { cookie: true }): Promise<Response> =>
  call('POST', '/sessions', OWN_PAGE, { name: 'admin', password, ...more });

/** As a browser would send it back. */
function cookieOf(response: Response): string {
  return String(response.headers['set-cookie']).split(';')[0]!;
}

describe('[OP85] a browser that signed in before', () => {
  const attempt = (word: string, headers: Headers = OWN_PAGE): Promise<Response> =>
    call('POST', '/sessions', headers, { name: 'admin', password: word });
  const isOpen = async (answer: Promise<Response>): Promise<boolean> =>
    (await Promise.race([answer, pause(20)])) === undefined;

  it('is not slowed by guesses of others, has ten of its own, and no other cookie counts', async () => {
    const cookie = cookieOf(await signIn());
    const other = cookieOf(await signIn());
    for (let index = 0; index < 11; index += 1) await attempt('wrong');
    const line = Array.from({ length: 24 }, () => attempt('wrong'));
    await pause(20);
    expectError(await attempt(password), 'RATE_LIMITED');
    const forged = { ...OWN_PAGE, cookie: `${cookie.slice(0, -3)}xxx` };
    expectError(await attempt(password, forged), 'RATE_LIMITED');
    const elsewhere = { cookie, 'sec-fetch-site': 'cross-site', host: HOST };
    expectError(await attempt(password, elsewhere), 'RATE_LIMITED');
    await seconds(26);
    await Promise.all(line);
    // The session itself has been idle for too long.
    harness.clock.advance(30 * 60_000);
    for (let index = 0; index < 11; index += 1) await attempt('wrong');
    const again = attempt('wrong');
    expect(await isOpen(again)).toBe(true);
    expect((await attempt(password, { ...OWN_PAGE, cookie })).statusCode).toBe(200);
    for (let index = 0; index < 11; index += 1)
      expectError(await attempt('no', { ...OWN_PAGE, cookie }), 'PASSWORD_INCORRECT');
    const own = attempt(password, { ...OWN_PAGE, cookie });
    expect(await isOpen(own)).toBe(true);
    expect((await attempt(password, { ...OWN_PAGE, cookie: other })).statusCode).toBe(200);
    await seconds(2);
    expect((await own).statusCode).toBe(200);
    expectError(await again, 'PASSWORD_INCORRECT');
  });

  async function seconds(count: number): Promise<void> {
    for (let second = 0; second < count; second += 1) {
      harness.clock.advance(1_000);
      await pause(10);
    }
  }
});

describe('[OP47] the cookie of the console', () => {
  it('is out of reach of scripts and of other sites, and no token is told beside it', async () => {
    const response = await signIn();
    expect(response.headers['set-cookie']).toMatch(
      /^sibyl_operator=ops_\w{16}_[\w-]{43}; Path=\/admin; HttpOnly; SameSite=Strict; Max-Age=28800$/,
    );
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json().data.session_token).toBe(null);
    const secret = cookieOf(response).slice(-43);
    expect(response.payload).not.toContain(secret);
    for (const more of [{}, { cookie: false }]) {
      const plain = await signIn(more);
      expect(plain.headers['set-cookie']).toBeUndefined();
      expect(plain.json().data.session_token).toMatch(/^ops_/);
    }
  });

  it('counts in calls of the console itself, and in no others', async () => {
    const cookie = cookieOf(await signIn());
    const foreign: readonly Headers[] = [
      // A program, and a browser that does not say where the page is from.
      {},
      { host: HOST },
      // The pages for everybody on another port of this host: browsers send them the cookie all the same.
      { host: HOST, 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:8080' },
      { host: HOST, origin: 'http://127.0.0.1:8080' },
      { host: HOST, origin: 'http://localhost:8081' },
      // Another site, a link in a mail, and a form that hides where it comes from.
      { host: HOST, 'sec-fetch-site': 'cross-site', origin: `http://${HOST}` },
      { host: HOST, 'sec-fetch-site': 'none' },
      { host: HOST, origin: 'null' },
    ];
    const act = { lane: 'sandbox', reason: 'a test', mode: 'cancel_only' };
    for (const headers of foreign) {
      expectError(await call('POST', '/mode', { ...headers, cookie }, act), 'AUTH_REQUIRED');
      expectError(await call('GET', '/session', { ...headers, cookie }), 'AUTH_REQUIRED');
    }
    expect(await harness.lane.read(({ cancelOnly }) => cancelOnly)).toBe(false);
    for (const headers of [OWN_PAGE, { host: HOST, origin: `http://${HOST}` }]) {
      expect((await call('POST', '/mode', { ...headers, cookie }, act)).statusCode).toBe(200);
    }
    expect(await harness.lane.read(({ cancelOnly }) => cancelOnly)).toBe(true);
  });

  it('is a session and nothing else, and a bearer that is sent goes before it', async () => {
    const token = `sibyl_operator=${harness.token}`;
    expectError(await call('GET', '/session', { ...OWN_PAGE, cookie: token }), 'AUTH_INVALID');
    const cookie = cookieOf(await signIn());
    const wrong = { ...OWN_PAGE, cookie: `${cookie.slice(0, -3)}xxx` };
    expectError(await call('GET', '/session', wrong), 'AUTH_INVALID');
    const both = { ...OWN_PAGE, cookie, ...bearer('guess') };
    expectError(await call('GET', '/session', both), 'AUTH_INVALID');
  });

  it('ends with its session, and is cleared by signing out', async () => {
    const cookie = cookieOf(await signIn());
    const headers = { ...OWN_PAGE, cookie: `other=1; ${cookie}` };
    expect((await call('GET', '/session', headers)).json().data.name).toBe('admin');
    const out = await call('DELETE', '/session', headers);
    expect(out.headers['set-cookie']).toMatch(/^sibyl_operator=; .*Max-Age=0$/);
    expectError(await call('GET', '/session', headers), 'AUTH_INVALID');
    const idle = { ...OWN_PAGE, cookie: cookieOf(await signIn()) };
    harness.clock.advance(30 * 60_000);
    expectError(await call('GET', '/session', idle), 'AUTH_INVALID');
    const byBearer = (await signIn({})).json().data.session_token;
    const signedOut = await call('DELETE', '/session', bearer(byBearer));
    expect(signedOut.headers['set-cookie']).toBeUndefined();
  });
});

describe('[OP48] what an operator looks at before an act', () => {
  it('is the service: modes, how much there is, maintenance, and what waits', async () => {
    const before = (await harness.get('/platform')).json().data;
    expect(before).toMatchObject({ maintenance: null, approvals_waiting: 0 });
    expect(before.lanes).toMatchObject([
      { lane: 'sandbox', state: 'running', mode: 'normal', accounts: 2, markets: 0 },
    ]);
    for (const mode of ['read_only', 'cancel_only']) {
      await harness.post('/mode', { lane: 'sandbox', reason: 'a test', mode });
      const { lanes } = (await harness.get('/platform')).json().data;
      expect(lanes[0].mode).toBe(mode);
    }
    await harness.post('/maintenance', { reason: 'new disks', phase: 'started' });
    const { maintenance } = (await harness.get('/platform')).json().data;
    expect(maintenance).toMatchObject({ phase: 'started', reason: 'new disks' });
  });

  it('is a market, by words, by state or by id, a page at a time', async () => {
    const closesAt = harness.clock.wallMs() + 86_400_000;
    const question = (text: string) =>
      harness.market('own-question', { question: text, closes_at_ms: closesAt });
    const rain = await question('Will it rain in Oslo?');
    await question('Will it rain in Bergen?');
    const find = async (query: string) =>
      (await harness.get(`/markets?lane=sandbox&${query}`)).json();
    expect((await find('q=rain+oslo')).data).toMatchObject([
      { market_id: rain, lane: 'sandbox', creator_id: trader, halted: false, resolution: null },
    ]);
    expect((await find(`q=${rain}`)).data).toMatchObject([{ market_id: rain }]);
    expect((await find('q=m_0000000000000000')).data).toEqual([]);
    expect((await find('q=snow')).data).toEqual([]);
    expect((await find('status=cancelled')).data).toEqual([]);
    const first = await find('q=rain&limit=1');
    const rest = await find(`q=rain&limit=1&cursor=${first.meta.next_cursor}`);
    const ids = [...first.data, ...rest.data].map(({ market_id: id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(rest.meta.next_cursor).toBe(null);
    expectError(await harness.get('/markets?lane=live'), 'SERVICE_UNAVAILABLE');
  });

  it('is an account with its family, by the whole of any of its ids, and never by an address of mail', async () => {
    const { platform, clock } = harness;
    await platform.addUser({
      userId: 'usr_1',
      email: 'ada@example.com',
      passwordHash: 'hash',
      displayName: 'Ada',
      referralCode: 'code',
      referrerId: null,
      tier: 'trade_full',
      rateMultiplier: 2,
      accounts: { live: 'acc_live', sandbox: trader },
      isDemo: false,
      createdAtMs: clock.wallMs(),
    });
    const find = async (q: string) => {
      const answer = await harness.get(`/accounts?lane=sandbox&q=${encodeURIComponent(q)}`);
      expect(answer.payload).not.toContain('ada@');
      return answer.json().data.accounts;
    };
    for (const name of [trader, 'usr_1']) {
      expect(await find(name)).toMatchObject([
        {
          account_id: trader,
          user_id: 'usr_1',
          tier: 'trade_full',
          rate_multiplier: 2,
          frozen: false,
          balance_free: '10000.000000',
          balance_reserved: '0.000000',
          balance_withdrawing: '0.000000',
          excluded_until_at: null,
        },
      ]);
    }
    for (const name of ['acc_nobody', 'usr_nobody', 'ada@example.com', 'ada']) {
      expect(await find(name)).toEqual([]);
    }
    await harness.post(`/accounts/${trader}/freeze`, {
      lane: 'sandbox',
      reason: 'a ticket',
      message: 'a letter',
    });
    expect(await find(trader)).toMatchObject([
      { frozen: true, frozen_by_operator: true, frozen_message: 'a letter' },
    ]);
    const untilMs = clock.wallMs() + 86_400_000;
    await harness.submit({ type: 'exclude_self', accountId: trader, untilMs });
    expect(await find(trader)).toMatchObject([{ excluded_until_at_ms: untilMs }]);
    clock.advance(86_400_000);
    await harness.submit({ type: 'tick' });
    expect(await find(trader)).toMatchObject([{ excluded_until_at_ms: null }]);
  });

  it('is the trail from its end, if that is asked for', async () => {
    for (const mode of ['read_only', 'normal']) {
      await harness.post('/mode', { lane: 'sandbox', reason: `mode ${mode}`, mode });
    }
    const reasons = (answer: Response) =>
      answer.json().data.map(({ reason }: { readonly reason: string }) => reason);
    const newest = await harness.get('/trail?order=newest&limit=1');
    expect(reasons(newest)).toEqual(['mode normal']);
    const { next_cursor: cursor } = newest.json().meta;
    expect(reasons(await harness.get(`/trail?order=newest&limit=1&cursor=${cursor}`))).toEqual([
      'mode read_only',
    ]);
    expect(reasons(await harness.get('/trail'))).toEqual(['mode read_only', 'mode normal']);
  });
});
