// Fair-use quotas as operators set them: requests a minute of keys, sessions and strangers in each category, in versions.
import {
  type CredentialClass,
  limits,
  type QuotaCategory,
  quotaCategories,
  type RateCategory,
} from '@sibyl/contract';
import type { AnnouncedQuota, Quotas } from '../handling/quotas.ts';
import {
  type AnnouncedVersion,
  inForce,
  onePerStore,
  type SetBy,
  VersionBook,
} from './announced-versions.ts';

export interface QuotaVersion extends AnnouncedVersion {
  readonly holder: CredentialClass;
  readonly category: QuotaCategory;
  readonly perMinute: number;
}

const SETTING = 'rate quotas';

export class RateQuotas {
  static readonly open = onePerStore(async (platform): Promise<RateQuotas> => {
    const book = new VersionBook<QuotaVersion>(platform, SETTING);
    return new RateQuotas(book, await book.versions());
  });

  readonly #book: VersionBook<QuotaVersion>;
  /** As they hold at present, worked out once and not with each request. */
  readonly #known = new Map<CredentialClass, Quotas>();
  #versions: readonly QuotaVersion[];

  private constructor(book: VersionBook<QuotaVersion>, versions: readonly QuotaVersion[]) {
    this.#book = book;
    this.#versions = versions;
  }

  /** Oldest first. */
  get versions(): readonly QuotaVersion[] {
    return this.#versions;
  }

  of(holder: CredentialClass, nowMs: number): Quotas {
    const known = this.#known.get(holder);
    if (known !== undefined && nowMs < known.untilMs) return known;
    const quotas = quotasAt(this.#versions, holder, nowMs);
    this.#known.set(holder, quotas);
    return quotas;
  }

  /** The version that holds, undefined if that is the contract's own, and the one that is announced. */
  termsOf(holder: CredentialClass, category: QuotaCategory, nowMs: number) {
    return inForce(ofOne(this.#versions, holder, category), nowMs);
  }

  /** More holds at once, less once the notice is over. */
  async set(
    holder: CredentialClass,
    category: QuotaCategory,
    perMinute: number,
    by: SetBy,
  ): Promise<void> {
    await this.#book.add(
      by,
      (versions) => {
        const { current } = inForce(ofOne(versions, holder, category), by.atMs);
        const held = current?.perMinute ?? limits.rate.perMinute[holder][category];
        return { contents: { holder, category, perMinute }, isLower: perMinute < held };
      },
      (versions) => {
        this.#versions = versions;
        this.#known.clear();
      },
    );
  }

  onChange(listener: () => void): () => void {
    return this.#book.onChange(listener);
  }
}

function ofOne(
  versions: readonly QuotaVersion[],
  holder: CredentialClass,
  category: QuotaCategory,
): readonly QuotaVersion[] {
  return versions.filter((version) => version.holder === holder && version.category === category);
}

function quotasAt(
  versions: readonly QuotaVersion[],
  holder: CredentialClass,
  nowMs: number,
): Quotas {
  const perMinute: Record<RateCategory, number> = { ...limits.rate.perMinute[holder] };
  const announced: AnnouncedQuota[] = [];
  for (const category of quotaCategories) {
    const { current, pending } = inForce(ofOne(versions, holder, category), nowMs);
    for (const each of categoriesOf(category)) {
      if (current !== undefined) perMinute[each] = current.perMinute;
      if (pending !== null) announced.push({ ...pending, category: each });
    }
  }
  const untilMs = Math.min(...announced.map(({ effectiveAtMs }) => effectiveAtMs));
  return Object.freeze({ perMinute: Object.freeze(perMinute), announced, untilMs });
}

/** The reserve of cancels is as large as the quota of trades. */
function categoriesOf(category: QuotaCategory): readonly RateCategory[] {
  return category === 'trade' ? ['trade', 'cancel'] : [category];
}
