// What an app or a partner does to orders that it did not place: nothing, by any operation.
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { NOON_MS } from '../gateway/harness.ts';
import { addApp, type Client, connect } from './connected-app.ts';
import { type Answered, type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
let client: Client;
let trader: string;
let market_id: string;

beforeEach(async () => {
  exchange = await openExchange(undefined, { manualClock: new ManualClock(NOON_MS) });
  client = await addApp(exchange, await exchange.session());
  trader = await exchange.trader();
  market_id = await exchange.market('book');
});
afterEach(() => exchange.close());

const bid = (more: object = {}) => ({
  ...{ market_id, outcome_id: 'yes', side: 'buy', order_type: 'limit' },
  ...{ price: '0.10', size: '10', ...more },
});

async function place(token: string, more: object = {}): Promise<string> {
  return (await exchange.ask('placeOrder', { token, body: bid(more) })).data.order_id;
}

const cancel = (token: string, order_id: string, more: object = {}): Promise<Answered> =>
  exchange.ask('cancelOrder', { token, params: { order_id }, ...more });

const amend = (token: string, order_id: string, body: object): Promise<Answered> =>
  exchange.ask('amendOrder', { token, params: { order_id }, body });

async function batch(token: string, items: readonly object[], more: object = {}) {
  const key = `batch-${items.length}-${token.slice(-8)}`.replace(/[^A-Za-z0-9_-]/g, '-');
  return exchange.ask('batchOrders', { token, key, body: { items, ...more } });
}

function expectUnknown(answer: Answered, order_id: string): void {
  expectError(answer.response, 'NOT_FOUND');
  expect(answer.error.details).toEqual({ order_id });
}

const statusOf = async (order_id: string) =>
  (await exchange.ask('getOrder', { token: trader, params: { order_id } })).data.status;

describe("an order that is not the grant's", () => {
  it('[OAU21] is unknown to cancels, amendments and batches of an app, by its id and by its name', async () => {
    const one = await connect(exchange, client, trader);
    const other = await connect(exchange, client, trader);
    const mine = await place(trader, { client_order_id: 'mine' });
    const theirs = await place(other.access);
    for (const reference of [mine, theirs, 'coid:mine']) {
      expectUnknown(await cancel(one.access, reference), reference);
      expectUnknown(await amend(one.access, reference, { size: '5' }), reference);
      expectUnknown(await amend(one.access, reference, { price: '0.2' }), reference);
      // Not even the market's grid is told.
      expectUnknown(await amend(one.access, reference, { price: '0.1234' }), reference);
      const keyed = await cancel(one.access, reference, { key: `key-of-${reference.slice(-4)}` });
      expectUnknown(keyed, reference);
    }
    const its = await place(one.access);
    const items = [
      { action: 'cancel', order_id: mine },
      { action: 'amend', order_id: theirs, size: '5' },
      { action: 'cancel', order_id: 'coid:mine' },
      { action: 'cancel', order_id: its },
    ];
    const { data } = await batch(one.access, items);
    const told = data.results.map(({ error }: Answered) => [error?.code, error?.details.order_id]);
    expect(told).toEqual([
      ['NOT_FOUND', mine],
      ['NOT_FOUND', theirs],
      ['NOT_FOUND', 'coid:mine'],
      [undefined, undefined],
    ]);
    const whole = await batch(one.access, items.slice(0, 2), { all_or_none: true });
    expectError(whole.response, 'VALIDATION_FAILED');
    expect([await statusOf(mine), await statusOf(theirs)]).toEqual(['pending', 'pending']);
    // The user reaches every order of the account.
    expect((await cancel(trader, theirs)).error).toBeNull();
    expect((await amend(trader, mine, { size: '5' })).error).toBeNull();
  });

  it('[OAU21] stays in the book before an order of an app that would trade with it', async () => {
    const { access } = await connect(exchange, client, trader);
    const mine = await place(trader);
    const body = bid({ outcome_id: 'no', price: '0.90' });
    const { data } = await exchange.ask('placeOrder', { token: access, body });
    expect(data).toMatchObject({ status: 'cancelled', cancel_reason: 'self_trade_prevented' });
    expect(await statusOf(mine)).toBe('pending');
    expect((await exchange.ask('placeOrder', { token: trader, body })).data.status).toBe('pending');
    expect(await statusOf(mine)).toBe('cancelled');
  });

  it('[OAU21] becomes the user’s own with the price that the user gives it, and is beyond the app from then on', async () => {
    const { access } = await connect(exchange, client, trader);
    const its = await place(access);
    expect((await amend(access, its, { price: '0.11' })).error).toBeNull();
    expect((await amend(trader, its, { size: '9' })).error).toBeNull();
    // A smaller size keeps its place, and whose it is.
    expect((await amend(access, its, { size: '8' })).error).toBeNull();
    expect((await amend(trader, its, { price: '0.12' })).error).toBeNull();
    expectUnknown(await cancel(access, its), its);
    expect(await statusOf(its)).toBe('pending');
  });

  it('[OAU21] is unknown to a partner on behalf of the account, who reaches what was placed on its behalf', async () => {
    const accountOf = async (token: string) => (await exchange.ask('getAccount', { token })).data;
    const session = await exchange.trader();
    const key = await exchange.key({ session, at: '/sandbox', tier: 'partner' });
    await exchange.platform.setPartnerScopes(key.slice(0, 24), ['delegation:trade']);
    const delegation = {
      ...{ kind: 'delegation', partner_id: (await accountOf(session)).user_id },
      ...{ scopes: ['orders:trade'], expires_at_ms: NOON_MS + 86_400_000 },
    };
    await exchange.ask('createGrant', { token: trader, body: delegation });
    const on_behalf_of = (await accountOf(trader)).account_id;
    const told = async (order_id: string) => {
      const named = { token: key, params: { order_id }, query: { on_behalf_of } };
      const amended = await exchange.ask('amendOrder', { ...named, body: { size: '5' } });
      return [amended, await exchange.ask('cancelOrder', named)];
    };
    const mine = await place(trader);
    for (const answer of await told(mine)) expectUnknown(answer, mine);
    const { data } = await exchange.ask('placeOrder', { token: key, body: bid({ on_behalf_of }) });
    expect((await told(data.order_id)).map(({ error }) => error)).toEqual([null, null]);
    const [, again] = await told(data.order_id);
    expect(again!.error.details.order.status).toBe('cancelled');
  });

  it('[OAU24] is shown in a conflict to an app that reads the account, and to no other', async () => {
    const reading = await connect(exchange, client, trader);
    const trading = await connect(exchange, client, trader, ['orders:trade']);
    const mine = await place(trader, { client_order_id: 'mine' });
    const taken = (token: string) =>
      exchange.ask('placeOrder', { token, body: bid({ client_order_id: 'mine' }) });
    expect((await taken(reading.access)).error.details.order.order_id).toBe(mine);
    expect((await taken(trading.access)).error.details).not.toHaveProperty('order');
    await cancel(trader, mine);
    const shown = await cancel(reading.access, mine);
    expectError(shown.response, 'STATE_CONFLICT');
    expect(shown.error.details.order.status).toBe('cancelled');
    const hidden = await cancel(trading.access, mine);
    expectError(hidden.response, 'STATE_CONFLICT');
    expect(hidden.error.details).toEqual({ order_id: mine, status: 'cancelled' });
    const its = await place(trading.access);
    await cancel(trading.access, its);
    const own = await cancel(trading.access, its);
    expect(own.error.details.order.order_id).toBe(its);
  });
});
