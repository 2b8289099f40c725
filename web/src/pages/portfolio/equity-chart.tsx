// Equity over time as one line; whoever points at it reads the moment.
import { compareAmounts } from '@sibyl/sdk';
import { type PointerEvent, useState } from 'react';
import { Skeleton } from '../../components/skeleton.tsx';
import { money } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { type ChartPoint, chartPoints } from './equity-points.ts';
import { portfolioTexts } from './texts.ts';

interface Point {
  readonly ts_ms: number;
  readonly equity: string;
}

const WIDTH = 1_000;
const HEIGHT = 160;

export function EquityChart({ points }: { readonly points: readonly Point[] | null }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const t = useTexts(portfolioTexts);
  if (points === null) return <Skeleton className="h-40 w-full sm:h-48" />;
  if (points.length < 2) {
    return (
      <p className="flex h-40 items-center justify-center rounded-md bg-page text-muted sm:h-48">
        {t('lineGrows')}
      </p>
    );
  }
  const chart = chartPoints(points, WIDTH, HEIGHT);
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointed(nearest(chart, ((event.clientX - left) / width) * WIDTH));
  };
  const shown = pointed === null ? undefined : chart[pointed];
  return (
    <figure className="flex h-40 flex-col sm:h-48">
      <Caption points={points} pointed={pointed} />
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
        className="min-h-0 w-full flex-1 touch-pan-y text-accent"
      >
        <path
          d={`${lineOf(chart)} L${WIDTH},${HEIGHT} L0,${HEIGHT} Z`}
          className="fill-accent-soft"
        />
        <path
          d={lineOf(chart)}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
        {shown !== undefined && (
          <line
            x1={shown.x}
            x2={shown.x}
            y1="0"
            y2={HEIGHT}
            stroke="currentColor"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
    </figure>
  );
}

/** The moment pointed at; else from when to when, and between which values. */
function Caption({
  points,
  pointed,
}: {
  readonly points: readonly Point[];
  readonly pointed: number | null;
}) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const at = pointed === null ? undefined : points[pointed];
  const sorted = points.toSorted((a, b) => compareAmounts(a.equity, b.equity));
  const low = sorted[0];
  const high = sorted.at(-1);
  const first = points[0];
  if (low === undefined || high === undefined || first === undefined) {
    return <figcaption className="h-6" />;
  }
  return (
    <figcaption className="flex h-6 justify-between gap-4 truncate text-xs text-muted">
      {at === undefined ? (
        <>
          <span>{t('sinceWhen', { time: dateTime(locale, first.ts_ms) })}</span>
          <span className="max-sm:hidden">
            {t('between', { low: money(locale, low.equity), high: money(locale, high.equity) })}
          </span>
        </>
      ) : (
        <>
          <span>{dateTime(locale, at.ts_ms)}</span>
          <span className="font-semibold text-text">{money(locale, at.equity)}</span>
        </>
      )}
    </figcaption>
  );
}

function lineOf(chart: readonly ChartPoint[]): string {
  return chart
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`)
    .join(' ');
}

function nearest(chart: readonly ChartPoint[], x: number): number | null {
  let best: number | null = null;
  for (const [index, point] of chart.entries()) {
    const before = best === null ? undefined : chart[best];
    if (before === undefined || Math.abs(point.x - x) < Math.abs(before.x - x)) best = index;
  }
  return best;
}
