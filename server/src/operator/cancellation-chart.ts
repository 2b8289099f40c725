// Prices and volume of a market over the last 28 days, as operators see them before a cancellation.
import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import type { PastCandle } from '@sibyl/history';
import { amountText, priceText } from '../wire/amounts.ts';
import { isoTime } from '../wire/times.ts';
import type { WatchedLane } from './parts.ts';

type Chart = OutputOf<OperatorOperations['previewCancellation']>['chart'];

export interface ChartSubject {
  readonly marketId: string;
  readonly createdAtMs: number;
  /** Before the first trade, in micro-USDT, by outcome. */
  readonly openingPrices: readonly number[];
  readonly nowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SPAN_MS = 28 * 24 * HOUR_MS;
const POINTS_MAX = 168;
const INTERVALS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS];

export async function readChart(
  history: Pick<WatchedLane['history'], 'candles' | 'closeBefore'>,
  { marketId, createdAtMs, openingPrices, nowMs }: ChartSubject,
): Promise<Chart> {
  const spanMs = Math.min(SPAN_MS, nowMs - createdAtMs);
  const intervalMs = INTERVALS.find((each) => spanMs <= each * POINTS_MAX) ?? 4 * HOUR_MS;
  const toMs = nowMs - (nowMs % intervalMs) + intervalMs;
  const points = Math.min(POINTS_MAX, Math.ceil((toMs - createdAtMs) / intervalMs));
  const fromMs = toMs - points * intervalMs;
  const volumes = Array.from({ length: points }, () => 0n);
  const traded: Prices[] = [];
  const before: (number | null)[] = [];
  for (const outcome of openingPrices.keys()) {
    const drawn = await history.candles({ marketId, outcome, intervalMs, fromMs, toMs });
    traded.push(pricesOf(drawn, { fromMs, intervalMs, volumes }));
    before.push(await history.closeBefore(marketId, outcome, fromMs));
  }
  let prices = after(openingPrices, before);
  return volumes.map((volume, index) => {
    const startMs = fromMs + index * intervalMs;
    prices = after(
      prices,
      traded.map((each) => each[index] ?? null),
    );
    return {
      start_at: isoTime(startMs),
      start_at_ms: startMs,
      prices: prices.map(priceText),
      volume: amountText(volume),
    };
  });
}

interface Grid {
  readonly fromMs: number;
  readonly intervalMs: number;
  /** Of all outcomes together. */
  readonly volumes: bigint[];
}

/** By interval, the last price; null without a trade. */
type Prices = readonly (number | null)[];

function pricesOf(drawn: readonly PastCandle[], grid: Grid): Prices {
  const { fromMs, intervalMs, volumes } = grid;
  const at = new Map(drawn.map((candle) => [(candle.startMs - fromMs) / intervalMs, candle]));
  return volumes.map((volume, index) => {
    const candle = at.get(index);
    volumes[index] = volume + (candle?.volume ?? 0n);
    return candle?.close ?? null;
  });
}

/** An outcome without a trade keeps its price. A trade of one of two outcomes is a price of both. */
function after(prices: readonly number[], traded: Prices): readonly number[] {
  if (prices.length !== 2) return prices.map((price, outcome) => traded[outcome] ?? price);
  const [yes, no] = traded;
  if (yes != null) return [yes, ONE_MICRO - yes];
  return no == null ? prices : [ONE_MICRO - no, no];
}

const ONE_MICRO = 1_000_000;
