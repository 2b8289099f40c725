// What an owner sees of its account beyond its money, and what is there when it is not.
import { asAccountId, asMarketId, DEFAULT_PARAMETERS } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CreatorWallets } from '../../src/creator-wallets.ts';
import { silentLog } from '../../src/gateway/log.ts';
import { expectError } from '../gateway/expect.ts';
import { openStage } from '../streams/stage.ts';
import { addApp, connect } from './connected-app.ts';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(() => exchange.close());

describe('the referral code', () => {
  it('[KY21] is shown to its owner, and works for whoever registers with it', async () => {
    const token = await exchange.session();
    const { data } = await exchange.ask('getAccount', { token });
    expect(data.referral_code).toMatch(/^[0-9A-Za-z]{12}$/);
    const user = (await exchange.platform.userById(data.user_id))!;
    expect(user.referralCode).toBe(data.referral_code);
    const friend = await exchange.ask('register', {
      body: {
        email: 'friend@example.com',
        password: 'long enough 12',
        referral_code: data.referral_code,
      },
    });
    const brought = (await exchange.platform.userById(friend.data.user_id))!;
    expect(brought.referrerId).toBe(data.user_id);
    const demo = await exchange.ask('openDemo');
    const visitor = await exchange.ask('getAccount', { token: demo.data.session_token });
    expect(visitor.data.referral_code).toBe(null);
  });
});

describe('personal data of GET /v1/account', () => {
  const profile = {
    phone: '+4930123456',
    wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7',
  };
  const hidden = { phone: null, last_login_ip: null, wallet_address: null, email: null };
  const read = async (token: string, query = {}) => {
    const { data, response } = await exchange.ask('getAccount', { token, query });
    const { email, phone, last_login_ip, wallet_address } = data;
    const isRedacted = response.headers['x-pii-redacted'];
    return { email, phone, last_login_ip, wallet_address, isRedacted };
  };

  it('[PA25] is shown to sessions and own keys, and to nobody else', async () => {
    const session = await exchange.session();
    await exchange.ask('updateProfile', { token: session, body: profile });
    const key = await exchange.key({ session, at: '/sandbox' });
    const { data } = await exchange.ask('getProfile', { token: session });
    const last_login_ip = expect.stringMatching(/^10\.9\.\d+\.\d+$/);
    const own = { ...profile, email: data.email, last_login_ip, isRedacted: 'false' };
    expect(await read(session)).toEqual(own);
    expect(await read(key)).toEqual(own);
    const client = await addApp(exchange, await exchange.session());
    const { access } = await connect(exchange, client, session);
    expect(await read(access)).toEqual({ ...hidden, isRedacted: 'true' });
    const { data: sub } = await exchange.ask('createSubaccount', {
      ...{ token: session, body: { label: 'desk' } },
    });
    const { data: minted } = await exchange.ask('mintKey', {
      ...{ token: session, body: { subaccount_id: sub.subaccount_id, permissions: ['read'] } },
    });
    expect(await read(minted.key_id)).toEqual({ ...hidden, isRedacted: 'true' });
  });

  it('[PA25] names the address of the last sign-in', async () => {
    const session = await exchange.session();
    const { data } = await exchange.ask('getProfile', { token: session });
    const signIn = async (remoteAddress: string, password: string) =>
      exchange.call({
        ...{ method: 'POST', url: '/api/auth/login', remoteAddress },
        payload: { email: data.email, password },
      });
    const registered = (await read(session)).last_login_ip;
    expectError(await signIn('198.51.100.7', 'not that one'), 'PASSWORD_INCORRECT');
    expect((await read(session)).last_login_ip).toBe(registered);
    expect((await signIn('198.51.100.8', 'long enough 12')).statusCode).toBe(200);
    expect((await read(session)).last_login_ip).toBe('198.51.100.8');
  });

  it('[PA26] the wallet stands for the creator of a market, also in a search, until it is taken back', async () => {
    const wallets = await CreatorWallets.open(exchange.platform, silentLog);
    const token = await exchange.trader();
    const { data: account } = await exchange.ask('getAccount', { token });
    const marketId = await exchange.market('pool', 1, account.account_id);
    const creator = async () => {
      await wallets.settle();
      const params = { market_id: marketId };
      return (await exchange.ask('getMarket', { params })).data.creator_address;
    };
    const derived = await creator();
    expect(derived).toMatch(/^0x[0-9a-f]{40}$/);
    const { wallet_address } = profile;
    await exchange.ask('updateProfile', { token, body: { wallet_address } });
    expect(await creator()).toBe(wallet_address);
    for (const creator_address of [wallet_address, wallet_address.toLowerCase(), derived]) {
      const found = await exchange.ask('listMarkets', { query: { creator_address } });
      expect(found.data.map((market: { market_id: string }) => market.market_id)).toEqual([
        marketId,
      ]);
    }
    wallets.close();
    const again = await CreatorWallets.open(exchange.platform, silentLog);
    expect(await creator()).toBe(wallet_address);
    await exchange.ask('updateProfile', { token, body: { wallet_address: null } });
    await again.settle();
    expect(await creator()).toBe(derived);
    again.close();
  });
});

