// OAuth over the interface: codes and tokens, each good once, and what a token may do.
import { limits, operations } from '@sibyl/contract';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError, expectOAuthError } from '../gateway/expect.ts';
import { bearer, NOON_MS, STRANGERS_PASSWORD } from '../gateway/harness.ts';
import {
  addApp,
  asked,
  CALLBACK,
  type Client,
  connect,
  pkce,
  post,
  redeeming,
  renewing,
  verdict,
} from './connected-app.ts';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
let clock: ManualClock;
let owner: string;
let user: string;
let client: Client;

beforeEach(async () => {
  clock = new ManualClock(NOON_MS);
  exchange = await openExchange(undefined, { manualClock: clock });
  owner = await exchange.session();
  user = await exchange.session();
  client = await addApp(exchange, owner);
});
afterEach(() => exchange.close());

const { oauth } = limits;
const act = { actor: 'opr_1', reason: 'ticket 1', atMs: NOON_MS };

/** A fresh code with its verifier. */
async function consent(by = user, of = client, scopes: readonly string[] = ['account:read']) {
  const { verifier, challenge } = pkce();
  const body = asked(of, challenge, scopes);
  const { data } = await exchange.ask('createGrant', { token: by, body });
  return { code: data.code as string, verifier, grantId: data.grant_id as string };
}

const codeOf = async (form: Readonly<Record<string, string>>): Promise<string> =>
  (await post(exchange, form)).json().code ?? 'ok';

