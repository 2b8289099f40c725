// Acting for others: caps of grants, attribution to apps, on_behalf_of, and what is left when a grant ends.
import { asAccountId } from '@sibyl/engine';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPlainRequest } from '../../src/direct/request-text.ts';
import { endedGrants } from '../../src/modules/connect/ended-grants.ts';
import { expectError } from '../gateway/expect.ts';
import { NOON_MS } from '../gateway/harness.ts';
import { RawClient } from '../gateway/raw-client.ts';
import { runJob } from '../run-job.ts';
import { addApp, type Client, connect, post, renewing } from './connected-app.ts';
import { type Answered, type Exchange, openExchange } from './exchange.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let exchange: Exchange;
let clock: ManualClock;
let market: string;
let ada: Person;

interface Person {
  readonly token: string;
  readonly account: string;
  readonly userId: string;
}

beforeEach(async () => {
  clock = new ManualClock(NOON_MS);
  exchange = await openExchange(undefined, { manualClock: clock });
  market = await exchange.market('book');
  ada = await person();
});
afterEach(() => exchange.close());

async function person(): Promise<Person> {
  const token = await exchange.trader();
  const { data } = await exchange.ask('getAccount', { token });
  return { token, account: data.account_id, userId: data.user_id };
}

const bid = (more: object = {}) => ({
  ...{ market_id: market, outcome_id: 'yes', side: 'buy', order_type: 'limit' },
  ...{ price: '0.5', size: '10', ...more },
});

const place = (token: string, more: object = {}): Promise<Answered> =>
  exchange.ask('placeOrder', { token, body: bid(more) });

const codeOf = ({ error }: Answered): string => error?.code ?? 'ok';

/** What rests of the person's, by the id and the reason that the orders ended for. */
async function ordersOf({ token }: Person, subaccount_id?: string) {
  const query = subaccount_id === undefined ? {} : { subaccount_id };
  const { data } = await exchange.ask('listOrders', { token, query });
  return data.map((order: { status: string; cancel_reason: string | null }) => [
    order.status,
    order.cancel_reason,
  ]);
}

describe('the cap of a grant', () => {
  const TRADE = ['account:read', 'orders:trade', 'positions:convert', 'offline'];
  let client: Client;
  beforeEach(async () => {
    client = await addApp(exchange, await exchange.session(), { allowedScopes: TRADE });
  });

  it('[DG1] holds back orders, amendments, batches and mints of an app together, and begins anew with the day', async () => {
    const { access, refresh, grantId } = await connect(exchange, client, ada.token, TRADE, {
      daily_cap: '10',
    });
    const first = await place(access);
    expect(codeOf(first)).toBe('ok');
    const over = await place(access, { size: '10.02' });
    expectError(over.response, 'DELEGATION_DAILY_CAP_EXCEEDED');
    expect(over.error.details).toMatchObject({
      ...{ grant_id: grantId, cap: '10.000000', used: '5.000000' },
      resets_at_ms: NOON_MS + 12 * HOUR_MS,
    });
    const params = { order_id: first.data.order_id };
    const amended = await exchange.ask('amendOrder', {
      token: access,
      params,
      body: { size: '30' },
    });
    expectError(amended.response, 'DELEGATION_DAILY_CAP_EXCEEDED');
    const items = ['4', '8'].map((size) => ({ action: 'place', order: bid({ size }) }));
    const batch = await exchange.ask('batchOrders', {
      token: access,
      key: 'batch-one',
      body: { items },
    });
    const results = batch.data.results.map(({ error }: Answered) => error?.code ?? 'ok');
    expect(results).toEqual(['ok', 'DELEGATION_DAILY_CAP_EXCEEDED']);
    const mint = (size: string) =>
      exchange.ask('convertPosition', {
        ...{ token: access, key: `mint-of-${size.replace('.', '-')}` },
        body: { action: 'mint', market_id: market, size },
      });
    expectError((await mint('3.5')).response, 'DELEGATION_DAILY_CAP_EXCEEDED');
    expect(codeOf(await mint('3'))).toBe('ok');
    // What the person does is no matter of the app's.
    expect(codeOf(await place(ada.token, { size: '100' }))).toBe('ok');
    expect(codeOf(await place(access, { size: '1' }))).toBe('DELEGATION_DAILY_CAP_EXCEEDED');
    clock.advance(12 * HOUR_MS);
    const next = (await post(exchange, renewing(client, refresh))).json().access_token as string;
    // The market has closed meanwhile, and its orders with it; what was minted counts for its own day.
    market = await exchange.market('book', 1);
    expect(codeOf(await place(next, { size: '20.02' }))).toBe('DELEGATION_DAILY_CAP_EXCEEDED');
    expect(codeOf(await place(next, { size: '20' }))).toBe('ok');
  });
});

