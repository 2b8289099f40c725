import { asTemplateId } from '@sibyl/engine';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
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

it('[RQ20] positions, templates and keys come whole without a limit, and in pages with one', async () => {
  const session = await exchange.trader();
  const mint = { action: 'mint', size: '1' };
  for (let number = 0; number < 30; number += 1) {
    const market_id = await exchange.market('pool', number);
    const key = `whole-key-${number}`;
    await exchange.ask('convertPosition', { token: session, body: { ...mint, market_id }, key });
  }
  const pool = TEMPLATES[1]!;
  for (let number = 0; number < 60; number += 1) {
    const template = { ...pool, id: asTemplateId(`more-${number}`) };
    await exchange.operate({ type: 'publish_template', template });
  }
  for (let number = 0; number < 60; number += 1) {
    const token = await exchange.key({ session });
    const revoked = { token: session, params: { key_id: token.slice(0, 24) } };
    expect((await exchange.ask('revokeKey', revoked)).error).toBe(null);
  }
  for (const [id, least] of [
    ['listPositions', 60],
    ['listTemplates', 60],
    ['listKeys', 60],
  ] as const) {
    const whole = await exchange.ask(id, { token: session });
    expect(whole.data.length, id).toBeGreaterThanOrEqual(least);
    expect(whole.meta.next_cursor).toBe(null);
    const paged: unknown[] = [];
    let cursor: string | null = null;
    do {
      // The first page says how long it is; behind a cursor it is fifty unless told.
      const query: Record<string, unknown> = cursor === null ? { limit: 7 } : { cursor };
      const page = await exchange.ask(id, { token: session, query });
      expect(page.data.length).toBeLessThanOrEqual(cursor === null ? 7 : 50);
      paged.push(...page.data);
      cursor = page.meta.next_cursor;
    } while (cursor !== null);
    expect(paged, id).toEqual(whole.data);
  }
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
