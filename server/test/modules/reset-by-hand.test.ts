// A password that an operator's link has reset: its holder may be a thief, so trading in live waits for an hour.
import { builderAgreement } from '@sibyl/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkIn } from '../mailbox.ts';
import { addApp, asked, pkce } from './connected-app.ts';
import { type Exchange, openExchange } from './exchange.ts';

const HOUR_MS = 3_600_000;
const password = 'plum otter ladder';
const order = {
  ...{ market_id: 'm_0123456789abcdef', outcome_id: 'yes', side: 'sell' },
  ...{ order_type: 'limit', price: '0.01', size: '10' },
};

let exchange: Exchange;
let userId: string;
let email: string;
beforeEach(async () => {
  exchange = await openExchange();
  const { data } = await exchange.ask('getAccount', { token: await exchange.session() });
  userId = data.user_id;
  email = (await exchange.platform.userById(userId))!.email;
});
afterEach(() => exchange.close());

async function resetBy(isByHand: boolean): Promise<string> {
  const { url } = await exchange.links.issue('reset_password', userId, isByHand);
  const body = { token: linkIn(url).token, new_password: password };
  expect((await exchange.ask('resetPassword', { body })).error).toBeNull();
  return (await exchange.ask('logIn', { body: { email, password } })).data.session_token;
}

const codeOf = async (token: string, at: '' | '/sandbox', body: object = order): Promise<string> =>
  (await exchange.ask('placeOrder', { token, at, body })).error.code;

describe('[MF31] a password reset by a link that an operator handed out', () => {
  it('stops trading and new markets in live for an hour, and says until when', async () => {
    const token = await resetBy(true);
    const untilMs = exchange.clock.wallMs() + HOUR_MS;
    const refusal = {
      code: 'COMPLIANCE_GATE_BLOCKED',
      details: { rule_id: 'password_reset', lifted_by: 'time', until_ms: untilMs },
    };
    const given = { token, at: '' } as const;
    const tries = [
      exchange.ask('placeOrder', { ...given, body: order }),
      exchange.ask('placeOrder', { ...given, body: { ...order, reduce_only: true } }),
      exchange.ask('batchOrders', {
        ...given,
        key: 'batch-after-reset',
        body: { items: [{ action: 'place', order }] },
      }),
      exchange.ask('createMarket', { ...given, body: { template_id: 'pool', params: {} } }),
    ];
    for (const { error } of await Promise.all(tries)) {
      expect(error).toMatchObject(refusal);
      expect(error.message).toContain(new Date(untilMs).toISOString());
    }
    const { data } = await exchange.ask('getAccount', given);
    expect(data.restriction_reasons).toMatchObject([
      { rule_id: 'password_reset', lifted_by: 'time', until_ms: untilMs },
    ]);
    expect((await exchange.ask('cancelAllOrders', given)).error).toBeNull();
    expect(await codeOf(token, '/sandbox')).toBe('MARKET_NOT_FOUND');
    const act = { actor: 'ops', reason: 'a test', atMs: exchange.clock.wallMs() };
    await exchange.platform.setUserTier(userId, 'genesis', act);
    await exchange.ask('stepUp', { token, body: { password } });
    const body = { permissions: ['read', 'trade'] };
    const { data: minted } = await exchange.ask('mintKey', {
      ...given,
      body,
      key: 'mint-after-reset',
    });
    expect(minted.environment).toBe('live');
    expect(await codeOf(minted.key_id, '')).toBe('COMPLIANCE_GATE_BLOCKED');
    // A newer password does not end it.
    const newer = await resetBy(false);
    expect(await codeOf(newer, '')).toBe('COMPLIANCE_GATE_BLOCKED');
    exchange.clock.advance(HOUR_MS - 1);
    expect(await codeOf(newer, '')).toBe('COMPLIANCE_GATE_BLOCKED');
    exchange.clock.advance(1);
    expect(await codeOf(newer, '')).toBe('MARKET_NOT_FOUND');
    expect((await exchange.ask('getAccount', { token: newer, at: '' })).data.restrictions).toEqual(
      [],
    );
  });

  it('stops what outlasts the hour, too: subaccounts, applications and grants, in live alone', async () => {
    const token = await resetBy(true);
    const client = await addApp(exchange, await exchange.session());
    const agreement = { version: builderAgreement.version, accepted: true };
    const application = { track: 'trade_capped', name: 'Ada', about: 'A desk for elections.' };
    const tries = (at: '' | '/sandbox') => [
      exchange.ask('createSubaccount', { token, at, body: { label: 'desk' } }),
      exchange.ask('createGrant', {
        ...{ token, at },
        body: asked(client, pkce().challenge, ['account:read', 'orders:trade']),
      }),
      exchange.ask('applyForTrack', { token, at, body: { ...application, agreement } }),
    ];
    for (const { error } of await Promise.all(tries(''))) {
      expect(error).toMatchObject({
        code: 'COMPLIANCE_GATE_BLOCKED',
        details: { rule_id: 'password_reset', lifted_by: 'time' },
      });
    }
    for (const { error } of await Promise.all(tries('/sandbox'))) expect(error).toBeNull();
    const { data } = await exchange.ask('getAccount', { token, at: '' });
    expect(data.restrictions).toEqual(['COMPLIANCE_GATE_BLOCKED']);
    exchange.clock.advance(HOUR_MS);
    const after = await Promise.all(tries(''));
    expect(after.map(({ error }) => error?.code ?? null)).toEqual([null, null, 'ALREADY_EXISTS']);
  });

  it('is not what a mailed link does', async () => {
    expect(await codeOf(await resetBy(false), '')).toBe('MARKET_NOT_FOUND');
  });
});