describe('the cap of a grant on the short way', () => {
  it('[DG1] holds back plain orders and batches that never reach the parser', async () => {
    const client = await addApp(exchange, await exchange.session());
    const { access } = await connect(exchange, client, ada.token, undefined, { daily_cap: '5' });
    const port = await exchange.gateway.listen({ host: '127.0.0.1', port: 0 });
    const raw = new RawClient(port);
    const send = async (path: string, body: object, lines = ''): Promise<string> => {
      const text = JSON.stringify(body);
      const head = `POST /sandbox${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${access}\r\n${lines}`;
      const request = `${head}Content-Length: ${text.length}\r\n\r\n${text}`;
      expect(readPlainRequest(Buffer.from(request, 'latin1'))).not.toBeNull();
      return raw.ask(request);
    };
    expect(await send('/v1/orders', bid())).toMatch(/^HTTP\/1.1 200/);
    expect(await send('/v1/orders', bid())).toContain('DELEGATION_DAILY_CAP_EXCEEDED');
    const items = [{ action: 'place', order: bid() }];
    const batch = await send('/v1/orders/batch', { items }, 'Idempotency-Key: a-plain-batch\r\n');
    expect(batch).toContain('DELEGATION_DAILY_CAP_EXCEEDED');
    raw.close();
  });
});

