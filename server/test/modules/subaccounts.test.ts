// Subaccounts over the interface: opened, funded, traded for, bound to keys, and out of reach for everybody else.
import { type OperationId, operations } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../streams/stage.ts';
import type { AskOptions, Exchange } from './exchange.ts';

let stage: Stage;
let exchange: Exchange;
beforeEach(async () => {
  stage = await openStage();
  exchange = stage.exchange;
});
afterEach(() => stage.close());

interface Owner {
  readonly token: string;
  readonly accountId: string;
}

let count = 0;
const fresh = (prefix: string): string => {
  count += 1;
  return `${prefix}-${String(count).padStart(8, '0')}`;
};

async function owner(): Promise<Owner> {
  const token = await exchange.trader();
  const { data } = await exchange.ask('getAccount', { token });
  return { token, accountId: data.account_id };
}

async function open({ token }: Owner, label = fresh('label')): Promise<string> {
  const { data, error } = await exchange.ask('createSubaccount', { token, body: { label } });
  expect(error).toBeNull();
  return data.subaccount_id;
}

function move({ token }: Owner, from: string, to: string, amount: string) {
  const key = fresh('transfer');
  return exchange.ask('transferFunds', { token, key, body: { from, to, amount } });
}

async function funded(person: Owner, amount = '100'): Promise<string> {
  const id = await open(person);
  const { data } = await move(person, person.accountId, id, amount);
  expect(data.to_balance_free).toBe(`${amount}.000000`);
  return id;
}

const resting = (marketId: string, more: object = {}) => ({
  market_id: marketId,
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'limit',
  price: '0.2',
  size: '10',
  ...more,
});

async function boundKey({ token }: Owner, id: string, permissions = ['read', 'trade']) {
  const body = { permissions, subaccount_id: id };
  const { data } = await exchange.ask('mintKey', { token, body });
  expect(data.subaccount_id).toBe(id);
  return String(data.key_id);
}

