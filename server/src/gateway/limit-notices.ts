// Lower limits that are announced: the headers that say so, and what the limits will be.
import { type RateCategory, rateCategories } from '@sibyl/contract';
import type { AnnouncedQuota, QuotaNotice } from '../handling/quotas.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers of answers by the category that they are counted in; null while nothing is announced. */
export type NoticeHeaders = Readonly<Partial<Record<RateCategory, Headers>>> | null;

/** Of the notices that concern a category the next one counts; `ofAll` concerns every category. */
export function noticeHeaders(
  quotas: readonly AnnouncedQuota[],
  ofAll: QuotaNotice | null = null,
): NoticeHeaders {
  if (quotas.length === 0 && ofAll === null) return null;
  const headers: Partial<Record<RateCategory, Headers>> = {};
  for (const category of rateCategories) {
    const next = nextOf([
      ...quotas.filter((quota) => quota.category === category),
      ...(ofAll === null ? [] : [ofAll]),
    ]);
    if (next !== null) headers[category] = headersOf(next);
  }
  return headers;
}

/** Each moment at which announced limits come to hold, the next first. */
export function noticesInOrder(notices: readonly QuotaNotice[]): readonly QuotaNotice[] {
  const sorted = notices.toSorted((a, b) => a.effectiveAtMs - b.effectiveAtMs);
  return sorted.filter(({ effectiveAtMs }, at) => effectiveAtMs !== sorted[at - 1]?.effectiveAtMs);
}

function nextOf(notices: readonly QuotaNotice[]): QuotaNotice | null {
  return noticesInOrder(notices)[0] ?? null;
}

/** As RFC 9745 and RFC 8594 write them. */
function headersOf({ announcedAtMs, effectiveAtMs }: QuotaNotice): Headers {
  return {
    deprecation: `@${Math.floor(announcedAtMs / 1000)}`,
    sunset: new Date(effectiveAtMs).toUTCString(),
  };
}
