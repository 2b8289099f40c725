// Candles of an outcome: every interval from the market's creation on, gaps filled with the price before.
import type { Candle, OperationInput } from '@sibyl/contract';
import type { Market } from '@sibyl/engine';
import type { CandleRange, History, PastCandle } from '@sibyl/history';
import { type ApiError, fail, type Page, type Position } from '../../handling/handler.ts';
import { amountText, priceText } from '../../wire/amounts.ts';
import { INTERVAL_MS } from '../../wire/intervals.ts';
import { openingPrice } from '../../wire/market-view.ts';

export type CandleInput = OperationInput<'listCandles'>['query'];

/** What the state knows of the outcome whose candles are wanted. */
export interface CandleSubject {
  readonly marketId: string;
  readonly outcome: number;
  readonly createdAtMs: number;
  readonly settledAtMs: number | null;
  /** Before the first trade, in micro-USDT. */
  readonly openingPrice: number;
}

export interface CandlePage {
  readonly candles: readonly Candle[];
  readonly next: Position | null;
}

export function subjectOf(market: Market, outcome: number): CandleSubject {
  return {
    marketId: market.id,
    outcome,
    createdAtMs: market.createdAtMs,
    settledAtMs: market.settledAtMs,
    openingPrice: openingPrice(market, outcome),
  };
}

export async function readCandles(
  history: History,
  subject: CandleSubject,
  input: CandleInput,
  page: Page,
  nowMs: number,
): Promise<CandlePage | ApiError> {
  const span = spanOf(subject, input, nowMs);
  if ('code' in span) return span;
  const stretch = stretchOf(span, page, input.from_ms === undefined);
  const { marketId, outcome } = subject;
  const { intervalMs } = span;
  const { fromMs, toMs } = stretch;
  const range: CandleRange = { marketId, outcome, intervalMs, fromMs, toMs };
  const drawn = await history.candles(range);
  const before = await history.closeBefore(marketId, outcome, fromMs);
  const candles = fillGaps(drawn, range, before ?? subject.openingPrice);
  return { candles, next: stretch.next };
}

interface Span {
  readonly intervalMs: number;
  /** Beginnings of the first interval and of the one after the last. */
  readonly startMs: number;
  readonly endMs: number;
}

/** A range in which the market did not exist is refused: an empty list would look like a quiet market. */
function spanOf(subject: CandleSubject, input: CandleInput, nowMs: number): Span | ApiError {
  const intervalMs = INTERVAL_MS[input.interval ?? '1m'];
  const { from_ms: fromMs, to_ms: toMs } = input;
  const createdMs = floorTo(subject.createdAtMs, intervalMs);
  const lastMs = fromMs === undefined ? (subject.settledAtMs ?? nowMs) : nowMs;
  const endMs = floorTo(Math.max(lastMs, subject.createdAtMs), intervalMs) + intervalMs;
  const startMs =
    fromMs === undefined ? createdMs : Math.max(createdMs, floorTo(fromMs, intervalMs));
  if (startMs >= endMs) return invalid('from_ms', 'not in the future');
  if (toMs === undefined) return { intervalMs, startMs, endMs };
  if (toMs <= subject.createdAtMs && toMs <= createdMs) {
    return invalid('to_ms', 'after the market was created');
  }
  if (fromMs !== undefined && toMs <= fromMs) return invalid('to_ms', 'after from_ms');
  const stopMs = floorTo(toMs - 1, intervalMs) + intervalMs;
  return {
    intervalMs,
    startMs: Math.min(startMs, stopMs - intervalMs),
    endMs: Math.min(endMs, stopMs),
  };
}

interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly next: Position | null;
}

/** With from_ms pages go forward from it; without, the newest come first and pages go back. */
function stretchOf(span: Span, page: Page, isNewest: boolean): Stretch {
  const { intervalMs, startMs, endMs } = span;
  const lengthMs = page.limit * intervalMs;
  const afterMs = page.after === null ? null : Number(page.after[0]);
  if (isNewest) {
    const toMs = afterMs ?? endMs;
    const fromMs = Math.max(startMs, toMs - lengthMs);
    return { fromMs, toMs, next: fromMs > startMs ? [fromMs] : null };
  }
  const fromMs = afterMs ?? startMs;
  const toMs = Math.min(endMs, fromMs + lengthMs);
  return { fromMs, toMs, next: toMs < endMs ? [toMs] : null };
}

function fillGaps(drawn: readonly PastCandle[], range: CandleRange, before: number): Candle[] {
  const candles: Candle[] = [];
  let close = before;
  let index = 0;
  for (let startMs = range.fromMs; startMs < range.toMs; startMs += range.intervalMs) {
    const candle = drawn[index];
    if (candle?.startMs === startMs) {
      index += 1;
      close = candle.close;
      candles.push(wireCandle(candle));
    } else {
      const prices = { open: close, high: close, low: close, close };
      candles.push(wireCandle({ startMs, ...prices, volume: 0n }));
    }
  }
  return candles;
}

function wireCandle({ startMs, open, high, low, close, volume }: PastCandle): Candle {
  return {
    ts_ms: startMs,
    open: priceText(open),
    high: priceText(high),
    low: priceText(low),
    close: priceText(close),
    volume: amountText(volume),
  };
}

function floorTo(atMs: number, intervalMs: number): number {
  return atMs - (atMs % intervalMs);
}

function invalid(field: string, expected: string): ApiError {
  return fail('VALIDATION_FAILED', { field, expected });
}
