// What a key of a tier may do, and when that gets less.
import type { Tier, TierLimits } from '@sibyl/contract';
import type { PlatformSettings } from './announced-versions.ts';
import { RateQuotas } from './rate-quotas.ts';
import { TierCeilings } from './tier-ceilings.ts';

export interface KeyTerms {
  termsOf(
    tier: Tier,
    nowMs: number,
  ): Promise<{ readonly limits: TierLimits; readonly changesAtMs: number | null }>;
}

export function keyTermsOf(platform: PlatformSettings): KeyTerms {
  const ceilings = TierCeilings.of(platform);
  return {
    async termsOf(tier, nowMs) {
      const { limits, pending } = await ceilings.termsOf(tier, nowMs);
      const quotas = (await RateQuotas.open(platform)).of('key', nowMs);
      const changesAtMs = Math.min(pending?.effectiveAtMs ?? Infinity, quotas.untilMs);
      return { limits, changesAtMs: Number.isFinite(changesAtMs) ? changesAtMs : null };
    },
  };
}
