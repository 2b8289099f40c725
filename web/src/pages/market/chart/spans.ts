// The ranges of a chart, and the candles that each is made of.
import { type Candle, type Market, parseAmount } from '@sibyl/sdk';

export const spans = ['1h', '6h', '1d', '1w', 'all'] as const;
export type Span = (typeof spans)[number];

/** What tells the most at first sight. */
export function firstSpan({ status, market_type: type }: Market): Span {
  if (type === 'fast') return '1h';
  return status === 'resolved' || status === 'cancelled' ? 'all' : '1w';
}

export interface Interval {
  readonly name: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d';
  readonly ms: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const intervals: readonly Interval[] = [
  { name: '1m', ms: MINUTE_MS },
  { name: '5m', ms: 5 * MINUTE_MS },
  { name: '15m', ms: 15 * MINUTE_MS },
  { name: '30m', ms: 30 * MINUTE_MS },
  { name: '1h', ms: HOUR_MS },
  { name: '4h', ms: 4 * HOUR_MS },
];
const longest: Interval = { name: '1d', ms: 24 * HOUR_MS };

export type ChartKind = 'line' | 'candles';

/** More could not be told apart on a screen; a candle needs a body. */
const barsMax: Readonly<Record<ChartKind, number>> = { line: 300, candles: 100 };

const lengths: Readonly<Record<Exclude<Span, 'all'>, number>> = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': 24 * HOUR_MS,
  '1w': 7 * 24 * HOUR_MS,
};

type Times = Pick<Market, 'status' | 'created_at_ms' | 'closes_at_ms' | 'settles_at_ms'>;

export interface Window {
  readonly fromMs: number;
  /** Null while it goes on. */
  readonly toMs: number | null;
  readonly interval: Interval;
  /** How many bars reach back to its beginning; null where they are asked for from there on. */
  readonly newest: number | null;
}

/** A market that is over is shown up to its end. */
export function windowOf(market: Times, span: Span, kind: ChartKind, nowMs: number): Window {
  const { status, closes_at_ms: closesAtMs, created_at_ms: createdAtMs } = market;
  const isOver = status === 'resolved' || status === 'cancelled';
  const decidedMs = market.settles_at_ms ?? closesAtMs;
  const endMs = isOver ? Math.min(nowMs, closesAtMs, decidedMs) : nowMs;
  const length = span === 'all' ? Math.max(endMs - createdAtMs, HOUR_MS) : lengths[span];
  const interval = intervals.find(({ ms }) => length / ms <= barsMax[kind]) ?? longest;
  const fromMs = Math.max(endMs - length, createdAtMs - interval.ms);
  return {
    fromMs: Math.floor(fromMs / interval.ms) * interval.ms,
    toMs: isOver ? endMs + interval.ms : null,
    interval,
    newest: span === 'all' ? null : Math.ceil(length / interval.ms) + 1,
  };
}

/** More than any window has. */
const BARS_MAX = 500;

/** What to ask for: the newest bars where they end now, the same question for everybody who opens the page. */
export function stretchOf({ fromMs, toMs, newest }: Window) {
  if (newest !== null && toMs === null) return { limit: newest };
  return { from_ms: fromMs, ...(toMs !== null && { to_ms: toMs }), limit: BARS_MAX };
}

export interface Bar {
  readonly startMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Places on a drawing are no money. */
export function barOf({ ts_ms: startMs, open, high, low, close }: Candle): Bar {
  return {
    startMs,
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
  };
}

/**
 * The bars of one side of a question out of the trades of both: a share of each pays one together, so a trade of the
 * other side at a price is one of this side at the rest. Where both were traded in a bar, this side opens and closes it.
 */
export function barsOfBoth(own: readonly Candle[], other: readonly Candle[]): readonly Bar[] {
  const others = new Map(other.map((candle) => [candle.ts_ms, candle]));
  const bars: Bar[] = [];
  for (const candle of own) {
    const bar = barOf(candle);
    const across = others.get(candle.ts_ms);
    const turned = across === undefined || !isTraded(across) ? null : turnedOver(barOf(across));
    const before = bars.at(-1)?.close;
    if (turned !== null) bars.push(isTraded(candle) ? spanning(bar, turned) : turned);
    else if (isTraded(candle) || before === undefined) bars.push(bar);
    else bars.push({ ...bar, open: before, high: before, low: before, close: before });
  }
  return bars;
}

/** A bar without trades repeats the price of its own side, however old. */
export function isTraded({ volume }: Pick<Candle, 'volume'>): boolean {
  return parseAmount(volume) > 0n;
}

export function turnedOver({ startMs, open, high, low, close }: Bar): Bar {
  return { startMs, open: rest(open), high: rest(low), low: rest(high), close: rest(close) };
}

/** To the last place of a price, without the noise of a float. */
function rest(price: number): number {
  return Math.round((1 - price) * 1e6) / 1e6;
}

function spanning(bar: Bar, other: Bar): Bar {
  return { ...bar, high: Math.max(bar.high, other.high), low: Math.min(bar.low, other.low) };
}

/** The bars after a minute of trading: the last one grows, or a new one begins. */
export function withMinute(bars: readonly Bar[], minute: Bar, { ms }: Interval): readonly Bar[] {
  const startMs = Math.floor(minute.startMs / ms) * ms;
  const last = bars.at(-1);
  if (last !== undefined && startMs < last.startMs) return bars;
  if (last === undefined || startMs > last.startMs) return [...bars, { ...minute, startMs }];
  const grown: Bar = {
    ...last,
    high: Math.max(last.high, minute.high),
    low: Math.min(last.low, minute.low),
    close: minute.close,
  };
  return [...bars.slice(0, -1), grown];
}
