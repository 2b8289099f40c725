// What clients meet of the rules that keep markets sound: who makes them, caps, bands, fees of conversions.
import { asAccountId, asTemplateId, type TemplateDefinition } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { bearer } from '../gateway/harness.ts';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;

beforeEach(async () => {
  exchange = await openExchange();
});

afterEach(() => exchange.close());

const limit = { order_type: 'limit', outcome_id: 'yes', side: 'buy' } as const;
const pool = TEMPLATES[1]!;

/** The session's account in live, with money and a template to make markets from. */
async function liveCreator(token: string, units: number): Promise<{ token: string; at: '' }> {
  const oracleConfig = { ...pool.oracleConfig, source: 'manual' } as const;
  const template = { ...pool, oracleConfig };
  await exchange.operate({ type: 'publish_template', template }, 'live');
  const { data } = await exchange.ask('getAccount', { token, at: '' });
  await exchange.operate(
    {
      type: 'deposit',
      accountId: asAccountId(data.account_id),
      amount: usdt(BigInt(units) * 1_000_000n),
      reference: `wire to ${data.account_id}`,
    },
    'live',
  );
  return { token, at: '' };
}

describe('rules', () => {
  it('[API12] accounts make markets from templates for creators only, and with a deposit', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const template: TemplateDefinition = {
      ...pool,
      id: asTemplateId('house'),
      marketType: 'normal',
    };
    await exchange.operate({ type: 'publish_template', template });
    for (const template_id of ['house', 'book']) {
      for (const query of [{}, { dry_run: true }]) {
        const body = { template_id, params: { n: 1 } };
        const { error } = await ask('createMarket', { token, query, body });
        expect(error).toMatchObject({ code: 'MARKET_NOT_APPROVED', details: { template_id } });
        expect(error.message).toMatch(/market_type creator and a min_creator_deposit above 0/);
      }
    }
    const none = await ask('listMarkets');
    expect(none.data).toEqual([]);
    const balance = await ask('getBalance', { token });
    expect(balance.data.balances[0].free).toBe('10000.000000');
  });

  it('[KY20] a new market is made once for the key in its body, and another body is a mismatch', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const make = (n: number, idempotency_key: string, key?: string) =>
      ask('createMarket', {
        token,
        body: { template_id: 'pool', params: { n }, idempotency_key },
        ...(key === undefined ? {} : { key }),
      });
    const first = await make(1, 'mine');
    expect(first.data.created).toBe(true);
    const again = await make(1, 'mine');
    expect(again.response.headers['idempotency-replayed']).toBe('true');
    // The first answer, which said that it was made; without the key it would be one that was there.
    expect(again.data).toEqual(first.data);
    expect((await make(2, 'mine')).error.code).toBe('IDEMPOTENCY_BODY_MISMATCH');
    expect((await make(2, 'another')).data.created).toBe(true);
    // A key of the header is another key, and where both are sent it decides.
    expect((await make(3, 'mine', 'mine-too-1')).data.created).toBe(true);
    expect((await make(4, 'mine', 'mine-too-1')).error.code).toBe('IDEMPOTENCY_BODY_MISMATCH');
  });

  it('[API13] a title of its own is shown beside the rendered one, and in live it is approved first', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const titled = (n: number, display_title: string) => ({
      template_id: 'pool',
      params: { n },
      creator_metadata: { display_title },
    });
    const shown = await ask('createMarket', { token, body: titled(1, 'Not market 1?') });
    expect(shown.data.market).toMatchObject({
      title: 'Not market 1?',
      rendered_title: 'Market 1',
      status: 'active',
      approved: true,
    });
    const creator = await liveCreator(token, 10_000);
    const dry = await ask('createMarket', {
      ...creator,
      query: { dry_run: true },
      body: titled(2, 'Another'),
    });
    expect(dry.data.market).toMatchObject({ approved: false, status: 'scheduled' });
    const waiting = await ask('createMarket', { ...creator, body: titled(2, 'Another') });
    expect(waiting.data.market).toEqual(dry.data.market);
    const { market_id, title, rendered_title } = waiting.data.market;
    expect([title, rendered_title]).toEqual(['Another', 'Market 2']);
    const order = { ...limit, market_id, price: '0.4', size: '1' };
    const early = await ask('placeOrder', { ...creator, body: order });
    expect(early.error.code).toBe('MARKET_NOT_APPROVED');
    await exchange.operate({ type: 'approve_market', marketId: market_id }, 'live');
    const approved = await ask('getMarket', { at: '', params: { market_id } });
    expect(approved.data).toMatchObject({ approved: true, status: 'active', title: 'Another' });
    const plain = { template_id: 'pool', params: { n: 3 } };
    const own = await ask('createMarket', { ...creator, body: plain });
    expect(own.data.market).toMatchObject({ approved: true, status: 'active', title: 'Market 3' });
  });

  it('[API14] in live a family has twenty open markets at most', async () => {
    const { ask } = exchange;
    const creator = await liveCreator(await exchange.session(), 10_000);
    const make = (n: number, query: object = {}) =>
      ask('createMarket', {
        ...creator,
        query: { ...query },
        body: { template_id: 'pool', params: { n } },
      });
    const made: string[] = [];
    for (let n = 0; n < 20; n += 1) made.push((await make(n)).data.market.market_id);
    for (const query of [{}, { dry_run: true }]) {
      expect((await make(20, query)).error).toMatchObject({
        code: 'RISK_LIMIT_BREACH',
        details: { limit: 'open_markets' },
      });
    }
    expect((await make(7)).data.created).toBe(false);
    const [marketId] = made as [never];
    await exchange.operate({ type: 'cancel_market', marketId, reason: 'test' }, 'live');
    expect((await make(20)).data.created).toBe(true);
  });

  it('[API15] a sell obeys the cap of an order by what it takes in, a simulated one that of a day', async () => {
    const { ask } = exchange;
    const session = await exchange.trader();
    const token = await exchange.key({ session });
    const market_id = await exchange.market('pool');
    const size = '2000';
    await ask('convertPosition', {
      token: session,
      key: 'mint-all',
      body: { action: 'mint', market_id, size },
    });
    const sell = { market_id, outcome_id: 'yes', side: 'sell', order_type: 'market' };
    const cheap = { ...sell, order_type: 'limit', price: '0.01' };
    for (const body of [sell, cheap]) {
      const large = await ask('placeOrder', { token, body: { ...body, size: '21' } });
      expect(large.error).toMatchObject({
        code: 'TIER_LIMIT_EXCEEDED',
        details: { tier: 'self_serve', cap: '10.000000' },
      });
    }
    const used = async (): Promise<string> =>
      (await ask('getAccount', { token })).data.limits.daily_notional_used;
    for (let count = 1; count <= 10; count += 1) {
      const sold = await ask('placeOrder', { token, body: { ...sell, size: '20' } });
      expect(sold.data).toMatchObject({ status: 'filled', avg_fill_price: '0.500000' });
      expect(await used()).toBe(`${10 * count}.000000`);
    }
    const more = await ask('placeOrder', { token, body: { ...sell, size: '20' } });
    expect(more.error).toMatchObject({
      code: 'TIER_LIMIT_EXCEEDED',
      details: { limit: 'day', used: '100.000000' },
    });
    const bySession = { ...sell, size: '20' };
    expect((await ask('placeOrder', { token: session, body: bySession })).error).toBeNull();
    const buy = { ...limit, market_id, price: '0.1', size: '1' };
    const refused = await ask('placeOrder', { token, body: buy });
    expect(refused.error).toMatchObject({
      code: 'TIER_LIMIT_EXCEEDED',
      details: { tier: 'self_serve', cap: '100.000000' },
    });
  });

  it('[API16] what rests counts for the day of a key, as long as it rests', async () => {
    const { ask } = exchange;
    const session = await exchange.trader();
    const token = await exchange.key({ session });
    const market_id = await exchange.market('pool');
    const used = async (by: string): Promise<string> =>
      (await ask('getAccount', { token: by })).data.limits.daily_notional_used;
    const body = { ...limit, market_id, price: '0.3', size: '20' };
    const { order_id } = (await ask('placeOrder', { token, body })).data;
    expect(await used(token)).toBe('6.000000');
    await ask('amendOrder', { token, params: { order_id }, body: { size: '10' } });
    expect(await used(token)).toBe('3.000000');
    // Another key of the user has the tier's day in common, a session has no cap and uses none.
    expect(await used(await exchange.key({ session }))).toBe('3.000000');
    expect(await used(session)).toBe('0.000000');
    await ask('cancelOrder', { token, params: { order_id } });
    expect(await used(token)).toBe('0.000000');
    const mint = { action: 'mint', market_id, size: '4' };
    await ask('convertPosition', { token, key: 'mint-key-1', body: mint });
    expect(await used(token)).toBe('4.000000');
    const large = { token, key: 'mint-key-2', body: { ...mint, size: '10.01' } };
    expect((await ask('convertPosition', large)).error).toMatchObject({
      code: 'TIER_LIMIT_EXCEEDED',
      details: { cap: '10.000000' },
    });
  });

  it('[API17] an order goes to the band and no further, and a dry run says so before', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const body = { market_id, outcome_id: 'yes', side: 'buy', order_type: 'market', size: '5000' };
    const dry = await ask('placeOrder', { token, query: { dry_run: true }, body });
    expect(dry.data).toMatchObject({ status: 'cancelled', cancel_reason: 'price_band' });
    const { price_after, impact } = dry.data.preview;
    expect(Number(price_after)).toBeGreaterThan(0.699);
    expect(Number(price_after)).toBeLessThanOrEqual(0.7);
    expect(Number(impact)).toBeCloseTo(Number(price_after) - 0.5, 9);
    const placed = await ask('placeOrder', { token, body });
    const { preview: _preview, order_id: _id, ...shown } = dry.data;
    expect(placed.data).toMatchObject(shown);
    const market = await ask('getMarket', { params: { market_id } });
    expect(market.data.outcomes[0].price).toBe(price_after);
    const rest = { ...limit, market_id, price: '0.9', size: '10' };
    const stopped = await ask('placeOrder', { token, body: rest });
    expect(stopped.data).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'price_band',
      filled_size: '0.000000',
    });
    const listed = await ask('listOrders', { token, query: { status: 'cancelled' } });
    expect(listed.data.map((one: { cancel_reason: string }) => one.cancel_reason)).toEqual([
      'price_band',
      'price_band',
    ]);
    const all = { ...rest, time_in_force: 'fok' };
    const rejected = await ask('placeOrder', { token, body: all });
    expect(rejected.data).toMatchObject({ status: 'rejected', reject_reason: 'fok_unfillable' });
    const templates = await ask('listTemplates', { query: { limit: 3 } });
    expect(templates.data[2]).toMatchObject({ id: 'pool', price_band: '0.200000' });
  });

  it('[API18] conversions cost what is published, and the statement adds up', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const config = await ask('getLqfConfig');
    expect(config.data.conversion_fee).toMatchObject({ bps: 11, base: 'amount', rounding: 'up' });
    const sizes = [
      ['mint', '0.01', '0.000011'],
      ['mint', '3.33', '0.003663'],
      ['merge', '0.07', '0.000077'],
    ] as const;
    for (const [index, [action, size, fee]] of sizes.entries()) {
      const body = { action, market_id, size };
      const made = await ask('convertPosition', { token, key: `convert-${index}`, body });
      expect(made.data.fee).toBe(fee);
    }
    const sell = { market_id, outcome_id: 'no', side: 'sell', order_type: 'market', size: '1' };
    await ask('placeOrder', { token, body: sell });
    const ledger = await ask('listLedger', { token });
    const units = (text: string): number => Math.round(Number(text) * 1e6);
    const money = ledger.data.filter(
      ({ asset, bucket }: { asset: string | null; bucket: string }) =>
        asset === 'USDT' && bucket === 'free',
    );
    let sum = 0;
    for (const { amount, balance_after } of money.reverse()) {
      sum += units(amount);
      expect(units(balance_after)).toBe(sum);
    }
    const { data } = await ask('getBalance', { token });
    expect(units(data.balances[0].free)).toBe(sum);
  });

  it('[API30] an order with mint is a mint and a sale, previewed as it is then done', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const order = { market_id, outcome_id: 'yes', side: 'sell', order_type: 'market', size: '10' };
    const body = { ...order, mint: true };
    const short = await ask('placeOrder', { token, body: order });
    expect(short.error.code).toBe('BALANCE_INSUFFICIENT');
    const dry = await ask('placeOrder', { token, query: { dry_run: true }, body });
    const { preview } = dry.data;
    expect(preview).toMatchObject({ minted: '10.000000', mint_fee: '0.011000' });
    const positions = await ask('listPositions', { token });
    expect(positions.data).toEqual([]);
    const placed = await ask('placeOrder', { token, key: 'no-on-yes-1', body });
    expect(placed.data).toMatchObject({ status: 'filled', time_in_force: 'fok', side: 'sell' });
    const again = await ask('placeOrder', { token, key: 'no-on-yes-1', body });
    expect(again.data.order_id).toBe(placed.data.order_id);
    const balance = await ask('getBalance', { token });
    expect(balance.data.balances[0].free).toBe(preview.balance_free_after);
    const units = (text: string): number => Math.round(Number(text) * 1e6);
    expect(units(preview.total)).toBe(units('10.011') + units(preview.fee) - units(preview.cost));
    const held = await ask('listPositions', { token });
    expect(held.data).toMatchObject([{ outcome_id: 'no', size: '10.000000' }]);
  });

  it('[API30] an order with mint is for sessions and keys without caps, and lacks money, not shares', async () => {
    const { ask } = exchange;
    const session = await exchange.trader();
    const market_id = await exchange.market('pool');
    const sell = { market_id, outcome_id: 'yes', side: 'sell', order_type: 'market', mint: true };
    const test = await ask('mintKey', { token: session, body: { permissions: ['trade'] } });
    const body = { ...sell, size: '10' };
    expect((await ask('placeOrder', { token: test.data.key_id, body })).error).toBeNull();
    const anonymous = { method: 'POST', url: '/v1/sandbox-keys', payload: {} } as const;
    const { data: capped } = (await exchange.call(anonymous)).json();
    await ask('useFaucet', { token: capped.key_id });
    const refused = await ask('placeOrder', { token: capped.key_id, body });
    expect(refused.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'mint' } });
    const poor = await exchange.session();
    for (const query of [{}, { dry_run: true }]) {
      const { error } = await ask('placeOrder', { token: poor, query, body });
      expect(error).toMatchObject({ code: 'BALANCE_INSUFFICIENT', details: { asset: 'USDT' } });
      expect(error.details).not.toHaveProperty('outcome_id');
      expect(error.message).not.toMatch(/shares/);
    }
  });

  it('[API31] a reset leaves the deposit of an own market, which comes back when the market ends', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const { data } = await ask('getAccount', { token });
    const market_id = await exchange.market('pool', 0, data.account_id);
    const reset = await ask('resetSandbox', { token });
    expect(reset.data).toMatchObject({ balance_free: '0.000000', balance_reserved: '0.000000' });
    const ending = { market_id, winning_outcome_id: 'yes' };
    expect((await ask('settleWithMockOracle', { token, body: ending })).error).toBeNull();
    const after = await ask('getBalance', { token });
    expect(Number(after.data.balances[0].free)).toBeGreaterThan(0);
  });

  it('[API32] a body or a parameter that a write does not take is refused, and nothing is done', async () => {
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const order = { ...limit, market_id, size: '10', price: '0.1' };
    expect((await exchange.ask('placeOrder', { token, body: order })).error).toBeNull();
    const send = async (method: 'DELETE' | 'POST', path: string, payload?: object) => {
      const headers = bearer(token);
      const url = `/sandbox/v1/${path}`;
      const answer = await exchange.call({ method, url, headers, ...(payload && { payload }) });
      const { data, error } = answer.json();
      return error === null ? data : [error.code, error.details.field];
    };
    const body = ['VALIDATION_FAILED', 'body'];
    expect(await send('DELETE', 'orders', { order_ids: ['ord_1'] })).toEqual(body);
    expect(await send('POST', 'sandbox/reset', { subaccount_id: 'sub_1' })).toEqual(body);
    const parameter = ['VALIDATION_FAILED', 'subaccount_id'];
    expect(await send('POST', 'sandbox/reset?subaccount_id=sub_1')).toEqual(parameter);
    expect(await send('DELETE', 'orders', {})).toMatchObject({ cancelled: [expect.any(String)] });
  });

  it('[API30] an order with mint that cannot be a whole sale mints nothing', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const sell = { market_id, outcome_id: 'yes', side: 'sell', size: '10', mint: true };
    const dear = { ...sell, order_type: 'limit', price: '0.99' };
    const rejected = await ask('placeOrder', { token, body: dear });
    expect(rejected.data).toMatchObject({ status: 'rejected', reject_reason: 'fok_unfillable' });
    const before = await ask('getBalance', { token });
    expect(before.data.balances[0].free).toBe('10000.000000');
    for (const [field, changes] of [
      ['side', { side: 'buy' }],
      ['time_in_force', { time_in_force: 'ioc' }],
      ['mint', { mint: 'yes' }],
    ] as const) {
      const body = { ...sell, order_type: 'market', ...changes };
      for (const query of [{}, { dry_run: true }]) {
        const { error } = await ask('placeOrder', { token, query, body });
        expect(error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field } });
      }
    }
  });
});
