// What the specification asks of single messages: who is told what, how often, and with which fields.
import { asTemplateId } from '@sibyl/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { openStage, pause, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const change = { actor: 'test', reason: 'test', atMs: 0 };

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
      await exchange.platform.setKeyTier(token.slice(0, 24), tier, change);
      for (const client of clients) expect((await client.next('tier_changed')).data.to).toBe(tier);
    }
    await pause(50);
    for (const { frames } of clients)
      expect(frames.filter(({ type }) => type === 'tier_changed')).toHaveLength(3);
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