describe('bonds', () => {
  it('[PF1] are reserved money of whoever posted them, over REST and on the stream', async () => {
    const stage = await openStage();
    const { exchange: open } = stage;
    const token = await open.trader();
    const { data: account } = await open.ask('getAccount', { token });
    const marketId = await open.market('book');
    const client = await stage.connect();
    await client.ask({ op: 'AUTH', token }, 'authenticated');
    await client.ask({ op: 'SUBSCRIBE', params: ['account'] }, 'subscribed');
    await client.next('account');
    const evidence = ['https://example.com/result'];
    const market = { marketId: asMarketId(marketId), evidence };
    const result = { kind: 'outcome', outcomeId: 'yes' } as const;
    const proposal = { ...market, proposerId: null, result, bond: usdt(0n) };
    await open.operate({ type: 'propose_resolution', ...proposal });
    const accountId = asAccountId(account.account_id);
    const { answer } = await open.lanes.sandbox!.submit({
      actor: { kind: 'account', accountId, keyId: null },
      body: { type: 'dispute_resolution', ...market, accountId, bond: usdt(10_000_000n) },
      requestId: 'test',
    });
    expect(answer.ok).toBe(true);
    const told = await client.next('balance_updated', ({ data }) => data.reason === 'bond');
    expect(told.data).toMatchObject({
      balance_free: '9990.000000',
      balance_reserved: '10.000000',
      delta: '0.000000',
    });
    const after = await open.ask('getAccount', { token });
    expect(after.data).toMatchObject({
      balance_free: '9990.000000',
      balance_reserved: '10.000000',
    });
    const { data: balance } = await open.ask('getBalance', { token });
    expect(balance.balances[0]).toMatchObject({
      reserved: '10.000000',
      reserved_by: { orders: '0.000000', bonds: '10.000000' },
    });
    await stage.close();
  });
});

describe('what is declared', () => {
  it('[RQ21] a heartbeat for an unknown market, and a reset that is too large for one command', async () => {
    const token = await exchange.session();
    const body = { timeout_ms: 10_000, scope: 'market', market_id: 'm_0123456789abcdef' };
    expectError((await exchange.ask('heartbeat', { token, body })).response, 'MARKET_NOT_FOUND');
    const small = await openExchange(undefined, {
      parameters: { ...DEFAULT_PARAMETERS, chunkMax: 1 },
    });
    const trader = await small.trader();
    const market_id = await small.market('book');
    const mint = { action: 'mint', market_id, size: '1' };
    await small.ask('convertPosition', { token: trader, body: mint, key: 'mint-once' });
    const refused = await small.ask('resetSandbox', { token: trader });
    expectError(refused.response, 'STATE_CONFLICT');
    await small.close();
  });
});

describe('a path without a call of its own', () => {
  it.each(['/mcp', '/sandbox/mcp', '/mcp/'])(
    '[CN15] has no tools of models yet: %s',
    async (url) => {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const headers = { accept: 'text/html, application/json' };
        const response = await exchange.call({ method, url, headers });
        expectError(response, 'MCP_NOT_IMPLEMENTED');
        expect(response.statusCode).toBe(501);
      }
    },
  );

  it.each(['/ws', '/sandbox/ws'])(
    '[CN15] %s says without an upgrade what is there',
    async (url) => {
      const response = await exchange.call({ method: 'GET', url });
      expectError(response, 'NOT_FOUND');
      expect(response.json().error.message).toContain('ws://');
      expect(response.headers.upgrade).toBe('websocket');
    },
  );
});
