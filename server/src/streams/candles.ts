// The candles that are being made: one of each interval for every outcome that somebody listens to.
import { intervals, type StreamData } from '@sibyl/contract';
import type { History, PastCandle } from '@sibyl/history';
import { amountText, priceText } from '../wire/amounts.ts';
import { INTERVAL_MS, type Interval } from '../wire/intervals.ts';

/** One outcome. */
interface Drawing {
  readonly marketId: string;
  readonly outcomeId: string;
  readonly candles: Map<Interval, PastCandle>;
  /** Longer ones have changed since they were last told of. */
  isDirty: boolean;
  /** Whether what lies before the first trade that was heard of is known. */
  isLoaded: boolean;
}

export type PublishCandle = (data: StreamData<'candle_update'>, atMs: number) => void;

/** The minute is told with every trade, longer ones once a second: there are six of them for each. */
export class Candles {
  readonly #drawings = new Map<string, Drawing>();
  readonly #history: Pick<History, 'candles'>;
  readonly #publish: PublishCandle;

  constructor(history: Pick<History, 'candles'>, publish: PublishCandle) {
    this.#history = history;
    this.#publish = publish;
  }

  trade(marketId: string, outcomeId: string, price: number, volume: bigint, atMs: number): void {
    const drawing = this.#drawingOf(marketId, outcomeId);
    this.#close(drawing, atMs);
    for (const interval of intervals) {
      const startMs = startOf(atMs, interval);
      const own = { startMs, open: price, high: price, low: price, close: price, volume };
      drawing.candles.set(interval, joined(drawing.candles.get(interval), own));
    }
    drawing.isDirty = true;
    this.#tell(drawing, '1m', false, atMs);
  }

  /** Those that are over, and longer ones that have changed. */
  tick(nowMs: number): void {
    for (const drawing of this.#drawings.values()) {
      this.#close(drawing, nowMs);
      if (!drawing.isDirty || !drawing.isLoaded) continue;
      drawing.isDirty = false;
      for (const interval of intervals) {
        if (interval !== '1m') this.#tell(drawing, interval, false, nowMs);
      }
    }
  }

  /**
   * Takes what history knows of the candles that are being made. Of two pictures of one candle, the one with more
   * volume has seen more of it.
   */
  async load(marketId: string, outcomeId: string, outcome: number, nowMs: number): Promise<void> {
    const drawing = this.#drawingOf(marketId, outcomeId);
    for (const interval of intervals) {
      const fromMs = startOf(nowMs, interval);
      const intervalMs = INTERVAL_MS[interval];
      const range = { marketId, outcome, intervalMs, fromMs, toMs: fromMs + intervalMs };
      const [candle] = await this.#history.candles(range);
      const known = drawing.candles.get(interval);
      if (candle === undefined || (known !== undefined && known.startMs > fromMs)) continue;
      if (known?.startMs === fromMs && known.volume >= candle.volume) continue;
      drawing.candles.set(interval, candle);
    }
    drawing.isLoaded = true;
  }

  forget(marketId: string): void {
    for (const [name, drawing] of this.#drawings) {
      if (drawing.marketId === marketId) this.#drawings.delete(name);
    }
  }

  /** Ends what is over at this time. */
  #close(drawing: Drawing, nowMs: number): void {
    for (const [interval, { startMs }] of drawing.candles) {
      if (startMs + INTERVAL_MS[interval] > nowMs) continue;
      if (drawing.isLoaded || interval === '1m') this.#tell(drawing, interval, true, nowMs);
      drawing.candles.delete(interval);
    }
  }

  #drawingOf(marketId: string, outcomeId: string): Drawing {
    const name = `${marketId}:${outcomeId}`;
    const known = this.#drawings.get(name);
    if (known !== undefined) return known;
    const candles = new Map<Interval, PastCandle>();
    const drawing = { marketId, outcomeId, candles, isDirty: false, isLoaded: false };
    this.#drawings.set(name, drawing);
    return drawing;
  }

  #tell(
    { marketId, outcomeId, candles }: Drawing,
    interval: Interval,
    closed: boolean,
    nowMs: number,
  ): void {
    const candle = candles.get(interval);
    if (candle === undefined) return;
    const data: StreamData<'candle_update'> = {
      market_id: marketId,
      outcome_id: outcomeId,
      interval,
      ts_ms: candle.startMs,
      open: priceText(candle.open),
      high: priceText(candle.high),
      low: priceText(candle.low),
      close: priceText(candle.close),
      volume: amountText(candle.volume),
      closed,
    };
    this.#publish(data, nowMs);
  }
}

/** The later one goes on with the earlier, if both are of the same time. */
function joined(earlier: PastCandle | undefined, later: PastCandle): PastCandle {
  if (earlier === undefined || earlier.startMs !== later.startMs) return later;
  return {
    ...later,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    volume: earlier.volume + later.volume,
  };
}

function startOf(atMs: number, interval: Interval): number {
  return atMs - (atMs % INTERVAL_MS[interval]);
}
