// A visitor who registers keeps the demo account: the same account, which is the new user's from then on.
import { asAccountId } from '@sibyl/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeIdleDemos } from '../../src/modules/sessions/idle-demos.ts';
import { type Exchange, openExchange } from './exchange.ts';

const WEEK_MS = 7 * 86_400_000;
const PASSWORD = 'correct horse battery staple';

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(() => exchange.close());

interface Visitor {
  readonly token: string;
  readonly accountId: string;
}

async function visit(): Promise<Visitor> {
  const { data } = await exchange.ask('openDemo');
  return { token: data.session_token, accountId: data.account_id };
}

function register(name: string, demo?: string, more: object = {}) {
  const demoToken = demo === undefined ? {} : { demo_token: demo };
  const body = { email: `${name}@example.com`, password: PASSWORD, ...demoToken, ...more };
  return exchange.ask('register', { body });
}

async function order({ token }: Visitor, market_id: string, more: object): Promise<string> {
  const body = { market_id, outcome_id: 'yes', side: 'buy', ...more };
  return (await exchange.ask('placeOrder', { token, body })).data.order_id;
}

const modeOf = (accountId: string): Promise<string | undefined> =>
  exchange.lanes.sandbox!.read((state) => state.accounts.get(asAccountId(accountId))?.mode);

/** Of the whole sandbox. */
async function moneyIn(): Promise<bigint> {
  return exchange.lanes.sandbox!.read((state) => -state.ledger.balance(state.contra));
}

const refusedToken = { code: 'VALIDATION_FAILED', details: { field: 'demo_token' } };

