// Market data: candles, the order book and the public tape.

import { type Static, Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import { epochMs, Money, oneOf } from '../primitives.ts';

export const sides = ['buy', 'sell'] as const;
export const intervals = ['1m', '5m', '15m', '30m', '1h', '4h', '1d'] as const;

export const Candle = Type.Object(
  {
    ts_ms: epochMs('Start of the interval.'),
    open: Money,
    high: Money,
    low: Money,
    close: Money,
    volume: Money,
  },
  { title: 'Candle' },
);
export type Candle = Static<typeof Candle>;

/** [price, size]: a plain two-entry array, because tuples differ between JSON Schema drafts. */
export const BookLevel = Type.Unsafe<[price: string, size: string]>({
  title: 'BookLevel',
  type: 'array',
  items: Money,
  minItems: 2,
  maxItems: 2,
  description: '[price, size]',
});

export const OrderBook = Type.Object(
  {
    market_id: idOf('market'),
    outcome_id: outcomeId,
    bids: Type.Array(BookLevel, { description: 'Best first: descending prices.' }),
    asks: Type.Array(BookLevel, { description: 'Best first: ascending prices.' }),
    tick_size: Money,
    seq: Type.Integer({
      format: 'int64',
      minimum: 0,
      description: 'Sequence of the book; the stream continues from it.',
    }),
    ts_ms: epochMs('When the snapshot was taken.'),
  },
  { title: 'OrderBook' },
);
export type OrderBook = Static<typeof OrderBook>;

export const Trade = Type.Object(
  {
    trade_id: idOf('trade'),
    market_id: idOf('market'),
    outcome_id: outcomeId,
    side: oneOf(sides, { description: 'The side of the taker.' }),
    price: Money,
    size: Money,
    ts_ms: epochMs('When it happened.'),
  },
  { title: 'Trade' },
);
export type Trade = Static<typeof Trade>;

export const exampleCandle: Candle = {
  ts_ms: 1_794_657_600_000,
  open: '0.5',
  high: '0.517322',
  low: '0.5',
  close: '0.517322',
  volume: '50.866261',
};

export const exampleOrderBook: OrderBook = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  bids: [
    ['0.517', '1.85'],
    ['0.516', '5.77'],
  ],
  asks: [
    ['0.518', '3.91'],
    ['0.519', '5.77'],
  ],
  tick_size: '0.001',
  seq: 42,
  ts_ms: 1_794_657_600_000,
};

export const exampleTrade: Trade = {
  trade_id: 'trd_01J0000000000003',
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  price: '0.508663',
  size: '100',
  ts_ms: 1_794_657_600_000,
};
