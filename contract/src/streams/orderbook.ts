// Messages of the orderbook stream: the snapshot, its changes, their checksum and new tick sizes.

import { Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import { epochMs, instant, Money, oneOf } from '../primitives.ts';
import { BookLevel, exampleOrderBook, OrderBook } from '../resources/market-data.ts';
import { message } from './define.ts';
import { epoch, sequence } from './frame.ts';

const stream = { stream: 'orderbook', visibility: 'public' } as const;
const ofOutcome = { market_id: idOf('market'), outcome_id: outcomeId };
const exampleOutcome = { market_id: 'm_0123456789abcdef', outcome_id: 'yes' };

const bookSeq = Type.Integer({
  ...sequence,
  description: 'Number in orderbook:market_id:outcome_id, the seq of the book over REST.',
});
const checksum = Type.Integer({
  minimum: 0,
  maximum: 4_294_967_295,
  description:
    'CRC-32 of the best ten bids, a bar and the best ten asks; levels as price:size, separated by commas.',
});

/** What a server sent with the book of the example. */
const exampleChecksum = 4_277_856_479;

const orderbook = message({
  ...stream,
  type: 'orderbook',
  description:
    'The whole book, up to 100 levels per side; with a prev_seq, the first news of a book that nobody followed.',
  data: Type.Object({ ...OrderBook.properties, epoch, checksum }, { title: 'BookSnapshot' }),
  example: {
    ...exampleOrderBook,
    epoch: 'e_01J0000000000010',
    checksum: exampleChecksum,
  },
});

const orderbookDelta = message({
  ...stream,
  type: 'orderbook_delta',
  description: 'Levels that changed, with their new size; size 0.000000 removes a level.',
  data: Type.Object(
    {
      ...ofOutcome,
      seq: bookSeq,
      prev_seq: bookSeq,
      bids: Type.Array(BookLevel),
      asks: Type.Array(BookLevel),
      ts_ms: epochMs('When the book changed.'),
    },
    { title: 'BookDelta' },
  ),
  example: {
    ...exampleOutcome,
    seq: 43,
    prev_seq: 42,
    bids: [['0.450000', '12.920000']],
    asks: [],
    ts_ms: 1_794_657_600_000,
  },
});

const orderbookChecksum = message({
  ...stream,
  type: 'orderbook_checksum',
  description: 'What the book must sum to after everything up to this number.',
  data: Type.Object({ ...ofOutcome, seq: bookSeq, checksum }, { title: 'BookChecksum' }),
  example: {
    ...exampleOutcome,
    seq: 43,
    checksum: exampleChecksum,
  },
});

const tickSizeChanged = message({
  ...stream,
  type: 'tick_size_changed',
  description: 'Prices of the market are multiples of another tick from now on.',
  data: Type.Object(
    {
      market_id: idOf('market'),
      old_tick_size: Money,
      new_tick_size: Money,
      ...instant('effective_at', 'From when on.'),
      orders_affected: oneOf(['cancelled', 'kept']),
    },
    { title: 'TickSizeChanged' },
  ),
  example: {
    market_id: 'm_0123456789abcdef',
    old_tick_size: '0.010000',
    new_tick_size: '0.001000',
    effective_at: '2026-11-14T12:00:00.000Z',
    effective_at_ms: 1_794_657_600_000,
    orders_affected: 'kept',
  },
});

export const orderbookMessages = Object.freeze({
  orderbook,
  orderbook_delta: orderbookDelta,
  orderbook_checksum: orderbookChecksum,
  tick_size_changed: tickSizeChanged,
});
