// What a portfolio comes to: figures that add up exactly, a series that is the past, and a record that is fair.
import { asAccountId, asMarketId, PLATFORM_ACCOUNT } from '@sibyl/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelTraded } from '../gateway/cancelling.ts';
import { type Exchange, openExchange } from './exchange.ts';

const MINUTE_MS = 60_000;

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(() => exchange.close());

/** Millionths. */
function micro(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

async function summary(token: string, range = 'all') {
  const { data, error } = await exchange.ask('getPortfolioSummary', { token, query: { range } });
  expect(error).toBeNull();
  return data;
}

function place(token: string, market_id: string, terms: object) {
  const body = { market_id, outcome_id: 'yes', side: 'buy', order_type: 'market', ...terms };
  return exchange.ask('placeOrder', { token, body });
}

/** Two people trade one with the other at a price of yes. */
async function meet(buyer: string, other: string, marketId: string, price: string, size = '10') {
  const against = (1 - Number(price)).toFixed(2);
  const limit = { order_type: 'limit', size, accept_price: true };
  await place(other, marketId, { ...limit, outcome_id: 'no', price: against });
  const { data } = await place(buyer, marketId, { ...limit, price });
  expect(data.status).toBe('filled');
}

async function settle(marketId: string, winningOutcomeId: string): Promise<void> {
  await exchange.operate({
    type: 'mock_oracle',
    accountId: asAccountId(PLATFORM_ACCOUNT),
    marketId: asMarketId(marketId),
    winningOutcomeId,
  });
}

async function linesOf(token: string, reason: string): Promise<bigint> {
  const { data } = await exchange.ask('listLedger', { token, query: { reason, limit: 500 } });
  return data.reduce((sum: bigint, line: { amount: string }) => sum + micro(line.amount), 0n);
}

describe('figures', () => {
  it('[SE10] equity is deposits less withdrawals plus realised and unrealised, to the last unit', async () => {
    const token = await exchange.trader();
    const other = await exchange.trader();
    const [pool, book, multi] = [
      await exchange.market('pool', 1),
      await exchange.market('book', 2),
      await exchange.market('multi', 3),
    ];
    const own = await exchange.ask('createMarket', {
      token,
      body: { template_id: 'pool', params: { n: 9 } },
    });
    const steps: readonly (() => Promise<unknown>)[] = [
      () => place(token, pool, { size: '33.33' }),
      () => place(other, pool, { outcome_id: 'no', size: '70' }),
      () => place(token, pool, { side: 'sell', size: '11.11' }),
      () => place(token, multi, { outcome_id: 'b', size: '7.77' }),
      () => meet(token, other, book, '0.37', '12.34'),
      () => place(token, book, { order_type: 'limit', price: '0.11', size: '5' }),
      () => place(other, own.data.market.market_id, { size: '20' }),
      () =>
        exchange.ask('convertPosition', {
          token,
          key: 'mint-some-sets',
          body: { action: 'mint', market_id: multi, size: '3.21' },
        }),
      () =>
        exchange.ask('convertPosition', {
          token,
          key: 'merge-some-sets',
          body: { action: 'merge', market_id: multi, size: '1.11' },
        }),
      () => settle(book, 'yes'),
      () => cancelTraded(exchange, pool, 'sandbox'),
    ];
    for (const step of steps) {
      await step();
      exchange.clock.advance(MINUTE_MS);
      const data = await summary(token);
      const { data: positions } = await exchange.ask('listPositions', { token });
      const figure = (name: string): bigint => micro(data[name]);
      expect(figure('equity')).toBe(
        figure('net_deposits') + figure('realized_pnl') + figure('unrealized_pnl'),
      );
      const [value, unrealized] = positions.reduce(
        ([sum, result]: [bigint, bigint], one: Record<string, string>) => [
          sum + (micro(one.size!) * micro(one.mark_price!)) / 1_000_000n,
          result + micro(one.unrealized_pnl!),
        ],
        [0n, 0n],
      );
      expect(figure('unrealized_pnl')).toBe(unrealized);
      const money = figure('balance_free') + figure('balance_reserved') + figure('staked');
      expect(figure('equity')).toBe(money + value);
      const put =
        (await linesOf(token, 'faucet')) +
        (await linesOf(token, 'deposit')) +
        (await linesOf(token, 'withdrawal'));
      expect(figure('net_deposits')).toBe(put);
      expect(figure('fees_paid')).toBe(-(await linesOf(token, 'taker_fee')));
      expect(figure('rebates')).toBe(await linesOf(token, 'maker_rebate'));
      const exposed = data.exposure.reduce(
        (sum: bigint, one: { value: string }) => sum + micro(one.value),
        0n,
      );
      expect(exposed).toBe(value);
      expect(data.series.at(-1)).toMatchObject({ equity: data.equity });
    }
    const { exposure, fees_paid: fees } = await summary(token);
    expect(exposure).toMatchObject([{ category: 'test' }]);
    expect(micro(fees)).toBeGreaterThan(0n);
  });

  it('[SE10] a new account has nothing, and that adds up too', async () => {
    const token = await exchange.session();
    const data = await summary(token);
    expect(data).toMatchObject({ equity: '0.000000', exposure: [], win_rate: null });
    expect(data.series).toHaveLength(1);
    const wrong = await exchange.ask('getPortfolioSummary', { token, query: { range: '1y' } });
    expect(wrong.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'range' } });
  });
});

