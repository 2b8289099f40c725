// Candles of the trades since the last flush: drawn by the minute, joined to the longer stored intervals when read.
import type { FlatRows } from '../ports/flat-rows.ts';
import { CANDLE, type CandleRow, type StoredInterval } from '../ports/read-store.ts';
import { fillPrice } from '../wire/price.ts';
import { FlatTable } from './flat-table.ts';

const OUTCOMES_MAX = 64;
const MINUTE_MS = 60_000;
const NO_ROW = -1;

/** Where the row of the outcome's minute before stands: of use in memory only. */
const BEFORE = CANDLE.width;

export class Candles {
  readonly #minutes = new FlatTable(CANDLE.width + 1);
  /** The last minute of each outcome of a market. */
  readonly #latest = new Map<number, number>();

  add(market: number, outcome: number, lots: number, cost: bigint, atMs: number): void {
    const minutes = this.#minutes;
    const price = fillPrice(cost, lots);
    const startMs = atMs - (atMs % MINUTE_MS);
    const key = keyOf(market, outcome);
    const latest = this.#latest.get(key);
    if (latest === undefined || minutes.get(latest, CANDLE.startMs) !== startMs) {
      this.#open(key, latest, startMs, price, cost);
      return;
    }
    if (price > minutes.get(latest, CANDLE.high)) minutes.set(latest, CANDLE.high, price);
    if (price < minutes.get(latest, CANDLE.low)) minutes.set(latest, CANDLE.low, price);
    minutes.set(latest, CANDLE.close, price);
    minutes.addAmount(latest, CANDLE.volume, cost);
  }

  /** Oldest first. */
  of(market: number, outcome: number, interval: StoredInterval): readonly CandleRow[] {
    const rows: CandleRow[] = [];
    let row = this.#latest.get(keyOf(market, outcome)) ?? NO_ROW;
    while (row !== NO_ROW) {
      rows.push(this.#candle(row));
      row = this.#minutes.get(row, BEFORE);
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
    this.#latest.clear();
  }

  #open(
    key: number,
    latest: number | undefined,
    startMs: number,
    price: number,
    cost: bigint,
  ): void {
    const minutes = this.#minutes;
    const row = minutes.append();
    const outcome = key % OUTCOMES_MAX;
    minutes.set(row, CANDLE.market, (key - outcome) / OUTCOMES_MAX);
    minutes.set(row, CANDLE.outcome, outcome);
    minutes.set(row, CANDLE.startMs, startMs);
    minutes.set(row, CANDLE.open, price);
    minutes.set(row, CANDLE.high, price);
    minutes.set(row, CANDLE.low, price);
    minutes.set(row, CANDLE.close, price);
    minutes.setAmount(row, CANDLE.volume, cost);
    minutes.set(row, BEFORE, latest ?? NO_ROW);
    this.#latest.set(key, row);
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

function keyOf(market: number, outcome: number): number {
  return market * OUTCOMES_MAX + outcome;
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