describe('an owner and its subaccounts', () => {
  it('[SB1] opens, lists, renames, freezes, lets go and closes them', async () => {
    const ada = await owner();
    const { token } = ada;
    const first = await open(ada, '  Grid bot ');
    const second = await open(ada, 'Hedge');
    const list = await exchange.ask('listSubaccounts', { token });
    expect(list.data.map((each: { label: string }) => each.label).sort()).toEqual([
      'Grid bot',
      'Hedge',
    ]);
    const page = await exchange.ask('listSubaccounts', { token, query: { limit: 1 } });
    const next = { limit: 1, cursor: page.meta.next_cursor };
    const rest = await exchange.ask('listSubaccounts', { token, query: next });
    const paged = [...page.data, ...rest.data];
    expect(paged).toEqual(list.data);
    expect(rest.meta.next_cursor).toBeNull();
    const change = (body: object) =>
      exchange.ask('changeSubaccount', { token, params: { subaccount_id: first }, body });
    expect((await change({ label: 'Night' })).data.label).toBe('Night');
    expect((await change({ label: 'Hedge' })).error.code).toBe('SUBACCOUNT_LABEL_TAKEN');
    expect((await change({ status: 'frozen' })).data).toMatchObject({
      status: 'frozen',
      frozen_by: 'owner',
    });
    expect((await change({ status: 'active' })).data.status).toBe('active');
    expect((await change({ status: 'closed' })).data).toMatchObject({ status: 'closed' });
    expect((await change({ status: 'active' })).error.code).toBe('NOT_FOUND');
    expect((await change({})).error.code).toBe('VALIDATION_FAILED');
    const left = await exchange.ask('listSubaccounts', { token });
    expect(left.data.map((each: { subaccount_id: string }) => each.subaccount_id)).toEqual([
      second,
    ]);
    const all = await exchange.ask('listSubaccounts', { token, query: { status: 'all' } });
    expect(all.data).toHaveLength(2);
    expect(
      (await exchange.ask('createSubaccount', { token, body: { label: 'Night' } })).error,
    ).toBe(null);
    const demo = await exchange.ask('openDemo');
    const visitor = { token: demo.data.session_token, body: { label: 'x' } };
    expect((await exchange.ask('createSubaccount', visitor)).error.code).toBe(
      'TIER_UPGRADE_REQUIRED',
    );
  });

  it('[SB2] trades, reads and moves money for the one that it names', async () => {
    const ada = await owner();
    const { token } = ada;
    const id = await funded(ada);
    const marketId = await exchange.market('pool');
    const body = resting(marketId, { subaccount_id: id, client_order_id: 'mine' });
    const placed = await exchange.ask('placeOrder', { token, body });
    expect(placed.data.reserved).toBe('2.000000');
    const preview = {
      token,
      body: { ...body, client_order_id: 'other' },
      query: { dry_run: true },
    };
    const previewed = await exchange.ask('placeOrder', preview);
    expect(previewed.data.preview.balance_free_after).toBe('96.000000');
    const again = await exchange.ask('placeOrder', { token, body });
    expect(again.error.details.order.order_id).toBe(placed.data.order_id);
    const query = { subaccount_id: id };
    const reference = { order_id: placed.data.order_id };
    expect((await exchange.ask('getOrder', { token, params: reference })).error.code).toBe(
      'NOT_FOUND',
    );
    const found = await exchange.ask('getOrder', {
      token,
      params: { order_id: 'coid:mine' },
      query,
    });
    expect(found.data.order_id).toBe(placed.data.order_id);
    const amended = { token, params: reference, query, body: { size: '8' } };
    expect((await exchange.ask('amendOrder', amended)).data.size).toBe('8.000000');
    const counts = await exchange.ask('listSubaccounts', { token });
    expect(counts.data[0]).toMatchObject({
      balance_free: '98.400000',
      balance_reserved: '1.600000',
      open_orders: 1,
      positions: 0,
    });
    expect((await exchange.ask('listOrders', { token })).data).toEqual([]);
    for (const status of ['pending', 'all']) {
      const listed = await exchange.ask('listOrders', { token, query: { ...query, status } });
      expect(listed.data).toHaveLength(1);
    }
    const cancelled = await exchange.ask('cancelOrder', { token, params: reference, query });
    expect(cancelled.data.status).toBe('cancelled');
    const taken = resting(marketId, { subaccount_id: id, order_type: 'market', price: undefined });
    expect((await exchange.ask('placeOrder', { token, body: taken })).data.status).toBe('filled');
    const mint = { action: 'mint', market_id: marketId, size: '5', subaccount_id: id };
    const minted = await exchange.ask('convertPosition', { token, key: fresh('mint'), body: mint });
    expect(minted.data.positions).toHaveLength(2);
    for (const [operation, own, its] of [
      ['listPositions', 0, 2],
      ['listFills', 0, 1],
    ] as const) {
      expect((await exchange.ask(operation, { token })).data, operation).toHaveLength(own);
      expect((await exchange.ask(operation, { token, query })).data).toHaveLength(its);
    }
    const balance = await exchange.ask('getBalance', { token, query });
    expect(balance.data.account_id).toBe(id);
    const statement = await exchange.ask('listLedger', { token, query });
    expect(statement.data.at(-1)).toMatchObject({ reason: 'transfer', amount: '100.000000' });
    const summary = await exchange.ask('getPortfolioSummary', { token, query });
    expect(summary.data.account_id).toBe(id);
    const items = [
      { action: 'place', order: resting(marketId, { client_order_id: 'batched' }) },
      { action: 'cancel', order_id: 'coid:batched' },
    ];
    const batch = { items, subaccount_id: id };
    const ran = await exchange.ask('batchOrders', { token, key: fresh('batch'), body: batch });
    expect(ran.data.succeeded).toBe(1);
    const beat = { timeout_ms: 5000, subaccount_id: id };
    expect((await exchange.ask('heartbeat', { token, body: beat })).data.armed).toBe(true);
    const gone = await exchange.ask('cancelAllOrders', { token, query });
    expect(gone.data.cancelled).toHaveLength(1);
    expect((await move(ada, id, ada.accountId, '0.000001')).data.amount).toBe('0.000001');
    expect((await move(ada, id, ada.accountId, '1000')).error.code).toBe('BALANCE_INSUFFICIENT');
  });

  it('[SB3] hears of all of them on its own stream, and which one it is', async () => {
    const ada = await owner();
    const id = await funded(ada);
    const key = await boundKey(ada, id);
    const marketId = await exchange.market('pool');
    const client = await stage.connect();
    await client.ask({ op: 'AUTH', token: ada.token }, 'authenticated');
    await client.ask({ op: 'SUBSCRIBE', params: ['account', 'trade_executed'] }, 'subscribed');
    await client.next('account');
    const bot = await stage.connect();
    const known = await bot.ask({ op: 'AUTH', token: key }, 'authenticated');
    expect(known.data.account_id).toBe(id);
    await bot.ask({ op: 'SUBSCRIBE', params: ['account'] }, 'subscribed');
    const snapshot = await bot.next('account');
    expect(snapshot.data.account).toMatchObject({ account_id: id, email: null, user_id: null });
    const body = resting(marketId, { subaccount_id: id });
    await exchange.ask('placeOrder', { token: ada.token, body });
    const accepted = await client.next('order_accepted');
    expect(accepted.data.subaccount_id).toBe(id);
    const money = await client.next('balance_updated');
    expect(money.data).toMatchObject({ subaccount_id: id, balance_free: '98.000000' });
    expect((await bot.next('order_accepted')).data.subaccount_id).toBeUndefined();
    await exchange.ask('placeOrder', { token: ada.token, body: resting(marketId) });
    const own = await client.next('order_accepted');
    expect(own.data.subaccount_id).toBeUndefined();
    await bot.ask({ op: 'PING' }, 'pong');
    expect(bot.frames.filter(({ type }) => type === 'order_accepted')).toHaveLength(1);
  });
});

