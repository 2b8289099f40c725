// All books in one stream without snapshots: nothing that happens after the reply is missed.
import { bookChecksum, type OrderBook } from '@sibyl/contract';
import { asAccountId, asMarketId } from '@sibyl/engine';
import { pips } from '@sibyl/money';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitBuy } from '../limit-order.ts';
import { type Client, openStage, pause, type Stage, submit } from './stage.ts';

let stage: Stage;
let client: Client;

beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

async function buy(marketId: string, price: number): Promise<void> {
  const account = asAccountId('acc_platform');
  const terms = { price: pips(price) };
  const { answer } = await submit(stage, limitBuy(account, asMarketId(marketId), terms));
  expect(answer).toMatchObject({ ok: true });
}

async function restBook(marketId: string, outcomeId: string): Promise<OrderBook> {
  const { data } = await stage.exchange.ask('getOrderBook', {
    params: { market_id: marketId },
    query: { outcome_id: outcomeId, depth: 100 },
  });
  return data;
}

/** The book by the frames alone, as a reader that knew nothing has it. */
function rebuilt(marketId: string, outcomeId: string) {
  const sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
  let seq = 0;
  for (const { type, data } of client.frames) {
    const isMine = data.market_id === marketId && data.outcome_id === outcomeId;
    if (!type.startsWith('orderbook') || !isMine) continue;
    if (type === 'orderbook_delta') expect(data.prev_seq).toBe(seq);
    seq = data.seq;
    if (type === 'orderbook_checksum') continue;
    for (const side of ['bids', 'asks'] as const) {
      if (type === 'orderbook') sides[side].clear();
      for (const [price, size] of data[side]) {
        if (Number(size) === 0) sides[side].delete(price);
        else sides[side].set(price, size);
      }
    }
  }
  const by = (sign: number) => (a: [string, string], b: [string, string]) =>
    sign * (Number(a[0]) - Number(b[0]));
  return { seq, bids: [...sides.bids].sort(by(-1)), asks: [...sides.asks].sort(by(1)) };
}

test('[P11] the first change of each book is told, whoever else follows it', async () => {
  const pool = await stage.exchange.market('pool', 1);
  const other = await stage.exchange.market('pool', 2);
  client = await stage.connect();
  const subscribed = await client.ask(
    { op: 'SUBSCRIBE', params: ['orderbook'], snapshot: false },
    'subscribed',
  );
  const { seq } = subscribed.data.streams[0];
  await buy(pool, 1000);
  await client.next('orderbook', ({ data }) => data.market_id === pool);
  await buy(other, 2000);
  await buy(pool, 1100);
  const late = await stage.exchange.market('pool', 3);
  await buy(late, 900);
  await pause(50);
  for (const marketId of [pool, other, late]) {
    for (const outcomeId of ['yes', 'no']) {
      const { seq: restSeq, bids, asks } = await restBook(marketId, outcomeId);
      expect(rebuilt(marketId, outcomeId), marketId).toEqual({ seq: restSeq, bids, asks });
    }
  }
  // On the stream itself no number is missing, and whole books sum up.
  let last = seq;
  for (const frame of client.frames) {
    if (frame.stream !== 'orderbook') continue;
    expect(frame.prev_seq).toBe(last);
    last = frame.seq;
    if (frame.type === 'orderbook') expect(bookChecksum(frame.data)).toBe(frame.data.checksum);
  }
});
