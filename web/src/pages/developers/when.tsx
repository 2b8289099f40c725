// A moment as people say it, with the exact time on request.
import { ago, dateTime, inTime } from '../../format/times.ts';
import { useNow } from '../../live/use-now.ts';
import { useLocale } from '../../texts/use-texts.ts';

export function When({ ms }: { readonly ms: number }) {
  const locale = useLocale();
  const nowMs = useNow();
  const words = ms > nowMs ? inTime(locale, ms - nowMs) : ago(locale, nowMs - ms);
  return (
    <time
      dateTime={new Date(ms).toISOString()}
      title={dateTime(locale, ms)}
      className="whitespace-nowrap"
    >
      {words}
    </time>
  );
}
