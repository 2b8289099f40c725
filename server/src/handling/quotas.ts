// How often a caller may ask and what it may stake, as that is announced for later.
import type { RateCategory, TierLimits } from '@sibyl/contract';
import type { TierCaps } from '@sibyl/engine';

/** Since when lower limits are known, and from when on they hold. */
export interface QuotaNotice {
  readonly announcedAtMs: number;
  readonly effectiveAtMs: number;
}

export type AnnouncedCeilings = QuotaNotice &
  Pick<TierLimits, 'orderNotionalMax' | 'dailyNotionalMax' | 'rateMultiplier'>;

export interface AnnouncedQuota extends QuotaNotice {
  readonly category: RateCategory;
  readonly perMinute: number;
}

/** Requests per minute of a kind of caller, before the multipliers of its tier and key. */
export interface Quotas {
  readonly perMinute: Readonly<Record<RateCategory, number>>;
  /** Lower ones, by category. */
  readonly announced: readonly AnnouncedQuota[];
  /** When the first of those holds; infinite if there are none. */
  readonly untilMs: number;
}

/** What a caller may do from a time on that was announced. */
export interface AnnouncedLimits extends QuotaNotice {
  readonly caps: TierCaps | null;
  readonly perMinute: Readonly<Record<RateCategory, number>>;
}
