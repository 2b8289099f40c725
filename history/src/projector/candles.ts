// Candles of the trades since the last flush: drawn by the minute, joined to the longer stored intervals when read.

import { publicVolume } from '@sibyl/engine';
import { type FlatRows, NONE } from '../store/flat-rows.ts';
import { CANDLE, type CandleRow, type StoredInterval } from '../store/read-store.ts';
import { ChainedTable } from './chained-table.ts';
import { fillPrice } from './fill-price.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export class Candles {
  /** By market. */
  readonly #minutes = new ChainedTable(CANDLE.width);

  add(market: number, outcome: number, lots: number, cost: bigint, atMs: number): void {
    const minutes = this.#minutes;
    const volume = BigInt(publicVolume(Number(cost), lots)); // exact: the cost of one order
    const price = fillPrice(cost, lots);
    const startMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    const row = this.#find(market, outcome, startMs);
    if (row === NONE) {
      this.#open(market, outcome, startMs, price, volume);
      return;
    }
    if (price > minutes.get(row, CANDLE.high)) minutes.set(row, CANDLE.high, price);
    if (price < minutes.get(row, CANDLE.low)) minutes.set(row, CANDLE.low, price);
    minutes.set(row, CANDLE.close, price);
    minutes.addAmount(row, CANDLE.volume, volume);
  }

  /** Oldest first. */
  of(market: number, outcome: number, interval: StoredInterval): readonly CandleRow[] {
    const rows: CandleRow[] = [];
    let row = this.#minutes.newestOf(market);
    while (row !== NONE) {
      if (this.#minutes.get(row, CANDLE.outcome) === outcome) rows.push(this.#candle(row));
      row = this.#minutes.previousOf(row);
    }
    return joinAll(rows.reverse(), interval);
  }

  /** What was traded in each minute of each outcome. */
  eachVolume(
    take: (market: number, outcome: number, startMs: number, volume: bigint) => void,
  ): void {
    const minutes = this.#minutes;
    for (let row = 0; row < minutes.length; row += 1) {
      const market = minutes.get(row, CANDLE.market);
      const outcome = minutes.get(row, CANDLE.outcome);
      const startMs = minutes.get(row, CANDLE.startMs);
      take(market, outcome, startMs, minutes.getAmount(row, CANDLE.volume));
    }
  }

  /** Those of an outcome stand in the order of their minutes. */
  rows(): FlatRows {
    return this.#minutes.rows();
  }

  clear(): void {
    this.#minutes.clear();
  }

  /** The newest rows of a market are those of its last minute, one for each outcome. */
  #find(market: number, outcome: number, startMs: number): number {
    const minutes = this.#minutes;
    let row = minutes.newestOf(market);
    while (row !== NONE && minutes.get(row, CANDLE.startMs) === startMs) {
      if (minutes.get(row, CANDLE.outcome) === outcome) return row;
      row = minutes.previousOf(row);
    }
    return NONE;
  }

  #open(market: number, outcome: number, startMs: number, price: number, cost: bigint): void {
    const minutes = this.#minutes;
    const row = minutes.add(market, market);
    minutes.set(row, CANDLE.outcome, outcome);
    minutes.set(row, CANDLE.startMs, startMs);
    minutes.set(row, CANDLE.open, price);
    minutes.set(row, CANDLE.high, price);
    minutes.set(row, CANDLE.low, price);
    minutes.set(row, CANDLE.close, price);
    minutes.setAmount(row, CANDLE.volume, cost);
  }

  #candle(row: number): CandleRow {
    const minutes = this.#minutes;
    return {
      market: minutes.get(row, CANDLE.market),
      outcome: minutes.get(row, CANDLE.outcome),
      interval: MINUTE_MS,
      startMs: minutes.get(row, CANDLE.startMs),
      open: minutes.get(row, CANDLE.open),
      high: minutes.get(row, CANDLE.high),
      low: minutes.get(row, CANDLE.low),
      close: minutes.get(row, CANDLE.close),
      volume: minutes.getAmount(row, CANDLE.volume),
    };
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

/** The longest that is stored of which the interval is made. */
export function storedInterval(intervalMs: number): StoredInterval {
  if (intervalMs < HOUR_MS) return MINUTE_MS;
  return intervalMs < DAY_MS ? HOUR_MS : DAY_MS;
}
