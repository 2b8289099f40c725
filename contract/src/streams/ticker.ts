// Messages of the ticker stream: prices, the public tape, candles and open interest.

import { Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import { Money, nullable, oneOf } from '../primitives.ts';
import {
  Candle,
  exampleCandle,
  exampleTradePrint,
  intervals,
  TradePrint,
} from '../resources/market-data.ts';
import { message } from './define.ts';
import { epoch, sequence } from './frame.ts';

const stream = { stream: 'ticker', visibility: 'public' } as const;
const ofOutcome = { market_id: idOf('market'), outcome_id: outcomeId };
const exampleOutcome = { market_id: 'm_0123456789abcdef', outcome_id: 'yes' };

const ticker = message({
  ...stream,
  type: 'ticker',
  description: 'Price and best levels of an outcome; a slow reader gets the newest only.',
  data: Type.Object(
    {
      ...ofOutcome,
      price: Money,
      best_bid: nullable(Money, 'Null if nobody buys.'),
      best_ask: nullable(Money, 'Null if nobody sells.'),
      bid_size: nullable(Money, 'Size at the best bid.'),
      ask_size: nullable(Money, 'Size at the best ask.'),
      last_price: nullable(Money, 'Price of the last trade.'),
      volume_24h: Money,
      change_24h: Money,
      seq: Type.Integer({ ...sequence, description: 'Number in ticker:market_id:outcome_id.' }),
      epoch: Type.Optional(epoch),
    },
    { title: 'Ticker' },
  ),
  example: {
    ...exampleOutcome,
    price: '0.538049',
    best_bid: '0.538000',
    best_ask: '0.539000',
    bid_size: '0.140000',
    ask_size: '2.750000',
    last_price: '0.536326',
    volume_24h: '57.094742',
    change_24h: '0.038049',
    seq: 43,
  },
});

const tradePrint = message({
  ...stream,
  type: 'trade_print',
  description: 'One trade of the public tape, without identities.',
  data: TradePrint,
  example: exampleTradePrint,
});

const candleUpdate = message({
  ...stream,
  type: 'candle_update',
  description: 'The candle that is being made, or has just been closed.',
  data: Type.Object(
    {
      ...ofOutcome,
      interval: oneOf(intervals),
      ...Candle.properties,
      closed: Type.Boolean({ description: 'It will not change any more.' }),
    },
    { title: 'CandleUpdate' },
  ),
  example: { ...exampleOutcome, interval: '1m', ...exampleCandle, closed: false },
});

const openInterest = message({
  ...stream,
  type: 'open_interest',
  description: 'Complete sets outstanding and the volume so far of a market.',
  data: Type.Object(
    { market_id: idOf('market'), open_interest: Money, total_volume: Money },
    { title: 'OpenInterest' },
  ),
  example: {
    market_id: 'm_0123456789abcdef',
    open_interest: '557.094742',
    total_volume: '57.094742',
  },
});

export const tickerMessages = Object.freeze({
  ticker,
  trade_print: tradePrint,
  candle_update: candleUpdate,
  open_interest: openInterest,
});
