// The prices of a market by slices of its trading time: what a cancellation pays shares by (VD1).
import type { State } from '../state/state.ts';

/** An unbroken span of journal time that the market traded in, with its average prices in µ. */
export interface PriceSlice {
  readonly fromMs: number;
  readonly toMs: number;
  /** How long the book had the depth of VD3; 0 with a pool. */
  readonly deepMs: number;
  readonly prices: readonly number[];
}

export interface PriceSlices {
  /** All trading time so far. */
  tradedMs: number;
  /** Journal time up to which it is counted. */
  countedMs: number;
  /** Trading time of the closed slices that are kept. */
  keptMs: number;
  /** Closed slices in one flat list, oldest first: the gap before it, its ms, its deep ms, the price of each outcome. */
  closed: number[];
  /** Journal time at which the last closed slice ends. */
  closedToMs: number;
  open: OpenSlice | null;
}

interface OpenSlice {
  readonly fromMs: number;
  ms: number;
  deepMs: number;
  /** Σ price · ms of each outcome. */
  sums: number[];
}

export function createSlices(): PriceSlices {
  return { tradedMs: 0, countedMs: 0, keptMs: 0, closed: [], closedToMs: 0, open: null };
}

export function copySlices(slices: PriceSlices): PriceSlices {
  const { closed, open } = slices;
  return {
    ...slices,
    closed: [...closed],
    open: open === null ? null : { ...open, sums: [...open.sums] },
  };
}

/** Caps look back so far (RK6). */
export const HOUR_MS = 3_600_000;

/** The same with only as many closed slices as cover so much trading time. */
export function copyOfLast(slices: PriceSlices, outcomes: number, lastMs: number): PriceSlices {
  const { closed, open } = slices;
  let from = closed.length;
  let keptMs = 0;
  while (from > 0 && keptMs < lastMs) {
    from -= width(outcomes);
    keptMs += closed[from + MS]!;
  }
  return copySlices({ ...slices, keptMs, closed: closed.slice(from), open });
}

/** Counts the time since the last count, in which the market traded at these prices, but for the lane's idle spans. */
export function countPrices(
  state: State,
  slices: PriceSlices,
  prices: readonly number[],
  isDeep: boolean,
  sliceMs: number,
): void {
  const { idleSpans, nowMs, parameters } = state;
  let fromMs = slices.countedMs;
  let index = idleSpans.length;
  while (index > 0 && idleSpans[index - 1]!.toMs > fromMs) index -= 1;
  for (; index < idleSpans.length; index += 1) {
    const idle = idleSpans[index]!;
    addSpan(slices, fromMs, idle.fromMs, prices, isDeep, sliceMs);
    fromMs = idle.toMs;
  }
  addSpan(slices, fromMs, nowMs, prices, isDeep, sliceMs);
  slices.countedMs = nowMs;
  const reachMs = 2 * parameters.fairValue.windowMs;
  forgetSlices(slices, prices.length, reachMs > HOUR_MS ? reachMs : HOUR_MS);
}

/** All slices, newest first. */
export function slicesOf(slices: PriceSlices, outcomes: number): readonly PriceSlice[] {
  const { closed, open } = slices;
  const found: PriceSlice[] = [];
  if (open !== null) {
    const { fromMs, ms, deepMs, sums } = open;
    found.push({ fromMs, toMs: fromMs + ms, deepMs, prices: averagesOf(sums, ms) });
  }
  let toMs = slices.closedToMs;
  for (let at = closed.length - width(outcomes); at >= 0; at -= width(outcomes)) {
    const fromMs = toMs - closed[at + MS]!;
    const prices = closed.slice(at + PRICES, at + width(outcomes));
    found.push({ fromMs, toMs, deepMs: closed[at + DEEP]!, prices });
    toMs = fromMs - closed[at + GAP]!;
  }
  return found;
}

