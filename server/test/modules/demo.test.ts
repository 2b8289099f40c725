// Demo accounts: opened by anybody, used like any other in the sandbox, and closed when nobody uses them.
import { limits } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryWebhookStore } from '../../src/adapters/memory/webhooks.ts';
import { endIdleKeys } from '../../src/modules/keys/idle-keys.ts';
import { closeIdleDemos, idleDemos } from '../../src/modules/sessions/idle-demos.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer, openHarness } from '../gateway/harness.ts';
import { endpoint } from '../ports/webhooks-suite.ts';
import { runJob } from '../run-job.ts';
import { type Exchange, openExchange } from './exchange.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(() => exchange.close());

interface Visitor {
  readonly token: string;
  readonly accountId: string;
}

async function visit(at: '' | '/sandbox' = '/sandbox'): Promise<Visitor> {
  const { data } = await exchange.ask('openDemo', { at });
  return { token: data.session_token, accountId: data.account_id };
}

async function mintedKey(remoteAddress: string): Promise<Visitor & { readonly publicId: string }> {
  const url = '/v1/sandbox-keys';
  const { data } = (await exchange.call({ method: 'POST', url, remoteAddress })).json();
  return { token: data.key_id, accountId: data.account_id, publicId: data.public_id };
}

/** Time goes by in the lane as well. */
async function pass(elapsedMs: number): Promise<void> {
  exchange.clock.advance(elapsedMs);
  await exchange.operate({ type: 'tick' });
}

async function buy({ token }: Visitor, marketId: string, size = '5'): Promise<string | null> {
  const body = {
    market_id: marketId,
    outcome_id: 'yes',
    side: 'buy',
    order_type: 'market',
    size,
  };
  const { data, error } = await exchange.ask('placeOrder', { token, body });
  return error === null ? data.status : error.code;
}

describe('a demo account', () => {
  it.each(['', '/sandbox'] as const)(
    '[SE7] opened at %j/api/auth/demo has 1,000 test USDT in the sandbox, and trades them',
    async (at) => {
      const opened = await exchange.ask('openDemo', { at });
      expect(opened.data.mode).toBe('demo');
      const { session_token: token, account_id: accountId } = opened.data;
      const account = await exchange.ask('getAccount', { token });
      expect(account.data).toMatchObject({
        account_id: accountId,
        asset: 'USDT',
        mode: 'demo',
        balance_free: '1000.000000',
        email: null,
        permissions: ['read', 'trade'],
      });
      const balance = await exchange.ask('getBalance', { token });
      expect(balance.data).toMatchObject({ mode: 'demo', balances: [{ asset: 'USDT' }] });
      const marketId = await exchange.market('pool');
      expect(await buy({ token, accountId }, marketId)).toBe('filled');
      const { data: entries } = await exchange.ask('listLedger', { token });
      const assets = entries.map(({ asset }: { asset: string | null }) => asset);
      expect(new Set(assets)).toEqual(new Set(['USDT', null]));
    },
  );

  it('[SE13] reads of USDT where it has too little, in a batch too', async () => {
    const { token } = await visit();
    const market_id = await exchange.market('pool');
    const order = { market_id, outcome_id: 'yes', side: 'buy', order_type: 'limit', price: '0.1' };
    const body = { ...order, size: '20000' };
    const one = await exchange.ask('placeOrder', { token, body });
    const batch = { items: [{ action: 'place', order: body }] };
    const many = await exchange.ask('batchOrders', { token, body: batch, key: 'poor-batch' });
    for (const error of [one.error, many.data.results[0].error]) {
      expect(error).toMatchObject({ code: 'BALANCE_INSUFFICIENT', details: { asset: 'USDT' } });
      expect(error.message).toContain(' USDT; 1000.000000 are free.');
    }
  });

  it('[SE7] trades below /sandbox only, and is told so at the live address', async () => {
    const { token } = await visit('');
    const { error, response } = await exchange.ask('getAccount', { token, at: '' });
    expect(response.statusCode).toBe(401);
    expect(error).toMatchObject({
      code: 'WRONG_ENV_KEY',
      details: { credential_environment: 'sandbox', requested_environment: 'live' },
    });
    expect(error.message).toContain('/sandbox');
  });

  it('[SE7] has no subaccounts, and is told which tier would have some', async () => {
    const { token } = await visit();
    const { response, error } = await exchange.ask('createSubaccount', {
      ...{ token, body: { label: 'one' } },
    });
    expectError(response, 'TIER_UPGRADE_REQUIRED');
    expect(error.details).toEqual({
      ...{ tier: null, required_tier: 'self_serve' },
      reason: 'demo accounts have no subaccounts',
    });
  });

  it('[SE7] has no keys and no password', async () => {
    const { token } = await visit();
    const { error } = await exchange.ask('mintKey', { token, body: {} });
    expect(error.code).toBe('SCOPE_NOT_ALLOWED');
    expect(error.message).toContain('Register');
    const change = { current_password: '', new_password: 'horse battery' };
    for (const current of ['x', 'hash of ']) {
      const body = { ...change, current_password: current };
      const refused = await exchange.ask('changePassword', { token, body });
      expect(refused.error.code).toBe('PASSWORD_INCORRECT');
    }
    const out = await exchange.ask('logOut', { token });
    expect(out.data).toEqual({ logged_out: true });
  });

  it('[SE7] is what the cookie of the page leads back to, at either address', async () => {
    const own = { 'sec-fetch-site': 'same-origin' };
    const opened = await exchange.call({
      method: 'POST',
      url: '/api/auth/demo',
      headers: own,
      payload: { cookie: true },
    });
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!;
    for (const url of ['/api/auth/session', '/sandbox/api/auth/session']) {
      const response = await exchange.call({ method: 'POST', url, headers: { ...own, cookie } });
      expect(response.json().data.session).toEqual(opened.json().data);
    }
  });
});

