// Refusals that say how to go on: values that the market takes, what there is too little of, and where a market is.
import { asAccountId, asTemplateId, marketIdOf, PLATFORM_ACCOUNT } from '@sibyl/engine';
import { pips, usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { bearer } from '../gateway/harness.ts';
import { type Answered, type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
let trader: string;
let marketId: string;
beforeEach(async () => {
  exchange = await openExchange();
  const [book] = TEMPLATES;
  await exchange.operate({
    type: 'publish_template',
    template: {
      ...book!,
      id: asTemplateId('coarse'),
      tickPips: pips(100),
      minLots: 50,
      minBet: usdt(1_000_000n),
      maxBet: usdt(50_000_000n),
    },
  });
  trader = await exchange.trader();
  marketId = await exchange.market('coarse');
  const body = { action: 'mint', market_id: marketId, size: '5000' };
  const key = 'sets-to-sell';
  expect((await exchange.ask('convertPosition', { token: trader, body, key })).error).toBeNull();
});
afterEach(() => exchange.close());

interface Terms {
  readonly side: string;
  readonly price: string;
  readonly size: string;
}

function place(terms: Terms, more: object = {}): Promise<Answered> {
  const order = { market_id: marketId, outcome_id: 'yes', order_type: 'limit' };
  const body = { ...order, ...terms, ...more };
  return exchange.ask('placeOrder', { token: trader, query: { dry_run: true }, body });
}

/** Puts what is said to be nearest in its place until the order is taken; the fields that had to be mended. */
async function mended(terms: Terms): Promise<readonly string[]> {
  const fields: string[] = [];
  let order: Terms = terms;
  for (;;) {
    const { error } = await place(order);
    if (error === null) return fields;
    const { field, nearest } = error.details;
    expect(nearest, JSON.stringify({ order, error })).toEqual(expect.any(String));
    expect(fields, JSON.stringify({ order, error })).not.toContain(field);
    expect(error.message).toContain(`the nearest is ${nearest}.`);
    fields.push(field);
    order = { ...order, [field]: nearest };
  }
}

describe('an order off the grid', () => {
  const prices = ['0.5', '0.333', '0.12345', '1', '7.5', '0.9999'];
  it.each([
    ['buy', [...prices, '0.00001', '0', '-1']],
    // At a price this low, what a sell brings may lie beyond either bound: there is nothing to advise.
    ['sell', prices],
  ] as const)('[KY14] is told the nearest values that are taken: a %s', async (side, asked) => {
    const sizes = ['10', '10.005', '0.001', '0', '0.1', '99999999', '123456789012345'];
    const seen = new Set<string>();
    for (const price of asked) {
      for (const size of sizes) {
        for (const field of await mended({ side, price, size })) seen.add(field);
      }
    }
    expect([...seen].sort()).toEqual(['price', 'size']);
  });

  it('[KY14] is told the nearest of them, not just any', async () => {
    const detailsOf = async (terms: Partial<Terms>): Promise<Record<string, string>> =>
      (await place({ side: 'buy', price: '0.5', size: '10', ...terms })).error.details;
    expect(await detailsOf({ price: '0.336' })).toMatchObject({ nearest: '0.340000' });
    expect(await detailsOf({ price: '0.33001' })).toMatchObject({ nearest: '0.330000' });
    expect(await detailsOf({ size: '3.007' })).toMatchObject({ nearest: '3.010000' });
    // One USDT at 0.5 is two shares, fifty are a hundred.
    expect(await detailsOf({ size: '0.5' })).toMatchObject({ nearest: '2.000000' });
    expect(await detailsOf({ size: '101' })).toMatchObject({ nearest: '100.000000' });
  });

  it('[KY14] is told so in a batch and when it is changed', async () => {
    const order = { market_id: marketId, outcome_id: 'yes', order_type: 'limit', side: 'buy' };
    const items = [{ action: 'place', order: { ...order, price: '0.33001', size: '10' } }];
    for (const all_or_none of [true, false]) {
      const body = { items, all_or_none };
      const { data, error } = await exchange.ask('batchOrders', {
        token: trader,
        body,
        key: `batch-${all_or_none}`,
      });
      const { details } = error ?? data.results[0].error;
      expect(details).toMatchObject({ nearest: '0.330000' });
    }
    const body = { ...order, price: '0.3', size: '10' };
    const { data } = await exchange.ask('placeOrder', { token: trader, body });
    const params = { order_id: data.order_id };
    for (const [change, nearest] of [
      [{ price: '0.33001' }, '0.330000'],
      [{ size: '0.6' }, '3.340000'],
    ] as const) {
      const amended = await exchange.ask('amendOrder', { token: trader, params, body: change });
      expect(amended.error.details).toMatchObject({ nearest });
    }
  });

  it('[OA10] is told the same again in a batch of nothing else, whatever there is by now to advise', async () => {
    const coarse = asTemplateId('coarse');
    const market_id = marketIdOf(asAccountId(PLATFORM_ACCOUNT), coarse, { n: 77 });
    const order = { market_id, outcome_id: 'yes', order_type: 'limit', side: 'buy', price: '0.5' };
    const send = (key: string, size: string): Promise<Answered> => {
      const items = [{ action: 'place', order: { ...order, size } }];
      return exchange.ask('batchOrders', { token: trader, body: { items }, key });
    };
    const first = await send('nothing-but-faults', '0.001');
    expect(first.response.headers['idempotency-replayed']).toBeUndefined();
    expect(first.data.results[0].error.details).toMatchObject({ nearest: '0.010000' });
    expect(await exchange.market('coarse', 77)).toBe(market_id);
    const again = await send('nothing-but-faults', '0.001');
    expect(again.response.headers['idempotency-replayed']).toBe('true');
    // The traces of the items are of the first request.
    expect(again.data).toEqual(first.data);
    const other = await send('nothing-but-faults-2', '0.001');
    expect(other.data.results[0].error.details).toMatchObject({ nearest: '2.000000' });
    const mismatch = await send('nothing-but-faults', '10');
    expect(mismatch.error.code).toBe('IDEMPOTENCY_BODY_MISMATCH');
  });

  it('[KY14] is told the outcomes that there are', async () => {
    const terms = { side: 'buy', price: '0.5', size: '10' };
    const { error } = await place(terms, { outcome_id: 'maybe' });
    expect(error.details).toEqual({ field: 'outcome_id', expected: 'one of yes, no' });
  });
});

describe('too little', () => {
  it('[KY15] names the money or the outcome, in words too', async () => {
    const poor = await exchange.session();
    const order = { market_id: marketId, outcome_id: 'no', order_type: 'limit', size: '10' };
    const ask = (side: string): Promise<Answered> =>
      exchange.ask('placeOrder', { token: poor, body: { ...order, side, price: '0.5' } });
    const bought = await ask('buy');
    expect(bought.error).toMatchObject({
      code: 'BALANCE_INSUFFICIENT',
      details: { asset: 'USDT', required: '5.000000', free: '0.000000', reserved: '0.000000' },
    });
    expect(bought.error.message).toContain('It takes 5.000000 USDT; 0.000000 are free.');
    const sold = await ask('sell');
    expect(sold.error.details).toEqual({
      outcome_id: 'no',
      required: '10.000000',
      free: '0.000000',
      reserved: '0.000000',
    });
    expect(sold.error.message).toContain('It takes 10.000000 shares of no; 0.000000 are free.');
    const merge = { action: 'merge', market_id: marketId, size: '1' };
    const { error } = await exchange.ask('convertPosition', {
      token: poor,
      body: merge,
      key: 'merge-what-is-not',
    });
    expect(error.details).toMatchObject({ outcome_id: 'yes', required: '1.000000' });
    expect(error.details).not.toHaveProperty('asset');
  });
});

describe('a market of the other lane', () => {
  it('[KY17] is said to be there, to whoever asks for it', async () => {
    const read = await exchange.ask('getMarket', { params: { market_id: marketId }, at: '' });
    expect(read.error).toMatchObject({
      code: 'MARKET_NOT_FOUND',
      details: { market_id: marketId, exists_in: 'sandbox' },
    });
    expect(read.error.message).toContain('It is in the sandbox: ask below /sandbox');
    const order = { market_id: marketId, outcome_id: 'yes', side: 'buy', order_type: 'market' };
    const body = { ...order, size: '10' };
    const placed = await exchange.ask('placeOrder', { token: trader, at: '', body });
    expect(placed.error.details).toMatchObject({ exists_in: 'sandbox' });
    const items = [{ action: 'place', order: body }];
    const key = 'batch-elsewhere';
    const batch = await exchange.ask('batchOrders', {
      token: trader,
      at: '',
      body: { items },
      key,
    });
    expect(batch.data.results[0].error.details).toMatchObject({ exists_in: 'sandbox' });
  });

  it('[KY17] is not said to be anywhere if nobody has it', async () => {
    for (const at of ['', '/sandbox']) {
      const url = `${at}/v1/markets/m_0123456789abcdef`;
      const { error } = (await exchange.call({ url, headers: bearer(trader) })).json();
      expect(error.message).toBe('No such market.');
      expect(error.details).toEqual({ market_id: 'm_0123456789abcdef' });
    }
  });
});
