// A price over one day as a small line without axes; the figures beside it are what counts.
import { priceDirectionOf } from '../format/amounts.ts';

interface Props {
  /** Oldest first, between 0 and 1. */
  readonly prices: readonly string[];
  /** The change that stands beside it, whose colour it takes. */
  readonly change: string;
}

const COLOURS = { up: 'text-gain', down: 'text-loss', flat: 'text-muted' } as const;

const WIDTH = 96;
const HEIGHT = 28;

export function Sparkline({ prices, change }: Props) {
  if (prices.length < 2) return <svg aria-hidden="true" className="h-7 w-24" />;
  // Places on a drawing are no money.
  const values = prices.map(Number);
  const low = Math.min(...values);
  const span = Math.max(Math.max(...values) - low, 0.01);
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    const y = HEIGHT - 2 - ((value - low) / span) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`h-7 w-24 ${COLOURS[priceDirectionOf(change)]}`}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
