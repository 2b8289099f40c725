// Messages of the rfq stream: requests for quotes, for the requester and the quoters.

import { Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import { instant, Money, nullable, oneOf } from '../primitives.ts';
import { sides } from '../resources/market-data.ts';
import { message } from './define.ts';

const stream = { stream: 'rfq', visibility: 'private', since: 'later' } as const;
const exampleRfqId = 'rfq_01J0000000000014';
const exampleQuoteId = 'qt_01J0000000000015';
const exampleEnd = {
  expires_at: '2026-11-14T12:00:30.000Z',
  expires_at_ms: 1_794_657_630_000,
};

const rfqOpened = message({
  ...stream,
  type: 'rfq_opened',
  description: 'Somebody asks for quotes.',
  data: Type.Object(
    {
      rfq_id: idOf('rfq'),
      market_id: nullable(idOf('market'), 'Null for a combination.'),
      legs: Type.Array(
        Type.Object({ market_id: idOf('market'), outcome_id: outcomeId }, { title: 'RfqLeg' }),
        { description: 'Empty for a single market.' },
      ),
      side: oneOf(sides),
      size: Money,
      ...instant('expires_at', 'Until when quotes are taken.'),
    },
    { title: 'RfqOpened' },
  ),
  example: {
    rfq_id: exampleRfqId,
    market_id: 'm_0123456789abcdef',
    legs: [],
    side: 'buy',
    size: '1000.000000',
    ...exampleEnd,
  },
});

const rfqQuote = message({
  ...stream,
  type: 'rfq_quote',
  description: 'A quote was given, replaced, or has lapsed.',
  data: Type.Object(
    {
      rfq_id: idOf('rfq'),
      quote_id: idOf('quote'),
      price: Money,
      size: Money,
      ...instant('expires_at', 'Until when it can be taken.'),
      state: oneOf(['active', 'replaced', 'expired']),
    },
    { title: 'RfqQuote' },
  ),
  example: {
    rfq_id: exampleRfqId,
    quote_id: exampleQuoteId,
    price: '0.520000',
    size: '1000.000000',
    ...exampleEnd,
    state: 'active',
  },
});

const rfqFilled = message({
  ...stream,
  type: 'rfq_filled',
  description: 'A quote was taken.',
  data: Type.Object(
    {
      rfq_id: idOf('rfq'),
      quote_id: idOf('quote'),
      trade_id: idOf('trade'),
      price: Money,
      size: Money,
    },
    { title: 'RfqFilled' },
  ),
  example: {
    rfq_id: exampleRfqId,
    quote_id: exampleQuoteId,
    trade_id: 'trd_01J0000000000003',
    price: '0.520000',
    size: '1000.000000',
  },
});

const rfqClosed = message({
  ...stream,
  type: 'rfq_closed',
  description: 'The request takes no more quotes.',
  data: Type.Object(
    {
      rfq_id: idOf('rfq'),
      reason: oneOf(['filled', 'expired', 'cancelled', 'market_halted']),
    },
    { title: 'RfqClosed' },
  ),
  example: { rfq_id: exampleRfqId, reason: 'expired' },
});

export const rfqMessages = Object.freeze({
  rfq_opened: rfqOpened,
  rfq_quote: rfqQuote,
  rfq_filled: rfqFilled,
  rfq_closed: rfqClosed,
});
