import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;

beforeEach(async () => {
  exchange = await openExchange();
});

afterEach(() => exchange.close());

const limit = { order_type: 'limit', outcome_id: 'yes', side: 'buy' } as const;

describe('journeys', () => {
  it('[API1] from the faucet over a fill, the book and a cancel to the payout', async () => {
    const { ask } = exchange;
    const [maker, taker] = [await exchange.trader(), await exchange.trader()];
    const { account_id } = (await ask('getAccount', { token: taker })).data;
    const market_id = await exchange.market('book', 0, account_id);
    const resting = await ask('placeOrder', {
      token: maker,
      body: { ...limit, market_id, price: '0.4', size: '10', client_order_id: 'mine' },
    });
    expect(resting.data).toMatchObject({
      status: 'pending',
      reserved: '4.000000',
      client_order_id: 'mine',
      avg_fill_price: null,
    });
    const book = await ask('getOrderBook', { params: { market_id }, query: { outcome_id: 'no' } });
    expect(book.data.asks).toEqual([['0.600000', '10.000000']]);
    const taken = await ask('placeOrder', {
      token: taker,
      body: { ...limit, outcome_id: 'no', market_id, price: '0.6', size: '4' },
    });
    expect(taken.data).toMatchObject({ status: 'filled', avg_fill_price: '0.600000' });
    expect(taken.meta.fill_venue).toBe('clob');
    // 2.4 at 8 + 12 * 4 * 0.6 * 0.4 = 19.52 bps is 0.0046848, rounded up.
    expect(taken.data.fee_paid).toBe('0.004685');
    const tape = await ask('listTrades', { params: { market_id }, query: { outcome_id: 'no' } });
    expect(tape.data).toHaveLength(1);
    expect(tape.data[0]).toMatchObject({ side: 'buy', price: '0.600000', size: '4.000000' });
    const held = await ask('listPositions', { token: maker });
    expect(held.data).toMatchObject([
      { outcome_id: 'yes', size: '4.000000', avg_price: '0.400000', unrealized_pnl: '0.000000' },
    ]);
    const mine = await ask('getOrder', { token: maker, params: { order_id: 'coid:mine' } });
    expect(mine.data).toMatchObject({
      status: 'partially_filled',
      filled_size: '4.000000',
      reserved: '2.400000',
    });
    const { order_id } = mine.data;
    const cancelled = await ask('cancelOrder', { token: maker, params: { order_id } });
    expect(cancelled.data).toMatchObject({ status: 'cancelled', cancel_reason: 'user' });
    const again = await ask('cancelOrder', { token: maker, params: { order_id } });
    expect(again.error.code).toBe('STATE_CONFLICT');
    expect(again.error.details.order).toEqual(cancelled.data);
    const ending = { market_id, winning_outcome_id: 'no' };
    // Only its creator settles a market, also one that no other account holds.
    const foreign = await ask('settleWithMockOracle', { token: maker, body: ending });
    expect(foreign.error.message).toContain('GET /v1/markets/templates');
    expect(foreign.error.code).toBe('MARKET_NOT_FOUND');
    expect(foreign.error.message).toContain('Create one with POST /v1/markets');
    const nowhere = { ...ending, market_id: `0x${'0'.repeat(64)}` };
    const unknown = await ask('settleWithMockOracle', { token: maker, body: nowhere });
    expect(unknown.error.message).not.toContain('POST /v1/markets');
    const settled = await ask('settleWithMockOracle', { token: taker, body: ending });
    expect(settled.data.market).toMatchObject({ status: 'resolved', open_interest: '0.000000' });
    expect(settled.data.resolution.winning_outcome_id).toBe('no');
    // The template takes 1 % of winnings: 4 shares pay 3.96.
    expect(settled.data.payouts).toEqual({
      accounts_paid: 1,
      total_paid: '3.960000',
      own_payout: '3.960000',
    });
    const balance = await ask('getBalance', { token: taker });
    // 10000 - 2.4 - 0.004685 + 3.96
    expect(balance.data.balances[0]).toMatchObject({ free: '10001.555315', reserved: '0.000000' });
  });

  it('[API2] an order as a dry run shows it is the order as it is placed', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    // More than the pool gives up to this price: the rest would rest.
    const body = { ...limit, market_id, price: '0.52', size: '50' };
    const dry = await ask('placeOrder', { token, query: { dry_run: true }, body });
    expect(dry.data).toMatchObject({ order_id: 'ord_preview', status: 'partially_filled' });
    const before = await ask('getBalance', { token });
    expect(before.data.balances[0].free).toBe('10000.000000');
    const placed = await ask('placeOrder', { token, body });
    const { preview, order_id, ...shown } = dry.data;
    expect(Number(preview.impact)).toBeCloseTo(Number(preview.price_after) - 0.5, 9);
    expect(Number(preview.impact)).toBeGreaterThan(0);
    const { order_id: placedId, ...made } = placed.data;
    expect(made).toEqual(shown);
    expect(placedId).not.toBe(order_id);
    const after = await ask('getBalance', { token });
    expect(after.data.balances[0].free).toBe(preview.balance_free_after);
    const market = await ask('getMarket', { params: { market_id } });
    expect(market.data.outcomes[0].price).toBe(preview.price_after);
    expect(market.data.outcomes[0].volume_24h).toBe(preview.cost);
  });

  it('[API3] amounts that do not fit are refused with the nearest that would', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const order = { ...limit, market_id, price: '0.5', size: '10' };
    const cases = [
      [{ price: '0.50004' }, 'price', '0.500000'],
      [{ price: '0.5004' }, 'price', '0.500000'],
      [{ price: '1.2' }, 'price', '0.999000'],
      [{ size: '1.005' }, 'size', '1.000000'],
      [{ size: '1.015' }, 'size', '1.020000'],
      [{ size: '-3' }, 'size', '0.010000'],
    ] as const;
    for (const [change, field, nearest] of cases) {
      const { error } = await ask('placeOrder', { token, body: { ...order, ...change } });
      expect(error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field, nearest } });
    }
    const poor = await ask('placeOrder', {
      token,
      body: { ...order, price: '0.1', size: '200000' },
    });
    expect(poor.error).toMatchObject({
      code: 'BALANCE_INSUFFICIENT',
      details: { required: '20000.000000', free: '10000.000000', reserved: '0.000000' },
    });
  });

  it('[API4] a name in use is answered with the order that has it', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('book');
    const body = { ...limit, market_id, price: '0.4', size: '10', client_order_id: 'a b' };
    const first = await ask('placeOrder', { token, body });
    const second = await ask('placeOrder', { token, body });
    expect(second.error.code).toBe('ALREADY_EXISTS');
    expect(second.error.details.order).toEqual(first.data);
    const other = await exchange.trader();
    const foreign = await ask('getOrder', { token: other, params: { order_id: 'coid:a b' } });
    expect(foreign.error.code).toBe('NOT_FOUND');
    const { order_id } = first.data;
    expect((await ask('getOrder', { token: other, params: { order_id } })).error.code).toBe(
      'NOT_FOUND',
    );
    expect((await ask('cancelOrder', { token: other, params: { order_id } })).error.code).toBe(
      'NOT_FOUND',
    );
  });

  it('[API5] an amendment, a batch and a cancel of all', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('book');
    const order = { ...limit, market_id, price: '0.4', size: '10' };
    const placed = await ask('placeOrder', { token, body: { ...order, client_order_id: 'x' } });
    const amended = await ask('amendOrder', {
      token,
      params: { order_id: 'coid:x' },
      body: { price: '0.3', size: '20' },
    });
    expect(amended.data).toMatchObject({
      order_id: placed.data.order_id,
      price: '0.300000',
      size: '20.000000',
      reserved: '6.000000',
    });
    const batch = await ask('batchOrders', {
      token,
      key: 'batch-key-1',
      body: {
        items: [
          { action: 'place', order: { ...order, client_order_id: 'y' } },
          { action: 'place', order: { ...order, price: '0.40001' } },
          { action: 'cancel', order_id: placed.data.order_id },
          { action: 'cancel', order_id: 'coid:nothing' },
          { action: 'amend', order_id: placed.data.order_id, size: '1' },
        ],
      },
    });
    expect(batch.data).toMatchObject({ succeeded: 2, failed: 3 });
    const codes = batch.data.results.map((result: { error: { code: string } | null }) =>
      result.error === null ? 'ok' : result.error.code,
    );
    expect(codes).toEqual(['ok', 'VALIDATION_FAILED', 'ok', 'NOT_FOUND', 'STATE_CONFLICT']);
    expect(batch.data.results[2].data.status).toBe('cancelled');
    const refused = await ask('batchOrders', {
      token,
      key: 'batch-key-2',
      body: {
        all_or_none: true,
        items: [
          { action: 'place', order },
          { action: 'place', order: { ...order, size: '0.001' } },
        ],
      },
    });
    expect(refused.error.details.field).toBe('items[1].size');
    const names = `coid:y,${placed.data.order_id},coid:none`;
    const all = await ask('cancelAllOrders', { token, query: { order_ids: names } });
    expect(all.data.cancelled).toHaveLength(1);
    expect(all.data.not_cancelled.map((one: { code: string }) => one.code)).toEqual([
      'STATE_CONFLICT',
      'NOT_FOUND',
    ]);
    const open = await ask('listOrders', { token, query: { status: 'pending' } });
    expect(open.data).toEqual([]);
    const cancelled = await ask('listOrders', { token, query: { status: 'cancelled' } });
    expect(cancelled.data).toHaveLength(2);
  });

  it('[API6] sets are minted and merged, and the statement says so', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('multi');
    const minted = await ask('convertPosition', {
      token,
      key: 'mint-key-1',
      body: { action: 'mint', market_id, size: '9' },
    });
    // 11 bps of 9 are 0.0099.
    expect(minted.data).toMatchObject({ fee: '0.009900', balance_free: '9990.990100' });
    expect(minted.data.positions).toHaveLength(3);
    expect(minted.data.positions[0]).toMatchObject({ size: '9.000000', avg_price: '0.333333' });
    const again = await ask('convertPosition', {
      token,
      key: 'mint-key-1',
      body: { action: 'mint', market_id, size: '9' },
    });
    expect(again.data).toEqual(minted.data);
    expect(again.response.headers['idempotency-replayed']).toBe('true');
    const lacking = await ask('convertPosition', {
      token,
      key: 'merge-key-1',
      body: { action: 'merge', market_id, size: '9.01' },
    });
    expect(lacking.error.code).toBe('BALANCE_INSUFFICIENT');
    const merged = await ask('convertPosition', {
      token,
      key: 'merge-key-2',
      body: { action: 'merge', market_id, size: '9' },
    });
    expect(merged.data).toMatchObject({ fee: '0.009900', balance_free: '9999.980200' });
    const positions = await ask('listPositions', { token });
    expect(positions.data).toEqual([]);
    const ledger = await ask('listLedger', { token, query: { market_id } });
    const money = ledger.data.filter((entry: { asset: string | null }) => entry.asset === 'USDT');
    expect(money).toMatchObject([
      { reason: 'merge', amount: '8.990100', balance_after: '9999.980200' },
      { reason: 'mint', amount: '-9.009900', balance_after: '9990.990100' },
    ]);
    const faucet = await ask('listLedger', { token, query: { reason: 'faucet' } });
    expect(faucet.data).toHaveLength(1);
    expect(faucet.data[0]).toMatchObject({ balance_after: '10000.000000', reason: 'faucet' });
  });

  it('[API7] a market is made from a template once, and shown before it is', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const body = { template_id: 'pool', params: { n: 7 } };
    const dry = await ask('createMarket', { token, query: { dry_run: true }, body });
    expect(dry.data).toMatchObject({
      created: false,
      preview: { deposit: '100.000000', balance_free_after: '9900.000000' },
    });
    const made = await ask('createMarket', { token, body });
    expect(made.data.created).toBe(true);
    expect(made.data.market).toEqual(dry.data.market);
    const again = await ask('createMarket', { token, body });
    expect(again.data).toMatchObject({ created: false, market: made.data.market });
    const address = made.data.market.creator_address;
    const own = await ask('listMarkets', { query: { creator_address: address } });
    expect(own.data).toHaveLength(1);
    const wrong = await ask('createMarket', { token, body: { template_id: 'pool', params: {} } });
    expect(wrong.error).toMatchObject({
      code: 'MARKET_TEMPLATE_PARAM_INVALID',
      details: { field: 'params.n' },
    });
    const none = await ask('createMarket', { token, body: { template_id: 'zzz', params: {} } });
    expect(none.error.code).toBe('MARKET_TEMPLATE_UNKNOWN');
    const templates = await ask('listTemplates', { query: { limit: 2 } });
    expect(templates.data.map((one: { id: string }) => one.id)).toEqual(['book', 'multi']);
    expect(templates.data[0].published_at_ms).toBeGreaterThan(0);
    const { next_cursor: cursor } = templates.meta;
    const rest = await ask('listTemplates', { query: { limit: 2, cursor } });
    expect(rest.data.map((one: { id: string }) => one.id)).toEqual(['pool']);
  });

  it('[API8] a key of the lowest tier fills at the mid, within its caps', async () => {
    const { ask } = exchange;
    const token = await exchange.key();
    await ask('useFaucet', { token });
    const market_id = await exchange.market('pool');
    const body = { market_id, outcome_id: 'yes', side: 'buy', order_type: 'market' };
    const filled = await ask('placeOrder', { token, body: { ...body, size: '20' } });
    expect(filled.data).toMatchObject({ status: 'filled', avg_fill_price: '0.500000' });
    expect(filled.meta.fill_venue).toBe('amm');
    const large = await ask('placeOrder', { token, body: { ...body, size: '21' } });
    expect(large.error).toMatchObject({
      code: 'TIER_LIMIT_EXCEEDED',
      details: { tier: 'self_serve', cap: '10.000000' },
    });
    const account = await ask('getAccount', { token });
    expect(account.data).toMatchObject({ tier: 'self_serve', mode: 'sandbox' });
    expect(account.data.limits).toMatchObject({
      order_notional_max: '10.000000',
      daily_notional_used: '10.000000',
    });
    const soon = await ask('useFaucet', { token });
    expect(soon.error).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Too many calls of the faucet. Try again in 3600 seconds.',
    });
    expect(Number(soon.response.headers['retry-after'])).toBe(3600);
    const fills = await ask('listFills', { token });
    expect(fills.data).toHaveLength(1);
    expect(fills.data[0]).toMatchObject({ liquidity: 'taker' });
    const reset = await ask('resetSandbox', { token });
    expect(reset.data).toMatchObject({
      orders_cancelled: 0,
      positions_cleared: 1,
      balance_free: '0.000000',
    });
    for (let time = 1; time <= 10; time += 1) {
      const { data, error } = await ask('useFaucet', { token });
      expect(error, `after ${time} resets`).toBeNull();
      expect(data.balance_free).toBe('10000.000000');
      await ask('resetSandbox', { token });
    }
    expect((await ask('useFaucet', { token })).error).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('[API19] the cost and the fee of each fill are what left and came, though its price is rounded', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const micro = (text: string): bigint => BigInt(text.replace('.', ''));
    const free = async () => micro((await ask('getAccount', { token })).data.balance_free);
    /** The published one: p is cost by size, the rate is cut to 0.0001 bps, the fee is rounded up. */
    const published = (cost: bigint, size: bigint): bigint => {
      const rate = 80_000n + (120_000n * 4n * cost * (size - cost)) / (size * size);
      return (cost * rate + 99_999_999n) / 100_000_000n;
    };
    let rounded = 0;
    for (const [side, size] of [
      ['buy', '7.31'],
      ['buy', '0.37'],
      ['buy', '113.77'],
      ['sell', '3.13'],
      ['sell', '77.7'],
    ] as const) {
      const before = await free();
      const order = { market_id, outcome_id: 'yes', side, order_type: 'market', size };
      const { error } = await ask('placeOrder', { token, body: order });
      expect(error).toBeNull();
      const [fill] = (await ask('listFills', { token, query: { limit: 1 } })).data;
      const [cost, fee] = [micro(fill.cost), micro(fill.fee)];
      expect(fee).toBe(published(cost, micro(fill.size)));
      expect((await free()) - before).toBe(side === 'buy' ? -cost - fee : cost - fee);
      // Both have six places, so their product has twelve.
      if (micro(fill.price) * micro(fill.size) !== cost * 1_000_000n) rounded += 1;
    }
    expect(rounded).toBeGreaterThan(0);
  });

  it('[API9] the dead man, the fees and an unknown market', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('book');
    const body = { ...limit, market_id, price: '0.4', size: '10' };
    await ask('placeOrder', { token, body });
    const armed = await ask('heartbeat', { token, body: { timeout_ms: 5000 } });
    expect(armed.data).toMatchObject({ armed: true, market_id: null });
    exchange.clock.advance(5001);
    await exchange.operate({ type: 'tick' });
    const orders = await ask('listOrders', { token });
    expect(orders.data[0]).toMatchObject({ status: 'cancelled', cancel_reason: 'dead_man' });
    const config = await ask('getLqfConfig');
    expect(config.data.taker_fee).toMatchObject({ floor_bps: 8, peak_bps: 20 });
    const unknown = { market_id: 'm_0000000000000000' };
    for (const id of ['getMarket', 'listTrades'] as const) {
      expect((await ask(id, { params: unknown })).error.code).toBe('MARKET_NOT_FOUND');
    }
    const query = { outcome_id: 'yes' };
    for (const id of ['getOrderBook', 'listCandles'] as const) {
      expect((await ask(id, { params: unknown, query })).error.code).toBe('MARKET_NOT_FOUND');
      const wrong = await ask(id, { params: { market_id }, query: { outcome_id: 'maybe' } });
      expect(wrong.error).toMatchObject({ details: { field: 'outcome_id' } });
    }
  });

  it('[API10] candles fill every gap and never are none', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const params = { market_id };
    const candles = (query: object) =>
      ask('listCandles', { params, query: { outcome_id: 'yes', ...query } });
    const quiet = await candles({});
    expect(quiet.data).toHaveLength(1);
    expect(quiet.data[0]).toMatchObject({ open: '0.500000', volume: '0.000000' });
    exchange.clock.advance(10 * 60_000);
    const order = { market_id, outcome_id: 'yes', side: 'buy', order_type: 'market', size: '5' };
    const { data: bought } = await ask('placeOrder', { token, body: order });
    exchange.clock.advance(5 * 60_000);
    const all = await candles({});
    expect(all.data).toHaveLength(16);
    const traded = all.data[10];
    expect(traded).toMatchObject({ open: bought.avg_fill_price, close: bought.avg_fill_price });
    expect(all.data[15]).toMatchObject({ open: traded.close, volume: '0.000000' });
    const first = await candles({ limit: 10 });
    const { next_cursor: cursor } = first.meta;
    const older = await candles({ limit: 10, cursor });
    expect([...older.data, ...first.data]).toEqual(all.data);
    expect(older.meta.next_cursor).toBeNull();
    const from_ms = all.data[3].ts_ms;
    const range = await candles({ from_ms, to_ms: all.data[6].ts_ms });
    expect(range.data).toEqual(all.data.slice(3, 6));
    const forward = await candles({ from_ms, limit: 4 });
    expect(forward.data).toEqual(all.data.slice(3, 7));
    const onward = await candles({ from_ms, limit: 4, cursor: forward.meta.next_cursor });
    expect(onward.data).toEqual(all.data.slice(7, 11));
    const coarse = await candles({ interval: '5m' });
    expect(coarse.data.map((one: { volume: string }) => one.volume)).toEqual([
      '0.000000',
      '0.000000',
      traded.volume,
      '0.000000',
    ]);
    const future = await candles({ from_ms: from_ms + 86_400_000 });
    expect(future.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'from_ms' },
    });
    const past = await candles({ to_ms: 1000 });
    expect(past.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'to_ms' } });
  });

  it('[API11] lists of markets come in every order, in pages that miss nothing', async () => {
    const { ask } = exchange;
    const token = await exchange.trader();
    const ids: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      ids.push(await exchange.market(number % 2 === 0 ? 'book' : 'pool', number));
      exchange.clock.advance(1000);
    }
    const order = { outcome_id: 'yes', side: 'buy', order_type: 'market', size: '5' };
    await ask('placeOrder', { token, body: { ...order, market_id: ids[3] } });
    for (const sort of ['created_at', 'closes_at', 'volume']) {
      const seen: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const query = { sort, limit: 2, ...(cursor === null ? {} : { cursor }) };
        const page = await ask('listMarkets', { query });
        expect(page.meta.total_count).toBe(7);
        seen.push(...page.data.map((one: { market_id: string }) => one.market_id));
        cursor = page.meta.next_cursor;
        if (cursor === null) break;
      }
      expect([...seen].sort()).toEqual([...ids].sort());
      if (sort === 'created_at') expect(seen).toEqual([...ids].reverse());
      if (sort === 'closes_at') expect(seen).toEqual(ids);
      if (sort === 'volume') expect(seen[0]).toBe(ids[3]);
    }
    const named = await ask('listMarkets', { query: { q: 'MARKET 3' } });
    expect(named.data.map((one: { market_id: string }) => one.market_id)).toEqual([ids[3]]);
    const none = await ask('listMarkets', { query: { status: 'locked' } });
    expect(none.data).toEqual([]);
    const other = await ask('listMarkets', { query: { limit: 2 } });
    const cursor = other.meta.next_cursor;
    const mixed = await ask('listMarkets', { query: { limit: 2, sort: 'volume', cursor } });
    expect(mixed.error.details.field).toBe('cursor');
  });
});
