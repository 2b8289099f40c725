// What a key of a tier may do once what was agreed with its builder is counted in.
import type { BuilderRecord } from '../ports/builders.ts';
import type { KeyRecord, PlatformStore } from '../ports/platform.ts';
import { tierOf } from '../wire/known-tier.ts';
import { TierCeilings, type TierTerms } from './tier-ceilings.ts';

export interface KeyRates extends TierTerms {
  /** When a load test ends that counts at present; infinite if none does. */
  readonly ratesUntilMs: number;
  /** Reads and account reads have no limit, by contract. */
  readonly isUncapped: boolean;
  /** An approved builder holds the key. */
  readonly isBuilders: boolean;
}

/** Of the key's tier and of the builder whose it is. */
export async function keyRatesOf(
  platform: Pick<PlatformStore, 'setting' | 'putSetting' | 'builders'>,
  { tier, userId }: Pick<KeyRecord, 'tier' | 'userId'>,
  nowMs: number,
): Promise<KeyRates> {
  const terms = await TierCeilings.of(platform).termsOf(tierOf(tier), nowMs);
  const builder = userId === null ? null : await platform.builders.of(userId);
  return withBuilder(terms, tier, builder, nowMs);
}

/** An agreement takes the place of what its track's tier says; a load test widens whatever there is, and never narrows it. */
function withBuilder(
  terms: TierTerms,
  tier: string,
  builder: BuilderRecord | null,
  nowMs: number,
): KeyRates {
  if (builder === null)
    return { ...terms, ratesUntilMs: Infinity, isUncapped: false, isBuilders: false };
  const { agreedRate, approvedTrack, loadTest } = builder;
  const inForce = approvedTrack === tier ? agreedRate : null;
  const isUncapped = inForce === 'uncapped';
  const agreed = isUncapped ? null : inForce;
  const isTesting = loadTest !== null && loadTest.endsAtMs > nowMs;
  const least = isTesting ? loadTest.multiplier : 1;
  const widened = (multiplier: number): number => Math.max(agreed ?? multiplier, least);
  const { limits, pending } = terms;
  return {
    limits: { ...limits, rateMultiplier: widened(limits.rateMultiplier) },
    pending:
      pending === null ? null : { ...pending, rateMultiplier: agreed ?? pending.rateMultiplier },
    ratesUntilMs: isTesting ? loadTest.endsAtMs : Infinity,
    isUncapped,
    isBuilders: approvedTrack !== null,
  };
}