describe('opening', () => {
  it('[SE8] is limited to 5 an hour and 20 a day from one address', async () => {
    const open = (remoteAddress: string) =>
      exchange.call({ method: 'POST', url: '/api/auth/demo', payload: {}, remoteAddress });
    const { perHour, perDay } = limits.demo;
    for (let hour = 0; hour < perDay / perHour; hour += 1) {
      for (let count = 0; count < perHour; count += 1) {
        expect((await open('192.0.2.7')).statusCode).toBe(200);
      }
      const refused = await open('192.0.2.7');
      expect(refused.json().error).toMatchObject({
        code: 'RATE_LIMITED',
        details: { category: 'account_write' },
      });
      const waitSec = Number(refused.headers['retry-after']);
      const isLastHour = hour === perDay / perHour - 1;
      if (!isLastHour) expect(waitSec).toBe(HOUR_MS / 1000);
      else expect(waitSec).toBe((DAY_MS - hour * HOUR_MS) / 1000);
      exchange.clock.advance(HOUR_MS);
    }
    expect((await open('192.0.2.7')).statusCode).toBe(429);
    expect((await open('192.0.2.8')).statusCode).toBe(200);
    exchange.clock.advance(DAY_MS);
    expect((await open('192.0.2.7')).statusCode).toBe(200);
  });

  it('[SE8] is limited for all addresses of an IPv6 /48 together, and for each of its /64', async () => {
    const open = async (remoteAddress: string): Promise<Response> =>
      exchange.call({ method: 'POST', url: '/api/auth/demo', payload: {}, remoteAddress });
    const { perHour, networkPerHour, networkPerDay } = limits.demo;
    for (let count = 0; count < perHour; count += 1) {
      expect((await open(`2001:db8:1:1::${count}`)).statusCode).toBe(200);
    }
    expect((await open('2001:db8:1:1::ff')).json().error.message).toContain(
      'this address: 5 an hour',
    );
    let subnet = 2;
    const fill = async (): Promise<number> => {
      let opened = 0;
      for (; opened <= networkPerDay; opened += 1) {
        const { statusCode } = await open(`2001:db8:1:${(subnet++).toString(16)}::1`);
        if (statusCode !== 200) break;
      }
      return opened;
    };
    expect(await fill()).toBe(networkPerHour - perHour);
    const refused = await open('2001:db8:1:ffff::1');
    expect(refused.json().error.code).toBe('RATE_LIMITED');
    expect(refused.json().error.message).toContain('this network: 25 an hour and 100 a day');
    expect(refused.headers['retry-after']).toBe('3600');
    expect((await open('2001:db8:2:ffff::1')).statusCode).toBe(200);
    expect((await open('192.0.2.7')).statusCode).toBe(200);
    for (let opened = networkPerHour; opened < networkPerDay; opened += networkPerHour) {
      exchange.clock.advance(HOUR_MS);
      expect(await fill()).toBe(networkPerHour);
    }
    exchange.clock.advance(HOUR_MS);
    expect(await fill()).toBe(0);
  });

  it('[SE8] is limited for all addresses together by a setting', async () => {
    const few = await openHarness({ demosPerHour: 2 });
    const open = (remoteAddress: string): Promise<Response> =>
      few.call({ method: 'POST', url: '/api/auth/demo', payload: {}, remoteAddress });
    expect((await open('192.0.2.1')).statusCode).toBe(200);
    few.clock.advance(HOUR_MS / 2);
    expect((await open('192.0.2.2')).statusCode).toBe(200);
    const refused = await open('192.0.2.3');
    expect(refused.json().error.code).toBe('RATE_LIMITED');
    expect(refused.json().error.message).toContain(
      'No more demo accounts are opened here this hour',
    );
    expect(refused.headers['retry-after']).toBe('1800');
    few.clock.advance(HOUR_MS / 2);
    expect((await open('192.0.2.3')).statusCode).toBe(200);
    await few.close();
    const none = await openHarness({ demosPerHour: 0 });
    const closed = await none.call({ method: 'POST', url: '/api/auth/demo', payload: {} });
    expect(closed.statusCode).toBe(429);
    await none.close();
  });

  it('[SE8] [KY30] keeps a tenth of the total for networks without an opening', async () => {
    const few = await openHarness({ demosPerHour: 20, sandboxKeysPerHour: 20 });
    for (const url of ['/api/auth/demo', '/v1/sandbox-keys']) {
      const open = async (remoteAddress: string): Promise<string> => {
        const response = await few.call({ method: 'POST', url, payload: {}, remoteAddress });
        return response.statusCode === 200 ? 'opened' : response.json().error.message;
      };
      // 20 in all: 18 from one network, whose next address finds the rest kept.
      for (let host = 1; host <= 18; host += 1) {
        expect(await open(`198.51.100.${host}`)).toBe('opened');
      }
      expect(await open('198.51.100.99'), url).toMatch(/^No more .* are opened here this hour/);
      expect(await open('203.0.113.1')).toBe('opened');
      expect(await open('203.0.113.2')).toMatch(/^No more/);
      expect(await open('2001:db8:7:1::1')).toBe('opened');
      expect(await open('192.0.2.1')).toMatch(/^No more/);
      few.clock.advance(HOUR_MS);
      expect(await open('198.51.100.99')).toBe('opened');
    }
    await few.close();
  });

  it('[KY30] of sandbox keys is limited per network, IPv4 or IPv6, and for all addresses by a setting', async () => {
    const mint = (harness: Pick<Exchange, 'call'>, remoteAddress: string): Promise<Response> =>
      harness.call({ method: 'POST', url: '/v1/sandbox-keys', remoteAddress });
    for (let subnet = 0; subnet < limits.demo.networkPerHour; subnet += 1) {
      expect((await mint(exchange, `2001:db8:9:${subnet}::1`)).statusCode).toBe(200);
    }
    const refused = await mint(exchange, '2001:db8:9:ff::1');
    expect(refused.json().error.code).toBe('RATE_LIMITED');
    expect(refused.json().error.message).toContain('sandbox keys from this network: 25 an hour');
    expect(refused.headers['retry-after']).toBe('3600');
    for (let host = 1; host <= limits.demo.networkPerHour; host += 1) {
      expect((await mint(exchange, `198.51.100.${host}`)).statusCode).toBe(200);
    }
    const crowded = await mint(exchange, '198.51.100.99');
    expect(crowded.json().error.message).toContain('sandbox keys from this network: 25 an hour');
    expect((await mint(exchange, '198.51.101.1')).statusCode).toBe(200);
    // An address that has its key of the day hears that, and uses up nothing.
    expect((await mint(exchange, '2001:db8:9:1::1')).json().error.code).toBe(
      'SANDBOX_KEY_DAILY_LIMIT',
    );
    const none = await openHarness({ sandboxKeysPerHour: 0 });
    const accounts = () => none.lanes.sandbox!.read((state) => state.accounts.size);
    const before = await accounts();
    expect((await mint(none, '192.0.2.1')).json().error.code).toBe('RATE_LIMITED');
    expect(await accounts()).toBe(before);
    await none.close();
  });

  it('[SE8] needs a sandbox', async () => {
    const live = await openHarness({ lanes: ['live'] });
    const response = await live.call({ method: 'POST', url: '/api/auth/demo', payload: {} });
    expect(response.json().error.code).toBe('SERVICE_UNAVAILABLE');
    expect(response.json().error.message).toContain('no sandbox');
    await live.close();
  });
});

