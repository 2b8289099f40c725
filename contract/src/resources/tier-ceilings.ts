// What keys of each tier may stake and ask, as operators set it.

import { type Static, Type } from 'typebox';
import { limits, tiers } from '../limits.ts';
import { Money, nullable, oneOf } from '../primitives.ts';
import { announcedVersion } from './announced-version.ts';

/** The specification fixes those of self_serve. */
export const liveTiers = tiers.filter((tier) => tier !== 'self_serve');

const ceilings = {
  order_notional_max: nullable(Money, 'Cap per order; null means none.'),
  daily_notional_max: nullable(Money, 'Cap per UTC day; null means none.'),
  rate_multiplier: Type.Integer({ minimum: 1, maximum: limits.rate.multiplierMax }),
};

const CeilingVersion = announcedVersion('CeilingVersion', 'Counted over all tiers.', {
  tier: oneOf(tiers),
  ...ceilings,
});

const TierCeiling = Type.Object(
  {
    tier: oneOf(tiers),
    ...ceilings,
    pending: nullable(CeilingVersion, 'What is announced and does not hold yet.'),
  },
  { title: 'TierCeiling' },
);

export const TierCeilings = Type.Object(
  {
    tiers: Type.Array(TierCeiling, { description: 'As they hold now.' }),
    versions: Type.Array(CeilingVersion, { description: 'All changes, newest first.' }),
  },
  { title: 'TierCeilings' },
);
export type TierCeilings = Static<typeof TierCeilings>;

const exampleVersion: Static<typeof CeilingVersion> = {
  version: 2,
  tier: 'trade_capped',
  order_notional_max: '500.000000',
  daily_notional_max: '2500.000000',
  rate_multiplier: 1,
  announced_at: '2026-11-14T12:00:00.000Z',
  announced_at_ms: 1_794_657_600_000,
  effective_at: '2026-11-14T12:00:00.000Z',
  effective_at_ms: 1_794_657_600_000,
  actor: 'operator',
  reason: 'ticket 4711',
};

export const exampleTierCeilings: TierCeilings = {
  tiers: [
    {
      tier: 'trade_capped',
      order_notional_max: '500.000000',
      daily_notional_max: '2500.000000',
      rate_multiplier: 1,
      pending: null,
    },
  ],
  versions: [exampleVersion],
};