describe('registering with a demo account', () => {
  it('[SE14] keeps account, money, position and open order, and adds no money', async () => {
    const marketId = await exchange.market('pool');
    const demo = await visit();
    await order(demo, marketId, { order_type: 'market', size: '5' });
    const orderId = await order(demo, marketId, { order_type: 'limit', size: '7', price: '0.02' });
    const before = (await exchange.ask('getAccount', { token: demo.token })).data;
    const money = await moneyIn();
    const { data } = await register('dora', demo.token);
    expect(data).toMatchObject({ account_id: demo.accountId, mode: 'sandbox' });
    const token = data.session_token;
    const after = (await exchange.ask('getAccount', { token })).data;
    const { balance_free, balance_reserved } = before;
    expect(after).toMatchObject({
      ...{ account_id: demo.accountId, email: 'dora@example.com', mode: 'sandbox', asset: 'USDT' },
      ...{ balance_free, balance_reserved },
    });
    expect(await moneyIn()).toBe(money);
    const positions = (await exchange.ask('listPositions', { token })).data;
    expect(positions).toMatchObject([{ market_id: marketId, size: '5.000000' }]);
    const cancelled = await exchange.ask('cancelOrder', { token, params: { order_id: orderId } });
    expect(cancelled.error).toBeNull();
    // Before and after it is the same history.
    const entries = (await exchange.ask('listLedger', { token })).data;
    expect(entries.at(-1)).toMatchObject({ amount: '1000.000000' });
    expect((await exchange.ask('listFills', { token })).data).toHaveLength(1);
    // What only registered users have.
    expect((await exchange.ask('mintKey', { token, body: {} })).error).toBeNull();
  });

  it('[SE14] ends every session of the demo, so that a planted one is worth nothing', async () => {
    const demo = await visit();
    const { data } = await register('dora', demo.token);
    const old = await exchange.ask('getAccount', { token: demo.token });
    expect(old.error.code).toBe('AUTH_INVALID');
    expect((await register('eve', demo.token)).error).toMatchObject(refusedToken);
    expect((await exchange.ask('getAccount', { token: data.session_token })).error).toBeNull();
  });

  it('[SE14] names the referrer from then on', async () => {
    const referrer = await register('ada');
    const { token } = { token: referrer.data.session_token };
    const code = (await exchange.ask('getAccount', { token })).data.referral_code;
    const demo = await visit();
    await register('dora', demo.token, { referral_code: code });
    const referrerId = await exchange.lanes.sandbox!.read(
      (state) => state.accounts.get(asAccountId(demo.accountId))?.referrerId,
    );
    expect(referrerId).toBe(referrer.data.account_id);
  });

  it('[SE14] begins with nothing where no demo comes along', async () => {
    const demo = await visit();
    const { data } = await register('dora');
    expect(data.account_id).not.toBe(demo.accountId);
    const account = (await exchange.ask('getAccount', { token: data.session_token })).data;
    expect(account.balance_free).toBe('0.000000');
    expect((await exchange.ask('getAccount', { token: demo.token })).error).toBeNull();
  });

  it('[SE15] gives one demo to one of two users who register with it at once', async () => {
    const demo = await visit();
    const money = await moneyIn();
    const both = await Promise.all([register('dora', demo.token), register('eve', demo.token)]);
    const [won, lost] = both[0].error === null ? both : [both[1], both[0]];
    expect(won.data.account_id).toBe(demo.accountId);
    expect(lost.error).toMatchObject(refusedToken);
    expect(await moneyIn()).toBe(money);
    // The loser has no half of a user either.
    const name = lost === both[0] ? 'dora' : 'eve';
    expect((await register(name)).error).toBeNull();
  });

  it('[SE15] takes the token of an open demo account alone', async () => {
    const other = await register('ada');
    const key = await exchange.ask('mintKey', { token: other.data.session_token, body: {} });
    const demo = await visit();
    await exchange.ask('logOut', { token: demo.token });
    const tokens = [
      ...['x', 'ses_unknown', '', 7, null, { a: 1 }, 'y'.repeat(300)],
      ...[other.data.session_token, key.data.secret, demo.token, demo.accountId],
    ];
    for (const demo_token of tokens) {
      const { error } = await register('dora', undefined, { demo_token });
      expect(error, String(demo_token)).toMatchObject({ code: 'VALIDATION_FAILED' });
      expect(error.details.field).toBe('demo_token');
    }
    // Nor is an address told from one that is not registered.
    expect((await register('ada', 'ses_unknown')).error).toMatchObject(refusedToken);
    expect((await register('dora')).error).toBeNull();
  });

  it('[SE15] leaves the demo to the visitor when the email is registered', async () => {
    const other = await register('ada');
    const demo = await visit();
    const again = await register('ada', demo.token);
    expect(again.data.account_id).toBe(other.data.account_id);
    expect((await exchange.ask('getAccount', { token: demo.token })).data.mode).toBe('demo');
  });

  it('[SE16] is finished by the next sign-in where a crash left it half done', async () => {
    const demo = await visit();
    const user = (await exchange.platform.userByAccount(demo.accountId))!;
    const other = (await register('other')).data.user_id;
    const known = (await exchange.platform.userById(other))!;
    // What the store has after the first half.
    const came = await exchange.platform.replaceDemo(user.userId, {
      ...known,
      ...{ userId: 'usr_half0000000000', email: 'dora@example.com', referralCode: 'half' },
      accounts: { live: 'acc_halflive', sandbox: demo.accountId },
    });
    expect(came).toBe('replaced');
    expect(await modeOf(demo.accountId)).toBe('demo');
    exchange.clock.advance(WEEK_MS);
    await exchange.operate({ type: 'tick' });
    const parts = {
      ...{ platform: exchange.platform, sandbox: exchange.lanes.sandbox! },
      ...{ history: exchange.histories.sandbox, clock: exchange.clock },
    };
    expect(await closeIdleDemos(parts)).toEqual([]);
    expect(await exchange.platform.userById('usr_half0000000000')).not.toBeNull();
    const body = { email: 'dora@example.com', password: PASSWORD };
    const { data } = await exchange.ask('logIn', { body });
    expect(data).toMatchObject({ account_id: demo.accountId, mode: 'sandbox' });
    expect(await modeOf(demo.accountId)).toBe('sandbox');
    const account = (await exchange.ask('getAccount', { token: data.session_token })).data;
    expect(account.balance_free).toBe('1000.000000');
  });
});
