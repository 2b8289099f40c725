// The list of markets as a page asks for it: by state, in every order, with the prices of the last day.
import { marketStatuses } from '@sibyl/contract';
import { asAccountId, asMarketId, asTemplateId, PLATFORM_ACCOUNT } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { type Exchange, openExchange } from './exchange.ts';

const HOUR_MS = 3_600_000;

let exchange: Exchange;
beforeEach(async () => {
  exchange = await openExchange();
});
afterEach(() => exchange.close());

async function idsOf(query: object): Promise<readonly string[]> {
  const { data } = await exchange.ask('listMarkets', { query: { ...query } });
  return data.map((market: { market_id: string }) => market.market_id);
}

describe('by state', () => {
  /** A market in each state; two are active. */
  async function everyState(): Promise<Readonly<Record<string, readonly string[]>>> {
    const { operate } = exchange;
    const book = TEMPLATES[0]!;
    const waits = { ...book, id: asTemplateId('waits'), requiresApproval: true };
    const short = { ...book, id: asTemplateId('short'), durationSec: 60 };
    for (const template of [waits, short]) await operate({ type: 'publish_template', template });
    const [scheduled, locked] = [await exchange.market('waits'), await exchange.market('short')];
    const [settling, resolved, cancelled] = [
      await exchange.market('book', 1),
      await exchange.market('book', 2),
      await exchange.market('book', 3),
    ];
    exchange.clock.advance(61_000);
    await operate({ type: 'tick' });
    const active = [await exchange.market('pool', 4), await exchange.market('pool', 5)];
    const evidence = ['https://example.com'];
    const proposer = { proposerId: null, bond: usdt(0n) } as const;
    const result = { kind: 'outcome', outcomeId: 'yes' } as const;
    await operate({
      type: 'propose_resolution',
      marketId: asMarketId(settling),
      ...proposer,
      result,
      evidence,
    });
    await operate({
      type: 'mock_oracle',
      accountId: asAccountId(PLATFORM_ACCOUNT),
      marketId: asMarketId(resolved),
      winningOutcomeId: 'yes',
    });
    await operate({ type: 'cancel_market', marketId: asMarketId(cancelled), reason: 'x' });
    return {
      scheduled: [scheduled],
      locked: [locked],
      settling: [settling],
      resolved: [resolved],
      cancelled: [cancelled],
      active,
    };
  }

  it('[SE5] every state can be asked for, together with the status and any order', async () => {
    const states = await everyState();
    const byState = async (state: string): Promise<readonly string[]> =>
      (await idsOf({ state })).toSorted();
    for (const state of marketStatuses) {
      expect(await byState(state), state).toEqual(states[state]!.toSorted());
      const { meta } = await exchange.ask('listMarkets', { query: { state, limit: 1 } });
      expect(meta.total_count).toBe(states[state]!.length);
    }
    expect(await idsOf({ state: 'active', status: 'active', limit: 500 })).toHaveLength(2);
    expect(await idsOf({ state: 'active', status: 'locked' })).toEqual([]);
    const unknown = await exchange.ask('listMarkets', { query: { state: 'open' } });
    expect(unknown.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'state' } });
  });

  it('[SE17] relevance puts open markets first and ended ones last, then whole words, then volume', async () => {
    const states = await everyState();
    const sorted = await idsOf({ sort: 'relevance', limit: 500 });
    const rankOf = (state: string) => states[state]!.map((id) => sorted.indexOf(id));
    expect(rankOf('active').toSorted()).toEqual([0, 1]);
    const waiting = ['scheduled', 'locked', 'settling'].flatMap(rankOf);
    const over = ['resolved', 'cancelled'].flatMap(rankOf);
    expect(Math.max(...waiting)).toBeLessThan(Math.min(...over));
    const paged: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const query = { sort: 'relevance', limit: 1, ...(cursor !== null && { cursor }) };
      const { data, meta } = await exchange.ask('listMarkets', { query });
      paged.push(data[0].market_id);
      cursor = meta.next_cursor;
      if (cursor === null) break;
    }
    expect(paged).toEqual(sorted);
  });

  it('[SE17] relevance prefers titles in which the words begin, and reads numbers as pages show them', async () => {
    const token = await exchange.trader();
    const [inside, begun] = [
      await exchange.market('pool', 1_110),
      await exchange.market('pool', 110),
    ];
    const more = { outcome_id: 'yes', side: 'buy', order_type: 'market', size: '5' };
    await exchange.ask('placeOrder', { token, body: { ...more, market_id: inside } });
    expect(await idsOf({ q: 'market 110', sort: 'volume' })).toEqual([inside, begun]);
    expect(await idsOf({ q: 'market 110', sort: 'relevance' })).toEqual([begun, inside]);
    for (const q of ['1,110', '1.110', "1'110", '1110'])
      expect(await idsOf({ q })).toEqual([inside]);
    expect(await idsOf({ q: '1,11' })).toEqual([]);
  });

  it('[SE5] [RQ22] volume and closing time order the markets of a state, page by page, whoever reads on', async () => {
    const { active = [] } = await everyState();
    const [first, second] = active;
    const token = await exchange.trader();
    const order = { outcome_id: 'yes', side: 'buy', order_type: 'market', size: '5' };
    await exchange.ask('placeOrder', { token, body: { ...order, market_id: second } });
    expect(await idsOf({ state: 'active', sort: 'volume' })).toEqual([second, first]);
    expect(await idsOf({ state: 'active', sort: 'closes_at', q: 'market' })).toHaveLength(2);
    const query = { state: 'active', sort: 'volume', limit: 1 };
    const { meta } = await exchange.ask('listMarkets', { query });
    expect(await idsOf({ ...query, cursor: meta.next_cursor })).toEqual([first]);
    const further = { ...query, cursor: meta.next_cursor };
    const { data } = await exchange.ask('listMarkets', { token, query: further });
    expect(data[0].market_id, '[RQ22]').toBe(first);
    const mixed = { ...query, state: 'locked', cursor: meta.next_cursor };
    const { error } = await exchange.ask('listMarkets', { query: mixed });
    expect(error.details.field).toBe('cursor');
  });
});

