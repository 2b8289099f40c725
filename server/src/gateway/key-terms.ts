// What a key may do, and when that gets less.
import type { TierLimits } from '@sibyl/contract';
import type { KeyRecord, PlatformStore } from '../ports/platform.ts';
import { keyRatesOf } from './builder-terms.ts';
import { RateQuotas } from './rate-quotas.ts';

export interface KeyTerms {
  termsOf(
    key: Pick<KeyRecord, 'tier' | 'userId'>,
    nowMs: number,
  ): Promise<{ readonly limits: TierLimits; readonly changesAtMs: number | null }>;
  hasSigningSecret(publicId: string): Promise<boolean>;
}

export function keyTermsOf(platform: PlatformStore): KeyTerms {
  return {
    async termsOf(key, nowMs) {
      const { limits, pending, ratesUntilMs } = await keyRatesOf(platform, key, nowMs);
      const quotas = (await RateQuotas.open(platform)).of('key', nowMs);
      const announcedMs = pending?.effectiveAtMs ?? Infinity;
      const changesAtMs = Math.min(announcedMs, quotas.untilMs, ratesUntilMs);
      return { limits, changesAtMs: Number.isFinite(changesAtMs) ? changesAtMs : null };
    },
    async hasSigningSecret(publicId) {
      const record = await platform.signing.of(publicId);
      return record !== null && record.secret !== null;
    },
  };
}
