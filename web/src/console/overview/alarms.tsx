// Alarms in force: what is wrong, since when, and what to do first.
import { dateTime } from '../../format/times.ts';
import { useAsk } from '../use-ask.ts';

const EVERY_MS = 5_000;

/** Nothing while all is well. */
export function Alarms() {
  const { data } = useAsk('listAlarms', {}, { everyMs: EVERY_MS });
  if (data === undefined || data.alarms.length === 0) return null;
  return (
    <div role="alert">
      <ul aria-label="Alarms" className="flex flex-col gap-2">
        {data.alarms.map(({ name, lane, detail, action, since_at_ms: sinceMs }) => (
          <li key={`${name} ${lane}`} className="rounded-md bg-loss-soft p-3 wrap-anywhere">
            <strong className="text-loss">
              {name.replaceAll('_', ' ')}
              {lane !== null && `, ${lane}`}
            </strong>{' '}
            since {dateTime('en', sinceMs)}: {detail}
            <span className="block text-muted">{action}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
