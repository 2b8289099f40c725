// Ceilings of the tiers as operators set them: what a key of a tier may stake and ask, in versions that are never changed.
import { limits, type Tier, type TierLimits } from '@sibyl/contract';
import { assert, parseMoney } from '@sibyl/money';
import type { PlatformStore } from '../ports/platform.ts';

type Ceilings = Pick<TierLimits, 'orderNotionalMax' | 'dailyNotionalMax' | 'rateMultiplier'>;

export interface CeilingVersion extends Ceilings {
  /** The contract's own is 1. */
  readonly version: number;
  readonly tier: Tier;
  readonly announcedAtMs: number;
  readonly effectiveAtMs: number;
  readonly actor: string;
  readonly reason: string;
}

/** What holds for a tier at one moment, and what is announced. */
export interface TierTerms {
  readonly limits: TierLimits;
  readonly pending: CeilingVersion | null;
}

/** How long a lowered quota is announced before it holds. */
const NOTICE_MS = 90 * 86_400_000;
const SETTING = 'tier ceilings';

type PlatformSettings = Pick<PlatformStore, 'setting' | 'putSetting'>;

export class TierCeilings {
  readonly #platform: PlatformSettings;
  readonly #listeners = new Set<() => void>();
  #versions: Promise<readonly CeilingVersion[]> | null = null;

  /** One for each store, whoever asks: what an operator sets, the gateways go by at once. */
  static of(platform: PlatformSettings): TierCeilings {
    const known = ceilingsOf.get(platform) ?? new TierCeilings(platform);
    ceilingsOf.set(platform, known);
    return known;
  }

  private constructor(platform: PlatformSettings) {
    this.#platform = platform;
  }

  /** Oldest first. */
  versions(): Promise<readonly CeilingVersion[]> {
    this.#versions ??= this.#read();
    return this.#versions;
  }

  async termsOf(tier: Tier, nowMs: number): Promise<TierTerms> {
    const versions = await this.versions();
    return termsAt(versions, tier, nowMs);
  }

  /** What is lowered holds once the notice is over, and all that was set with it; what is only raised, at once. */
  async set(
    tier: Tier,
    change: Partial<Ceilings>,
    by: { readonly actor: string; readonly reason: string; readonly atMs: number },
  ): Promise<CeilingVersion> {
    const versions = await this.versions();
    const { limits: current } = termsAt(versions, tier, by.atMs);
    const wanted = { ...ceilingFields(current), ...change };
    const effectiveAtMs = by.atMs + (isLower(wanted, current) ? NOTICE_MS : 0);
    const version: CeilingVersion = {
      ...wanted,
      version: versions.length + 2,
      tier,
      announcedAtMs: by.atMs,
      effectiveAtMs,
      actor: by.actor,
      reason: by.reason,
    };
    const added = [...versions, version];
    await this.#platform.putSetting(SETTING, JSON.stringify(added));
    this.#versions = Promise.resolve(added);
    for (const listener of this.#listeners) listener();
    return version;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #read(): Promise<readonly CeilingVersion[]> {
    const text = await this.#platform.setting(SETTING);
    // Written by `set`.
    return text === null ? [] : (JSON.parse(text) as readonly CeilingVersion[]);
  }
}

const ceilingsOf = new WeakMap<PlatformSettings, TierCeilings>();

/** A later version takes the place of all before it, also of those that have only been announced. */
function termsAt(versions: readonly CeilingVersion[], tier: Tier, nowMs: number): TierTerms {
  const ofTier = versions.filter((version) => version.tier === tier);
  const current = ofTier.findLast(({ effectiveAtMs }) => effectiveAtMs <= nowMs);
  const last = ofTier.at(-1);
  const pending = last !== undefined && last.effectiveAtMs > nowMs ? last : null;
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
