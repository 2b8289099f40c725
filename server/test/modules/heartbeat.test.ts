// Which orders the dead-man switch of POST /v1/orders/heartbeat guards.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(() => exchange.close());

const limit = { order_type: 'limit', outcome_id: 'yes', side: 'buy' } as const;

it.each([{}, { scope: 'market' }])(
  '[RQ23] with market_id and %j it guards the orders of that market only',
  async (scope) => {
    const token = await exchange.trader();
    const guarded = await exchange.market('book');
    const other = await exchange.market('book', 1);
    await rest(token, guarded);
    await rest(token, other);
    const body = { timeout_ms: 5_000, market_id: guarded, ...scope };
    const { data } = await exchange.ask('heartbeat', { token, body });
    expect(data).toMatchObject({ armed: true, scope: 'market', market_id: guarded });
    await runOut();
    expect(await openMarkets(token)).toEqual([other]);
  },
);

it('[RQ23] scope account with market_id is refused and arms nothing', async () => {
  const token = await exchange.trader();
  const market_id = await exchange.market('book');
  await rest(token, market_id);
  const body = { timeout_ms: 5_000, market_id, scope: 'account' };
  const { response, error } = await exchange.ask('heartbeat', { token, body });
  expectError(response, 'VALIDATION_FAILED');
  expect(error.details).toMatchObject({
    field: 'scope',
    expected: 'market or omitted when market_id is sent',
  });
  await runOut();
  expect(await openMarkets(token)).toEqual([market_id]);
});

it('[RQ23] scope market needs market_id', async () => {
  const token = await exchange.trader();
  const body = { timeout_ms: 5_000, scope: 'market' };
  const { response, error } = await exchange.ask('heartbeat', { token, body });
  expectError(response, 'MISSING_FIELD');
  expect(error.details).toMatchObject({ field: 'market_id' });
});

it('[RQ23] the switch of a market and that of the account are disarmed apart', async () => {
  const token = await exchange.trader();
  const [guarded, other] = [await exchange.market('book'), await exchange.market('book', 1)];
  await rest(token, guarded);
  await rest(token, other);
  await exchange.ask('heartbeat', { token, body: { timeout_ms: 5_000 } });
  await exchange.ask('heartbeat', { token, body: { timeout_ms: 5_000, market_id: guarded } });
  await exchange.ask('heartbeat', { token, body: { timeout_ms: 0 } });
  await runOut();
  expect(await openMarkets(token)).toEqual([other]);
});

async function rest(token: string, market_id: string): Promise<void> {
  const body = { ...limit, market_id, price: '0.4', size: '10' };
  const { error } = await exchange.ask('placeOrder', { token, body });
  expect(error).toBeNull();
}

async function runOut(): Promise<void> {
  exchange.clock.advance(5_001);
  await exchange.operate({ type: 'tick' });
}

async function openMarkets(token: string): Promise<string[]> {
  const { data } = await exchange.ask('listOrders', { token, query: { status: 'pending' } });
  return data.map((order: { market_id: string }) => order.market_id);
}
