// The fee that a user agreed to when they allowed an app, against what the app is allowed and asks for later.
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { NOON_MS } from '../gateway/harness.ts';
import { addApp, type Client, connect, post, renewing } from './connected-app.ts';
import { type Answered, type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
let owner: string;
let user: string;
let client: Client;
let order: object;

beforeEach(async () => {
  exchange = await openExchange(undefined, { manualClock: new ManualClock(NOON_MS) });
  owner = await exchange.session();
  user = await exchange.trader();
  const widgetKey = `pk_${'x'.repeat(16)}_${'x'.repeat(43)}`;
  client = await addApp(exchange, owner, { builderFeeBps: 10, feeCapBps: 10, widgetKey });
  const market_id = await exchange.market('book');
  const common = { market_id, outcome_id: 'yes', order_type: 'limit', price: '0.5' };
  order = { ...common, side: 'buy', size: '10' };
  const token = await exchange.trader();
  const sets = { action: 'mint', market_id, size: '100' };
  await exchange.ask('convertPosition', { token, key: 'mint-sets', body: sets });
  await exchange.ask('placeOrder', { token, body: { ...common, side: 'sell', size: '100' } });
});
afterEach(() => exchange.close());

const place = (token: string, more: object = {}): Promise<Answered> =>
  exchange.ask('placeOrder', { token, body: { ...order, ...more } });

/** In µ. */
async function paidBy(token: string): Promise<number> {
  return Math.round(Number((await place(token)).data.fee_paid) * 1e6);
}

/** As an operator would, and the owner after that. */
async function becomes(feeCapBps: number, builder_fee_bps: number): Promise<void> {
  const { appId } = client.app;
  const act = { actor: 'opr_1', reason: 'another look', atMs: NOON_MS };
  await exchange.platform.apps.change(appId, act, (app) => ({ ...app, feeCapBps }));
  const params = { app_id: appId };
  const changed = await exchange.ask('updateApp', {
    ...{ token: owner, params, body: { builder_fee_bps } },
  });
  expect(changed.error).toBeNull();
}

interface Capped {
  readonly grant_id: string;
  readonly fee_cap_bps: number;
}

it('[AT2] a grant keeps the cap that the app had at its consent, whatever is approved and asked for later', async () => {
  const agreed = await connect(exchange, client, user);
  await becomes(100, 100);
  const renewal = await post(exchange, renewing(client, agreed.refresh));
  const renewed = renewal.json().access_token as string;
  const base = await paidBy(user);
  // 10 of 10,000 of 5: what was agreed to, by the old token and by the next.
  expect((await paidBy(agreed.access)) - base).toBe(5_000);
  expect((await paidBy(renewed)) - base).toBe(5_000);
  const builder = { app_id: client.app.appId, fee_bps: 11 };
  const named = await place(renewed, { builder });
  expectError(named.response, 'BUILDER_FEE_ABOVE_CAP');
  expect(named.error.details).toEqual({ cap_bps: 10 });
  const items = [{ action: 'place', order: { ...order, builder } }];
  const batch = { token: renewed, key: 'a-dear-batch', body: { items } };
  const [refused] = (await exchange.ask('batchOrders', batch)).data.results;
  expect(refused.error.code).toBe('BUILDER_FEE_ABOVE_CAP');
  // Who is asked again and agrees pays what was agreed to now.
  const again = await connect(exchange, client, user);
  expect((await paidBy(again.access)) - base).toBe(50_000);
  const reading = await connect(exchange, client, user, ['account:read']);
  const { data: given } = await exchange.ask('listGrants', { token: user });
  const caps = given.map(({ grant_id: id, fee_cap_bps: cap }: Capped) => [id, cap]);
  expect(Object.fromEntries(caps)).toEqual({
    ...{ [agreed.grantId]: 10, [again.grantId]: 100, [reading.grantId]: 0 },
  });
  // A cap that falls falls for everybody.
  await becomes(5, 5);
  expect((await paidBy(renewed)) - base).toBe(2_500);
  expect((await paidBy(again.access)) - base).toBe(2_500);
});