describe('attribution', () => {
  it('[AT1] names an app that is approved, with a fee up to its cap, in orders, previews, batches and fills', async () => {
    const owner = await exchange.session();
    const { app } = await addApp(exchange, owner, { feeCapBps: 40 });
    const draft = await addApp(exchange, owner, { status: 'draft', verifiedName: null });
    const off = await addApp(exchange, owner, { status: 'disabled' });
    const seller = await person();
    const sets = { action: 'mint', market_id: market, size: '100' };
    await exchange.ask('convertPosition', { token: seller.token, key: 'mint-sets', body: sets });
    await place(seller.token, { side: 'sell', size: '100' });
    const with_ = (app_id: string, fee_bps?: number) => ({ builder: { app_id, fee_bps } });
    expectError((await place(ada.token, with_(draft.app.appId))).response, 'APP_NOT_APPROVED');
    expectError((await place(ada.token, with_('app_nobody'))).response, 'APP_NOT_APPROVED');
    expectError((await place(ada.token, with_(off.app.appId))).response, 'APP_DISABLED');
    const dear = await place(ada.token, with_(app.appId, 41));
    expectError(dear.response, 'BUILDER_FEE_ABOVE_CAP');
    expect(dear.error.details).toEqual({ cap_bps: 40 });
    const plain = await exchange.ask('placeOrder', {
      ...{ token: ada.token, query: { dry_run: true }, body: bid() },
    });
    const previewed = await exchange.ask('placeOrder', {
      ...{ token: ada.token, query: { dry_run: true }, body: bid(with_(app.appId, 40)) },
    });
    expect(plain.data.preview.builder_fee).toBe('0.000000');
    // 40 of 10,000 of 5.
    expect(previewed.data.preview.builder_fee).toBe('0.020000');
    const fees = [plain, previewed].map(({ data }) => Number(data.preview.fee) * 1e6);
    expect(Math.round(fees[1]! - fees[0]!)).toBe(20_000);
    const bought = await place(ada.token, with_(app.appId, 40));
    expect(bought.data.fee_paid).toBe(previewed.data.preview.fee);
    // Its owner tries it in the sandbox before anybody has looked at it.
    await exchange.ask('useFaucet', { token: owner });
    expect(codeOf(await place(owner, with_(draft.app.appId)))).toBe('ok');
    const items = [
      { action: 'place', order: bid(with_(app.appId)) },
      { action: 'place', order: bid(with_('app_nobody')) },
      { action: 'place', order: bid() },
    ];
    const batch = await exchange.ask('batchOrders', {
      token: ada.token,
      key: 'batch-two',
      body: { items },
    });
    const results = batch.data.results.map(({ error }: Answered) => error?.code ?? 'ok');
    expect(results).toEqual(['ok', 'APP_NOT_APPROVED', 'ok']);
    const whole = await exchange.ask('batchOrders', {
      ...{ token: ada.token, key: 'batch-three', body: { items, all_or_none: true } },
    });
    expectError(whole.response, 'APP_NOT_APPROVED');
    const fills = (await exchange.ask('listFills', { token: ada.token })).data;
    const apps = fills.map(({ builder_app_id: id }: { builder_app_id: string | null }) => id);
    expect(apps).toEqual([null, app.appId, app.appId]);
  });

  it("[AT1] what an app sends is its own, with its fee unless it names another, and never another's", async () => {
    const owner = await exchange.session();
    const client = await addApp(exchange, owner, { builderFeeBps: 10, feeCapBps: 40 });
    const other = await addApp(exchange, owner);
    const { access } = await connect(exchange, client, ada.token);
    const seller = await person();
    const sets = { action: 'mint', market_id: market, size: '100' };
    await exchange.ask('convertPosition', { token: seller.token, key: 'mint-sets', body: sets });
    await place(seller.token, { side: 'sell', size: '100' });
    const builder = { app_id: client.app.appId, fee_bps: 40 };
    const free = { builder: { ...builder, fee_bps: 0 } };
    const orders = [
      await place(access),
      await place(access, { builder }),
      await place(access, free),
      await place(ada.token),
    ];
    expect(orders.map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok']);
    const paid = orders.map(({ data }) => Math.round(Number(data.fee_paid) * 1e6));
    // 10 and 40 of 10,000 of 5, on top of what everybody pays.
    expect(paid.map((fee) => fee - paid[3]!)).toEqual([5_000, 20_000, 0, 0]);
    const foreign = await place(access, { builder: { app_id: other.app.appId } });
    expectError(foreign.response, 'VALIDATION_FAILED');
    expect(foreign.error.details.field).toBe('builder.app_id');
    expect(codeOf(await place(access, { builder: { ...builder, fee_bps: 41 } }))).toBe(
      'BUILDER_FEE_ABOVE_CAP',
    );
    const fills = (await exchange.ask('listFills', { token: ada.token })).data;
    const apps = fills.map(({ builder_app_id: id }: { builder_app_id: string | null }) => id);
    expect(apps).toEqual([null, ...Array(3).fill(client.app.appId)]);
  });
});

/** A partner with a key that may act for others in the sandbox. */
async function partner() {
  const session = await exchange.trader();
  const { data } = await exchange.ask('getAccount', { token: session });
  const key = await exchange.key({ session, at: '/sandbox', tier: 'partner' });
  await exchange.platform.setPartnerScopes(key.slice(0, 24), ['delegation:trade']);
  return { session, key, userId: data.user_id as string, account: data.account_id as string };
}

async function delegate(from: Person, partner_id: string, more: object = {}): Promise<string> {
  const { data, error } = await exchange.ask('createGrant', {
    token: from.token,
    body: {
      ...{ kind: 'delegation', partner_id, expires_at_ms: clock.wallMs() + DAY_MS },
      ...{ scopes: ['account:read', 'orders:trade'], ...more },
    },
  });
  if (error !== null) throw new Error(JSON.stringify(error));
  return data.grant_id;
}

describe('on behalf of', () => {
  it('[DG2] takes a key of a partner with the scope for it, and no other credential', async () => {
    const { key, session, userId } = await partner();
    await delegate(ada, userId);
    const on_behalf_of = ada.account;
    expect(codeOf(await place(key, { on_behalf_of }))).toBe('ok');
    const without = await exchange.key({ session, at: '/sandbox', tier: 'partner' });
    const lower = await partner();
    await delegate(ada, lower.userId);
    const change = { actor: 'opr_1', reason: 'the contract is over', atMs: clock.wallMs() };
    await exchange.platform.setKeyTier(lower.key.slice(0, 24), 'genesis', change);
    for (const token of [session, without, lower.key, ada.token]) {
      const refused = await place(token, { on_behalf_of });
      expectError(refused.response, 'SCOPE_MISSING');
      expect(refused.error.details).toEqual({ required: 'delegation:trade' });
    }
    await exchange.platform.setPartnerScopes(key.slice(0, 24), []);
    expectError((await place(key, { on_behalf_of })).response, 'SCOPE_MISSING');
  });

  it("[AT1] on behalf of others a partner names no draft of its own, and takes no app's fee", async () => {
    const { key, session, userId } = await partner();
    await delegate(ada, userId);
    const draft = await addApp(exchange, session, { status: 'draft', verifiedName: null });
    const { app } = await addApp(exchange, session, { feeCapBps: 40 });
    const by = (app_id: string, fee_bps?: number) =>
      place(key, { on_behalf_of: ada.account, builder: { app_id, fee_bps } });
    expectError((await by(draft.app.appId)).response, 'APP_NOT_APPROVED');
    const dear = await by(app.appId, 1);
    expectError(dear.response, 'BUILDER_FEE_ABOVE_CAP');
    expect(dear.error.details).toEqual({ cap_bps: 0 });
    expect(codeOf(await by(app.appId))).toBe('ok');
  });

  it('[DG2] takes a delegation of that account to that partner in that lane, with the scope, until it ends or is revoked', async () => {
    const { key, userId } = await partner();
    const on_behalf_of = ada.account;
    const ask = async (more: object = {}) => codeOf(await place(key, { on_behalf_of, ...more }));
    expect(await ask()).toBe('DELEGATION_MISSING');
    expect(await ask({ on_behalf_of: 'acc_nobody' })).toBe('DELEGATION_MISSING');
    const live = await exchange.ask('createGrant', {
      ...{ token: ada.token, at: '' },
      body: {
        ...{ kind: 'delegation', partner_id: userId, scopes: ['orders:trade'] },
        expires_at_ms: clock.wallMs() + DAY_MS,
      },
    });
    expect(codeOf(live)).toBe('ok');
    expect(await ask()).toBe('DELEGATION_MISSING');
    const stranger = await person();
    await delegate(stranger, (await partner()).userId);
    expect(await ask({ on_behalf_of: stranger.account })).toBe('DELEGATION_MISSING');
    await delegate(ada, userId, { scopes: ['account:read'] });
    const mismatch = await place(key, { on_behalf_of });
    expectError(mismatch.response, 'DELEGATION_SCOPE_MISMATCH');
    expect(mismatch.error.details.required).toBe('orders:trade');
    const grant_id = await delegate(ada, userId, { expires_at_ms: clock.wallMs() + HOUR_MS });
    expect(await ask()).toBe('ok');
    await exchange.ask('revokeGrant', { token: ada.token, params: { grant_id } });
    // Those before it ended when it was given.
    expect(await ask()).toBe('DELEGATION_MISSING');
    await delegate(ada, userId);
    expect(await ask()).toBe('ok');
    clock.advance(DAY_MS);
    expect(await ask()).toBe('DELEGATION_EXPIRED');
  });

  it('[DG7] is for scopes that something is done on behalf of others with, and no others', async () => {
    const { userId } = await partner();
    const asked = (scopes: readonly string[]) =>
      exchange.ask('createGrant', {
        token: ada.token,
        body: {
          ...{ kind: 'delegation', partner_id: userId, scopes },
          expires_at_ms: clock.wallMs() + DAY_MS,
        },
      });
    const allowed = ['account:read', 'orders:trade', 'positions:convert'];
    for (const scope of ['markets:read', 'markets:create', 'webhooks:manage', 'offline']) {
      const { response, error } = await asked(['account:read', scope]);
      expectError(response, 'SCOPE_NOT_ALLOWED');
      expect(error.details).toEqual({ scopes: [scope], allowed });
    }
    const { data } = await asked(allowed.toReversed());
    expect(data.scopes).toEqual(allowed);
  });

  it('[DG2] counts a daily cap of its own, and asks what compliance says of the account', async () => {
    const { key, userId } = await partner();
    const on_behalf_of = ada.account;
    await delegate(ada, userId, { daily_cap: '5' });
    expect(codeOf(await place(key, { on_behalf_of }))).toBe('ok');
    expect(codeOf(await place(key, { on_behalf_of, size: '0.02' }))).toBe(
      'DELEGATION_DAILY_CAP_EXCEEDED',
    );
    const other = await person();
    await delegate(other, userId);
    const inHerName = { on_behalf_of: other.account };
    const { data: resting } = await place(key, inHerName);
    const rules = {
      jurisdictions: [{ id: 'cold', countries: ['AQ'], lanes: ['sandbox'] as ['sandbox'] }],
    };
    await exchange.office.load(rules, { actor: 'opr_1', reason: 'test', requestId: 'test' });
    await exchange.platform.profiles.change(other.userId, { country: 'AQ' });
    const batch = (items: readonly object[]) =>
      exchange.ask('batchOrders', {
        ...{ token: key, key: `items-of-${items.length}`, body: { ...inHerName, items } },
      });
    const cancel = { action: 'cancel', order_id: resting.order_id };
    expectError((await place(key, inHerName)).response, 'JURISDICTION_BLOCKED');
    const mixed = await batch([cancel, { action: 'place', order: bid() }]);
    expectError(mixed.response, 'JURISDICTION_BLOCKED');
    expect((await batch([cancel])).data.succeeded).toBe(1);
    // What the partner is called is its own.
    expect(codeOf(await place(key))).toBe('ok');
  });

  it('[DG9] a partner who is frozen cancels and reads for others, and does nothing else', async () => {
    const { key, userId, account } = await partner();
    await delegate(ada, userId, { scopes: ['account:read', 'orders:trade', 'positions:convert'] });
    const on_behalf_of = ada.account;
    const as = { token: key, query: { on_behalf_of } };
    const orders = await Promise.all([1, 2, 3].map(() => place(key, { on_behalf_of })));
    const [first, second, third] = orders.map(({ data }) => ({
      order_id: data.order_id as string,
    }));
    const freeze = (frozen: boolean) =>
      exchange.lanes.sandbox!.submit({
        body: { type: 'freeze_account', accountId: asAccountId(account), frozen, reason: 'fraud' },
        actor: { kind: 'operator', name: 'test', reason: 'test' },
        requestId: 'test',
      });
    await freeze(true);
    const batch = (key_: string, items: readonly object[]) =>
      exchange.ask('batchOrders', { token: key, key: key_, body: { on_behalf_of, items } });
    const mint = { action: 'mint', market_id: market, size: '2', on_behalf_of };
    const writes = [
      await place(key, { on_behalf_of }),
      await exchange.ask('placeOrder', {
        ...{ token: key, query: { dry_run: true }, body: bid({ on_behalf_of }) },
      }),
      await exchange.ask('amendOrder', { ...as, params: first!, body: { price: '0.3' } }),
      await batch('mixed-items', [
        { action: 'cancel', ...first! },
        { action: 'place', order: bid() },
      ]),
      await exchange.ask('convertPosition', { token: key, key: 'mint-for-ada', body: mint }),
    ];
    for (const refused of writes) {
      expectError(refused.response, 'SUBACCOUNT_FROZEN');
      expect(refused.error.details).toEqual({ account_id: account });
    }
    expect(codeOf(await place(key))).toBe('SUBACCOUNT_FROZEN');
    expect((await exchange.ask('listOrders', as)).data).toHaveLength(3);
    expect(codeOf(await exchange.ask('cancelOrder', { ...as, params: first! }))).toBe('ok');
    const taken = await batch('only-cancels', [{ action: 'cancel', ...second! }]);
    expect(taken.data.succeeded).toBe(1);
    expect((await exchange.ask('cancelAllOrders', as)).data.cancelled).toEqual([third!.order_id]);
    await freeze(false);
    expect(codeOf(await place(key, { on_behalf_of }))).toBe('ok');
  });

  it('[DG3] is done as the account: its money, orders, fills and lists, for nobody else to see', async () => {
    const { key, userId, session, account } = await partner();
    await delegate(ada, userId, { scopes: ['account:read', 'orders:trade', 'positions:convert'] });
    const on_behalf_of = ada.account;
    const as = { query: { on_behalf_of }, token: key };
    const placed = await place(key, { on_behalf_of, client_order_id: 'hers' });
    const order_id = placed.data.order_id as string;
    const batch = await exchange.ask('batchOrders', {
      ...{ token: key, key: 'batch-for-ada' },
      body: { on_behalf_of, items: [{ action: 'place', order: bid({ price: '0.4' }) }] },
    });
    expect(batch.data.succeeded).toBe(1);
    expect(await ordersOf(ada)).toHaveLength(2);
    const own = await exchange.ask('listOrders', { token: key });
    expect(own.data).toEqual([]);
    expectError(
      (await exchange.ask('getOrder', { token: key, params: { order_id } })).response,
      'NOT_FOUND',
    );
    const params = { order_id: 'coid:hers' };
    expect((await exchange.ask('getOrder', { ...as, params })).data.order_id).toBe(order_id);
    const pages = await exchange.ask('listOrders', { ...as, query: { on_behalf_of, limit: 1 } });
    const next = { on_behalf_of, limit: 1, cursor: pages.meta.next_cursor };
    expect((await exchange.ask('listOrders', { ...as, query: next })).data[0].order_id).toBe(
      order_id,
    );
    const shown = (await exchange.ask('getAccount', as)).data;
    expect([shown.account_id, shown.balance_free]).toEqual([ada.account, '9991.000000']);
    expect([shown.user_id, shown.email, shown.display_name, shown.country]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect((await exchange.ask('getBalance', as)).data.account_id).toBe(ada.account);
    expect((await exchange.ask('getBalance', { token: key })).data.account_id).toBe(account);
    for (const id of ['listPositions', 'listFills', 'listLedger', 'getPortfolioSummary'] as const) {
      expect(codeOf(await exchange.ask(id, as))).toBe('ok');
    }
    const amended = await exchange.ask('amendOrder', { ...as, params, body: { price: '0.3' } });
    expect(amended.data.price).toBe('0.300000');
    await exchange.ask('cancelOrder', { ...as, params });
    expect((await exchange.ask('cancelAllOrders', as)).data.cancelled).toHaveLength(1);
    const body = { action: 'mint', market_id: market, size: '2', on_behalf_of };
    const minted = await exchange.ask('convertPosition', { token: key, key: 'mint-for-ada', body });
    const micro = (text: string) => BigInt(text.replace('.', ''));
    expect(micro(minted.data.balance_free) + micro(minted.data.fee)).toBe(9_998_000_000n);
    const { balance_free: untouched } = (await exchange.ask('getAccount', { token: session })).data;
    expect(untouched).toBe('10000.000000');
  });

  it('[DG10] is refused where nothing is done for others, and never done for the caller instead', async () => {
    const { key } = await partner();
    const query = { on_behalf_of: ada.account };
    const items = [{ action: 'place', order: bid() }];
    const asked = [
      await exchange.ask('getBuilder', { token: key, query }),
      await exchange.ask('batchOrders', { token: key, key: 'a-batch-1', query, body: { items } }),
      await exchange.ask('createSubaccount', { token: key, query, body: { label: 'x' } }),
      await exchange.ask('heartbeat', { token: key, body: { ...query, timeout_ms: 5000 } }),
    ];
    for (const { response, error } of asked) {
      expectError(response, 'VALIDATION_FAILED');
      expect(error.details).toEqual({ field: 'on_behalf_of', expected: 'no such field' });
    }
    expect((await exchange.ask('listOrders', { token: key })).data).toEqual([]);
  });

  it('[DG3] reaches a subaccount of the account, or the one subaccount that was delegated', async () => {
    const { key, userId } = await partner();
    const sub = async (label: string) =>
      (await exchange.ask('createSubaccount', { token: ada.token, body: { label } })).data
        .subaccount_id as string;
    const [one, two] = [await sub('one'), await sub('two')];
    const read = async (query: object) =>
      codeOf(await exchange.ask('getBalance', { token: key, query: { ...query } }));
    await delegate(ada, userId, { subaccount_id: one });
    expect(await read({ on_behalf_of: one })).toBe('ok');
    expect(await read({ on_behalf_of: two })).toBe('DELEGATION_MISSING');
    expect(await read({ on_behalf_of: ada.account })).toBe('DELEGATION_MISSING');
    expect(await read({ on_behalf_of: one, subaccount_id: two })).toBe('NOT_FOUND');
    await delegate(ada, userId);
    expect(await read({ on_behalf_of: ada.account, subaccount_id: two })).toBe('ok');
    const [, used] = (await exchange.ask('listGrants', { token: ada.token })).data;
    expect(used.last_used_at_ms).toBe(NOON_MS);
  });
});

describe('the end of a grant', () => {
  const watch = () =>
    runJob(
      endedGrants({ platform: exchange.platform, lane: exchange.lanes.sandbox!, clock }),
      clock,
    );

  /** Until nothing more of it rests; the test ends by its own limit if that never comes. */
  async function settled(who: Person, resting: number, subaccount?: string): Promise<void> {
    for (;;) {
      const open = (await ordersOf(who, subaccount)).filter(
        ([status]: string[]) => status === 'pending',
      );
      if (open.length === resting) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('[DG4] by its user cancels its orders at once, in subaccounts too, and those of nobody else', async () => {
    const client = await addApp(exchange, await exchange.session());
    const { access, grantId } = await connect(exchange, client, ada.token);
    const { data } = await exchange.ask('createSubaccount', {
      token: ada.token,
      body: { label: 'x' },
    });
    const { subaccount_id: sub } = data;
    const transfer = { from: ada.account, to: sub, amount: '100' };
    await exchange.ask('transferFunds', { token: ada.token, key: 'to-the-sub', body: transfer });
    const orders = [
      await place(access),
      await place(access, { subaccount_id: sub }),
      await place(ada.token),
    ];
    expect(orders.map(codeOf)).toEqual(['ok', 'ok', 'ok']);
    const stop = watch();
    await exchange.ask('revokeGrant', { token: ada.token, params: { grant_id: grantId } });
    await settled(ada, 1);
    await settled(ada, 0, sub);
    expect(await ordersOf(ada)).toEqual([
      ['pending', null],
      ['cancelled', 'grant_ended'],
    ]);
    expect(await ordersOf(ada, sub)).toEqual([['cancelled', 'grant_ended']]);
    await stop();
  });

  it('[DG8] with the account of the partner cancels its orders, and is shown as that', async () => {
    const { key, userId } = await partner();
    await delegate(ada, userId);
    expect(codeOf(await place(key, { on_behalf_of: ada.account }))).toBe('ok');
    await place(ada.token);
    const stop = watch();
    await exchange.platform.closing.erase(userId, clock.wallMs());
    await settled(ada, 1);
    await stop();
    expect(await ordersOf(ada)).toEqual([
      ['pending', null],
      ['cancelled', 'grant_ended'],
    ]);
    const { data } = await exchange.ask('listGrants', { token: ada.token });
    expect(data).toMatchObject([{ status: 'revoked', revoked_for: 'partner_closed' }]);
  });

  it('[DG4] with its app, by the clock and while nobody watched cancels them as well, once each', async () => {
    const client = await addApp(exchange, await exchange.session());
    const { access } = await connect(exchange, client, ada.token);
    const { key, userId } = await partner();
    await delegate(ada, userId, { expires_at_ms: clock.wallMs() + HOUR_MS });
    await place(access);
    await place(key, { on_behalf_of: ada.account });
    const stop = watch();
    const act = { actor: 'opr_1', reason: 'ticket 1', atMs: NOON_MS };
    await exchange.platform.apps.change(client.app.appId, act, (app) => ({
      ...app,
      status: 'disabled',
    }));
    await settled(ada, 1);
    clock.advance(HOUR_MS);
    clock.advance(20_000);
    await settled(ada, 0);
    await stop();
    const again = await connect(
      exchange,
      await addApp(exchange, await exchange.session()),
      ada.token,
    );
    await place(again.access);
    await exchange.platform.grants.end(again.grantId, 'user', clock.wallMs());
    expect((await ordersOf(ada))[0]).toEqual(['pending', null]);
    const seq = await exchange.lanes.sandbox!.read((state) => state.seq);
    const stopAgain = watch();
    await settled(ada, 0);
    await stopAgain();
    await watch()();
    // One command did it, and those who looked again found nothing to do.
    expect(await exchange.lanes.sandbox!.read((state) => state.seq)).toBe(seq + 1);
    expect((await ordersOf(ada)).map(([, reason]: string[]) => reason)).toEqual(
      Array(3).fill('grant_ended'),
    );
  });
});
