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
  const closes: number[][] = [];
  const volumes = Array.from({ length: points }, () => 0n);
  for (const [outcome, opening] of openingPrices.entries()) {
    const drawn = await history.candles({ marketId, outcome, intervalMs, fromMs, toMs });
    const before = await history.closeBefore(marketId, outcome, fromMs);
    closes.push(closesOf(drawn, before ?? opening, { fromMs, intervalMs, volumes }));
  }
  return volumes.map((volume, index) => {
    const startMs = fromMs + index * intervalMs;
    return {
      start_at: isoTime(startMs),
      start_at_ms: startMs,
      prices: closes.map((prices) => priceText(prices[index]!)),
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

/** An interval without a trade repeats the close before it. */
function closesOf(drawn: readonly PastCandle[], before: number, grid: Grid): number[] {
  const { fromMs, intervalMs, volumes } = grid;
  const at = new Map(drawn.map((candle) => [(candle.startMs - fromMs) / intervalMs, candle]));
  let close = before;
  return volumes.map((volume, index) => {
    const candle = at.get(index);
    if (candle === undefined) return close;
    volumes[index] = volume + candle.volume;
    close = candle.close;
    return close;
  });
}
