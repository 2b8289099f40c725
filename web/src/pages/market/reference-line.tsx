// The price that a round is about, second by second, with the line it is compared to.
interface Props {
  readonly prices: readonly string[];
  readonly strike: string | null;
}

const WIDTH = 600;
const HEIGHT = 72;

export function ReferenceLine({ prices, strike }: Props) {
  // Places on a drawing are no money.
  const values = prices.map(Number);
  const level = strike === null ? null : Number(strike);
  const all = level === null ? values : [...values, level];
  const low = Math.min(...all);
  const span = Math.max(Math.max(...all) - low, Number.EPSILON);
  const y = (value: number): number => HEIGHT - 6 - ((value - low) / span) * (HEIGHT - 12);
  const x = (index: number): number => (index / Math.max(values.length - 1, 1)) * WIDTH;
  const last = values.at(-1);
  const isAbove = last !== undefined && level !== null && last >= level;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`h-18 w-full ${isAbove ? 'text-gain' : 'text-loss'}`}
    >
      {level !== null && values.length > 0 && (
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
        points={values
          .map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`)
          .join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
