// How the day went: requests, errors, latency, hour by hour, and which errors there were.
import type { Answer } from '@sibyl/sdk';
import { Card } from '../../../components/card.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure } from '../../../components/figure.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { latency } from '../../../format/latency.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { ErrorGroups } from '../error-groups.tsx';
import { LogGaps } from '../log-gaps.tsx';
import { useRequestSummary } from '../use-request-summary.ts';
import { HourBars } from './hour-bars.tsx';
import { overviewTexts } from './texts.ts';

export function Day() {
  const t = useTexts(overviewTexts);
  const { data, error, refetch } = useRequestSummary();
  return (
    <Card
      title={t('requestsToday')}
      isFlush
      aside={
        <PageLink to="/developers/requests" className="text-accent underline underline-offset-2">
          {t('openLog')}
        </PageLink>
      }
    >
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {error === null && data === undefined && (
        <div className="p-4">
          <Skeleton className="h-52 w-full" />
        </div>
      )}
      {data !== undefined && <Summary summary={data} />}
    </Card>
  );
}

function Summary({ summary }: { readonly summary: Answer<'getRequestSummary'> }) {
  const t = useTexts(overviewTexts);
  const locale = useLocale();
  const { today, last_24h: day } = summary;
  const count = (value: number): string => value.toLocaleString(locale);
  return (
    <>
      <div className="flex flex-col gap-4 p-4">
        <LogGaps summary={summary} />
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          <Figure label={t('today')}>{count(today.request_count)}</Figure>
          <Figure label={t('errorsToday')}>{count(today.error_count)}</Figure>
          <Figure label={t('median')}>{latency(locale, day.latency_p50_us)}</Figure>
          <Figure label={t('slowest')}>{latency(locale, day.latency_p99_us)}</Figure>
        </dl>
        <HourBars hours={summary.hours} />
      </div>
      {summary.errors.length > 0 && (
        <div className="border-t border-line">
          <ErrorGroups groups={summary.errors} />
        </div>
      )}
    </>
  );
}
