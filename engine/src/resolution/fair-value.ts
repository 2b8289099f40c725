// The fair value of shares: what a cancellation pays for them, from the prices of a window (VD4 to VD8).
import { PIPS_ONE, type Pips } from '@sibyl/money';
import { openingPrices } from '../market/mid.ts';
import { countTime, sliceLengthMs } from '../market/price-memory.ts';
import { copySlices, type PriceSlice, type PriceSlices, slicesOf } from '../market/price-slices.ts';
import type { TimeWindow } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import { invalid, type Rejection } from '../state/reject.ts';
import type { State } from '../state/state.ts';

export interface FairValue {
  /** Pips of each outcome, together 10000. */
  readonly payout: readonly Pips[];
  /** Trading time that counts; 0 in a market that never traded, which is paid its opening prices. */
  readonly windowMs: number;
  /** Journal time of the prices that count; null without any. */
  readonly span: TimeWindow | null;
  readonly sources: PriceSources;
}

/** Where the prices of a window came from, in milliseconds of its trading time. */
export interface PriceSources {
  readonly pool: number;
  /** Bids and asks of the depth that VD3 asks for. */
  readonly depth: number;
  /** Trades, and bids or asks alone. */
  readonly trades: number;
  readonly opening: number;
}

/** What a cancellation would pay now: by the default window without a window. Changes nothing. */
export function fairValue(
  state: State,
  market: Market,
  window: TimeWindow | null,
  excluded: readonly number[] = [],
): FairValue | Rejection {
  const slices = slicesNow(state, market);
  if (window === null) {
    return priceOf(market, lastOf(state, market, slices, 'default'), excluded);
  }
  const named = namedWindow(state, market, slices, window);
  return 'code' in named ? named : priceOf(market, named, excluded);
}

/** The same for the last day, or the last third of the trading time if that is less (VD8). */
export function lastDayValue(
  state: State,
  market: Market,
  excluded: readonly number[] = [],
): FairValue | Rejection {
  return priceOf(market, lastOf(state, market, slicesNow(state, market), 'day'), excluded);
}

/** The same for one of many rounds: the third of its trading time that ends with its source (VD17). */
export function roundValue(
  state: State,
  market: Market,
  window: TimeWindow,
): FairValue | Rejection {
  const found = inside(state, market, slicesNow(state, market), window);
  if (found.length === 0) return invalid('to_ms', 'a time at which every round had traded');
  return priceOf(market, found, []);
}

/** Trading time to the last moment that the market traded (VD4). */
export function tradingTimeMs(state: State, market: Market): number {
  return slicesNow(state, market).tradedMs;
}

/** Whether the book had too little depth for the default window (VD8). */
export function isShallow(market: Market, { windowMs, sources }: FairValue): boolean {
  return market.pool === null && windowMs > 0 && 2 * sources.depth < windowMs;
}

/** Whether two windows pay some outcome so differently that operators must name one (VD8). */
export function isMoved({ parameters }: State, one: FairValue, other: FairValue): boolean {
  const { movedPips } = parameters.fairValue;
  return one.payout.some((pips, outcome) => {
    const moved = pips - other.payout[outcome]!;
    return moved > movedPips || -moved > movedPips;
  });
}

/** What a market that never traded pays: its opening prices (VD4). */
export function openingPayout(market: Market): readonly Pips[] {
  return toPips(openingPrices(market));
}

/** All slices of the market's prices, newest first. */
export function slicesUntilNow(state: State, market: Market): readonly PriceSlice[] {
  return slicesOf(slicesNow(state, market), market.outcomes.length);
}

/** As if the market stopped now: nothing is counted for good. */
function slicesNow(state: State, market: Market): PriceSlices {
  const slices = copySlices(market.memory.slices);
  countTime(state, market, slices);
  return slices;
}

/** The last slices of the trading time; the oldest is cut by weight. */
function lastOf(
  state: State,
  market: Market,
  slices: PriceSlices,
  which: 'default' | 'day',
): readonly PriceSlice[] {
  const { windowMs, shortWindowMs } = state.parameters.fairValue;
  const third = thirdOf(slices.tradedMs);
  const longest = which === 'default' ? windowMs : shortWindowMs;
  let leftMs = third < longest ? third : longest;
  const found: PriceSlice[] = [];
  for (const slice of slicesOf(slices, market.outcomes.length)) {
    if (leftMs === 0) break;
    const ms = slice.toMs - slice.fromMs;
    const partMs = ms < leftMs ? ms : leftMs;
    found.push(partMs === ms ? slice : newest(slice, partMs));
    leftMs -= partMs;
  }
  return found;
}

/** A third of the trading time. */
export function thirdOf(tradedMs: number): number {
  return (tradedMs - (tradedMs % 3)) / 3; // exact: the remainder was taken off
}

function newest(slice: PriceSlice, partMs: number): PriceSlice {
  const { fromMs, toMs, deepMs } = slice;
  const part = { ...slice, fromMs: toMs - partMs };
  // Merged slices, which may be long, have full depth or none.
  if (deepMs === 0) return part;
  if (deepMs === toMs - fromMs) return { ...part, deepMs: partMs };
  const weighed = deepMs * partMs;
  // exact: the remainder was taken off, and a slice that is not merged is below 2^26 ms
  return { ...part, deepMs: (weighed - (weighed % (toMs - fromMs))) / (toMs - fromMs) };
}

