// Ceilings of the tiers as operators set them: what a key of a tier may stake and ask, in versions that are never changed.
import { limits, type Tier, type TierLimits } from '@sibyl/contract';
import { assert, parseMoney } from '@sibyl/money';
import {
  type AnnouncedVersion,
  inForce,
  onePerStore,
  type PlatformSettings,
  type SetBy,
  VersionBook,
} from './announced-versions.ts';

type Ceilings = Pick<TierLimits, 'orderNotionalMax' | 'dailyNotionalMax' | 'rateMultiplier'>;

export interface CeilingVersion extends Ceilings, AnnouncedVersion {
  readonly tier: Tier;
}

/** What holds for a tier at one moment, and what is announced. */
export interface TierTerms {
  readonly limits: TierLimits;
  readonly pending: CeilingVersion | null;
}

const SETTING = 'tier ceilings';

export class TierCeilings {
  static readonly of = onePerStore((platform) => new TierCeilings(platform));

  readonly #book: VersionBook<CeilingVersion>;

  private constructor(platform: PlatformSettings) {
    this.#book = new VersionBook(platform, SETTING);
  }

  /** Oldest first. */
  versions(): Promise<readonly CeilingVersion[]> {
    return this.#book.versions();
  }

  async termsOf(tier: Tier, nowMs: number): Promise<TierTerms> {
    return termsAt(await this.versions(), tier, nowMs);
  }

  /** What is lowered holds once the notice is over, and all that was set with it; what is only raised, at once. */
  async set(tier: Tier, change: Partial<Ceilings>, by: SetBy): Promise<void> {
    await this.#book.add(by, (versions) => {
      const { limits: current } = termsAt(versions, tier, by.atMs);
      const wanted = { ...ceilingFields(current), ...change };
      return { contents: { ...wanted, tier }, isLower: isLower(wanted, current) };
    });
  }

  onChange(listener: () => void): () => void {
    return this.#book.onChange(listener);
  }
}

function termsAt(versions: readonly CeilingVersion[], tier: Tier, nowMs: number): TierTerms {
  const ofTier = versions.filter((version) => version.tier === tier);
  const { current, pending } = inForce(ofTier, nowMs);
  const fixed = limits.tiers[tier];
  const changed = current === undefined ? fixed : { ...fixed, ...ceilingFields(current) };
  return { limits: changed, pending };
}

function ceilingFields({ orderNotionalMax, dailyNotionalMax, rateMultiplier }: Ceilings): Ceilings {
  return { orderNotionalMax, dailyNotionalMax, rateMultiplier };
}

function isLower(wanted: Ceilings, current: Ceilings): boolean {
  return (
    wanted.rateMultiplier < current.rateMultiplier ||
    isLowerCap(wanted.orderNotionalMax, current.orderNotionalMax) ||
    isLowerCap(wanted.dailyNotionalMax, current.dailyNotionalMax)
  );
}

/** Null is no cap at all. */
function isLowerCap(wanted: string | null, current: string | null): boolean {
  if (wanted === null) return false;
  return current === null || microOf(wanted) < microOf(current);
}

function microOf(text: string): bigint {
  const parsed = parseMoney(text, 'USDT');
  assert(parsed.ok, `a ceiling that is no amount: ${text}`);
  return parsed.value;
}
