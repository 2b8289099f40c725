// Prices and volume over the last 28 days, with the windows of a cancellation and the times without trading.
import { dateTime } from '../../format/times.ts';
import type { Preview } from './cancellation.tsx';
import type { FoundMarket } from './markets-page.tsx';

interface Props {
  readonly market: FoundMarket;
  readonly preview: Preview;
}

const WIDTH = 600;
const HEIGHT = 120;
const VOLUME_HEIGHT = 30;
const COLOURS = ['text-outcome-1', 'text-outcome-2'] as const;
const LINES_MAX = 6;

export function CancellationChart({ market, preview }: Props) {
  const { chart, gaps } = preview;
  const first = chart[0];
  const last = chart.at(-1);
  if (first === undefined || last === undefined || chart.length < 2) return null;
  const spanMs = last.start_at_ms - first.start_at_ms;
  const x = (ms: number): number =>
    (Math.min(Math.max(ms - first.start_at_ms, 0), spanMs) / spanMs) * WIDTH;
  // Places on a drawing are no money.
  const volumes = chart.map(({ volume }) => Number(volume));
  const top = Math.max(...volumes, 1);
  const lines = market.outcomes.slice(0, LINES_MAX);
  const { window } = preview.named ?? preview.default;
  return (
    <figure className="min-w-0">
      <figcaption className="text-xs text-muted">
        Prices and volume, {dateTime('en', first.start_at_ms)} to {dateTime('en', last.start_at_ms)}
        : {lines.map(({ label }) => label).join(', ')}. Shaded: the window that pays, and times
        without trading.
      </figcaption>
      <svg
        role="img"
        aria-label={`Prices and volume with ${gaps.length} times without trading`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT + VOLUME_HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full"
      >
        {window !== null && (
          <Span from={x(window.from_at_ms)} to={x(window.to_at_ms)} className="text-accent-soft" />
        )}
        {gaps.map(({ from_at_ms: fromMs, to_at_ms: toMs }) => (
          <Span key={fromMs} from={x(fromMs)} to={x(toMs)} className="text-warn-soft" />
        ))}
        {chart.map(({ start_at_ms: ms }, index) => {
          const height = (volumes[index]! / top) * VOLUME_HEIGHT;
          return (
            <rect
              key={ms}
              x={x(ms)}
              y={HEIGHT + VOLUME_HEIGHT - height}
              width={WIDTH / chart.length}
              height={height}
              fill="currentColor"
              className="text-muted"
            />
          );
        })}
        {lines.map(({ id }, outcome) => (
          <polyline
            key={id}
            points={chart
              .map(({ start_at_ms: ms, prices }) => `${x(ms)},${heightOf(prices[outcome])}`)
              .join(' ')}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeDasharray={outcome === 0 ? undefined : '4 3'}
            vectorEffect="non-scaling-stroke"
            className={COLOURS[outcome] ?? 'text-muted'}
          />
        ))}
      </svg>
    </figure>
  );
}

function heightOf(price = '0'): number {
  return HEIGHT * (1 - Number(price));
}

interface SpanProps {
  readonly from: number;
  readonly to: number;
  readonly className: string;
}

function Span({ from, to, className }: SpanProps) {
  return (
    <rect
      x={from}
      y={0}
      width={Math.max(1, to - from)}
      height={HEIGHT}
      fill="currentColor"
      className={className}
    />
  );
}