describe('tokens', () => {
  it('[OAU5] a code is exchanged by form and by JSON, with the standard fields at the top, for nobody to keep', async () => {
    const first = await consent();
    const answer = await post(exchange, redeeming(client, first.code, first.verifier));
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { ok, error, data, meta, ...standard } = answer.json();
    expect([ok, error, typeof meta.request_id]).toEqual([true, null, 'string']);
    expect(standard).toEqual(data);
    expect(standard).toMatchObject({
      ...{ token_type: 'Bearer', expires_in: 900, scope: 'account:read', grant_id: first.grantId },
      ...{ environment: 'sandbox', access_token: expect.stringMatching(/^oat_/) },
    });
    const second = await consent();
    const body = redeeming(client, second.code, second.verifier);
    const { data: byJson } = await exchange.ask('exchangeToken', { at: '', body });
    expect(await verdict(exchange, byJson.access_token)).toBe('ok');
    const twice = `${new URLSearchParams(body)}&code=x`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const repeated = {
      method: 'POST',
      url: '/oauth/token',
      headers: type,
      payload: twice,
    } as const;
    expectOAuthError(await exchange.call(repeated), 'invalid_request', 'BAD_REQUEST');
    const elsewhere = {
      method: 'POST',
      url: '/v1/orders',
      headers: { ...type, ...bearer(user) },
    } as const;
    expectError(await exchange.call({ ...elsewhere, payload: 'side=buy' }), 'BAD_REQUEST');
  });

  it('[OAU5] a client shows who it is by HTTP Basic, in the body, or, if it has no secret, by its id', async () => {
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    });
    const { appId } = client.app;
    const first = await consent();
    const { client_id, client_secret, ...form } = redeeming(client, first.code, first.verifier);
    const wrong = await post(exchange, form, basic(appId, `${client.secret}x`));
    expectOAuthError(wrong, 'invalid_client', 'AUTH_INVALID');
    expect(wrong.headers['www-authenticate']).toBe('Basic realm="oauth"');
    for (const other of [
      post(exchange, form),
      post(exchange, { ...form, client_id }),
      post(exchange, { ...form, client_id, client_secret: 'acs_no' }),
      post(exchange, { ...form, client_id: 'app_nobody', client_secret }),
      post(exchange, { ...form, client_secret }, basic(appId, client.secret)),
      post(exchange, { ...form, client_id: 'app_other' }, basic(appId, client.secret)),
      post(exchange, form, { authorization: `Bearer ${user}` }),
    ]) {
      expectOAuthError(await other, 'invalid_client', 'AUTH_INVALID');
    }
    expect((await post(exchange, form, basic(appId, client.secret))).statusCode).toBe(200);
    const open = await addApp(exchange, owner, { isPublic: true, secret: null });
    const own = await consent(user, open);
    const { client_secret: _, ...plain } = redeeming(open, own.code, own.verifier);
    const guess = await post(exchange, { ...plain, client_secret: 'none' });
    expectOAuthError(guess, 'invalid_client', 'AUTH_INVALID');
    expect((await post(exchange, plain)).statusCode).toBe(200);
  });

  it('[OAU6] a code is good for a minute, for its client, its redirect URI and its verifier alone', async () => {
    const { code, verifier } = await consent();
    const form = redeeming(client, code, verifier);
    const other = await addApp(exchange, owner);
    expect(await codeOf({ ...form, code_verifier: pkce().verifier })).toBe('PKCE_INVALID');
    expect(await codeOf({ ...form, code_verifier: 'short' })).toBe('PKCE_INVALID');
    const { code_verifier: _v, ...unproved } = form;
    expect(await codeOf(unproved)).toBe('MISSING_FIELD');
    expect(await codeOf({ ...form, redirect_uri: `${CALLBACK}/` })).toBe('REDIRECT_URI_MISMATCH');
    expect(await codeOf({ ...form, code: `${code.slice(0, -1)}!` })).toBe('TOKEN_INVALID');
    expect(await codeOf(redeeming(other, code, verifier))).toBe('TOKEN_INVALID');
    clock.advance(oauth.codeMs - 1);
    // None of the attempts has used it up.
    expect(await codeOf(form)).toBe('ok');
    const late = await consent();
    clock.advance(oauth.codeMs);
    expect(await codeOf(redeeming(client, late.code, late.verifier))).toBe('AUTH_CODE_EXPIRED');
  });

  it('[OAU2] the second use of a code is AUTH_CODE_CONSUMED, and takes back what the first gave, also later', async () => {
    const { code, verifier } = await consent();
    const form = redeeming(client, code, verifier);
    const { access_token: access, refresh_token: refresh } = (await post(exchange, form)).json();
    expect(await verdict(exchange, access)).toBe('ok');
    clock.advance(oauth.codeMs + 1);
    expect(await codeOf({ ...form, code_verifier: 'wrong' })).toBe('AUTH_CODE_CONSUMED');
    expect(await verdict(exchange, access)).toBe('TOKEN_REVOKED');
    expect(await codeOf(renewing(client, refresh))).toBe('TOKEN_REVOKED');
    expect(await codeOf(form)).toBe('AUTH_CODE_CONSUMED');
  });

  it('[OAU3] a refresh token gives the next one; its second use is REFRESH_TOKEN_REUSED and ends the family', async () => {
    const first = await connect(exchange, client, user);
    const { access_token: access, refresh_token: refresh } = (
      await post(exchange, renewing(client, first.refresh))
    ).json();
    // The access token of before is good until its end.
    for (const one of [first.access, access]) expect(await verdict(exchange, one)).toBe('ok');
    expect(await codeOf(renewing(client, first.refresh))).toBe('REFRESH_TOKEN_REUSED');
    for (const one of [first.access, access]) {
      expect(await verdict(exchange, one)).toBe('TOKEN_REVOKED');
    }
    expect(await codeOf(renewing(client, refresh))).toBe('TOKEN_REVOKED');
  });

  it('[OAU2] [OAU3] of two calls at once with one code or one refresh token exactly one gets tokens', async () => {
    for (let round = 0; round < 100; round += 1) {
      const { code, verifier } = await consent();
      const form = redeeming(client, code, verifier);
      const two = await Promise.all([codeOf(form), codeOf(form)]);
      expect(two.sort(), `round ${round}`).toEqual(['AUTH_CODE_CONSUMED', 'ok']);
      const { refresh } = await connect(exchange, client, user);
      const again = renewing(client, refresh);
      const renewed = await Promise.all([codeOf(again), codeOf(again)]);
      expect(renewed.sort(), `round ${round}`).toEqual(['REFRESH_TOKEN_REUSED', 'ok']);
    }
  });

  it('[OAU6] scopes never grow at a refresh, tokens end by their time, and without offline all of it after 12 hours', async () => {
    const { access, refresh } = await connect(exchange, client, user, ['account:read']);
    const more = { ...renewing(client, refresh), scope: 'account:read orders:trade' };
    expect(await codeOf(more)).toBe('SCOPE_NOT_ALLOWED');
    clock.advance(oauth.accessMs - 1);
    expect(await verdict(exchange, access)).toBe('ok');
    clock.advance(1);
    expect(await verdict(exchange, access)).toBe('TOKEN_EXPIRED');
    const last = (await post(exchange, renewing(client, refresh))).json();
    clock.advance(oauth.presentMs - oauth.accessMs);
    expect(await codeOf(renewing(client, last.refresh_token))).toBe('TOKEN_EXPIRED');
  });

  it('[OAU6] with offline a refresh token lasts 30 days, and the grant 90 however often it is renewed', async () => {
    const scopes = ['account:read', 'offline'];
    const given = await connect(exchange, client, user, scopes);
    clock.advance(oauth.refreshMs);
    expect(await codeOf(renewing(client, given.refresh))).toBe('TOKEN_EXPIRED');
    const again = await exchange.session();
    let { refresh } = await connect(exchange, client, again, scopes);
    const step = oauth.refreshMs - 1;
    for (const _ of [1, 2, 3]) {
      clock.advance(step);
      refresh = (await post(exchange, renewing(client, refresh))).json().refresh_token;
    }
    clock.advance(oauth.offlineMs - 3 * step);
    expect(await codeOf(renewing(client, refresh))).toBe('TOKEN_EXPIRED');
  });

  it('[OAU7] a token does what its scopes say at every operation, and what no scope is for it never does', async () => {
    const trader = await exchange.trader();
    const all = ['markets:read', 'account:read', 'orders:trade', 'webhooks:manage'];
    for (const scope of all) {
      const { access } = await connect(exchange, client, trader, [scope]);
      for (const operation of Object.values(operations)) {
        if (operation.auth === 'public' && operation.method !== 'GET') continue;
        if (operation.group === 'System') continue;
        const url = `/sandbox${operation.path.replaceAll(/\{\w+\}/g, 'x')}`;
        const answer = await exchange.call({
          ...{ method: operation.method, url, headers: bearer(access) },
          ...(operation.method === 'GET' ? {} : { payload: {} }),
        });
        const isAllowed = operation.scope === scope;
        const { error } = answer.json();
        const isRefused = error?.code === 'SCOPE_MISSING' || error?.code === 'AUTH_INVALID';
        // Where money is real alone, that comes first.
        if (operation.prodOnly) expect(error?.code).toBe('PROD_ONLY');
        else expect([operation.id, scope, isRefused]).toEqual([operation.id, scope, !isAllowed]);
      }
    }
  });

  it("[OAU19] no app touches the user's dead-man switch or empties the sandbox account, nor reads what the user earns as a builder", async () => {
    const { access } = await connect(exchange, client, user, client.app.allowedScopes);
    const body = { timeout_ms: 5000 };
    const calls = [
      await exchange.ask('heartbeat', { token: access, body }),
      await exchange.ask('heartbeat', { token: access, body: { timeout_ms: 0 } }),
      await exchange.ask('getRevenue', { token: access }),
      await exchange.ask('getAttribution', { token: access }),
      await exchange.ask('resetSandbox', { token: access }),
    ];
    for (const { response, error } of calls) {
      expectError(response, 'SCOPE_MISSING');
      expect(error.details).toEqual({ required: 'session' });
    }
    expect((await exchange.ask('heartbeat', { token: user, body })).data.armed).toBe(true);
    expect((await exchange.ask('getRevenue', { token: user })).error).toBeNull();
  });

  it('[OAU7] a token reaches the lane of its grant, and one for real money is not taken at the address of the sandbox', async () => {
    const played = await connect(exchange, client, user);
    const real = await connect(exchange, client, user, ['account:read'], {}, '');
    expect(await verdict(exchange, real.access, '/v1/account')).toBe('ok');
    expect(await verdict(exchange, real.access)).toBe('WRONG_ENV_KEY');
    const { data } = await exchange.ask('getAccount', { token: played.access, at: '' });
    expect(data.mode).toBe('sandbox');
    expect(await verdict(exchange, 'oat_0000000000000000_'.padEnd(64, 'x'))).toBe('TOKEN_INVALID');
    // A refresh token is no bearer.
    expect(await verdict(exchange, played.refresh)).toBe('AUTH_INVALID');
  });

  it('[OAU7] an app sees nothing of the person, and no answer that was given to anybody else', async () => {
    const trader = await exchange.trader();
    const { access } = await connect(exchange, client, trader);
    const { data } = await exchange.ask('getAccount', { token: access });
    expect([data.email, data.user_id, data.referral_code]).toEqual([null, null, null]);
    const marketId = await exchange.market('pool');
    const body = {
      market_id: marketId,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'limit',
      price: '0.10',
      size: '10',
    };
    const place = (token: string) =>
      exchange.ask('placeOrder', { token, key: 'the-same-key', body });
    const [own, its] = [await place(trader), await place(access)];
    expect(own.data.order_id).not.toBe(its.data.order_id);
    expect((await place(access)).data.order_id).toBe(its.data.order_id);
  });

  it('[OAU21] cancels by cancel-all what it placed itself, and no other order of its user', async () => {
    const trader = await exchange.trader();
    const [one, other] = [
      await connect(exchange, client, trader),
      await connect(exchange, client, trader),
    ];
    const market_id = await exchange.market('pool');
    const terms = { outcome_id: 'yes', side: 'buy', order_type: 'limit', price: '0.10' };
    const place = async (token: string): Promise<string> => {
      const body = { market_id, ...terms, size: '10' };
      return (await exchange.ask('placeOrder', { token, body })).data.order_id;
    };
    const [own, its, others] = [
      await place(trader),
      await place(one.access),
      await place(other.access),
    ];
    const named = { order_ids: [own, others].join(',') };
    const none = await exchange.ask('cancelAllOrders', { token: one.access, query: named });
    expect(none.data.cancelled).toEqual([]);
    expect(none.data.not_cancelled).toMatchObject([
      { order_id: own, code: 'NOT_FOUND' },
      { order_id: others, code: 'NOT_FOUND' },
    ]);
    const all = await exchange.ask('cancelAllOrders', { token: one.access });
    expect(all.data).toEqual({ cancelled: [its], not_cancelled: [] });
    const rest = await exchange.ask('cancelAllOrders', { token: trader });
    expect(rest.data.cancelled).toEqual([own, others]);
  });

  it('[OAU10] takes a step-up for access while the user is away', async () => {
    const trader = await exchange.trader();
    exchange.clock.advance(limits.factors.stepUpMs);
    const give = (scopes: readonly string[]) =>
      exchange.ask('createGrant', { token: trader, body: asked(client, pkce().challenge, scopes) });
    expect((await give(['account:read'])).error).toBeNull();
    expectError((await give(['account:read', 'offline'])).response, 'STEP_UP_MFA_REQUIRED');
    const proof = { token: trader, at: '', body: { password: STRANGERS_PASSWORD } } as const;
    expect((await exchange.ask('stepUp', proof)).error).toBeNull();
    expect((await give(['account:read', 'offline'])).error).toBeNull();
  });

  it('[OAU7] a token for a subaccount reaches that one alone', async () => {
    const trader = await exchange.trader();
    const { data: sub } = await exchange.ask('createSubaccount', {
      token: trader,
      body: { label: 'desk' },
    });
    const { subaccount_id } = sub;
    const { access } = await connect(exchange, client, trader, ['account:read'], { subaccount_id });
    const { data } = await exchange.ask('getBalance', { token: access });
    expect(data.balances[0].free ?? data.balance_free).toMatch(/^0(\.0+)?$/);
    const foreign = await exchange.session();
    const { challenge } = pkce();
    const body = { ...asked(client, challenge, ['account:read']), subaccount_id };
    expectError(
      (await exchange.ask('createGrant', { token: foreign, body })).response,
      'NOT_FOUND',
    );
  });
});