describe('the series', () => {
  it('[SE11] says what the account was worth at each point', async () => {
    const [token, other, third] = [
      await exchange.trader(),
      await exchange.trader(),
      await exchange.trader(),
    ];
    // Without a pool and with an empty book, a market shows its last price, as its candles do.
    const marketId = await exchange.market('book');
    const seen = new Map<number, string>();
    for (const price of ['0.50', '0.60', '0.30', '0.80']) {
      exchange.clock.advance(MINUTE_MS);
      const buyer = seen.size % 2 === 0 ? token : third;
      await meet(buyer, other, marketId, price);
      // On to the next quarter of an hour, and a little beyond.
      exchange.clock.advance(16 * MINUTE_MS);
      await exchange.operate({ type: 'tick' });
      const nowMs = exchange.clock.wallMs();
      seen.set(nowMs - (nowMs % (15 * MINUTE_MS)), (await summary(token)).equity);
    }
    expect(new Set(seen.values()).size).toBe(4);
    for (const range of ['1d', 'all']) {
      const { series } = await summary(token, range);
      const told = new Map(
        series.map((point: { ts_ms: number; equity: string }) => [point.ts_ms, point.equity]),
      );
      for (const [atMs, equity] of seen) expect(told.get(atMs), String(atMs)).toBe(equity);
    }
  });

  it.each([
    ['1d', 96],
    ['1w', 168],
    ['1m', 180],
    ['all', 199],
  ])('[SE11] of %s has at most 200 points, oldest first', async (range, most) => {
    const token = await exchange.trader();
    await exchange.market('book');
    // Sessions are shorter than this, keys are not.
    const { data: key } = await exchange.ask('mintKey', { token, body: { permissions: ['read'] } });
    for (let day = 0; day < 70; day += 1) {
      exchange.clock.advance(86_400_000);
      await exchange.operate({ type: 'tick' });
    }
    const { series } = await summary(key.key_id, range);
    expect(series.length).toBeGreaterThan(50);
    expect(series.length).toBeLessThanOrEqual(most + 1);
    const times = series.map(({ ts_ms }: { ts_ms: number }) => ts_ms);
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b));
    expect(new Set(times).size).toBe(times.length);
  });
});

describe('the record', () => {
  it('[SE11] counts what settled, what paid, and what came true by the price paid', async () => {
    const [token, other] = [await exchange.trader(), await exchange.trader()];
    const bets: readonly (readonly [price: string, wins: string])[] = [
      ['0.25', 'yes'],
      ['0.25', 'no'],
      ['0.85', 'yes'],
    ];
    for (const [index, [price, wins]] of bets.entries()) {
      const marketId = await exchange.market('book', index);
      await meet(token, other, marketId, price);
      await settle(marketId, wins);
    }
    const data = await summary(token);
    expect(data.settled_positions).toBe(3);
    expect(data.win_rate).toBe('0.666666');
    const counted = data.calibration.filter(
      ({ positions }: { positions: number }) => positions > 0,
    );
    expect(counted).toEqual([
      { from: '0.200000', to: '0.300000', positions: 2, came_true: 1 },
      { from: '0.800000', to: '0.900000', positions: 1, came_true: 1 },
    ]);
    expect(data.calibration).toHaveLength(10);
    // The other side of the same bets.
    const { settled_positions: count, win_rate: rate } = await summary(other);
    expect([count, rate]).toEqual([3, '0.333333']);
  });
});
