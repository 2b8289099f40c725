// How well the reader foresees: how often positions paid, and whether what was bought at 30 cents came true 3 times in 10.
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Figure } from '../../components/figure.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { cents } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { portfolioTexts } from './texts.ts';
import { type Summary, useSummary } from './use-summary.ts';

export function Record() {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const { summary, error, retry } = useSummary('1d');
  if (error !== null) {
    return (
      <div className="p-4">
        <ErrorNote error={error} onRetry={retry} />
      </div>
    );
  }
  if (summary === null) return <RowOutlines />;
  const { settled_positions: settled, win_rate: rate, covers_from_ms: fromMs } = summary;
  if (settled === 0) return <Empty title={t('noRecord')}>{t('noRecordText')}</Empty>;
  return (
    <div className="flex flex-col gap-6 p-4">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure label={t('settledPositions')}>{settled}</Figure>
        <Figure label={t('hitRate')}>{rate === null ? '–' : `${cents(locale, rate)} %`}</Figure>
      </dl>
      <Calibration buckets={summary.calibration} />
      <p className="max-w-2xl text-xs text-muted">
        {t('recordText')} {fromMs !== null && t('coversFrom', { time: dateTime(locale, fromMs) })}
      </p>
    </div>
  );
}

function Calibration({ buckets }: { readonly buckets: Summary['calibration'] }) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  return (
    <section aria-label={t('calibration')} className="flex max-w-2xl flex-col gap-2">
      <h3 className="font-semibold">{t('calibration')}</h3>
      {buckets
        .filter(({ positions }) => positions > 0)
        .map(({ from, to, positions, came_true: right }) => (
          <div
            key={from}
            className="grid grid-cols-[5rem_1fr_10rem] max-sm:grid-cols-[4rem_1fr_6rem] items-center gap-3"
          >
            <span className="text-muted">
              {cents(locale, from, 0)}–{cents(locale, to, 0)}¢
            </span>
            <Bar from={from} to={to} share={right / positions} />
            <span className="text-right">{t('cameTrue', { right, positions })}</span>
          </div>
        ))}
    </section>
  );
}

interface BarProps {
  readonly from: string;
  readonly to: string;
  readonly share: number;
}

/** How many came true, and between which marks a perfect forecaster would end. */
function Bar({ from, to, share }: BarProps) {
  // Places on a drawing are no money.
  const left = Number(from) * 100;
  const width = Number(to) * 100 - left;
  return (
    <span aria-hidden="true" className="relative h-4 overflow-hidden rounded-sm bg-page">
      <span
        className="absolute inset-y-0 border-x border-muted bg-line"
        style={{ left: `${left}%`, width: `${width}%` }}
      />
      <span
        className="absolute inset-y-1 left-0 rounded-sm bg-accent"
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}
