// Words that people give to a market are shown to everybody: those that nobody could read as they are, are refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
let token: string;
beforeAll(async () => {
  exchange = await openExchange();
  token = await exchange.trader();
});
afterAll(() => exchange.close());

let made = 0;

function create(words: { readonly title?: string; readonly question?: string }, query = {}) {
  const { title, question } = words;
  made += 1;
  const params = { n: made, ...(question === undefined ? {} : { question }) };
  const metadata = title === undefined ? {} : { creator_metadata: { display_title: title } };
  return exchange.ask('createMarket', {
    token,
    query,
    body: { template_id: 'pool', params, ...metadata },
  });
}

describe('words of a market', () => {
  it.each([
    ['a NUL', 'Will it\u0000?', 'control characters'],
    ['a line break', 'Will\nit?', 'line breaks'],
    ['a mark to the left', '\u202eWill it?', 'direction'],
    ['an isolate', 'Will \u2066it?', 'direction'],
    ['an Arabic letter mark', 'Will \u061cit?', 'direction'],
    ['blanks only', ' \u00a0\u3000 ', 'can be seen'],
    ['zero-width characters only', '\u200b\u200d\u2060\ufeff', 'can be seen'],
    ['fillers only', '\u3164\u115f\u2800', 'can be seen'],
    ['five accents in a row', 'Wi\u0301\u0302\u0303\u0304\u0305ll it?', 'at most 4 accents'],
  ])('[RQ15] are refused with %s, in a dry run too', async (_what, words, expected) => {
    for (const query of [{}, { dry_run: true }]) {
      const title = (await create({ title: words }, query)).error;
      expect(title.code).toBe('VALIDATION_FAILED');
      expect(title.details.field).toBe('creator_metadata.display_title');
      expect(title.message).toContain(expected);
      const question = (await create({ question: words }, query)).error;
      expect(question.code).toBe('MARKET_TEMPLATE_PARAM_INVALID');
      expect(question.details.field).toBe('params.question');
      expect(question.message).toContain(expected);
    }
  });

  it.each([
    'Will it rain? 🏆',
    '👩‍👩‍👧‍👦',
    'هل ستمطر غدا؟',
    'שָׁ֑לוֹם',
    'می‌خواهم',
    'Tie\u0302\u0301ng Vie\u0323\u0302t',
    'Z\u0301\u0302\u0303\u0304',
    '明日は雨が降りますか？',
  ])('[RQ15] of any script are taken: %s', async (title) => {
    const { data, error } = await create({ title });
    expect(error).toBeNull();
    expect(data.market.title).toBe(title);
  });
});
