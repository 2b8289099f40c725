// Market data: candles, the order book and the public tape.

import { type Static, Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import { epochMs, Money, oneOf } from '../primitives.ts';
import { chainData } from './market.ts';

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

const printed = {
  trade_id: idOf('trade'),
  market_id: idOf('market'),
  outcome_id: outcomeId,
  side: oneOf(sides, { description: 'The side of the taker.' }),
  price: Money,
  size: Money,
  ts_ms: epochMs('When it happened.'),
};

/** A trade the moment it happens: nothing can be attached to it yet. */
export const TradePrint = Type.Object(printed, { title: 'TradePrint' });

export const Trade = Type.Object({ ...printed, chain_data: chainData }, { title: 'Trade' });
export type Trade = Static<typeof Trade>;

export const exampleCandle: Candle = {
  ts_ms: 1_794_657_600_000,
  open: '0.517315',
  high: '0.536326',
  low: '0.517315',
  close: '0.536326',
  volume: '57.094742',
};

/** The best ten levels of a side, as many as the checksum of a stream takes in. */
export const exampleOrderBook: OrderBook = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  bids: [
    ['0.538000', '0.140000'],
    ['0.537000', '2.900000'],
    ['0.536000', '2.900000'],
    ['0.535000', '2.900000'],
    ['0.534000', '2.900000'],
    ['0.533000', '2.900000'],
    ['0.532000', '2.900000'],
    ['0.531000', '2.890000'],
    ['0.530000', '2.900000'],
    ['0.529000', '2.890000'],
  ],
  asks: [
    ['0.539000', '2.750000'],
    ['0.540000', '2.910000'],
    ['0.541000', '2.900000'],
    ['0.542000', '2.910000'],
    ['0.543000', '2.900000'],
    ['0.544000', '2.910000'],
    ['0.545000', '2.910000'],
    ['0.546000', '2.910000'],
    ['0.547000', '2.910000'],
    ['0.548000', '2.910000'],
  ],
  tick_size: '0.001000',
  seq: 42,
  ts_ms: 1_794_657_600_000,
};

export const exampleTradePrint: Static<typeof TradePrint> = {
  trade_id: 'trd_01J0000000000003',
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  price: '0.536326',
  size: '10.000000',
  ts_ms: 1_794_657_600_000,
};

export const exampleTrade: Trade = { ...exampleTradePrint, chain_data: null };