describe('with history', () => {
  async function buy(token: string, marketId: string): Promise<string> {
    const body = {
      market_id: marketId,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'market',
      size: '5',
    };
    const { data } = await exchange.ask('placeOrder', { token, body });
    return data.avg_fill_price;
  }

  async function outcomes(query: object = { history: '1d' }) {
    const { data } = await exchange.ask('listMarkets', { query: { ...query } });
    return data[0].outcomes;
  }

  it('[SE6] each outcome has the closes of 24 hours and its change of a day', async () => {
    const template = { ...TEMPLATES[1]!, id: asTemplateId('long'), durationSec: 30 * 86_400 };
    await exchange.operate({ type: 'publish_template', template });
    const token = await exchange.trader();
    const marketId = await exchange.market('long');
    const [plain] = await outcomes({});
    expect(plain).not.toHaveProperty('history');
    expect(plain).not.toHaveProperty('change_24h');
    const [fresh] = await outcomes();
    expect(fresh.history).toEqual(Array(24).fill('0.500000'));
    expect(fresh.change_24h).toBe('0.000000');
    // The first trade is a day and a half old at the end, the second two and a half hours.
    const first = await buy(token, marketId);
    exchange.clock.advance(33.5 * HOUR_MS);
    // The session is over by now.
    const second = await buy(await exchange.trader(), marketId);
    exchange.clock.advance(2.5 * HOUR_MS);
    const [yes, no] = await outcomes();
    const closes = [...Array(20).fill(first), second, second, second, yes.price];
    expect(yes.history).toEqual(closes);
    const change = Math.round((Number(yes.price) - Number(first)) * 1e6) / 1e6;
    expect(Number(yes.change_24h)).toBe(change);
    expect(change).toBeGreaterThan(0);
    // Nobody traded this one, but its price has moved.
    expect(no.history).toEqual([...Array(23).fill('0.500000'), no.price]);
    expect(Number(no.change_24h)).toBeLessThan(0);
  });

  it('[SE6] is what the candles of the outcome say', async () => {
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    for (let hour = 0; hour < 5; hour += 1) {
      await buy(token, market_id);
      exchange.clock.advance(HOUR_MS);
    }
    const [yes] = await outcomes();
    const query = { outcome_id: 'yes', interval: '1h' };
    const { data } = await exchange.ask('listCandles', { params: { market_id }, query });
    const closes = data.map(({ close }: { close: string }) => close);
    expect(yes.history.slice(-closes.length, -1)).toEqual(closes.slice(0, -1));
    expect(yes.history).toHaveLength(24);
  });

  it('[SE6] comes for at most 50 markets a page', async () => {
    for (const [query, field] of [
      [{ history: '1d', limit: 51 }, 'limit'],
      [{ history: '1w' }, 'history'],
    ] as const) {
      const { error } = await exchange.ask('listMarkets', { query });
      expect(error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field } });
    }
  });
});
