// A figure of the last five minutes: what it is now in words, and how it went as lines.
import type { Point } from './use-samples.ts';

export interface Line {
  readonly id: string;
  readonly label: string;
}

interface Props {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
  readonly points: readonly Point[];
}

const WIDTH = 300;
const HEIGHT = 64;
const SPAN_MS = 5 * 60_000;
/** In the first moments the drawing is wider than what there is. */
const SPAN_MS_MIN = 60_000;
/** Position says the same: the lines are named in this order. */
const COLOURS = ['text-outcome-1', 'text-outcome-2'] as const;

export function LiveChart({ title, unit, lines, points }: Props) {
  const now = points.at(-1);
  const all = points.flatMap(({ values }) => lines.map(({ id }) => values[id] ?? 0));
  const top = Math.max(1, ...all);
  const words = lines.map(({ id, label }) => `${label} ${shown(now?.values[id] ?? null)}`);
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-surface p-4">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="font-semibold">{title}</span>
        <span className="text-xs text-muted">
          {unit}, top {shown(top)}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}: ${words.join(', ')} ${unit}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="my-2 h-16 w-full"
      >
        {lines.map(({ id }, index) => (
          <polyline
            key={id}
            points={placesOf(points, id, top)}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeDasharray={index === 0 ? undefined : '4 3'}
            vectorEffect="non-scaling-stroke"
            className={COLOURS[index] ?? 'text-muted'}
          />
        ))}
      </svg>
      <p className="flex flex-wrap gap-x-4 text-xs">
        {lines.map(({ id, label }, index) => (
          <span key={id} className="whitespace-nowrap">
            <span aria-hidden="true" className={COLOURS[index] ?? 'text-muted'}>
              {index === 0 ? '—' : '- -'}
            </span>{' '}
            {label} <strong>{shown(now?.values[id] ?? null)}</strong>
          </span>
        ))}
      </p>
    </figure>
  );
}

/** Places on a drawing are no money. */
function placesOf(points: readonly Point[], id: string, top: number): string {
  const end = points.at(-1)?.atMs ?? 0;
  const lastedMs = end - (points[0]?.atMs ?? end);
  const spanMs = Math.min(SPAN_MS, Math.max(SPAN_MS_MIN, lastedMs));
  return points
    .flatMap(({ atMs, values }) => {
      const value = values[id];
      if (value === null || value === undefined) return [];
      const x = WIDTH - ((end - atMs) / spanMs) * WIDTH;
      const y = HEIGHT - 1 - (value / top) * (HEIGHT - 2);
      return x < 0 ? [] : `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

function shown(value: number | null): string {
  if (value === null) return 'none';
  const places = value >= 10 || Number.isInteger(value) ? 0 : 1;
  return new Intl.NumberFormat('en', { maximumFractionDigits: places }).format(value);
}
