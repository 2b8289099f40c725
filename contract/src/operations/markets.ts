// Operations of the Markets group: everything public about a market.

import { Type } from 'typebox';
import { common, embedded, marketIdentified, presented } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { outcomeId, pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { pageQuery, queryOf } from '../paging.ts';
import { epochMs, oneOf } from '../primitives.ts';
import { CancellationPrice, exampleCancellationPrice } from '../resources/cancellation.ts';
import { exampleMarket, Market, marketStatuses } from '../resources/market.ts';
import {
  Candle,
  exampleCandle,
  exampleOrderBook,
  exampleTrade,
  intervals,
  OrderBook,
  Trade,
} from '../resources/market-data.ts';
import { marketTypes } from '../resources/template.ts';
import { publicRead } from './kinds.ts';

const marketRead = { ...publicRead, group: 'Markets' } as const;

const params = Type.Object({ market_id: pathId('market', 'The market.') });
const exampleParams = { market_id: exampleMarket.market_id };

const listMarkets = operation({
  ...marketRead,
  id: 'listMarkets',
  call: 'markets.list',
  path: '/v1/markets',
  summary: 'List markets',
  description: 'Newest first, all states unless filtered.',
  list: true,
  input: {
    ...noInput,
    query: pageQuery({
      category: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      market_type: Type.Optional(oneOf(marketTypes)),
      status: Type.Optional(oneOf(['active', 'locked', 'settling'])),
      state: Type.Optional(
        oneOf(marketStatuses, { description: 'As status, with every state a market can be in.' }),
      ),
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 128,
          description:
            'Words of the title, in any order. A number matches with or without separators.',
        }),
      ),
      creator_address: Type.Optional(
        Type.String({
          pattern: '^0x[0-9a-fA-F]{40}$',
          'x-expected': '0x and 40 hexadecimal digits',
        }),
      ),
      sort: Type.Optional(
        oneOf(['created_at', 'closes_at', 'volume', 'relevance'], {
          default: 'created_at',
          description:
            'created_at and volume descend, closes_at ascends. relevance: open markets first and ended ones last, then titles in which more words of q begin a word, then volume.',
        }),
      ),
      history: Type.Optional(
        oneOf(['1d'], {
          description: `Adds history and change_24h to each outcome; with at most ${limits.page.historyMax} markets a page.`,
        }),
      ),
    }),
  },
  data: Type.Array(Market),
  errors: [...common, ...presented, ...embedded],
  example: { query: { status: 'active', limit: 50 }, data: [exampleMarket] },
});

const getMarket = operation({
  ...marketRead,
  id: 'getMarket',
  call: 'markets.get',
  path: '/v1/markets/{market_id}',
  summary: 'One market',
  description: 'With tick_size, lot_size, min_notional, the halted flag and its resolution.',
  list: false,
  input: { ...noInput, params },
  data: Market,
  errors: [...common, ...presented, ...embedded, ...marketIdentified],
  example: { params: exampleParams, data: exampleMarket },
});

const getCancellationPrice = operation({
  ...marketRead,
  id: 'getCancellationPrice',
  counted: false,
  call: 'markets.cancellationPrice',
  path: '/v1/markets/{market_id}/cancellation',
  summary: 'Cancellation price now',
  description:
    'What each share would pay if the market were cancelled now by the default window; of a market that is proposed to be cancelled or has ended, see the market. Operators may publish another window.',
  list: false,
  input: { ...noInput, params },
  data: CancellationPrice,
  errors: [...common, ...presented, ...embedded, ...marketIdentified, 'STATE_CONFLICT'],
  example: { params: exampleParams, data: exampleCancellationPrice },
});

const listCandles = operation({
  ...marketRead,
  id: 'listCandles',
  call: 'markets.candles',
  path: '/v1/candles/{market_id}',
  summary: 'Price candles',
  description:
    'Oldest first; without from_ms the newest ones. Gaps repeat the previous close, so a known market never has none.',
  list: true,
  input: {
    params,
    query: pageQuery({
      outcome_id: outcomeId,
      interval: Type.Optional(oneOf(intervals, { default: '1m' })),
      from_ms: Type.Optional(epochMs('First instant, inclusive.')),
      to_ms: Type.Optional(epochMs('Last instant, exclusive.')),
    }),
    body: null,
  },
  data: Type.Array(Candle),
  errors: [...common, ...presented, ...embedded, ...marketIdentified],
  example: {
    params: exampleParams,
    query: { outcome_id: 'yes', interval: '1h' },
    data: [exampleCandle],
  },
});

const getOrderBook = operation({
  ...marketRead,
  id: 'getOrderBook',
  call: 'markets.orderBook',
  path: '/v1/orderbook/{market_id}',
  summary: 'Order book',
  description: 'One merged ladder of all liquidity, with the sequence the stream continues from.',
  list: false,
  input: {
    params,
    query: queryOf({
      outcome_id: outcomeId,
      depth: Type.Optional(
        Type.Integer({
          minimum: limits.depth.min,
          maximum: limits.depth.max,
          default: limits.depth.default,
          description: 'Levels per side.',
        }),
      ),
    }),
    body: null,
  },
  data: OrderBook,
  errors: [...common, ...presented, ...embedded, ...marketIdentified],
  example: {
    params: exampleParams,
    query: { outcome_id: 'yes', depth: 2 },
    data: {
      ...exampleOrderBook,
      bids: exampleOrderBook.bids.slice(0, 2),
      asks: exampleOrderBook.asks.slice(0, 2),
    },
  },
});

const listTrades = operation({
  ...marketRead,
  id: 'listTrades',
  call: 'markets.trades',
  path: '/v1/trades/{market_id}',
  summary: 'Public tape',
  description: 'Newest first, the complete history.',
  list: true,
  input: {
    params,
    query: pageQuery({ outcome_id: Type.Optional(outcomeId) }),
    body: null,
  },
  data: Type.Array(Trade),
  errors: [...common, ...presented, ...embedded, ...marketIdentified],
  example: { params: exampleParams, query: { limit: 1 }, data: [exampleTrade] },
});

export const marketOperations = Object.freeze({
  listMarkets,
  getMarket,
  getCancellationPrice,
  listCandles,
  getOrderBook,
  listTrades,
});
