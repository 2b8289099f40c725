// The price that decides a round, second by second until its end, with the target that it is compared to.
import { clockTime } from '../../format/times.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import type { Tick } from './round-card.tsx';
import { marketTexts } from './texts.ts';

interface Props {
  readonly ticks: readonly Tick[];
  readonly strike: string | null;
  readonly locksAtMs: number;
  readonly endsAtMs: number;
}

const WIDTH = 600;
const HEIGHT = 96;
const MARGIN = 8;

export function ReferenceLine({ ticks, strike, locksAtMs, endsAtMs }: Props) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const fromMs = ticks[0]?.ts_ms ?? 0;
  const spanMs = Math.max(endsAtMs - fromMs, 1);
  // Places on a drawing are no money.
  const x = (atMs: number): number => (Math.max(0, atMs - fromMs) / spanMs) * WIDTH;
  const values = ticks.map((tick) => Number(tick.reference_price));
  const level = strike === null ? null : Number(strike);
  const all = level === null ? values : [...values, level];
  const low = Math.min(...all);
  const span = Math.max(Math.max(...all) - low, Number.EPSILON);
  const y = (value: number): number =>
    HEIGHT - MARGIN - ((value - low) / span) * (HEIGHT - 2 * MARGIN);
  const last = values.at(-1);
  const isAbove = last !== undefined && level !== null && last >= level;
  const lockX = x(locksAtMs);
  return (
    <div data-testid="reference-line">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className={`h-24 w-full ${isAbove ? 'text-gain' : 'text-loss'}`}
      >
        <rect
          x={lockX}
          y="0"
          width={Math.max(0, WIDTH - lockX)}
          height={HEIGHT}
          fill="var(--accent-soft)"
        />
        {level !== null && (
          <line
            x1="0"
            x2={WIDTH}
            y1={y(level)}
            y2={y(level)}
            stroke="var(--muted)"
            strokeDasharray="4 4"
            vectorEffect="non-scaling-stroke"
          />
        )}
        <polyline
          points={ticks
            .map(
              ({ ts_ms: atMs }, index) =>
                `${x(atMs).toFixed(1)},${y(values[index] ?? low).toFixed(1)}`,
            )
            .join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="flex flex-wrap justify-between gap-x-2 text-xs text-muted">
        <span>{clockTime(locale, fromMs)}</span>
        <span className="order-last w-full text-center sm:order-none sm:w-auto">
          {t('targetLine')}
        </span>
        <span>{clockTime(locale, endsAtMs)}</span>
      </p>
    </div>
  );
}