describe('a key that is bound to a subaccount', () => {
  it('[SB4] sees and moves that one and nothing else', async () => {
    const ada = await owner();
    const [id, sibling] = [await funded(ada), await funded(ada)];
    const key = await boundKey(ada, id);
    const marketId = await exchange.market('pool');
    const token = key;
    const account = await exchange.ask('getAccount', { token });
    expect(account.data).toMatchObject({
      account_id: id,
      balance_free: '100.000000',
      email: null,
      user_id: null,
      referral_code: null,
    });
    expect((await exchange.ask('placeOrder', { token, body: resting(marketId) })).error).toBeNull();
    for (const subaccount of [sibling, 'sub_0000000000000000']) {
      const body = resting(marketId, { subaccount_id: subaccount });
      expect((await exchange.ask('placeOrder', { token, body })).error.code).toBe('NOT_FOUND');
      const query = { subaccount_id: subaccount };
      expect((await exchange.ask('getBalance', { token, query })).error.code).toBe('NOT_FOUND');
    }
    const itself = await exchange.ask('getBalance', { token, query: { subaccount_id: id } });
    expect(itself.data.account_id).toBe(id);
    const list = await exchange.ask('listSubaccounts', { token });
    expect(list.data.map((each: { subaccount_id: string }) => each.subaccount_id)).toEqual([id]);
    const refused: readonly [OperationId, AskOptions][] = [
      ['createSubaccount', { body: { label: 'mine' } }],
      ['changeSubaccount', { params: { subaccount_id: id }, body: { label: 'mine' } }],
      ['changeSubaccount', { params: { subaccount_id: sibling }, body: { status: 'frozen' } }],
      ['transferFunds', { body: { from: id, to: ada.accountId, amount: '1' } }],
      ['transferFunds', { body: { from: ada.accountId, to: id, amount: '1' } }],
    ];
    for (const [operation, options] of refused) {
      const asked = { ...options, token, key: fresh('refused') };
      const { error } = await exchange.ask(operation, asked);
      expect([operation, error.code]).toEqual([operation, 'SCOPE_MISSING']);
      expect(error.details).toEqual({ required: 'owner', subaccount_id: id });
    }
    const foreign = { token, body: { subaccount_id: sibling }, key: fresh('refused') };
    expect((await exchange.ask('mintKey', foreign)).error.code).toBe('NOT_FOUND');
    // What it mints is bound as it is, and it knows of no other keys.
    const child = await exchange.ask('mintKey', { token, body: { permissions: ['read'] } });
    expect(child.data).toMatchObject({ subaccount_id: id, account_id: ada.accountId });
    const keys = await exchange.ask('listKeys', { token });
    expect(keys.data.map((each: { subaccount_id: string }) => each.subaccount_id)).toEqual([
      id,
      id,
    ]);
    const all = await exchange.ask('mintKey', { token: ada.token, body: {} });
    const params = { key_id: all.data.public_id };
    expect((await exchange.ask('revokeKey', { token, params })).error.code).toBe('NOT_FOUND');
  });

  it('[SB4] is not told what its owner was answered under the same Idempotency-Key', async () => {
    const ada = await owner();
    const id = await funded(ada);
    const token = await boundKey(ada, id);
    const marketId = await exchange.market('pool');
    const body = resting(marketId);
    const key = fresh('shared');
    const first = await exchange.ask('placeOrder', { token: ada.token, body, key });
    const second = await exchange.ask('placeOrder', { token, body, key });
    expect(second.error).toBeNull();
    expect(second.data.order_id).not.toBe(first.data.order_id);
  });

  it('[SB4] starts again alone, and its owner with all', async () => {
    const ada = await owner();
    const [id, sibling] = [await funded(ada), await funded(ada)];
    const token = await boundKey(ada, id);
    const money = async (query: object): Promise<string> => {
      const { data } = await exchange.ask('getBalance', { token: ada.token, query: { ...query } });
      return data.balances[0].free;
    };
    expect((await exchange.ask('resetSandbox', { token })).data.account_id).toBe(id);
    expect(await money({ subaccount_id: id })).toBe('0.000000');
    expect(await money({ subaccount_id: sibling })).toBe('100.000000');
    expect(await money({})).toBe('9800.000000');
    await exchange.ask('resetSandbox', { token: ada.token });
    expect([await money({}), await money({ subaccount_id: sibling })]).toEqual([
      '0.000000',
      '0.000000',
    ]);
  });
});