describe('the end of a token', () => {
  it('[OAU7] what an app gave up its tokens do no longer, nor do those that it renews', async () => {
    const { access, refresh } = await connect(exchange, client, user);
    const cancelAll = { token: access, at: '/sandbox' } as const;
    expect((await exchange.ask('cancelAllOrders', cancelAll)).error).toBeNull();
    await exchange.platform.apps.change(client.app.appId, act, (app) => ({
      ...app,
      allowedScopes: app.allowedScopes.filter((scope) => scope !== 'orders:trade'),
    }));
    expectError((await exchange.ask('cancelAllOrders', cancelAll)).response, 'SCOPE_MISSING');
    const renewed = (await post(exchange, renewing(client, refresh))).json();
    expect(renewed.scope).toBe('account:read');
    expect(await verdict(exchange, renewed.access_token)).toBe('ok');
  });

  it('[OAU8] what is revoked by the user, given back by the app or disabled stops with the next request', async () => {
    const one = await connect(exchange, client, user);
    const other = await connect(exchange, client, user);
    const give = (form: Readonly<Record<string, string>>) =>
      post(
        exchange,
        { ...form, client_id: client.app.appId, client_secret: client.secret },
        {},
        '/oauth/revoke',
      );
    expect(await verdict(exchange, one.access)).toBe('ok');
    const { data } = await exchange.ask('revokeGrant', {
      token: user,
      params: { grant_id: one.grantId },
    });
    expect(data).toMatchObject({ status: 'revoked', revoked_for: 'user' });
    expect(await verdict(exchange, one.access)).toBe('TOKEN_REVOKED');
    expect((await give({ token: other.access })).json().data).toEqual({ revoked: true });
    expect(await verdict(exchange, other.access)).toBe('TOKEN_REVOKED');
    const renewed = (await post(exchange, renewing(client, other.refresh))).json();
    expect(await verdict(exchange, renewed.access_token)).toBe('ok');
    const thief = await addApp(exchange, owner);
    const taken = {
      token: renewed.refresh_token,
      client_id: thief.app.appId,
      client_secret: thief.secret,
    };
    expect((await post(exchange, taken, {}, '/oauth/revoke')).statusCode).toBe(200);
    expect(await verdict(exchange, renewed.access_token)).toBe('ok');
    expect((await give({ token: 'ort_of_nobody' })).statusCode).toBe(200);
    expect((await give({ token: renewed.refresh_token })).statusCode).toBe(200);
    expect(await verdict(exchange, renewed.access_token)).toBe('TOKEN_REVOKED');
    expectOAuthError(
      await post(exchange, { token: 'x', client_id: client.app.appId }, {}, '/oauth/revoke'),
      'invalid_client',
      'AUTH_INVALID',
    );
    const last = await connect(exchange, client, user);
    await exchange.platform.apps.change(client.app.appId, act, (app) => ({
      ...app,
      status: 'disabled',
    }));
    expect(await verdict(exchange, last.access)).toBe('APP_DISABLED');
    expect(await codeOf(renewing(client, last.refresh))).toBe('APP_DISABLED');
    await exchange.platform.apps.change(client.app.appId, act, (app) => ({
      ...app,
      status: 'approved',
    }));
    // What ended with the app does not come back with it.
    expect(await verdict(exchange, last.access)).toBe('TOKEN_REVOKED');
  });

  it('[OAU9] an app that is not approved is connected by its owner alone, in the sandbox alone', async () => {
    const draft = await addApp(exchange, owner, { status: 'draft', verifiedName: null });
    const body = asked(draft, pkce().challenge, ['account:read']);
    const ask = (token: string, at: '' | '/sandbox') =>
      exchange.ask('createGrant', { token, at, body });
    expectError((await ask(user, '/sandbox')).response, 'APP_NOT_APPROVED');
    expectError((await ask(owner, '')).response, 'APP_NOT_APPROVED');
    expect((await ask(owner, '/sandbox')).error).toBeNull();
    // Who was connected while a change is reviewed stays so; back in the draft, nobody else does.
    const { refresh } = await connect(exchange, client, user);
    const become = (status: 'in_review' | 'draft') =>
      exchange.platform.apps.change(client.app.appId, act, (app) => ({ ...app, status }));
    await become('in_review');
    const renewed = (await post(exchange, renewing(client, refresh))).json();
    expect(renewed.ok).toBe(true);
    expect(await verdict(exchange, renewed.access_token)).toBe('ok');
    await become('draft');
    expect(await verdict(exchange, renewed.access_token)).toBe('APP_DISABLED');
    expect(await codeOf(renewing(client, renewed.refresh_token))).toBe('APP_NOT_APPROVED');
  });
});

