// Messages of the fast_tick stream: the reference price and the phases of a fast round.

import { Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import { epochMs, instant, Money, moneyOf, nullable } from '../primitives.ts';
import { message } from './define.ts';
import { epoch } from './frame.ts';

const stream = { stream: 'fast_tick', visibility: 'public' } as const;
const roundId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The round; its market_id, as each round is a market of its own.',
});
const ofRound = { market_id: idOf('market'), round_id: roundId };
const exampleRound = { market_id: 'm_0123456789abcdef', round_id: 'm_0123456789abcdef' };
const durationMs = Type.Integer({ minimum: 0 });

const fastTick = message({
  ...stream,
  type: 'fast_tick',
  description:
    'The reference price and the prices of both outcomes, every second from the opening of a round to its end; ms_to_lock is 0 after the lock.',
  data: Type.Object(
    {
      ...ofRound,
      reference_price: Money,
      up_price: moneyOf('The price of the outcome yes: the round ends at or above its strike.'),
      down_price: moneyOf('The price of the outcome no.'),
      ms_to_lock: durationMs,
      ts_ms: epochMs('When the price was read.'),
      epoch: Type.Optional(epoch),
    },
    { title: 'FastTick' },
  ),
  example: {
    ...exampleRound,
    reference_price: '100012.5',
    up_price: '0.540000',
    down_price: '0.460000',
    ms_to_lock: 12_000,
    ts_ms: 1_794_657_600_000,
  },
});

const fastRoundOpened = message({
  ...stream,
  type: 'fast_round_opened',
  description: 'A round takes orders.',
  data: Type.Object(
    {
      ...ofRound,
      ...instant('opens_at', 'When it opened.'),
      ...instant('locks_at', 'When it locks.'),
      ...instant('settles_at', 'When it settles.'),
      strike: nullable(Money, 'The price to compare with; null until known.'),
    },
    { title: 'FastRoundOpened' },
  ),
  example: {
    ...exampleRound,
    opens_at: '2026-11-14T12:00:00.000Z',
    opens_at_ms: 1_794_657_600_000,
    locks_at: '2026-11-14T12:00:55.000Z',
    locks_at_ms: 1_794_657_655_000,
    settles_at: '2026-11-14T12:01:00.000Z',
    settles_at_ms: 1_794_657_660_000,
    strike: '100000',
  },
});

const fastRoundLocking = message({
  ...stream,
  type: 'fast_round_locking',
  description: 'The round is about to lock.',
  data: Type.Object({ ...ofRound, ms_to_lock: durationMs }, { title: 'FastRoundLocking' }),
  example: { ...exampleRound, ms_to_lock: 5_000 },
});

const fastRoundLocked = message({
  ...stream,
  type: 'fast_round_locked',
  description: 'The round takes no more orders.',
  data: Type.Object(
    {
      ...ofRound,
      ...instant('locked_at', 'When it locked.'),
      final_prices: Type.Array(
        Type.Object({ outcome_id: outcomeId, price: Money }, { title: 'OutcomePrice' }),
      ),
    },
    { title: 'FastRoundLocked' },
  ),
  example: {
    ...exampleRound,
    locked_at: '2026-11-14T12:00:55.000Z',
    locked_at_ms: 1_794_657_655_000,
    final_prices: [
      { outcome_id: 'yes', price: '0.540000' },
      { outcome_id: 'no', price: '0.460000' },
    ],
  },
});

const fastRoundSettled = message({
  ...stream,
  type: 'fast_round_settled',
  description: 'The round is decided and paid.',
  data: Type.Object(
    {
      ...ofRound,
      settle_price: nullable(Money, 'The reference price it was decided by.'),
      winning_outcome_id: nullable(outcomeId, 'yes or no; null if stakes were returned.'),
      next_round_id: nullable(roundId, 'Null if no other round is planned.'),
    },
    { title: 'FastRoundSettled' },
  ),
  example: {
    ...exampleRound,
    settle_price: '100020.25',
    winning_outcome_id: 'yes',
    next_round_id: 'm_fedcba9876543210',
  },
});

export const fastTickMessages = Object.freeze({
  fast_tick: fastTick,
  fast_round_opened: fastRoundOpened,
  fast_round_locking: fastRoundLocking,
  fast_round_locked: fastRoundLocked,
  fast_round_settled: fastRoundSettled,
});
