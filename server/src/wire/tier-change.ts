// Another tier of a key, as messages and webhooks tell it.
import type { StreamData, Tier, TierLimits } from '@sibyl/contract';
import type { KeyRecord } from '../ports/platform.ts';

export interface TierStep {
  readonly from: Tier;
  readonly to: Tier;
  readonly reason: string;
}

/** With what the key may do from then on: the ceilings of its tier as operators set them, and what it was granted beside. */
export function tierChangeData(
  { publicId, rateMultiplier }: Pick<KeyRecord, 'publicId' | 'rateMultiplier'>,
  { from, to, reason }: TierStep,
  inForce: TierLimits,
): StreamData<'tier_changed'> {
  return {
    ...{ key_id: publicId, from, to, reason },
    limits: {
      order_notional_max: inForce.orderNotionalMax,
      daily_notional_max: inForce.dailyNotionalMax,
      rate_multiplier: inForce.rateMultiplier * rateMultiplier,
    },
  };
}
