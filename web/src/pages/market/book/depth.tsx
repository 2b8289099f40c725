// How much could be bought and sold up to each price: two slopes that meet at the middle.
import type { Level } from '@sibyl/sdk';
import { addAmounts } from '@sibyl/sdk';
import { cents, roughly } from '../../../format/amounts.ts';
import type { BookView } from '../../../live/use-live.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { marketTexts } from '../texts.ts';

const WIDTH = 280;
const HEIGHT = 340;

interface Point {
  readonly price: number;
  readonly sum: number;
}

export function Depth({ book }: { readonly book: BookView }) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  // Places on a drawing are no money.
  const bids = slope(book.bids);
  const asks = slope(book.asks);
  const low = bids.at(-1)?.price ?? asks[0]?.price ?? 0;
  const high = asks.at(-1)?.price ?? bids[0]?.price ?? 1;
  const top = Math.max(bids.at(-1)?.sum ?? 0, asks.at(-1)?.sum ?? 0, Number.EPSILON);
  const x = (price: number): number =>
    ((price - low) / Math.max(high - low, Number.EPSILON)) * WIDTH;
  const y = (sum: number): number => HEIGHT - (sum / top) * (HEIGHT - 8);
  const total = (levels: readonly Level[]): string =>
    roughly(locale, addAmounts(...levels.map(([, size]) => size)));
  return (
    <div className="flex h-full flex-col gap-2 p-4">
      <div className="flex justify-between text-xs">
        <span className="text-gain">{t('depthBids', { size: total(book.bids) })}</span>
        <span className="text-loss">{t('depthAsks', { size: total(book.asks) })}</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="min-h-0 w-full flex-1"
      >
        <path
          d={area(bids, x, y)}
          fill="var(--gain-soft)"
          stroke="var(--gain)"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={area(asks, x, y)}
          fill="var(--loss-soft)"
          stroke="var(--loss)"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div className="flex justify-between text-xs text-muted">
        <span>{edge(locale, book.bids.at(-1))}</span>
        <span>{edge(locale, book.asks.at(-1))}</span>
      </div>
    </div>
  );
}

function edge(locale: Parameters<typeof cents>[0], level: Level | undefined): string {
  return level === undefined ? '' : `${cents(locale, level[0], 2)}¢`;
}

function slope(levels: readonly Level[]): readonly Point[] {
  let sum = 0;
  return levels.map(([price, size]) => {
    sum += Number(size);
    return { price: Number(price), sum };
  });
}

/** Steps, for between two prices nothing more is offered. */
function area(
  points: readonly Point[],
  x: (price: number) => number,
  y: (sum: number) => number,
): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  const steps = points.map(({ price, sum }) => `H${x(price).toFixed(1)}V${y(sum).toFixed(1)}`);
  return `M${x(first.price).toFixed(1)},${HEIGHT}${steps.join('')}V${HEIGHT}Z`;
}