describe('a family of 32 gains nothing', () => {
  it('[SB5] one faucet, one limit of requests, one number of keys, and no 33rd', async () => {
    const ada = await owner();
    const { token } = ada;
    const ids: string[] = [];
    for (let index = 0; index < 32; index += 1) ids.push(await open(ada));
    const more = await exchange.ask('createSubaccount', { token, body: { label: 'more' } });
    expect(more.error.message).toBe('You have 32 of 32 subaccounts: close one first.');
    let minted = 0;
    for (const id of ids) {
      const body = { permissions: ['read', 'trade'], subaccount_id: id };
      const answer = await exchange.ask('mintKey', { token, body });
      if (answer.error !== null) continue;
      minted += 1;
      const faucet = await exchange.ask('useFaucet', { token: answer.data.key_id });
      expect(faucet.error.code).toBe('RATE_LIMITED');
    }
    expect(minted).toBe(20);
  });

  it('[SB6] what an operator holds, its owner does not set free', async () => {
    const ada = await owner();
    const id = await funded(ada);
    const freeze = (accountId: string, frozen: boolean) =>
      exchange.operate({ type: 'freeze_account', accountId: asAccountId(accountId), frozen });
    await freeze(ada.accountId, true);
    const { token } = ada;
    const list = await exchange.ask('listSubaccounts', { token });
    expect(list.data[0]).toMatchObject({ status: 'frozen', frozen_by: 'operator' });
    const wish = { token, params: { subaccount_id: id }, body: { status: 'active' } };
    expect((await exchange.ask('changeSubaccount', wish)).error.code).toBe('SUBACCOUNT_FROZEN');
    expect((await move(ada, id, ada.accountId, '1')).error.code).toBe('SUBACCOUNT_FROZEN');
    const key = await boundKey(ada, id);
    const liftedBy = async () => {
      const { data } = await exchange.ask('getAccount', { token: key });
      return data.restriction_reasons.map((one: { lifted_by: string }) => one.lifted_by);
    };
    expect(await liftedBy()).toEqual(['operator']);
    await freeze(ada.accountId, false);
    expect((await move(ada, id, ada.accountId, '1')).error).toBeNull();
    await exchange.ask('changeSubaccount', { ...wish, body: { status: 'frozen' } });
    expect(await liftedBy()).toEqual(['owner']);
  });
});

