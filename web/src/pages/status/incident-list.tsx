// What was the matter, newest first.
import type { Answer } from '@sibyl/sdk';
import { dateTime, duration } from '../../format/times.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { isKnown, LaneState } from './lane-state.tsx';
import { statusTexts } from './texts.ts';

type Incident = Answer<'getStatus'>['incidents'][number];

export function IncidentList({ incidents }: { readonly incidents: readonly Incident[] }) {
  const t = useTexts(statusTexts);
  const locale = useLocale();
  return (
    <ul aria-label={t('incidents')}>
      {incidents.map((incident) => {
        const { environment, started_at_ms: startedMs, ended_at_ms: endedMs } = incident;
        const length =
          endedMs === null
            ? t('goesOn')
            : t('lasted', { time: duration(locale, endedMs - startedMs) });
        return (
          <li
            key={incident.incident_id}
            className="flex flex-col gap-1 border-t border-line px-4 py-3 first:border-t-0"
          >
            <div className="flex flex-wrap items-center gap-2">
              <LaneState state={incident.kind} />
              <span className="font-semibold">
                {isKnown(environment) ? t(environment) : environment}
              </span>
              <span className="text-muted">
                {dateTime(locale, startedMs)} · {length}
              </span>
            </div>
            <p dir="auto">{incident.reason}</p>
          </li>
        );
      })}
    </ul>
  );
}
