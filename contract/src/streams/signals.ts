// The message of the signals stream: something unusual about a market.

import { Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import { epochMs, moneyOf, nullable, oneOf } from '../primitives.ts';
import { message } from './define.ts';
import { peopleText } from './frame.ts';

export const signalKinds = [
  'price_move',
  'volume_spike',
  'liquidity_shift',
  'spread_widening',
  'closing_soon',
] as const;

const signals = message({
  stream: 'signals',
  visibility: 'authenticated',
  type: 'signals',
  description: 'A price moved, volume rose, depth shifted, the spread widened or the end is near.',
  data: Type.Object(
    {
      signal_id: Type.String({ pattern: '^sig_[0-9A-Za-z]{1,40}$' }),
      kind: oneOf(signalKinds),
      market_id: idOf('market'),
      outcome_id: nullable(outcomeId, 'Null if the whole market is concerned.'),
      strength: moneyOf('How unusual it is, from 0 to 1.'),
      window_ms: Type.Integer({ minimum: 0, description: 'The time it was observed over.' }),
      ts_ms: epochMs('When it was noticed.'),
      message: peopleText,
    },
    { title: 'Signal' },
  ),
  example: {
    signal_id: 'sig_01J0000000000012',
    kind: 'price_move',
    market_id: 'm_0123456789abcdef',
    outcome_id: 'yes',
    strength: '0.8',
    window_ms: 60_000,
    ts_ms: 1_794_657_600_000,
    message: 'The price moved within 60 seconds: Will BTC close above 100000? (strength 80%)',
  },
});

export const signalMessages = Object.freeze({
  signals,
});
