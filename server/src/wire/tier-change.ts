// Another tier of a key or a user, as messages and webhooks tell it.
import type { StreamData, Tier, TierLimits } from '@sibyl/contract';

export interface TierStep {
  readonly from: Tier;
  readonly to: Tier;
  readonly reason: string;
}

/** A key, or with a null id the user of the account. */
export interface TierHolder {
  readonly publicId: string | null;
  readonly rateMultiplier: number;
}

/** With what the key may do from then on: the ceilings of its tier as operators set them, and what it was granted beside. */
export function tierChangeData(
  { publicId, rateMultiplier }: TierHolder,
  { from, to, reason }: TierStep,
  inForce: TierLimits,
): StreamData<'tier_changed'> {
  return {
    key_id: publicId,
    from,
    to,
    reason,
    limits: {
      order_notional_max: inForce.orderNotionalMax,
      daily_notional_max: inForce.dailyNotionalMax,
      rate_multiplier: inForce.rateMultiplier * rateMultiplier,
    },
  };
}
