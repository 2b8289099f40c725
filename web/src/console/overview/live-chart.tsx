// One figure of the service over the chosen time: lines with a time axis, the values under the pointer, and its limit.
import { type PointerEvent, useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { dateTime } from '../../format/times.ts';
import type { Point, SampleLine } from './use-samples.ts';

export interface Line {
  readonly id: SampleLine;
  readonly label: string;
}

/** Where an operator should look: values beyond it are marked. */
export interface Limit {
  readonly kind: 'above' | 'below';
  readonly value: number;
}

export interface ChartWords {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
  readonly limit?: Limit;
}

interface Props extends ChartWords {
  readonly points: readonly Point[];
  readonly spanMs: number;
}

const WIDTH = 300;
const HEIGHT = 72;
/** Position says the same: the lines are named in this order. */
const COLOURS = ['text-outcome-1', 'text-outcome-2'] as const;
/** A longer silence is a gap: the server did not run, or could not be measured. */
const GAP_MS = 120_000;

export function LiveChart({ title, unit, lines, limit, points, spanMs }: Props) {
  const [pointedMs, setPointedMs] = useState<number | null>(null);
  const endMs = points.at(-1)?.atMs ?? 0;
  const startMs = endMs - spanMs;
  const shownPoints = points.filter(({ atMs }) => atMs >= startMs);
  const pointed = pointedMs === null ? undefined : nearest(shownPoints, pointedMs);
  const told = pointed ?? shownPoints.at(-1);
  const all = shownPoints.flatMap(({ values }) => lines.map(({ id }) => values[id] ?? 0));
  const top = Math.max(1, ...all);
  const words = lines.map(({ id, label }) => `${label} ${shown(told?.values[id] ?? null)}`);
  const isBeyond = lines.some(({ id }) => isOutside(told?.values[id] ?? null, limit));
  const xOf = (atMs: number): number => ((atMs - startMs) / spanMs) * WIDTH;
  const yOf = (value: number): number => HEIGHT - 1 - (value / top) * (HEIGHT - 2);
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointedMs(startMs + ((event.clientX - left) / Math.max(1, width)) * spanMs);
  };
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-surface p-4">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="flex items-center gap-2 font-semibold">
          {title}
          {isBeyond && <Badge tone="loss">{limitWords(limit)}</Badge>}
        </span>
        <span className="text-xs text-muted">
          {unit}, max {shown(shownPoints.length === 0 ? null : Math.max(...all))}
        </span>
      </figcaption>
      {shownPoints.length === 0 ? (
        <p className="my-2 flex h-18 items-center justify-center text-xs text-muted">
          The first sample comes within a minute of the start.
        </p>
      ) : (
        <svg
          role="img"
          aria-label={`${title}: ${words.join(', ')} ${unit}`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="my-2 h-18 w-full touch-pan-y"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointedMs(null)}
        >
          {limit !== undefined && limit.value <= top && (
            <Rule x1={0} x2={WIDTH} y1={yOf(limit.value)} y2={yOf(limit.value)} isLimit />
          )}
          {lines.map(({ id }, index) => (
            <path
              key={id}
              d={pathOf(shownPoints, id, xOf, yOf)}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeDasharray={index === 0 ? undefined : '4 3'}
              vectorEffect="non-scaling-stroke"
              className={COLOURS[index] ?? 'text-muted'}
            />
          ))}
          {pointed !== undefined && (
            <Rule x1={xOf(pointed.atMs)} x2={xOf(pointed.atMs)} y1={0} y2={HEIGHT} />
          )}
        </svg>
      )}
      <p className="flex justify-between text-xs text-muted">
        <span>{shownPoints.length === 0 ? '' : clock(startMs)}</span>
        <span>{pointed === undefined ? '' : dateTime('en', pointed.atMs)}</span>
        <span>{shownPoints.length === 0 ? '' : clock(endMs)}</span>
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 text-xs">
        {lines.map(({ id, label }, index) => (
          <span key={id} className="whitespace-nowrap">
            <span aria-hidden="true" className={COLOURS[index] ?? 'text-muted'}>
              {index === 0 ? '—' : '- -'}
            </span>{' '}
            {label} <strong>{shown(told?.values[id] ?? null)}</strong>
          </span>
        ))}
      </p>
    </figure>
  );
}

interface RuleProps {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly isLimit?: boolean;
}

function Rule({ isLimit = false, ...places }: RuleProps) {
  return (
    <line
      {...places}
      stroke="currentColor"
      strokeWidth="1"
      strokeDasharray={isLimit ? '2 3' : undefined}
      vectorEffect="non-scaling-stroke"
      className={isLimit ? 'text-loss' : 'text-muted'}
    />
  );
}

function nearest(points: readonly Point[], atMs: number): Point | undefined {
  return points.reduce<Point | undefined>((best, point) => {
    const isCloser = best === undefined || Math.abs(point.atMs - atMs) < Math.abs(best.atMs - atMs);
    return isCloser ? point : best;
  }, undefined);
}

function isOutside(value: number | null, limit: Limit | undefined): boolean {
  if (limit === undefined || value === null) return false;
  return limit.kind === 'above' ? value > limit.value : value < limit.value;
}

function limitWords(limit: Limit | undefined): string {
  return limit === undefined ? '' : `${limit.kind} ${shown(limit.value)}`;
}

/** A gap is left open. */
function pathOf(
  points: readonly Point[],
  id: SampleLine,
  xOf: (atMs: number) => number,
  yOf: (value: number) => number,
): string {
  let lastMs = Number.NEGATIVE_INFINITY;
  const steps: string[] = [];
  for (const { atMs, values } of points) {
    const value = values[id];
    if (value === null || value === undefined) continue;
    const step = atMs - lastMs > GAP_MS ? 'M' : 'L';
    steps.push(`${step}${xOf(atMs).toFixed(1)},${yOf(value).toFixed(1)}`);
    lastMs = atMs;
  }
  return steps.join('');
}

const clockFormat = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

function clock(ms: number): string {
  return clockFormat.format(ms);
}

function shown(value: number | null): string {
  if (value === null) return 'none';
  const places = value >= 10 || Number.isInteger(value) ? 0 : 1;
  return new Intl.NumberFormat('en', { maximumFractionDigits: places }).format(value);
}
