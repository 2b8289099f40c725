// Ninety days as bars: a day with trouble is taller, has the colour of the worst of it, and says what it was.
import type { Answer } from '@sibyl/sdk';
import { duration } from '../../format/times.ts';
import type { Translate } from '../../texts/texts.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { statusTexts } from './texts.ts';

type Day = Answer<'getStatus'>['lanes'][number]['days'][number];

export function DayBars({ days }: { readonly days: readonly Day[] }) {
  const t = useTexts(statusTexts);
  const locale = useLocale();
  const time = (seconds: number): string => duration(locale, seconds * 1_000);
  return (
    <div>
      <ol aria-label={t('days')} className="flex h-10 items-end gap-px sm:gap-0.5">
        {days.map((day) => {
          const text = `${day.day}: ${wordsOf(t, day, time)}`;
          return (
            <li key={day.day} title={text} className="flex h-full min-w-0 flex-1 items-end">
              <span className="sr-only">{text}</span>
              <span aria-hidden="true" className={`w-full rounded-sm ${barClass(day)}`} />
            </li>
          );
        })}
      </ol>
      <div className="mt-1 flex justify-between text-xs text-muted">
        <span>{t('daysAgo')}</span>
        <span>{t('today')}</span>
      </div>
    </div>
  );
}

function barClass({
  watched,
  down_sec: down,
  degraded_sec: slow,
  maintenance_sec: care,
}: Day): string {
  if (!watched) return 'h-1 bg-line';
  if (down > 0) return 'h-10 bg-loss';
  if (slow > 0) return 'h-10 bg-warn';
  return care > 0 ? 'h-10 bg-accent' : 'h-6 bg-gain';
}

function wordsOf(
  t: Translate<keyof typeof statusTexts>,
  { watched, down_sec: down, degraded_sec: slow, maintenance_sec: care }: Day,
  time: (seconds: number) => string,
): string {
  if (!watched) return t('unwatched');
  const words = [
    ...(down > 0 ? [t('downFor', { time: time(down) })] : []),
    ...(slow > 0 ? [t('degradedFor', { time: time(slow) })] : []),
    ...(care > 0 ? [t('maintainedFor', { time: time(care) })] : []),
  ];
  return words.length === 0 ? t('well') : words.join(', ');
}
