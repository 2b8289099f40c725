// Who is counted at the token endpoint: the app that shows its secret, and the address of everybody else.
import { limits } from '@sibyl/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RateQuotas } from '../../src/gateway/rate-quotas.ts';
import { addApp, type Client, connect, post, renewing } from './connected-app.ts';
import { type Exchange, openExchange } from './exchange.ts';

const { session, anonymous } = limits.rate.perMinute;
const OF_APP = session.account_read;
const OF_ADDRESS = anonymous.account_read;

let exchange: Exchange;
let first: Client;
let second: Client;
beforeEach(async () => {
  exchange = await openExchange(undefined, { rateMultiplier: 1 });
  first = await addApp(exchange, await exchange.session());
  second = await addApp(exchange, await exchange.session());
});
afterEach(() => exchange.close());

/** An app in good standing that asks with a token which nobody has. */
const ask = (client: Client, more: object = {}, url?: string) =>
  post(exchange, { ...renewing(client, 'ort_nobody'), ...more }, {}, url);

/** What so many requests were answered: how often with which code. */
async function counts(times: number, request: () => ReturnType<typeof ask>) {
  const seen: Record<string, number> = {};
  for (let count = 0; count < times; count += 1) {
    const { code } = (await request()).json();
    seen[code] = (seen[code] ?? 0) + 1;
  }
  return seen;
}

describe('[OAU20] at the token endpoint', () => {
  it('an app with its secret has a quota of its own, whatever others ask from the same address', async () => {
    const more = 2 * OF_ADDRESS;
    const seen = await counts(OF_APP + more, () => ask(first));
    expect(seen).toEqual({ TOKEN_INVALID: OF_APP, RATE_LIMITED: more });
    const refused = await ask(first);
    expect(refused.json()).toMatchObject({
      error: 'temporarily_unavailable',
      error_description: `Too many account read requests by this app: ${OF_APP} a minute are allowed. Try again in 60 seconds.`,
      code: 'RATE_LIMITED',
    });
    expect(refused.headers).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-category': 'account_read',
      'x-ratelimit-scope': 'app',
    });
    const other = await ask(second);
    expect(other.headers).toMatchObject({
      'x-ratelimit-scope': 'app',
      'x-ratelimit-limit': String(OF_APP),
      'x-ratelimit-remaining': String(OF_APP - 1),
    });
    // Neither what they asked nor what the first one was refused counts for their address.
    const stranger = await ask(second, { client_secret: 'acs_wrong' });
    expect(stranger.headers['x-ratelimit-remaining']).toBe(String(OF_ADDRESS - 1));
    // The same app has the other lane's address for itself as well, as everybody has.
    const sandbox = await ask(first, {}, '/sandbox/oauth/token');
    expect(sandbox.headers['x-ratelimit-remaining']).toBe(String(OF_APP - 1));
  });

  it('giving tokens back counts for the app as well, and a grant goes on from any number of renewals', async () => {
    const given = await ask(first, { token: 'ort_nobody' }, '/oauth/revoke');
    expect(given.json().data).toEqual({ revoked: true });
    expect(given.headers['x-ratelimit-scope']).toBe('app');
    let { refresh } = await connect(exchange, first, await exchange.session());
    for (let count = 0; count < OF_ADDRESS + 10; count += 1) {
      const renewed = await post(exchange, renewing(first, refresh));
      expect(renewed.statusCode, renewed.body).toBe(200);
      refresh = renewed.json().refresh_token;
    }
  });

  it('who has no secret or a wrong one counts for the address, and is then not looked at', async () => {
    const wrong = () => ask(first, { client_secret: 'acs_wrong' });
    const seen = await counts(OF_ADDRESS + 1, wrong);
    expect(seen).toEqual({ AUTH_INVALID: OF_ADDRESS, RATE_LIMITED: 1 });
    const refused = await ask(first);
    expect(refused.json().code).toBe('RATE_LIMITED');
    expect(refused.headers['x-ratelimit-scope']).toBe('address');
  });

  it('it is told of a lower quota as sessions are', async () => {
    const quotas = await RateQuotas.open(exchange.platform);
    const by = { actor: 'opr_1', reason: 'ticket', atMs: exchange.clock.wallMs() };
    await quotas.set('session', 'account_read', 100, by);
    const { headers } = await ask(first);
    expect(headers['x-ratelimit-limit']).toBe(String(OF_APP));
    expect([headers.deprecation, headers.sunset]).toEqual([expect.any(String), expect.any(String)]);
    const stranger = await ask(first, { client_secret: 'acs_wrong' });
    expect(stranger.headers.deprecation).toBeUndefined();
  });

  it('an app that can keep no secret counts for the address of its user', async () => {
    const pub = await addApp(exchange, await exchange.session(), { isPublic: true, secret: null });
    const { app } = pub;
    const answer = await post(exchange, {
      ...{ grant_type: 'refresh_token', refresh_token: 'ort_nobody', client_id: app.appId },
    });
    expect(answer.json().code).toBe('TOKEN_INVALID');
    expect(answer.headers['x-ratelimit-scope']).toBe('address');
  });
});
