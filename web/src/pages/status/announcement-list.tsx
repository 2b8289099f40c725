// What one operator alone intends to do to markets, each announced a day before.
import type { Answer } from '@sibyl/sdk';
import { dateTime } from '../../format/times.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { isKnown } from './lane-state.tsx';
import { statusTexts } from './texts.ts';

type Announcement = Answer<'getStatus'>['announcements'][number];

export function AnnouncementList({
  announcements,
}: {
  readonly announcements: readonly Announcement[];
}) {
  const t = useTexts(statusTexts);
  const locale = useLocale();
  return (
    <>
      <p className="px-4 py-3 text-muted">{t('announcedHint')}</p>
      <ul aria-label={t('announced')}>
        {announcements.map(({ market_id: marketId, act, possible_from_at_ms: fromMs }) => (
          <li
            key={`${marketId} ${act}`}
            className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3"
          >
            <span className="font-semibold">{isKnown(act) ? t(act) : act}</span>
            {/* Of live, whichever lane the page is about: going there loads it anew. */}
            <a className="underline" href={`/m/${marketId}`}>
              {marketId}
            </a>
            <span className="text-muted">
              {t('possibleFrom', { time: dateTime(locale, fromMs) })}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