describe('grants', () => {
  it('[OAU10] a grant says who may do what until when in a text that is signed, and is seen and ended by its user alone', async () => {
    const { verifier, challenge } = pkce();
    const body = asked(client, challenge, ['orders:trade', 'account:read']);
    const first = await exchange.ask('createGrant', { token: user, body, key: 'one-consent' });
    expect(first.data).toMatchObject({
      scopes: ['account:read', 'orders:trade'],
      code: expect.any(String),
    });
    const { consent_text: text, signature, account_id: account } = first.data;
    expect(text).toBe(
      `sibyl grant 2\nkind: oauth\nto: ${client.app.appId}\nby: ${(await exchange.platform.grants.grantById(first.data.grant_id))!.userId}\naccount: ${account}\nenvironment: sandbox\nscopes: account:read orders:trade\ndaily_cap: none\nfee_cap_bps: 100\nfrom: 2026-11-15T12:00:00.000Z\nuntil: 2026-11-16T00:00:00.000Z\n`,
    );
    expect(signature).toBe(exchange.secrets.digest('grant', text));
    const replayed = await exchange.ask('createGrant', { token: user, body, key: 'one-consent' });
    expect(replayed.data).toEqual({ ...first.data, code: null, secrets_withheld: true });
    await post(exchange, redeeming(client, first.data.code, verifier));
    const { data: listed } = await exchange.ask('listGrants', { token: user });
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatchObject({
      app_name: client.app.name,
      status: 'active',
      last_used_at_ms: null,
    });
    expect((await exchange.ask('listGrants', { token: owner })).data).toEqual([]);
    const params = { grant_id: first.data.grant_id };
    expectError(
      (await exchange.ask('revokeGrant', { token: owner, params })).response,
      'NOT_FOUND',
    );
    await exchange.ask('revokeGrant', { token: user, params });
    expect(
      (await exchange.ask('listGrants', { token: user, query: { status: 'active' } })).data,
    ).toEqual([]);
    expect((await exchange.ask('listGrants', { token: user })).data[0].status).toBe('revoked');
    clock.advance(90_000);
    const { access } = await connect(exchange, client, user);
    const used = async () => {
      await exchange.ask('getAccount', { token: access });
      return (await exchange.ask('listGrants', { token: user })).data[0].last_used_at_ms;
    };
    // To the minute, and yet never before it was given.
    expect(await used()).toBe(NOON_MS + 90_000);
    clock.advance(100_000);
    expect(await used()).toBe(NOON_MS + 180_000);
  });

  it('[OAU10] what may not be given is refused with its reason', async () => {
    const body = asked(client, pkce().challenge, ['account:read']);
    const refusal = async (more: object) => {
      const { error } = await exchange.ask('createGrant', {
        token: user,
        body: { ...body, ...more },
      });
      return error?.code ?? 'ok';
    };
    expect(await refusal({ scopes: ['positions:convert'] })).toBe('SCOPE_NOT_ALLOWED');
    expect(await refusal({ scopes: ['constructor'] })).toBe('SCOPE_NOT_ALLOWED');
    expect(await refusal({ redirect_uri: 'https://example.com/callback?x=1' })).toBe(
      'REDIRECT_URI_MISMATCH',
    );
    expect(await refusal({ client_id: 'app_nobody' })).toBe('NOT_FOUND');
    expect(await refusal({ code_challenge: 'plain' })).toBe('VALIDATION_FAILED');
    expect(await refusal({ code_challenge: undefined })).toBe('MISSING_FIELD');
    expect(await refusal({ partner_id: 'usr_1' })).toBe('VALIDATION_FAILED');
    for (const cap of ['0', '-1', '1.0000001', 'much']) {
      expect(await refusal({ daily_cap: cap })).toBe('VALIDATION_FAILED');
    }
    const { access } = await connect(exchange, client, user);
    expectError(
      (await exchange.ask('createGrant', { token: access, body })).response,
      'SCOPE_MISSING',
    );
    for (let number = 1; number < oauth.grantsMax; number += 1) await consent();
    expect(await refusal({})).toBe('CONFLICT');
    clock.advance(oauth.codeMs);
    expect(await refusal({})).toBe('ok');
  });

  it('[OAU10] a delegation names a partner and an end, and takes a session that was confirmed shortly before', async () => {
    const partner_id = client.app.ownerId;
    await exchange.platform.setUserTier(partner_id, 'partner', act);
    const expires_at_ms = NOON_MS + 86_400_000;
    const body = { kind: 'delegation', partner_id, expires_at_ms, scopes: ['orders:trade'] };
    const give = (more: object = {}) =>
      exchange.ask('createGrant', { token: user, body: { ...body, ...more } });
    const { data } = await give();
    expect(data).toMatchObject({
      kind: 'delegation',
      partner_id,
      app_id: null,
      code: null,
      expires_at_ms,
    });
    expect(data.consent_text).toContain(`to: ${partner_id}\n`);
    for (const [more, code] of [
      [{ expires_at_ms: NOON_MS }, 'VALIDATION_FAILED'],
      [{ expires_at_ms: NOON_MS + oauth.delegationMaxMs + 1 }, 'VALIDATION_FAILED'],
      [{ expires_at_ms: undefined }, 'MISSING_FIELD'],
      [{ partner_id: 'usr_nobody' }, 'NOT_FOUND'],
      [{ scopes: ['offline'] }, 'SCOPE_NOT_ALLOWED'],
    ] as const) {
      expectError((await give(more)).response, code);
    }
    clock.advance(limits.factors.stepUpMs);
    expectError((await give()).response, 'STEP_UP_MFA_REQUIRED');
  });

  it('[DG6] a delegation is given to somebody whom operators approved, and shows the name that they approved', async () => {
    const partner_id = client.app.ownerId;
    const body = {
      ...{ kind: 'delegation', partner_id, scopes: ['orders:trade'] },
      expires_at_ms: NOON_MS + 86_400_000,
    };
    const give = () => exchange.ask('createGrant', { token: user, body });
    const apply = (track: string, name: string) =>
      exchange.ask('applyForTrack', {
        token: owner,
        body: { ...operations.applyForTrack.example.body, track, name },
      });
    await apply('partner', 'Desk Ltd');
    const early = await give();
    expectError(early.response, 'VALIDATION_FAILED');
    expect(early.error.details.field).toBe('partner_id');
    const approval = {
      userId: partner_id,
      change: act,
      agreedRate: null,
      note: null,
      cohortMax: 20,
    };
    await exchange.platform.builders.approve(approval);
    expect((await give()).data.partner_name).toBe('Desk Ltd');
    const listed = async () =>
      (await exchange.ask('listGrants', { token: user })).data[0].partner_name;
    expect(await listed()).toBe('Desk Ltd');
    // Neither a name that is only applied for is shown in place of it, nor one that nobody looked at.
    await exchange.platform.profiles.change(partner_id, { displayName: 'Sibyl Support' });
    await apply('institutional', 'A bank');
    expect(await listed()).toBe('Desk Ltd');
    await exchange.platform.builders.reject(partner_id, { by: 'opr_1', note: 'No.', atMs: 2 });
    expect(await listed()).toBe('Desk Ltd');
    await apply('institutional', 'Desk plc');
    await exchange.platform.builders.approve(approval);
    expect(await listed()).toBe('Desk plc');
  });

  it('[DG6] a partner whose name nobody approved is shown by none, whatever it calls itself', async () => {
    const partner_id = client.app.ownerId;
    await exchange.platform.setUserTier(partner_id, 'partner', act);
    const body = {
      ...{ kind: 'delegation', partner_id, scopes: ['orders:trade'] },
      expires_at_ms: NOON_MS + 86_400_000,
    };
    await exchange.platform.profiles.change(partner_id, { displayName: 'Sibyl Support' });
    expect((await exchange.ask('createGrant', { token: user, body })).data.partner_name).toBe(null);
    expect((await exchange.ask('listGrants', { token: user })).data[0].partner_name).toBe(null);
  });
});
