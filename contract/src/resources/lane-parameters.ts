// The parameters of a lane as an operator reads and changes them.

import { type Static, Type } from 'typebox';
import { instant, oneOf, openObject } from '../primitives.ts';
import { environments } from './api-key.ts';

export const parameterParts = ['fee', 'quality', 'band', 'risk', 'resolution'] as const;

const ParameterChange = Type.Object(
  {
    version: Type.Integer({ minimum: 2 }),
    part: oneOf(parameterParts),
    values: openObject('What was changed, as it was from then on.'),
    actor: Type.String(),
    reason: Type.String(),
    ...instant('changed_at', 'From when on.'),
  },
  { title: 'ParameterChange' },
);

export const LaneParameters = Type.Object(
  {
    lane: oneOf(environments),
    version: Type.Integer({ minimum: 1, description: '1 as the lane began.' }),
    values: Type.Object(
      {
        fee: openObject('Rates in units of 10⁻⁸, weights in 1/10000.'),
        quality: openObject('How makers are rated.'),
        band: openObject('How far prices may move, and halts.'),
        risk: openObject('Limits of accounts.'),
        resolution: openObject('Windows, bonds and deadlines.'),
      },
      { title: 'ParameterValues', description: 'What may be changed, as it stands.' },
    ),
    versions: Type.Array(ParameterChange, { description: 'All changes, newest first.' }),
  },
  { title: 'LaneParameters' },
);
export type LaneParameters = Static<typeof LaneParameters>;

export const exampleParameters: LaneParameters = {
  lane: 'sandbox',
  version: 2,
  values: {
    fee: {
      conversion_rate: 110_000,
      rebates_paid: true,
      creator_weight: 2500,
      builder_weight: 2000,
      referrer_weight: 500,
      oracle_weight: 1000,
      insurance_weight: 1000,
      builder_fee_bps_max: 100,
    },
    quality: { resting_ms: 5_000, target_lots: 50_000, look_orders_max: 5_000 },
    band: { pips: 2000, windows: 3, halt_ms: 60_000, halt_every_ms: 3_600_000 },
    risk: {
      open_orders_per_market: 100,
      open_orders_per_account: 2000,
      position_lots_max: 100_000_000_000,
      open_notional_max: '1000000000.000000',
      bid_reserve_min: '1.000000',
      open_markets_per_creator: 20,
    },
    resolution: {
      challenge_ms: 7_200_000,
      account_challenge_ms: 86_400_000,
      bond_min: '10.000000',
      bond_escrow_bps: 100,
      proposal_deadline_ms: 604_800_000,
    },
  },
  versions: [
    {
      version: 2,
      part: 'risk',
      values: { open_orders_per_market: 100 },
      actor: 'operator',
      reason: 'ticket 4711',
      changed_at: '2026-11-14T12:00:00.000Z',
      changed_at_ms: 1_794_657_600_000,
    },
  ],
};
