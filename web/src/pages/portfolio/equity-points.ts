// Points of a line of equity as coordinates of a drawing; what is drawn is not used as money.

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
}

interface Point {
  readonly ts_ms: number;
  readonly equity: string;
}

/** Room above the highest and below the lowest point. */
const MARGIN = 8;

/** Where nothing changed, the line is level in the middle. */
export function chartPoints(
  points: readonly Point[],
  width: number,
  height: number,
): readonly ChartPoint[] {
  const values = points.map(({ equity }) => Number(equity));
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const firstMs = points[0]?.ts_ms ?? 0;
  const lengthMs = (points.at(-1)?.ts_ms ?? 0) - firstMs;
  const yOf = (value: number): number =>
    span === 0 ? height / 2 : height - MARGIN - ((value - low) / span) * (height - 2 * MARGIN);
  return points.map(({ ts_ms: ms }, index) => ({
    x: lengthMs === 0 ? 0 : ((ms - firstMs) / lengthMs) * width,
    y: yOf(values[index] ?? low),
  }));
}
