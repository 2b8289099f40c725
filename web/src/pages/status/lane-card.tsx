// One lane: its state, how quick it is, and its last 90 days.
import type { Answer } from '@sibyl/sdk';
import { Card } from '../../components/card.tsx';
import { Figure } from '../../components/figure.tsx';
import { latency } from '../../format/latency.ts';
import { dateTime } from '../../format/times.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { DayBars } from './day-bars.tsx';
import { isKnown, LaneState } from './lane-state.tsx';
import { statusTexts } from './texts.ts';

type LaneStatus = Answer<'getStatus'>['lanes'][number];

export function LaneCard({ lane }: { readonly lane: LaneStatus }) {
  const t = useTexts(statusTexts);
  const locale = useLocale();
  const { environment, state, reason, commit_p50_us: median, commit_p99_us: slowest } = lane;
  const quickness = (us: number | null): string => (us === null ? t('idle') : latency(locale, us));
  return (
    <Card
      title={isKnown(environment) ? t(environment) : environment}
      aside={<LaneState state={state} />}
    >
      <div className="flex flex-col gap-4">
        {reason !== null && (
          <p dir="auto" className="text-warn">
            {reason}
          </p>
        )}
        <dl className="grid grid-cols-2 gap-3 *:first:col-span-2 sm:grid-cols-3 sm:*:first:col-span-1">
          <Figure label={t('since')}>{dateTime(locale, lane.since_at_ms)}</Figure>
          <Figure label={t('median')}>{quickness(median)}</Figure>
          <Figure label={t('slowest')}>{quickness(slowest)}</Figure>
        </dl>
        <DayBars days={lane.days} />
      </div>
    </Card>
  );
}
