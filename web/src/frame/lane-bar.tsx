// The lane in words and colour on top of every page, so that play money is never taken for real money.
import { addressIn, lane, lanes, wishFor } from '../lane.ts';
import { useTexts } from '../texts/use-texts.ts';
import { frameTexts } from './texts.ts';

export function LaneBar() {
  const t = useTexts(frameTexts);
  const other = lane === 'sandbox' ? 'live' : 'sandbox';
  return (
    <aside
      aria-label={t('laneBar')}
      className={`flex items-center justify-center gap-3 px-4 py-1 text-xs font-semibold text-on-lane ${lane === 'sandbox' ? 'bg-sandbox' : 'bg-live'}`}
    >
      <span>
        {t(lane === 'sandbox' ? 'sandboxSays' : 'liveSays')}
        {lane === 'sandbox' && <span className="max-sm:sr-only"> {t('sandboxMore')}</span>}
      </span>
      {lanes.includes(other) && (
        // Another lane is another exchange: the page loads anew.
        <a
          href={addressIn(other)}
          onClick={() => wishFor(other)}
          className="shrink-0 underline underline-offset-2"
        >
          {t(other === 'live' ? 'toLive' : 'toSandbox')}
        </a>
      )}
    </aside>
  );
}
