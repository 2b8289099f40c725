import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { type Exchange, openExchange } from '../test/modules/exchange.ts';
import { addMemoryGauges } from './memory-gauges.ts';

async function shown(exchange: Exchange): Promise<ReadonlyMap<string, number>> {
  const registry = new Registry();
  const { lanes, histories } = exchange;
  addMemoryGauges(registry, [{ lane: lanes.sandbox!, history: histories.sandbox }], () => 4096);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('sibyl_'));
  return new Map(
    lines.map((line): [string, number] => {
      const [name = '', value] = line.split(' ');
      return [/what="(\w+)"/.exec(name)?.[1] ?? name, Number(value)];
    }),
  );
}

it('[MM5] the metrics count what a lane keeps in memory', async () => {
  const exchange = await openExchange();
  const token = await exchange.trader();
  const marketId = await exchange.market('book');
  const before = await shown(exchange);
  const body = {
    market_id: marketId,
    outcome_id: 'yes',
    side: 'buy',
    order_type: 'limit',
    price: '0.4',
    size: '10',
    client_order_id: 'my-order',
  };
  const { response } = await exchange.ask('placeOrder', { token, body, key: 'place-key-1' });
  expect(response.statusCode).toBe(200);
  const after = await shown(exchange);
  const more = (what: string): number => after.get(what)! - before.get(what)!;
  expect(more('open_orders')).toBe(1);
  expect(more('client_order_ids')).toBe(1);
  expect(more('command_keys')).toBe(1);
  expect(more('history_rows')).toBeGreaterThan(0);
  expect(after.get('sibyl_stream_replay_bytes')).toBe(4096);
  await exchange.histories.sandbox.projector.flush();
  expect((await shown(exchange)).get('history_rows')).toBe(0);
  await exchange.close();
});