function addSpan(
  slices: PriceSlices,
  fromMs: number,
  toMs: number,
  prices: readonly number[],
  isDeep: boolean,
  sliceMs: number,
): void {
  let atMs = fromMs;
  while (atMs < toMs) {
    const { open } = slices;
    if (open !== null && open.fromMs + open.ms !== atMs) closeSlice(slices, open);
    const intoMs = atMs % sliceMs;
    const leftMs = toMs - atMs;
    if (intoMs === 0 && leftMs >= sliceMs) {
      // Whole slices of one price need no sums.
      const ms = leftMs - (leftMs % sliceMs);
      keepSlice(slices, atMs, ms, isDeep ? ms : 0, prices);
      slices.tradedMs += ms;
      atMs += ms;
      continue;
    }
    const roomMs = sliceMs - intoMs;
    const ms = leftMs < roomMs ? leftMs : roomMs;
    extend(slices, atMs, ms, isDeep, prices);
    atMs += ms;
    if (ms === roomMs && slices.open !== null) closeSlice(slices, slices.open);
  }
}

function extend(
  slices: PriceSlices,
  atMs: number,
  ms: number,
  isDeep: boolean,
  prices: readonly number[],
): void {
  slices.tradedMs += ms;
  const deepMs = isDeep ? ms : 0;
  const { open } = slices;
  if (open === null) {
    slices.open = { fromMs: atMs, ms, deepMs, sums: prices.map((price) => price * ms) };
    return;
  }
  open.ms += ms;
  open.deepMs += deepMs;
  for (let outcome = 0; outcome < prices.length; outcome += 1) {
    open.sums[outcome]! += prices[outcome]! * ms;
  }
}

function closeSlice(slices: PriceSlices, open: OpenSlice): void {
  slices.open = null;
  keepSlice(slices, open.fromMs, open.ms, open.deepMs, averagesOf(open.sums, open.ms));
}

/** A slice that touches the one before and has its prices and its depth makes it longer. */
function keepSlice(
  slices: PriceSlices,
  fromMs: number,
  ms: number,
  deepMs: number,
  prices: readonly number[],
): void {
  const { closed } = slices;
  const gapMs = fromMs - slices.closedToMs;
  slices.closedToMs = fromMs + ms;
  slices.keptMs += ms;
  const last = closed.length - width(prices.length);
  if (last >= 0 && gapMs === 0 && isLike(closed, last, ms, deepMs, prices)) {
    closed[last + MS]! += ms;
    closed[last + DEEP]! += deepMs;
    return;
  }
  closed.push(gapMs, ms, deepMs, ...prices);
}

function isLike(
  closed: readonly number[],
  at: number,
  ms: number,
  deepMs: number,
  prices: readonly number[],
): boolean {
  const lastDeepMs = closed[at + DEEP]!;
  const isDeep = deepMs === ms && lastDeepMs === closed[at + MS];
  if (!isDeep && (deepMs > 0 || lastDeepMs > 0)) return false;
  for (let outcome = 0; outcome < prices.length; outcome += 1) {
    if (closed[at + PRICES + outcome] !== prices[outcome]) return false;
  }
  return true;
}

/** Drops the slices that no window reaches any more. */
function forgetSlices(slices: PriceSlices, outcomes: number, reachMs: number): void {
  const { closed } = slices;
  let stale = 0;
  while (stale < closed.length && slices.keptMs - closed[stale + MS]! >= reachMs) {
    slices.keptMs -= closed[stale + MS]!;
    stale += width(outcomes);
  }
  if (stale > 0) closed.splice(0, stale);
}

function averagesOf(sums: readonly number[], ms: number): readonly number[] {
  return sums.map((sum) => (sum - (sum % ms)) / ms); // exact: the remainder was taken off
}

const GAP = 0;
const MS = 1;
const DEEP = 2;
const PRICES = 3;

function width(outcomes: number): number {
  return PRICES + outcomes;
}
