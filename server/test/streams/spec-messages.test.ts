// What the specification asks of single messages: who is told what, how often, and with which fields.
import type { Trade } from '@sibyl/contract';
import { asMarketId, asTemplateId, asTradeId } from '@sibyl/engine';
import { pips } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { TierCeilings } from '../../src/gateway/tier-ceilings.ts';
import { openStage, pause, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

describe('sockets', () => {
  it('[WS16] are told of another tier once, however many of them the key has', async () => {
    const { exchange } = stage;
    const session = await exchange.session();
    const token = await exchange.key({ session, at: '/sandbox' });
    const clients = [await stage.connect(), await stage.connect(), await stage.connect()];
    for (const client of clients) {
      await client.ask({ op: 'AUTH', token }, 'authenticated');
      await client.ask({ op: 'SUBSCRIBE', params: ['account'] }, 'subscribed');
      await client.next('account');
    }
    for (const tier of ['trade_full', 'genesis', 'trade_full']) {
      const change = { actor: 'test', reason: 'test', atMs: exchange.clock.wallMs() };
      await exchange.platform.setKeyTier(token.slice(0, 24), tier, change);
      for (const client of clients) expect((await client.next('tier_changed')).data.to).toBe(tier);
    }
    await pause(50);
    for (const { frames } of clients)
      expect(frames.filter(({ type }) => type === 'tier_changed')).toHaveLength(3);
  });

  it('[WS16] of a session are told of another tier of a key, of the user, and of other ceilings', async () => {
    const { exchange } = stage;
    const { platform, clock } = exchange;
    const session = await exchange.session();
    const token = await exchange.key({ session, at: '' });
    const keyId = token.slice(0, 24);
    const client = await stage.connect('/ws');
    await client.ask({ op: 'AUTH', token: session }, 'authenticated');
    await client.ask({ op: 'SUBSCRIBE', params: ['account'] }, 'subscribed');
    await client.next('account');
    const by = { actor: 'test', reason: 'ticket', atMs: clock.wallMs() };
    const told = async () => (await client.next('tier_changed')).data;
    await platform.setKeyTier(keyId, 'trade_capped', by);
    expect(await told()).toMatchObject({ key_id: keyId, to: 'trade_capped', reason: 'ticket' });
    const { userId } = (await platform.sessionById(session.slice(0, 20)))!;
    await platform.setUserTier(userId, 'trade_full', by);
    expect(await told()).toMatchObject({
      ...{ key_id: null, from: 'self_serve', to: 'trade_full', reason: 'ticket' },
      limits: { order_notional_max: null },
    });
    const ceilings = TierCeilings.of(platform);
    await ceilings.set('trade_capped', { orderNotionalMax: '9000000.000000' }, by);
    expect(await told()).toMatchObject({
      ...{ key_id: keyId, from: 'trade_capped', to: 'trade_capped', reason: 'ceilings_changed' },
      limits: { order_notional_max: '9000000.000000' },
    });
    // Other writes to the key, and ceilings of other tiers, are no news.
    await platform.setKeyRate(keyId, 2, by);
    await ceilings.set('genesis', { rateMultiplier: 20 }, by);
    await pause(50);
    expect(client.frames.filter(({ type }) => type === 'tier_changed')).toHaveLength(3);
  });

  it('[WS17] say to which environment a refused credential belongs, as REST does', async () => {
    const token = await stage.exchange.key({ at: '/sandbox' });
    const client = await stage.connect('/ws');
    const { data } = await client.ask({ op: 'AUTH', token }, 'error');
    expect(data).toMatchObject({
      code: 'WRONG_ENV_KEY',
      details: { credential_environment: 'sandbox', requested_environment: 'live' },
    });
  });

  it('[WS15] hear of a read-only sandbox as the lane sandbox, and of live as trade and create', async () => {
    for (const [path, lane, told] of [
      ['/sandbox/ws', 'sandbox', ['sandbox']],
      ['/ws', 'live', ['trade', 'create']],
    ] as const) {
      const client = await stage.connect(path);
      for (const readOnly of [true, false]) {
        const { exchange } = stage;
        await exchange.operate({ type: 'set_read_only', readOnly, reason: 'drill' }, lane);
        for (const name of told) {
          const { data } = await client.next('circuit_breaker');
          expect([data.lane, data.state]).toEqual([name, readOnly ? 'open' : 'closed']);
        }
      }
      await client.settle();
      const breakers = client.frames.filter(({ type }) => type === 'circuit_breaker');
      expect(breakers).toHaveLength(2 * told.length);
    }
  });
});

describe('acts of an operator', () => {
  it('[AO3] a finer tick is told on every book of the market, and a whole book after it', async () => {
    const { exchange } = stage;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const marketId = asMarketId(market_id);
    const client = await stage.connect();
    await client.ask(
      { op: 'SUBSCRIBE', params: [`orderbook:${market_id}:no`, `markets_snapshot:${market_id}`] },
      'subscribed',
    );
    const first = await client.next('orderbook');
    await exchange.operate({ type: 'set_tick_size', marketId, tickPips: pips(5) });
    const told = await client.next('tick_size_changed');
    expect(told.data).toMatchObject({
      market_id,
      old_tick_size: first.data.tick_size,
      new_tick_size: '0.000500',
      orders_affected: 'kept',
    });
    const whole = await client.next('orderbook');
    expect(whole.data).toMatchObject({ tick_size: '0.000500', seq: told.seq! + 1 });
    expect((await client.next('market_updated')).data.changed).toEqual({ tick_size: '0.000500' });
    const body = { market_id, outcome_id: 'no', side: 'buy', order_type: 'limit', size: '5' };
    await exchange.ask('placeOrder', { token, body: { ...body, price: '0.4805' } });
    const delta = await client.next('orderbook_delta');
    expect([delta.data.prev_seq, delta.data.bids[0][0]]).toEqual([whole.data.seq, '0.480500']);
    const shown = await exchange.ask('getMarket', { params: { market_id } });
    expect(shown.data).toMatchObject({ tick_size: '0.000500' });
  });

  it('[AO3] a clarification is told to everybody who follows the market', async () => {
    const { exchange } = stage;
    const market_id = await exchange.market('pool');
    const client = await stage.connect();
    await client.ask({ op: 'SUBSCRIBE', params: [`markets_snapshot:${market_id}`] }, 'subscribed');
    const text = 'The final report counts.';
    await exchange.operate({ type: 'clarify_market', marketId: asMarketId(market_id), text });
    const { data } = await client.next('market_updated');
    expect(data).toMatchObject({ clarification: text, changed: { clarifications: [{ text }] } });
  });

  it('[AO1] a halt is told when it comes, and to whoever comes while it lasts', async () => {
    const { exchange } = stage;
    const early = await stage.connect();
    const halt = { type: 'set_read_only', readOnly: true, cancelOnly: true, reason: 'x' } as const;
    await exchange.operate(halt);
    expect((await early.next('platform_mode')).data).toMatchObject({
      mode: 'cancel_only',
      message: 'Only reads and cancels are accepted at the moment.',
    });
    const late = await stage.connect();
    expect((await late.next('platform_mode')).data).toMatchObject({ mode: 'cancel_only' });
    const health = await exchange.ask('getHealth', {});
    expect(health.data).toMatchObject({ mode: 'cancel_only', read_only: true, status: 'degraded' });
    await exchange.operate({ type: 'set_read_only', readOnly: false, reason: 'x' });
    expect((await late.next('platform_mode')).data).toMatchObject({ mode: 'normal' });
  });

  it('[AO4] what is attached to a trade is on the tape and in the fills', async () => {
    const { exchange } = stage;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const order = { market_id, outcome_id: 'yes', side: 'buy', order_type: 'market', size: '10' };
    await exchange.ask('placeOrder', { token, body: order });
    const params = { market_id };
    const [trade] = (await exchange.ask('listTrades', { params })).data as Trade[];
    expect(trade?.chain_data).toBeNull();
    const id = asTradeId(Number(trade?.trade_id.slice('trd_'.length)));
    const data = '{"tx":"0x01"}';
    await exchange.operate({ type: 'attach_chain_data', record: { kind: 'trade', id }, data });
    for (const asked of [
      await exchange.ask('listTrades', { params }),
      await exchange.ask('listFills', { token }),
    ]) {
      expect(asked.data).toMatchObject([{ chain_data: { tx: '0x01' } }]);
    }
  });
});

describe('candles', () => {
  it('[WS18] of every interval are told as they are made, as REST has them, and closed', async () => {
    const { exchange } = stage;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const buy = (size: string) =>
      exchange.ask('placeOrder', {
        token,
        body: { market_id, outcome_id: 'yes', side: 'buy', order_type: 'market', size },
      });
    await buy('10');
    // Five minutes later, and within the same hour, somebody begins to listen.
    exchange.clock.advance(300_000);
    await buy('20');
    const client = await stage.connect();
    const params = [`ticker:${market_id}:yes`];
    await client.ask({ op: 'SUBSCRIBE', params }, 'subscribed');
    await client.next('ticker');
    await buy('30');
    exchange.clock.advance(1_000);
    for (const interval of ['5m', '15m', '30m', '1h', '4h', '1d']) {
      const { data } = await client.next(
        'candle_update',
        (frame) => frame.data.interval === interval,
      );
      const { market_id: _market, outcome_id: _outcome, interval: _, closed, ...candle } = data;
      const query = { outcome_id: 'yes', interval, limit: 500 };
      const rest = await exchange.ask('listCandles', { params: { market_id }, query });
      expect([closed, candle]).toEqual([false, rest.data.at(-1)]);
    }
    exchange.clock.advance(300_000);
    const over = await client.next(
      'candle_update',
      ({ data }) => data.interval === '5m' && data.closed,
    );
    expect(over.data.volume).not.toBe('0.000000');
  });
});

describe('personal data', () => {
  it('[WS19] in the parameters of a market is in no message of it', async () => {
    const { exchange } = stage;
    const pool = TEMPLATES[1]!;
    const properties = { n: { type: 'integer' }, email: { type: 'string', maxLength: 64 } };
    const paramsSchema = { type: 'object', required: ['n', 'email'], properties } as const;
    const id = asTemplateId('personal');
    const template = { ...pool, id, paramsSchema };
    await exchange.operate({ type: 'publish_template', template });
    const token = await exchange.trader();
    const client = await stage.connect();
    await client.ask({ op: 'SUBSCRIBE', params: ['markets_snapshot'] }, 'subscribed');
    const params = { n: 1, email: 'someone@example.com' };
    const made = await exchange.ask('createMarket', { token, body: { template_id: id, params } });
    expect(made.data.market.params).toEqual({ n: 1 });
    expect(made.response.headers['x-pii-redacted']).toBe('true');
    const { data } = await client.next('market_created');
    expect(data.market.params).toEqual({ n: 1 });
    await client.settle();
    expect(JSON.stringify(client.frames)).not.toContain('someone@example.com');
  });
});
