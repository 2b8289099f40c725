// A day of requests as bars, the errors among them in the colour of losses; the same in words for who cannot see it.
import type { Answer } from '@sibyl/sdk';
import { clockTime } from '../../../format/times.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { overviewTexts } from './texts.ts';

type Hour = Answer<'getRequestSummary'>['hours'][number];

const HEIGHT_PX = 72;

export function HourBars({ hours }: { readonly hours: readonly Hour[] }) {
  const t = useTexts(overviewTexts);
  const locale = useLocale();
  const most = Math.max(1, ...hours.map(({ request_count: count }) => count));
  return (
    <div>
      <ol
        aria-label={t('byHour')}
        className="flex items-end gap-px border-b border-line"
        style={{ height: HEIGHT_PX }}
      >
        {hours.map(({ from_ms: fromMs, request_count: count, error_count: errors }) => {
          const title = `${clockTime(locale, fromMs)}: ${count} (${t('errorsOf', { errors })})`;
          return (
            <li key={fromMs} title={title} className="flex h-full flex-1 flex-col justify-end">
              <span className="sr-only">{title}</span>
              <span
                aria-hidden="true"
                className="block bg-loss"
                style={{ height: barPx(errors, most) }}
              />
              <span
                aria-hidden="true"
                className="block bg-accent"
                style={{ height: barPx(count - errors, most) }}
              />
            </li>
          );
        })}
      </ol>
      <div className="mt-1 flex justify-between text-xs text-muted">
        <span>{t('dayAgo')}</span>
        <span>{t('now')}</span>
      </div>
    </div>
  );
}

/** What happened at all is seen. */
function barPx(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(2, Math.round((count / most) * HEIGHT_PX));
}