/** The slices wholly inside the window, within the bounds of VD7. */
function namedWindow(
  state: State,
  market: Market,
  slices: PriceSlices,
  window: TimeWindow,
): readonly PriceSlice[] | Rejection {
  const { windowMs: longest, shortWindowMs } = state.parameters.fairValue;
  const third = thirdOf(slices.tradedMs);
  const shortest = third < shortWindowMs ? third : shortWindowMs;
  const found = inside(state, market, slices, window);
  const ms = lengthOf(found);
  if (ms < shortest || ms > longest) {
    return invalid('window', `whole slices of ${shortest} to ${longest} ms of trading time`);
  }
  let laterMs = 0;
  for (const { fromMs, toMs } of slicesOf(slices, market.outcomes.length)) {
    if (toMs > window.toMs) laterMs += toMs - (fromMs > window.toMs ? fromMs : window.toMs);
  }
  if (laterMs <= longest) return found;
  return invalid('window', `an end at most ${longest} ms of trading time before the last`);
}

/** Several slices kept as one are cut on the grid. */
function inside(
  state: State,
  market: Market,
  slices: PriceSlices,
  window: TimeWindow,
): readonly PriceSlice[] {
  const gridMs = sliceLengthMs(state, market);
  const past = window.fromMs % gridMs;
  const firstMs = past === 0 ? window.fromMs : window.fromMs - past + gridMs;
  const lastMs = window.toMs - (window.toMs % gridMs);
  const found: PriceSlice[] = [];
  for (const slice of slicesOf(slices, market.outcomes.length)) {
    const fromMs = slice.fromMs >= window.fromMs ? slice.fromMs : firstMs;
    const toMs = slice.toMs <= window.toMs ? slice.toMs : lastMs;
    // What is cut has full depth or none.
    const isCut = fromMs !== slice.fromMs || toMs !== slice.toMs;
    const deepMs = isCut && slice.deepMs > 0 ? toMs - fromMs : slice.deepMs;
    if (toMs > fromMs) found.push({ ...slice, fromMs, toMs, deepMs });
  }
  return found;
}

function lengthOf(slices: readonly PriceSlice[]): number {
  return slices.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}

function priceOf(
  market: Market,
  slices: readonly PriceSlice[],
  excluded: readonly number[],
): FairValue | Rejection {
  const windowMs = lengthOf(slices);
  const totals =
    windowMs === 0
      ? [...openingPrices(market)]
      : middleHalf(market.outcomes.length, slices, windowMs);
  for (const outcome of excluded) totals[outcome] = 0n;
  if (totals.every((total) => total === 0n)) {
    return invalid('excluded', 'not every outcome that had a price');
  }
  const newestSlice = slices[0];
  const oldest = slices[slices.length - 1];
  return {
    payout: toPips(totals),
    windowMs,
    span:
      oldest === undefined || newestSlice === undefined
        ? null
        : { fromMs: oldest.fromMs, toMs: newestSlice.toMs },
    sources: sourcesOf(market, slices, windowMs),
  };
}

/** Σ price · ms over the middle half of the window's time, in order of the price (VD5). */
export function middleHalf(
  outcomes: number,
  slices: readonly PriceSlice[],
  windowMs: number,
): bigint[] {
  return Array.from({ length: outcomes }, (_, outcome) => {
    const ordered = slices.map(({ fromMs, toMs, prices }) => ({
      price: prices[outcome]!,
      ms: toMs - fromMs,
    }));
    ordered.sort((a, b) => a.price - b.price);
    let before = 0;
    let total = 0;
    for (const { price, ms } of ordered) {
      const from = 4 * before > windowMs ? 4 * before : windowMs;
      const to = 4 * (before + ms) < 3 * windowMs ? 4 * (before + ms) : 3 * windowMs;
      if (to > from) total += price * (to - from);
      before += ms;
    }
    return BigInt(total); // exact: below 2^53 for windows of a week
  });
}

/** Prices in pips that sum to one: the missing pips go to the largest remainders, ties to the lower outcome (VD6). */
function toPips(totals: readonly bigint[]): readonly Pips[] {
  const one = BigInt(PIPS_ONE);
  const sum = totals.reduce((all, total) => all + total, 0n);
  const parts = totals.map((total, outcome) => {
    const rest = (one * total) % sum;
    // exact: the remainder was taken off, and a price in pips fits any number
    return { outcome, pips: Number((one * total - rest) / sum), rest };
  });
  let missing = parts.reduce((left, { pips }) => left - pips, PIPS_ONE as number);
  const byRest = [...parts].sort((a, b) => (a.rest > b.rest ? -1 : a.rest < b.rest ? 1 : 0));
  for (const part of byRest) {
    if (missing === 0) break;
    part.pips += 1;
    missing -= 1;
  }
  return parts.map(({ pips }) => pips as Pips);
}

function sourcesOf(
  { pool, memory }: Market,
  slices: readonly PriceSlice[],
  windowMs: number,
): PriceSources {
  if (pool !== null) return { pool: windowMs, depth: 0, trades: 0, opening: 0 };
  const { pricedAtMs } = memory.book;
  let depth = 0;
  let opening = 0;
  for (const { fromMs, toMs, deepMs } of slices) {
    depth += deepMs;
    const openedMs = pricedAtMs === null || pricedAtMs > toMs ? toMs : pricedAtMs;
    if (openedMs > fromMs) opening += openedMs - fromMs;
  }
  return { pool: 0, depth, trades: windowMs - depth - opening, opening };
}
