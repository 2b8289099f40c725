import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;

beforeEach(async () => {
  exchange = await openExchange();
});

afterEach(() => exchange.close());

it('[MM4] pages of positions show every outcome once, wherever a page ends', async () => {
  const token = await exchange.trader();
  const held: string[] = [];
  for (let number = 0; number < 3; number += 1) {
    const marketId = await exchange.market('multi', number);
    const body = { action: 'mint', market_id: marketId, size: '2' };
    await exchange.ask('convertPosition', { token, body, key: `mint-key-${number}` });
    held.push(...['a', 'b', 'c'].map((outcome) => `${marketId} ${outcome}`));
  }
  for (const limit of [1, 2, 4, 9]) {
    const shown: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { limit, ...(cursor === null ? {} : { cursor }) };
      const { data, meta } = await exchange.ask('listPositions', { token, query });
      expect(data.length).toBeLessThanOrEqual(limit);
      for (const { market_id: market, outcome_id: outcome } of data) {
        shown.push(`${market} ${outcome}`);
      }
      cursor = meta.next_cursor;
    } while (cursor !== null);
    expect(shown).toEqual(held.toSorted());
  }
  const [first = ''] = held;
  const query = { market_id: first.split(' ')[0] };
  const { data } = await exchange.ask('listPositions', { token, query });
  expect(data).toHaveLength(3);
});

it('[MM4] an outcome that stands before one with an earlier name is not passed over', async () => {
  const token = await exchange.trader();
  const marketId = await exchange.market('book');
  const body = { action: 'mint', market_id: marketId, size: '2' };
  await exchange.ask('convertPosition', { token, body, key: 'mint-key' });
  const first = await exchange.ask('listPositions', { token, query: { limit: 1 } });
  expect(first.data).toMatchObject([{ outcome_id: 'yes' }]);
  const query = { limit: 1, cursor: first.meta.next_cursor };
  const second = await exchange.ask('listPositions', { token, query });
  expect(second.data).toMatchObject([{ outcome_id: 'no' }]);
  expect(second.meta.next_cursor).toBeNull();
});