describe('somebody else’s subaccount', () => {
  /** Whatever takes a subaccount_id, with a request that would succeed with one's own. */
  const asked = (marketId: string): Readonly<Record<string, AskOptions>> => ({
    listPositions: {},
    listOrders: {},
    listFills: {},
    placeOrder: { body: resting(marketId) },
    getOrder: { params: { order_id: 'coid:theirs' } },
    amendOrder: { params: { order_id: 'coid:theirs' }, body: { size: '1' } },
    cancelOrder: { params: { order_id: 'coid:theirs' } },
    batchOrders: { body: { items: [{ action: 'place', order: resting(marketId) }] } },
    cancelAllOrders: {},
    heartbeat: { body: { timeout_ms: 5000 } },
    getBalance: {},
    getPortfolioSummary: {},
    createGrant: { body: { kind: 'oauth', scopes: ['account:read'] } },
    listLedger: {},
    convertPosition: { body: { action: 'mint', market_id: marketId, size: '1' } },
    mintKey: { body: { permissions: ['read'] } },
    changeSubaccount: { body: { label: 'taken over' } },
    // Of live alone; there it is asked with real ones of both in the tests of withdrawals.
    createWithdrawal: { at: '', body: { destination_id: 'dst_01J0000000000030', amount: '1' } },
    transferFunds: {},
  });

  it('[SB7] is reached by no operation, and nothing of it is told', async () => {
    const [ada, eve] = [await owner(), await owner()];
    const theirs = await funded(ada);
    const marketId = await exchange.market('pool');
    const order = resting(marketId, { subaccount_id: theirs, client_order_id: 'theirs' });
    const placed = await exchange.ask('placeOrder', { token: ada.token, body: order });
    const takers = Object.values(operations).filter(
      ({ path, input }) =>
        path.includes('{subaccount_id}') ||
        [input.query, input.body].some(
          (part) => part !== null && 'subaccount_id' in part.properties,
        ),
    );
    const table = asked(marketId);
    expect([...takers.map(({ id }) => id), 'transferFunds'].sort()).toEqual(
      Object.keys(table).sort(),
    );
    const before = await exchange.ask('listSubaccounts', { token: ada.token });
    for (const { id, input } of takers) {
      const request = table[id]!;
      const isInBody = input.body !== null && 'subaccount_id' in input.body.properties;
      const isInQuery = input.query !== null && 'subaccount_id' in input.query.properties;
      for (const params of [
        request.params,
        'order_id' in (request.params ?? {}) ? { order_id: placed.data.order_id } : null,
      ]) {
        if (params === null) continue;
        const { error } = await exchange.ask(id as OperationId, {
          ...request,
          token: eve.token,
          key: fresh('foreign'),
          ...(isInBody ? { body: { ...request.body, subaccount_id: theirs } } : {}),
          ...(isInQuery ? { query: { subaccount_id: theirs } } : {}),
          params: { ...params, subaccount_id: theirs },
        });
        expect(error?.code, id).toBe('NOT_FOUND');
        expect(error.details?.order).toBeUndefined();
      }
    }
    for (const [from, to] of [
      [theirs, eve.accountId],
      [eve.accountId, theirs],
      [theirs, ada.accountId],
      [ada.accountId, eve.accountId],
    ] as const) {
      expect((await move(eve, from, to, '1')).error.code).toBe('NOT_FOUND');
    }
    const after = await exchange.ask('listSubaccounts', { token: ada.token });
    expect(after.data).toEqual(before.data);
  });
});
