// Candles of the trades since the last flush: drawn by the minute, joined to the longer stored intervals when read.
import { type CandleRow, STORED_INTERVALS, type StoredInterval } from '../ports/read-store.ts';
import { fillPrice } from '../wire/price.ts';

const OUTCOMES_MAX = 64;
const MINUTE_MS = 60_000;

export class Candles {
  /** By market and outcome, oldest first. */
  readonly #minutes = new Map<number, CandleRow[]>();

  add(market: number, outcome: number, lots: number, cost: bigint, atMs: number): void {
    const price = fillPrice(cost, lots);
    const startMs = atMs - (atMs % MINUTE_MS);
    const key = market * OUTCOMES_MAX + outcome;
    const minutes = this.#minutes.get(key);
    const last = minutes?.[minutes.length - 1];
    if (last !== undefined && last.startMs === startMs) {
      extend(last, price, cost);
      return;
    }
    const prices = { open: price, high: price, low: price, close: price };
    const fresh = {
      market,
      outcome,
      interval: MINUTE_MS,
      startMs,
      ...prices,
      volume: cost,
    } as const;
    if (minutes === undefined) this.#minutes.set(key, [{ ...fresh }]);
    else minutes.push({ ...fresh });
  }

  of(market: number, outcome: number, interval: StoredInterval): readonly CandleRow[] {
    return joinAll(this.#minutes.get(market * OUTCOMES_MAX + outcome) ?? [], interval);
  }

  *rows(): Generator<CandleRow> {
    for (const minutes of this.#minutes.values()) {
      for (const interval of STORED_INTERVALS) yield* joinAll(minutes, interval);
    }
  }

  clear(): void {
    this.#minutes.clear();
  }
}

/** Two parts of one candle, the earlier first. */
export function joinCandles<Candle extends CandleParts>(
  earlier: Candle,
  later: CandleParts,
): Candle {
  return {
    ...earlier,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
  };
}

type CandleParts = Readonly<Pick<CandleRow, 'high' | 'low' | 'close' | 'volume'>>;

function joinAll(minutes: readonly CandleRow[], interval: StoredInterval): readonly CandleRow[] {
  if (interval === MINUTE_MS) return minutes;
  const joined: CandleRow[] = [];
  for (const minute of minutes) {
    const startMs = minute.startMs - (minute.startMs % interval);
    const last = joined[joined.length - 1];
    if (last?.startMs === startMs) joined[joined.length - 1] = joinCandles(last, minute);
    else joined.push({ ...minute, interval, startMs });
  }
  return joined;
}

function extend(candle: CandleRow, price: number, volume: bigint): void {
  if (price > candle.high) candle.high = price;
  if (price < candle.low) candle.low = price;
  candle.close = price;
  candle.volume += volume;
}
