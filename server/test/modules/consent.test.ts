// The consent page: what it shows, what it refuses, and where it sends people.
import { limits, scopes } from '@sibyl/contract';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consentTexts } from '../../src/consent/texts.ts';
import { addApp, CALLBACK, type Client, pkce, post, redeeming, verdict } from './connected-app.ts';
import { type Exchange, openExchange } from './exchange.ts';

const ISSUER = 'https://sibyl.example';
const PAGE = '/connect/authorize';
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const ada = { email: 'ada@example.com', password: 'horse battery' };

let exchange: Exchange;
let client: Client;
beforeEach(async () => {
  exchange = await openExchange(undefined, { publicUrl: ISSUER });
  client = await addApp(exchange, await exchange.session());
});
afterEach(() => exchange.close());

const asking = (more: Readonly<Record<string, string>> = {}) => ({
  ...{ response_type: 'code', client_id: client.app.appId, redirect_uri: CALLBACK },
  ...{ scope: 'account:read orders:trade', state: 'a state&more', environment: 'sandbox' },
  ...{ code_challenge: pkce().challenge, code_challenge_method: 'S256' },
  ...more,
});

type Headers = Readonly<Record<string, string>>;
const addressOf = (query: Readonly<Record<string, string>>) =>
  `${PAGE}?${new URLSearchParams(query)}`;
const visit = (url: string, headers: Headers = {}): Promise<Response> =>
  exchange.call({ url, headers });
const send = (url: string, form: Readonly<Record<string, string>>, headers: Headers = OWN_PAGE) =>
  post(exchange, form, headers, url);

const cookieOf = (response: Response) => String(response.headers['set-cookie']).split(';')[0]!;
const csrfOf = (page: Response) => /name="csrf" value="([^"]+)"/.exec(page.payload)?.[1] ?? '';
const resultOf = (response: Response) => {
  expect(response.statusCode).toBe(303);
  const url = new URL(String(response.headers.location));
  return { at: `${url.origin}${url.pathname}`, ...Object.fromEntries(url.searchParams) };
};

/** As a browser would be after a registration on the pages. */
async function signedIn(): Promise<Headers> {
  const payload = { ...ada, cookie: true };
  const call = { method: 'POST', url: '/api/auth/register', headers: OWN_PAGE, payload } as const;
  return { ...OWN_PAGE, cookie: cookieOf(await exchange.call(call)) };
}

