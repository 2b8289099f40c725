// The engine that filled an order is not shown to others: only the answer to a placement may name it.
import { operations, streamMessages, webhookEvents } from '@sibyl/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';

const VENUE = /\b(amm|clob|hybrid)\b/i;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe('the engine type', () => {
  it('[RQ19] is told by the placement, and by no message and no other answer about the same order', async () => {
    const { exchange } = stage;
    const token = await exchange.trader();
    const market_id = await exchange.market('pool');
    const client = await stage.connect();
    await client.ask({ op: 'AUTH', token }, 'authenticated');
    const params = ['account', 'trade_executed', 'ticker', 'orderbook'];
    await client.ask({ op: 'SUBSCRIBE', params }, 'subscribed');
    const placed = await exchange.ask('placeOrder', {
      token,
      body: { market_id, outcome_id: 'yes', side: 'buy', order_type: 'market', size: '10' },
    });
    expect(placed.meta.fill_venue).toBe('amm');
    const told = await client.next('trade_executed');
    expect(told.data.order_id).toBe(placed.data.order_id);
    await client.settle();
    expect(client.frames.filter((frame) => VENUE.test(JSON.stringify(frame)))).toEqual([]);
    for (const id of ['listFills', 'listOrders', 'listPositions', 'listLedger'] as const) {
      const { response, data } = await exchange.ask(id, { token });
      expect(data.length, id).toBeGreaterThan(0);
      expect(response.payload, id).not.toMatch(VENUE);
    }
    const { order_id } = placed.data;
    const one = await exchange.ask('getOrder', { token, params: { order_id } });
    expect(one.response.payload).not.toMatch(VENUE);
  });

  it('[RQ19] has no field in any message, webhook or other operation of the contract', () => {
    const records = [
      ...Object.values(streamMessages).map(({ type, data }) => [type, data]),
      ...Object.entries(webhookEvents).map(([type, { data }]) => [type, data]),
      ...Object.values(operations).map(({ id, data }) => [id, data]),
    ];
    for (const [name, schema] of records) {
      expect(JSON.stringify(schema), String(name)).not.toMatch(/fill_venue|"(amm|clob)"/);
    }
  });
});