describe('idle ones', () => {
  const webhooks = new MemoryWebhookStore();
  const parts = () => ({
    platform: exchange.platform,
    sandbox: exchange.lanes.sandbox!,
    history: exchange.histories.sandbox,
    clock: exchange.clock,
    webhooks: {
      store: webhooks,
      remove: async ({ webhookId }: { readonly webhookId: string }) =>
        void (await webhooks.removeEndpoint(webhookId)),
    },
    flushUses: () => exchange.gateway.authenticator.flush(),
  });
  const isOpen = (accountId: string): Promise<boolean> =>
    exchange.lanes.sandbox!.read((state) => state.accounts.has(asAccountId(accountId)));

  it('[SE9] are closed after seven days in which nothing happened, and not before', async () => {
    const marketId = await exchange.market('pool');
    const [quiet, active] = [await visit(), await visit()];
    await buy(quiet, marketId);
    await pass(6 * HOUR_MS);
    await buy(active, marketId);
    await pass(7 * DAY_MS - 6 * HOUR_MS - 1);
    expect(await closeIdleDemos(parts())).toEqual([]);
    await pass(1);
    expect(await closeIdleDemos(parts())).toEqual([quiet.accountId]);
    expect([await isOpen(quiet.accountId), await isOpen(active.accountId)]).toEqual([false, true]);
    expect(await exchange.platform.userByAccount(quiet.accountId)).toBeNull();
    expect(await exchange.platform.userByAccount(active.accountId)).not.toBeNull();
    await pass(6 * HOUR_MS);
    expect(await closeIdleDemos(parts())).toEqual([active.accountId]);
  });

  it('[SE9] leave other accounts alone', async () => {
    const token = await exchange.trader();
    const { data } = await exchange.ask('getAccount', { token });
    await pass(30 * DAY_MS);
    expect(await closeIdleDemos(parts())).toEqual([]);
    expect(await isOpen(data.account_id)).toBe(true);
  });

  it('[KY31] anonymous keys end after seven days without a request, with account and webhooks', async () => {
    const marketId = await exchange.market('pool');
    const [quiet, used] = [await mintedKey('192.0.2.1'), await mintedKey('192.0.2.2')];
    for (const { token } of [quiet, used]) await exchange.ask('useFaucet', { token });
    const body = { market_id: marketId, outcome_id: 'yes', side: 'buy', order_type: 'limit' };
    const resting = { ...body, size: '10', price: '0.1' };
    expect(
      (await exchange.ask('placeOrder', { token: quiet.token, body: resting })).error,
    ).toBeNull();
    for (const { accountId } of [quiet, used]) {
      await webhooks.addEndpoint({ ...endpoint(`whk_${accountId}`), accountId });
    }
    await pass(6 * HOUR_MS);
    await exchange.ask('getBalance', { token: used.token });
    await pass(7 * DAY_MS - 6 * HOUR_MS - 1);
    expect(await endIdleKeys(parts())).toEqual([]);
    await pass(1);
    expect(await endIdleKeys(parts())).toEqual([quiet.publicId]);
    expect([await isOpen(quiet.accountId), await isOpen(used.accountId)]).toEqual([false, true]);
    const page = { limit: 10, after: null };
    expect(await webhooks.endpointsOf(quiet.accountId, page)).toEqual([]);
    expect(await webhooks.endpointsOf(used.accountId, page)).toHaveLength(1);
    const refused = await exchange.ask('getBalance', { token: quiet.token });
    expect(refused.error).toMatchObject({ code: 'AUTH_INVALID', details: { reason: 'revoked' } });
    expect((await exchange.ask('getBalance', { token: used.token })).error).toBeNull();
    await pass(7 * DAY_MS);
    expect(await endIdleKeys(parts())).toEqual([used.publicId]);
    expect(await endIdleKeys(parts())).toEqual([]);
  });

  it('[KY31] a run finishes what a crash between the key and its account left open', async () => {
    const [crashed, maker] = [await mintedKey('192.0.2.1'), await mintedKey('192.0.2.2')];
    for (const { token } of [crashed, maker]) await exchange.ask('useFaucet', { token });
    await exchange.market('pool', 0, maker.accountId);
    const young = await mintedKey('192.0.2.3');
    await pass(7 * DAY_MS - 1);
    for (const { accountId } of [crashed, maker, young]) {
      await webhooks.addEndpoint({ ...endpoint(`whk_${accountId}`), accountId });
    }
    // As the store is after the crash; nobody else finds these accounts again.
    for (const { publicId } of [crashed, maker])
      await exchange.platform.revokeKey(publicId, exchange.clock.wallMs());
    await exchange.ask('getBalance', { token: young.token });
    expect(await endIdleKeys(parts())).toEqual([]);
    await pass(1);
    const ended = await endIdleKeys(parts());
    expect([...ended].sort()).toEqual([crashed.publicId, maker.publicId].sort());
    const open = [crashed, maker, young].map(({ accountId }) => isOpen(accountId));
    expect(await Promise.all(open)).toEqual([false, true, true]);
    const free = await exchange.lanes.sandbox!.read(({ accounts, ledger }) =>
      ledger.balance(accounts.get(asAccountId(maker.accountId))!.free),
    );
    expect(free).toBe(0n);
    const page = { limit: 10, after: null };
    expect(await webhooks.endpointsOf(crashed.accountId, page)).toEqual([]);
    expect(await webhooks.endpointsOf(young.accountId, page)).toHaveLength(1);
    const seq = () => exchange.lanes.sandbox!.read((state) => state.seq);
    const before = await seq();
    expect(await endIdleKeys(parts())).toEqual([]);
    expect(await seq()).toBe(before);
  });

  it('[KY31] an account that created a market is emptied instead; keys of users stay', async () => {
    const maker = await mintedKey('192.0.2.1');
    await exchange.ask('useFaucet', { token: maker.token });
    const created = await exchange.market('pool', 0, maker.accountId);
    const minted = await exchange.ask('mintKey', {
      token: await exchange.trader(),
      body: {},
      at: '',
    });
    const user = minted.data.key_id;
    await pass(7 * DAY_MS);
    expect(await endIdleKeys(parts())).toEqual([maker.publicId]);
    expect(await isOpen(maker.accountId)).toBe(true);
    const free = await exchange.lanes.sandbox!.read(({ accounts, ledger, markets }) => {
      expect([...markets.keys()]).toContain(created);
      return ledger.balance(accounts.get(asAccountId(maker.accountId))!.free);
    });
    expect(free).toBe(0n);
    expect((await exchange.ask('getBalance', { token: user })).error).toBeNull();
  });

  it('[SE9] are looked for at the start and every hour, and their sessions are over', async () => {
    const { token, accountId } = await visit();
    await exchange.platform.addSession({
      sessionId: 'ses_ofdemo0000000000',
      tokenHash: 'x',
      userId: (await exchange.platform.userByAccount(accountId))!.userId,
      createdAtMs: 1,
      expiresAtMs: Number.MAX_SAFE_INTEGER,
      endedAtMs: null,
      steppedUpAtMs: null,
      lastSeenAtMs: 1,
      network: '',
      device: '',
    });
    const told: string[] = [];
    const stop = runJob(
      idleDemos({ ...parts(), notify: (message) => told.push(message) }),
      exchange.clock,
    );
    await pass(7 * DAY_MS);
    await expect
      .poll(async () => {
        exchange.clock.advance(HOUR_MS);
        return isOpen(accountId);
      })
      .toBe(false);
    await stop();
    expect(told).toEqual(['1 idle demo accounts were closed']);
    expect(await exchange.platform.sessionById('ses_ofdemo0000000000')).toBeNull();
    const response = await exchange.call({
      method: 'GET',
      url: '/sandbox/v1/account',
      headers: bearer(token),
    });
    expect(response.json().error.code).toBe('AUTH_INVALID');
  });
});
