// How refusals look to OAuth clients: the error of RFC 6749 for a form, the envelope for JSON, and the challenge of a 401.
import { limits } from '@sibyl/contract';
import { ManualClock } from '@sibyl/lane/testing';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError, expectHeaders, expectOAuthError } from '../gateway/expect.ts';
import { bearer, NOON_MS } from '../gateway/harness.ts';
import { addApp, type Client, connect, post, renewing } from './connected-app.ts';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
let client: Client;
beforeEach(async () => {
  exchange = await openExchange(undefined, { manualClock: new ManualClock(NOON_MS) });
  client = await addApp(exchange, await exchange.session());
});
afterEach(() => exchange.close());

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

const json = (payload: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  exchange.call({ method: 'POST', url: '/oauth/token', headers, payload });

describe('[OAU23] a refused form', () => {
  it('names the reason as RFC 6749 does, with our code and status beside it', async () => {
    const { refresh } = await connect(exchange, client, await exchange.session());
    const asked = renewing(client, refresh);
    const { client_secret: _, ...unproved } = asked;
    const code = { ...asked, grant_type: 'authorization_code' };
    for (const [form, name, ours] of [
      [{ ...asked, grant_type: 'password' }, 'unsupported_grant_type', 'VALIDATION_FAILED'],
      [{ refresh_token: refresh }, 'invalid_request', 'MISSING_FIELD'],
      [code, 'invalid_request', 'MISSING_FIELD'],
      [{ ...asked, scope: 'x'.repeat(600) }, 'invalid_request', 'VALIDATION_FAILED'],
      [unproved, 'invalid_client', 'AUTH_INVALID'],
      [{ ...asked, refresh_token: 'ort_nobody' }, 'invalid_grant', 'TOKEN_INVALID'],
      [{ ...asked, scope: 'orders:trade webhooks:manage' }, 'invalid_scope', 'SCOPE_NOT_ALLOWED'],
    ] as const) {
      const answer = await post(exchange, form);
      expectOAuthError(answer, name, ours);
      expectHeaders(answer);
    }
    const act = { actor: 'opr_1', reason: 'ticket 1', atMs: NOON_MS };
    await exchange.platform.apps.change(client.app.appId, act, (app) => ({
      ...app,
      status: 'disabled',
    }));
    expectOAuthError(await post(exchange, asked), 'unauthorized_client', 'APP_DISABLED');
  });

  it('is described in the characters that the standard allows', async () => {
    const asked = { ...renewing(client, 'ort_nobody'), grant_type: 'pass"wörd\\' };
    expectOAuthError(await post(exchange, asked), 'unsupported_grant_type', 'VALIDATION_FAILED');
  });

  it('is told so before it is read: too large, of another form, or too many', async () => {
    const large = { ...renewing(client, 'x'.repeat(limits.body.standardBytesMax)) };
    expectOAuthError(await post(exchange, large), 'invalid_request', 'BAD_REQUEST');
    expectError(await json(large), 'BAD_REQUEST');
    const type = { 'content-type': 'Application/X-WWW-Form-Urlencoded ; charset=UTF-8' };
    const spelled = await post(exchange, renewing(client, 'ort_nobody'), type);
    expectOAuthError(spelled, 'invalid_grant', 'TOKEN_INVALID');
    // Neither a form nor JSON.
    const other = { 'content-type': 'multipart/form-data; boundary=x' };
    expectError(await post(exchange, renewing(client, 'ort_nobody'), other), 'BAD_REQUEST');
    const elsewhere = await post(exchange, {}, bearer('x'), '/v1/orders');
    expectError(elsewhere, 'AUTH_INVALID');
    const limited = await openExchange(undefined, { rateMultiplier: 1 });
    try {
      const app = await addApp(limited, await limited.session());
      const wrong = { ...renewing(app, 'ort_nobody'), client_secret: 'acs_wrong' };
      const perMinute = limits.rate.perMinute.anonymous.account_read;
      for (let sent = 0; sent < perMinute; sent += 1) await post(limited, wrong);
      const refused = await post(limited, wrong);
      expectOAuthError(refused, 'temporarily_unavailable', 'RATE_LIMITED');
      expect(refused.headers['retry-after']).toBe('60');
      const request = { method: 'POST', url: '/oauth/token', payload: wrong } as const;
      expectError(await limited.call(request), 'RATE_LIMITED');
    } finally {
      await limited.close();
    }
  });

  it('has its reason in the answer to a token that is given back, too', async () => {
    const { app } = client;
    const form = { token: 'x', client_id: app.appId, client_secret: 'acs_wrong' };
    const answer = await post(exchange, form, {}, '/oauth/revoke');
    expectOAuthError(answer, 'invalid_client', 'AUTH_INVALID');
    const missing = await post(exchange, { client_id: app.appId }, {}, '/oauth/revoke');
    expectOAuthError(missing, 'invalid_request', 'MISSING_FIELD');
  });
});

describe('[OAU22] the challenge of a 401', () => {
  const challenge = ({ headers }: Response): unknown => headers['www-authenticate'];

  it('is Bearer, with the reason if a credential was sent', async () => {
    const none = await exchange.call({ url: '/v1/account' });
    expect(challenge(none)).toBe('Bearer realm="sibyl"');
    const wrong = await exchange.call({ url: '/v1/account', headers: bearer('sk_test_nobody') });
    expect(wrong.statusCode).toBe(401);
    expect(challenge(wrong)).toMatch(
      /^Bearer realm="sibyl", error="invalid_token", error_description="[^"]+"$/,
    );
    const body = { email: 'ada@example.com', password: 'not that one at all' };
    const login = { method: 'POST', url: '/api/auth/login', payload: body } as const;
    const password = await exchange.call(login);
    expectError(password, 'PASSWORD_INCORRECT');
    expect(challenge(password)).toBe('Bearer realm="sibyl"');
    const order = { method: 'POST', url: '/v1/orders', payload: {} } as const;
    expect(challenge(await exchange.call(order))).toBe('Bearer realm="sibyl"');
    expect(challenge(await exchange.call({ url: '/v1/markets' }))).toBeUndefined();
  });

  it('names the reason of a token that was revoked', async () => {
    const { access, grantId } = await connect(exchange, client, await exchange.session());
    await exchange.platform.grants.end(grantId, 'app', NOON_MS);
    const answer = await exchange.call({ url: '/sandbox/v1/account', headers: bearer(access) });
    expectError(answer, 'TOKEN_REVOKED');
    expect(challenge(answer)).toBe(
      'Bearer realm="sibyl", error="invalid_token", error_description="The token was revoked."',
    );
  });

  it('is on the answer to a form only if HTTP Basic was refused', async () => {
    const { client_id: _id, client_secret: _secret, ...form } = renewing(client, 'ort_nobody');
    const { appId } = client.app;
    const refused = await post(exchange, form, basic(appId, 'acs_wrong'));
    expectOAuthError(refused, 'invalid_client', 'AUTH_INVALID');
    expect(challenge(refused)).toBe('Basic realm="oauth"');
    const known = await post(exchange, form, basic(appId, client.secret));
    expectOAuthError(known, 'invalid_grant', 'TOKEN_INVALID');
    expect(challenge(known)).toBeUndefined();
    const body = { ...renewing(client, 'ort_nobody'), client_secret: 'acs_wrong' };
    expect(challenge(await post(exchange, body))).toBeUndefined();
    expect(challenge(await json(body))).toBe('Basic realm="oauth"');
  });
});
