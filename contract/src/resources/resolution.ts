// Resolution: how a market's answer came about, as much as everybody may see.

import { type Static, Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import { instant, Money, nullable, nullableInstant, oneOf } from '../primitives.ts';

export const resolutionStates = ['proposed', 'disputed', 'final', 'void'] as const;

export const Payout = Type.Object(
  { outcome_id: outcomeId, payout: Money },
  { title: 'Payout', description: 'What one share of the outcome pays, 0 to 1.' },
);

export const Resolution = Type.Object(
  {
    resolution_id: idOf('resolution'),
    state: oneOf(resolutionStates),
    winning_outcome_id: nullable(outcomeId, 'Null for a scalar or split answer.'),
    payout_vector: Type.Array(Payout),
    evidence: Type.Array(Type.String(), { description: 'Addresses or texts that support it.' }),
    disputed: Type.Boolean(),
    ...instant('proposed_at', 'When the answer was proposed.'),
    ...nullableInstant('challenge_ends_at', 'When the challenge window ends.'),
    ...nullableInstant('finalized_at', 'When it became final.'),
  },
  { title: 'Resolution' },
);
export type Resolution = Static<typeof Resolution>;

export const exampleResolution: Resolution = {
  resolution_id: 'res_01J0000000000002',
  state: 'final',
  winning_outcome_id: 'yes',
  payout_vector: [
    { outcome_id: 'yes', payout: '1.000000' },
    { outcome_id: 'no', payout: '0.000000' },
  ],
  evidence: ['mock_oracle'],
  disputed: false,
  proposed_at: '2026-11-14T12:00:00.000Z',
  proposed_at_ms: 1_794_657_600_000,
  challenge_ends_at: '2026-11-14T12:00:00.000Z',
  challenge_ends_at_ms: 1_794_657_600_000,
  finalized_at: '2026-11-14T12:00:00.000Z',
  finalized_at_ms: 1_794_657_600_000,
};