describe('the consent page', () => {
  it('[OAU11] a stranger signs in on it without a script, decides, and the app gets a code that works', async () => {
    await signedIn();
    const { verifier, challenge } = pkce();
    const url = addressOf(asking({ code_challenge: challenge }));
    const first = await visit(url);
    expect(first.payload).toContain('name="password"');
    expect(first.payload).not.toContain('<script');
    const wrong = await send(url, { action: 'sign_in', ...ada, password: 'wrong' });
    expect(wrong.payload).toContain('Email or password is wrong.');
    expect(wrong.headers['set-cookie']).toBeUndefined();
    const right = await send(url, { action: 'sign_in', ...ada });
    expect([right.statusCode, right.headers.location]).toEqual([303, url]);
    const headers = { ...OWN_PAGE, cookie: cookieOf(right) };
    const page = await visit(url, headers);
    for (const text of [
      client.app.name,
      client.app.verifiedName!,
      ...[scopes['account:read'], scopes['orders:trade']],
      ...['Sandbox: play money', 'withdraw money', 'see your password', 'make API keys'],
      // 10 and 100 of 10,000.
      ...['0.1% of the cost of a trade', 'at most 1%'],
      ...[
        'Daily cap in USDT',
        'Leave empty for no cap',
        'after 12 hours',
        ada.email,
        'example.com',
      ],
      'href="/sandbox/account#connected-apps"',
    ]) {
      expect(page.payload).toContain(text);
    }
    const csrf = csrfOf(page);
    const answer = await send(url, { action: 'approve', csrf, account: '' }, headers);
    const { at, code, ...rest } = resultOf(answer) as Record<string, string>;
    expect(at).toBe(CALLBACK);
    expect(rest).toEqual({ state: 'a state&more', iss: ISSUER });
    const tokens = (await post(exchange, redeeming(client, code!, verifier))).json();
    expect(tokens.scope).toBe('account:read orders:trade');
    expect(await verdict(exchange, tokens.access_token)).toBe('ok');
    expect(page.payload).not.toContain(consentTexts.en.already);
    expect((await visit(url, headers)).payload).toContain(consentTexts.en.already);
    const denied = await send(url, { action: 'deny', csrf }, headers);
    const { error_description: _, ...told } = resultOf(denied) as Record<string, string>;
    expect(told).toEqual({
      at: CALLBACK,
      error: 'access_denied',
      state: 'a state&more',
      iss: ISSUER,
    });
  });

  it('[OAU11] asks for a sign-in before access while the user is away, unless it is fresh', async () => {
    const headers = await signedIn();
    const url = addressOf(asking({ scope: 'account:read offline' }));
    const fresh = await visit(url, headers);
    expect(fresh.payload).toContain('value="approve"');
    exchange.clock.advance(limits.factors.stepUpMs);
    const asked = await visit(url, headers);
    expect(asked.payload).not.toContain('value="approve"');
    expect(asked.payload).toContain(consentTexts.en.confirm);
    expect(asked.payload).toContain(`value="${ada.email}"`);
    // A form that was open before gives nothing either.
    const late = await send(url, { action: 'approve', csrf: csrfOf(fresh), account: '' }, headers);
    expect([late.statusCode, late.headers.location]).toEqual([200, undefined]);
    expect(late.payload).toContain(consentTexts.en.confirm);
    const present = await visit(addressOf(asking()), headers);
    expect(present.payload).toContain('value="approve"');
    const again = await send(url, { action: 'sign_in', ...ada }, headers);
    const renewed = { ...OWN_PAGE, cookie: cookieOf(again) };
    const page = await visit(url, renewed);
    const form = { action: 'approve', csrf: csrfOf(page), account: '' };
    expect(resultOf(await send(url, form, renewed))).toMatchObject({ at: CALLBACK });
  });

  it('[OAU11] whoever is new registers on it, decides nothing by that, and is told what stands against it', async () => {
    const url = addressOf(asking());
    expect((await visit(url)).payload).toContain('value="to_register"');
    const form = await send(url, { action: 'to_register' });
    expect(form.payload).toContain('autocomplete="new-password"');
    expect((await send(url, { action: 'to_sign_in' })).headers.location).toBe(url);
    const newcomer = { email: 'bob@example.com', password: 'amber kettle 93 northwind' };
    const weak = await send(url, { action: 'register', ...newcomer, password: 'password' });
    expect(weak.payload).toContain('class="problem"');
    expect(weak.payload).toContain('value="bob@example.com"');
    expect(weak.payload).toContain('autocomplete="new-password"');
    expect(weak.headers['set-cookie']).toBeUndefined();
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const forged = await send(url, { action: 'register', ...newcomer }, foreign);
    expect([forged.statusCode, forged.headers['set-cookie']]).toEqual([400, undefined]);
    const made = await send(url, { action: 'register', ...newcomer });
    expect([made.statusCode, made.headers.location]).toEqual([303, url]);
    const headers = { ...OWN_PAGE, cookie: cookieOf(made) };
    const page = await visit(url, headers);
    expect(page.payload).toContain('bob@example.com');
    expect(page.payload).toContain('value="approve"');
    const token = headers.cookie.split('=')[1]!;
    expect((await exchange.ask('listGrants', { token })).data).toEqual([]);
    // The first button is what Enter presses.
    const [, pressed] = /<button[^>]* name="action" value="(\w+)"/.exec(page.payload) ?? [];
    expect(pressed).toBe('show');
    const typed = { action: 'show', csrf: csrfOf(page), account: '', daily_cap: '25.5' };
    const again = await send(url, typed, headers);
    expect(again.statusCode).toBe(200);
    expect(again.payload).toContain('value="25.5"');
    expect((await exchange.ask('listGrants', { token })).data).toEqual([]);
  });

  it('[OAU11] a subaccount can be chosen, and whoever is signed in can leave it to another', async () => {
    const headers = await signedIn();
    const token = headers.cookie!.split('=')[1]!;
    const { data } = await exchange.ask('createSubaccount', {
      token,
      body: { label: '<b>desk</b>' },
    });
    const url = addressOf(asking());
    const page = await visit(url, headers);
    expect(page.payload).toContain('Only the subaccount &#60;b&#62;desk');
    const csrf = csrfOf(page);
    await send(url, { action: 'approve', csrf, account: data.subaccount_id }, headers);
    const [given] = (await exchange.ask('listGrants', { token })).data;
    expect(given.account_id).toBe(data.subaccount_id);
    const out = await send(url, { action: 'sign_out', csrf }, headers);
    expect(out.headers['set-cookie']).toContain('Max-Age=0');
    expect((await visit(url, headers)).payload).toContain('name="password"');
  });

  it('[AT2] what is allowed is the fee that the page showed: a cap that changed meanwhile is shown first', async () => {
    const act = { actor: 'opr_1', reason: 'another look', atMs: 1 };
    const capTo = (feeCapBps: number) =>
      exchange.platform.apps.change(client.app.appId, act, (app) => ({ ...app, feeCapBps }));
    await capTo(10);
    const headers = await signedIn();
    const token = headers.cookie!.split('=')[1]!;
    const url = addressOf(asking());
    const page = await visit(url, headers);
    expect(page.payload).toContain(consentTexts.en.fee('0.1%', '0.1%'));
    await capTo(100);
    const approve = (shown: Response) =>
      send(url, { action: 'approve', csrf: csrfOf(shown), account: '' }, headers);
    expect((await approve(page)).statusCode).toBe(400);
    expect((await exchange.ask('listGrants', { token })).data).toEqual([]);
    const next = await visit(url, headers);
    expect(next.payload).toContain(consentTexts.en.fee('0.1%', '1%'));
    resultOf(await approve(next));
    const [given] = (await exchange.ask('listGrants', { token })).data;
    expect(given.fee_cap_bps).toBe(100);
  });

  it('[OAU11] the person says what a day may come to; what the app asked for is a proposal', async () => {
    const headers = await signedIn();
    const token = headers.cookie!.split('=')[1]!;
    const url = addressOf(asking({ daily_cap: '250.5' }));
    const page = await visit(url, headers);
    expect(page.payload).toContain('name="daily_cap"');
    expect(page.payload).toContain('value="250.5"');
    const csrf = csrfOf(page);
    const allow = (daily_cap: string) =>
      send(url, { action: 'approve', csrf, account: '', daily_cap }, headers);
    const wrong = await allow('12,50"');
    expect(wrong.payload).toContain(`role="alert">${consentTexts.en.dailyCapWrong}`);
    expect(wrong.payload).toContain('value="12,50&#34;"');
    await allow(' 12.5 ');
    await allow('');
    const given = (await exchange.ask('listGrants', { token })).data;
    const caps = given.map(({ daily_cap: cap }: { daily_cap: string | null }) => cap);
    expect(caps.sort()).toEqual(['12.500000', null]);
    const reading = await visit(addressOf(asking({ scope: 'account:read' })), headers);
    expect(reading.payload).not.toContain('name="daily_cap"');
    const odd = resultOf(await visit(addressOf(asking({ daily_cap: 'all' })), headers));
    expect(odd).toMatchObject({ at: CALLBACK, error: 'invalid_request' });
  });

  it('[OAU12] an unknown client or an unregistered address is never redirected to, whatever else is asked', async () => {
    const disabled = await addApp(exchange, await exchange.session(), { status: 'disabled' });
    const unsafe = [
      asking({ client_id: 'app_nobody' }),
      asking({ client_id: disabled.app.appId }),
      asking({ redirect_uri: 'https://evil.example/' }),
      asking({ redirect_uri: `${CALLBACK}?next=https://evil.example` }),
      asking({ redirect_uri: `${CALLBACK}/../evil` }),
      asking({ redirect_uri: '' }),
    ];
    const urls = unsafe.map(addressOf);
    urls.push(`${addressOf(asking())}&redirect_uri=https://evil.example/`);
    for (const url of urls) {
      for (const answer of [await visit(url), await send(url, { action: 'deny' })]) {
        expect([url, answer.statusCode, answer.headers.location]).toEqual([url, 400, undefined]);
        expect(answer.payload).not.toContain('evil.example');
      }
    }
    const loopback = { redirect_uri: 'http://127.0.0.1:54321/done' };
    expect((await visit(addressOf(asking(loopback)))).statusCode).toBe(200);
  });

  it('[OAU12] every other mistake is told to the app as OAuth says, with its state and who says it', async () => {
    const headers = await signedIn();
    const mistakes: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ scope: '' }, 'invalid_scope'],
      [{ scope: 'account:read positions:convert' }, 'invalid_scope'],
      [{ scope: 'withdraw' }, 'invalid_scope'],
      [{ environment: 'moon' }, 'invalid_request'],
    ];
    for (const [more, error] of mistakes) {
      const told = resultOf(await visit(addressOf(asking(more)), headers));
      expect(told).toMatchObject({ at: CALLBACK, error, state: 'a state&more', iss: ISSUER });
    }
  });

  it('[OAU12] nobody but its owner is sent to an app that is not approved, or reads what it calls itself', async () => {
    const headers = await signedIn();
    const own = headers.cookie!.split('=')[1]!;
    const name = 'Sibyl Security';
    const theirs = await addApp(exchange, await exchange.session(), { status: 'draft', name });
    const isChanged = { status: 'in_review', verifiedName: name } as const;
    const changed = await addApp(exchange, await exchange.session(), isChanged);
    for (const { app } of [theirs, changed]) {
      const whole = addressOf(asking({ client_id: app.appId }));
      const broken = addressOf(asking({ client_id: app.appId, scope: '' }));
      const signIn = await visit(whole);
      expect(signIn.payload).toContain(consentTexts.en.unreviewedApp);
      expect(signIn.payload).not.toContain(name);
      for (const answer of [await visit(broken, headers), await visit(whole, headers)]) {
        expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
        expect(answer.payload).toContain(consentTexts.en.faults.unapproved);
        expect(answer.payload).not.toContain(name);
      }
    }
    const mine = await addApp(exchange, own, { status: 'draft' });
    const live = asking({ client_id: mine.app.appId, environment: 'live' });
    const told = resultOf(await visit(addressOf(live), headers));
    expect(told).toMatchObject({ at: CALLBACK, error: 'unauthorized_client' });
  });

  it('[OAU18] who is not known is told that only the owner connects a draft and what is wrong with the link, and the owner is then sent back with it', async () => {
    const owner = await signedIn();
    const draft = await addApp(exchange, owner.cookie!.split('=')[1]!, { status: 'draft' });
    const mistakes: readonly (readonly [Readonly<Record<string, string>>, string, string])[] = [
      [{ response_type: 'token' }, 'unsupported_response_type', 'response_type must be code'],
      [{ code_challenge: '' }, 'invalid_request', 'PKCE is required'],
      [{ code_challenge_method: 'plain' }, 'invalid_request', 'PKCE is required'],
      [{ scope: 'account:read call:us-now' }, 'invalid_scope', 'not among the scopes of the app'],
      [{ daily_cap: 'all' }, 'invalid_request', 'daily_cap must be an amount'],
    ];
    for (const [more, error, description] of mistakes) {
      const url = addressOf(asking({ client_id: draft.app.appId, ...more }));
      const page = await visit(url);
      expect([page.statusCode, page.headers.location]).toEqual([200, undefined]);
      for (const text of [consentTexts.en.ownerOnly, `${error}: ${description}`]) {
        expect(page.payload).toContain(text);
      }
      // Whoever made the link says nothing on this page.
      expect(page.payload).not.toContain('call:us-now');
      expect(resultOf(await visit(url, owner))).toMatchObject({ at: CALLBACK, error });
    }
    const [[more]] = mistakes as [(typeof mistakes)[0]];
    const url = addressOf(asking({ client_id: draft.app.appId, ...more }));
    const entered = await send(url, { action: 'sign_in', ...ada });
    expect([entered.statusCode, entered.headers.location]).toEqual([303, url]);
  });

  it('[OAU18] who is signed in as somebody else can leave it to another account, and is sent to the app by no form', async () => {
    const headers = await signedIn();
    const theirs = await addApp(exchange, await exchange.session(), { status: 'draft' });
    for (const more of [{}, { scope: '' }]) {
      const url = addressOf(asking({ client_id: theirs.app.appId, ...more }));
      const page = await visit(url, headers);
      expect(page.payload).toContain(ada.email);
      expect(page.payload).toContain('value="sign_out"');
      for (const action of ['approve', 'deny', 'show']) {
        const answer = await send(url, { action, csrf: csrfOf(page), account: '' }, headers);
        expect([action, answer.statusCode, answer.headers.location]).toEqual([
          ...[action, 400, undefined],
        ]);
      }
    }
    const url = addressOf(asking({ client_id: theirs.app.appId, scope: '' }));
    const csrf = csrfOf(await visit(url, headers));
    const out = await send(url, { action: 'sign_out', csrf }, headers);
    expect([out.statusCode, out.headers.location]).toEqual([303, url]);
    expect(out.headers['set-cookie']).toContain('Max-Age=0');
    expect((await visit(url, headers)).payload).toContain('name="password"');
  });

  it('[OAU13] only the page itself decides: with the token of this session and request, from no frame, kept by nobody', async () => {
    const headers = await signedIn();
    const url = addressOf(asking());
    const page = await visit(url, headers);
    const policy = String(page.headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toContain('unsafe');
    expect(page.headers).toMatchObject({
      ...{
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      },
    });
    const csrf = csrfOf(page);
    const form = { action: 'approve', csrf, account: '' };
    const other = addressOf(asking({ scope: 'account:read offline' }));
    const foreign = { ...headers, 'sec-fetch-site': 'cross-site' };
    const { cookie: _, ...bare } = headers;
    for (const attempt of [
      send(url, { action: 'approve', account: '' }, headers),
      send(url, { ...form, csrf: `${csrf}x` }, headers),
      send(other, form, headers),
      send(url, form, foreign),
      send(url, form, { cookie: headers.cookie! }),
      send(url, form, bare),
      send(url, { ...form, action: 'else' }, headers),
      send(url, { action: 'sign_in', ...ada }, foreign),
    ]) {
      const answer = await attempt;
      expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    const token = headers.cookie!.split('=')[1]!;
    expect((await exchange.ask('listGrants', { token })).data).toEqual([]);
    expect((await send(url, form, headers)).statusCode).toBe(303);
  });

  it('[OAU13] what an app or a person wrote is text on it, in each of the four languages', async () => {
    const wicked = await addApp(exchange, await exchange.session(), {
      ...{ name: '<img src=x onerror=alert(1)>', verifiedName: '"><script>' },
    });
    const headers = await signedIn();
    for (const [locale, texts] of Object.entries(consentTexts)) {
      const url = addressOf(asking({ client_id: wicked.app.appId, ui_locales: locale }));
      const page = (await visit(url, headers)).payload;
      expect(page).toContain(`<html lang="${locale}">`);
      expect(page).toContain(texts.approve);
      expect(page).toContain(texts.scopes['account:read']);
      expect(page).not.toContain('<img');
      expect(page).not.toContain('<script');
    }
    const german = await visit(addressOf(asking()), { ...headers, 'accept-language': 'de-AT,en' });
    expect(german.payload).toContain(consentTexts.de.deny);
    const style = await visit('/connect/consent.css');
    expect([style.statusCode, style.headers['content-type']]).toEqual([
      200,
      'text/css; charset=utf-8',
    ]);
  });

  it('[OAU14] the metadata name every endpoint under the address of the exchange', async () => {
    const answer = await visit('/.well-known/oauth-authorization-server');
    expect(answer.json()).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}${PAGE}`,
      token_endpoint: `${ISSUER}/oauth/token`,
      revocation_endpoint: `${ISSUER}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: Object.keys(scopes),
    });
  });
});
