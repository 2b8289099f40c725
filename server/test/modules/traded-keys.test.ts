// What each key traded, shown to whoever holds it.
import { asAccountId, asMarketId } from '@sibyl/engine';
import { lots } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addApp, connect } from './connected-app.ts';
import { type Exchange, openExchange } from './exchange.ts';

const DAY_MS = 86_400_000;

let exchange: Exchange;
let marketId: string;

beforeEach(async () => {
  exchange = await openExchange();
  marketId = await exchange.market('book');
});

afterEach(() => exchange.close());

interface Key {
  readonly token: string;
  readonly publicId: string;
}

async function keyOf(session: string, label: string, more: object = {}): Promise<Key> {
  const body = { label, permissions: ['read', 'trade'], ...more };
  const { data } = await exchange.ask('mintKey', { token: session, body });
  return { token: data.key_id, publicId: data.public_id };
}

/** With a thousand shares to sell. */
async function seller(): Promise<string> {
  const session = await exchange.trader();
  const { data } = await exchange.ask('getAccount', { token: session });
  const accountId = asAccountId(data.account_id);
  const sets = { accountId, marketId: asMarketId(marketId), lots: lots(100_000) };
  await exchange.operate({ type: 'mint_sets', ...sets, caps: null, grant: null });
  return session;
}

async function order(token: string, side: 'buy' | 'sell', size: string): Promise<void> {
  const body = { market_id: marketId, outcome_id: 'yes', side, order_type: 'limit' };
  const { error } = await exchange.ask('placeOrder', {
    token,
    body: { ...body, price: '0.5', size },
  });
  expect(error).toBe(null);
}

async function traded(token: string, query: object = {}) {
  const { data, meta, error } = await exchange.ask('getAttribution', {
    token,
    query: { group_by: 'key', ...query },
  });
  expect(error).toBe(null);
  const rows = (data as readonly Record<string, unknown>[]).map((row) => {
    expect([row.fills, row.accrued, row.app_id, row.day]).toEqual([null, null, null, null]);
    return [row.kind, row.key_id, row.label, row.volume];
  });
  return { rows, cursor: meta.next_cursor };
}

const part = ({ publicId }: Key, label: string, volume: string) => [
  'part',
  publicId,
  label,
  volume,
];
const total = (volume: string) => ['total', null, null, volume];
const byId = (rows: readonly (readonly unknown[])[]) =>
  rows.toSorted((a, b) => (String(a[1]) < String(b[1]) ? -1 : 1));

describe('what keys traded', () => {
  it('[RV7] is shown by key, as taker and as maker, with what keys that are over traded', async () => {
    const ada = await exchange.trader();
    const bob = await seller();
    const [desk, spare, idle] = [
      await keyOf(ada, 'desk'),
      await keyOf(ada, 'spare'),
      await keyOf(ada, 'idle'),
    ];
    const quoting = await keyOf(bob, 'quoting');
    await order(quoting.token, 'sell', '200');
    await order(desk.token, 'buy', '100');
    await order(spare.token, 'buy', '10');
    // A person's own order is no key's.
    await order(ada, 'buy', '30');
    await exchange.ask('revokeKey', { token: ada, params: { key_id: spare.publicId } });
    const parts = byId([part(desk, 'desk', '50.000000'), part(spare, 'spare', '5.000000')]);
    const shown = await traded(ada);
    expect(shown).toEqual({ rows: [total('55.000000'), ...parts], cursor: null });
    // A key sees what the list of keys shows it: here all of them.
    expect(await traded(idle.token)).toEqual(shown);
    expect((await traded(bob)).rows).toEqual([
      total('70.000000'),
      part(quoting, 'quoting', '70.000000'),
    ]);
    const first = await traded(ada, { limit: 1 });
    expect(first.rows).toEqual([total('55.000000'), parts[0]]);
    const second = await traded(ada, { limit: 1, cursor: first.cursor });
    expect(second).toEqual({ rows: [parts[1]], cursor: null });
  });

  it('[RV7] is shown for whole UTC days', async () => {
    const ada = await exchange.trader();
    const desk = await keyOf(ada, 'desk');
    await order(await seller(), 'sell', '200');
    await order(desk.token, 'buy', '100');
    const { clock } = exchange;
    const midnightMs = (Math.floor(clock.wallMs() / DAY_MS) + 1) * DAY_MS;
    clock.advance(midnightMs - clock.wallMs() + 3_600_000);
    marketId = await exchange.market('book', 1);
    await order(await seller(), 'sell', '200');
    await order(desk.token, 'buy', '10');
    expect((await traded(desk.token)).rows[0]).toEqual(total('55.000000'));
    expect((await traded(desk.token, { from_ms: midnightMs })).rows).toEqual([
      total('5.000000'),
      part(desk, 'desk', '5.000000'),
    ]);
    const before = { from_ms: midnightMs - DAY_MS, to_ms: midnightMs };
    expect((await traded(desk.token, before)).rows[0]).toEqual(total('50.000000'));
    expect((await traded(desk.token, { from_ms: 0, to_ms: DAY_MS })).rows).toEqual([
      total('0.000000'),
    ]);
  });

  it('[RV7] shows a key of a subaccount its like alone, and apps nothing', async () => {
    const ada = await exchange.trader();
    const desk = await keyOf(ada, 'desk');
    await order(await seller(), 'sell', '200');
    await order(desk.token, 'buy', '100');
    const { data: opened } = await exchange.ask('createSubaccount', {
      token: ada,
      body: { label: 'Grid bot' },
    });
    const { subaccount_id: to } = opened;
    const { data: own } = await exchange.ask('getAccount', { token: ada });
    await exchange.ask('transferFunds', {
      ...{ token: ada, key: 'transfer-1' },
      body: { from: own.account_id, to, amount: '100' },
    });
    const bound = await keyOf(ada, 'bound', { subaccount_id: to });
    await order(bound.token, 'buy', '20');
    expect((await traded(bound.token)).rows).toEqual([
      total('10.000000'),
      part(bound, 'bound', '10.000000'),
    ]);
    expect((await traded(ada)).rows[0]).toEqual(total('60.000000'));
    const app = await addApp(exchange, await exchange.trader());
    const { access } = await connect(exchange, app, ada, ['account:read']);
    const refusalOf = async (token: string, query: object) =>
      (await exchange.ask('getAttribution', { token, query: { group_by: 'key', ...query } })).error;
    expect(await refusalOf(access, {})).toMatchObject({ code: 'SCOPE_MISSING' });
    expect(await refusalOf(ada, { app_id: app.app.appId })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'app_id' },
    });
  });
});
