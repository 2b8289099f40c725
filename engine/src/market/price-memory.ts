// What a market remembers of its displayed prices: those of a moment ago, of the last minute, and their average over time.
import type { State } from '../state.ts';
import type { Market } from './market.ts';
import { ONE, openingPrices, shownPrices } from './mid.ts';

export interface PriceMemory {
  /** When the prices last changed, or the market last began to trade. */
  movedMs: number;
  /** Prices left by a step of the band's clock, oldest first; the first is where the market last began to trade. */
  recent: SeenPrices[];
  /** The prices at the last whole minute on which somebody needed them; null before the first. */
  mark: MarkPrices | null;
  /** How long the market has traded, and the lane's trading time up to which that is counted. */
  tradedMs: number;
  countedMs: number;
  /** Sums over its trading time, oldest first. */
  slices: PriceSlice[];
  /** The last window of the band in which an order came to it, and how many in a row that makes. */
  hitWindow: number;
  hits: number;
  /** When the band last halted the market. */
  haltedAtMs: number | null;
}

export interface SeenPrices {
  readonly step: number;
  readonly prices: readonly bigint[];
}

export interface MarkPrices {
  readonly mark: number;
  readonly prices: readonly bigint[];
}

/** Σ price · ms of so much trading time: one slice, or several of the same prices. */
export interface PriceSlice {
  ms: number;
  sums: readonly bigint[];
}

export function createMemory(): PriceMemory {
  return {
    movedMs: 0,
    recent: [],
    mark: null,
    tradedMs: 0,
    countedMs: 0,
    slices: [],
    hitWindow: 0,
    hits: 0,
    haltedAtMs: null,
  };
}

/** The lane's clock of AV1: it stands still while the lane is down or read-only. */
export function tradingMs(state: State): number {
  return state.nowMs - state.idleMs;
}

function isTrading(market: Market): boolean {
  return market.status === 'active' && !market.halted && market.closing === null;
}

/** The market begins to trade, for the first time or again: bands are measured from the prices of this moment. */
export function beginTrading(state: State, market: Market): void {
  const { memory } = market;
  const { nowMs } = state;
  if (market.pool !== null) {
    const prices = shownPrices(market);
    noteMark(state, market, prices);
    memory.recent = [{ step: stepOf(nowMs, state.parameters.band.stepMs), prices }];
  }
  memory.movedMs = nowMs;
  memory.countedMs = tradingMs(state);
  memory.hits = 0;
}

/** The market stops trading: called before its state says so. */
export function stopTrading(state: State, market: Market): void {
  if (market.pool !== null) countTime(state, market, shownPrices(market));
}

/** Called before the pool moves: what it shows has stood until now. Within a millisecond nothing stands for any time. */
export function notePrices(state: State, market: Market): void {
  const { memory } = market;
  const { nowMs } = state;
  if (market.pool === null || memory.movedMs === nowMs) return;
  const prices = shownPrices(market);
  countTime(state, market, prices);
  noteMark(state, market, prices);
  const { stepMs } = state.parameters.band;
  const step = stepOf(memory.movedMs, stepMs);
  if (step < stepOf(nowMs, stepMs)) {
    memory.recent.push({ step, prices });
    forgetBefore(memory, referenceStep(state));
  }
  memory.movedMs = nowMs;
}

/** These prices have stood since the last change: were there whole minutes since, they are those of the last. */
function noteMark(state: State, { memory }: Market, prices: readonly bigint[]): void {
  const { sampleMs } = state.parameters.quality;
  const mark = markOf(state.nowMs, sampleMs);
  if (mark > markOf(memory.movedMs, sampleMs)) memory.mark = { mark, prices };
}

/** The prices of PB2. */
export function referencePrices(state: State, market: Market): readonly bigint[] {
  const { recent, movedMs } = market.memory;
  const before = referenceStep(state);
  if (stepOf(movedMs, state.parameters.band.stepMs) < before) return shownPrices(market);
  let index = recent.length - 1;
  while (index > 0 && recent[index]!.step >= before) index -= 1;
  return recent[index]!.prices;
}

/** The prices of SF3, or null where there are none. */
export function markPrices(state: State, market: Market): readonly bigint[] | null {
  const { movedMs, mark } = market.memory;
  if (market.pool === null) return mark === null ? null : mark.prices;
  const { sampleMs } = state.parameters.quality;
  const now = markOf(state.nowMs, sampleMs);
  if (markOf(movedMs, sampleMs) < now) return shownPrices(market);
  return mark === null ? openingPrices(market) : mark.prices;
}

/** The number of the last whole sampling period that has passed. */
export function markOf(atMs: number, sampleMs: number): number {
  return (atMs - (atMs % sampleMs)) / sampleMs; // exact: the remainder was taken off
}

/** Average prices as one fraction: µUSDT of an outcome are its total over the whole, times a million. */
export interface AveragePrices {
  readonly totals: readonly bigint[];
  /** The same for all outcomes; a total of it would be a price of one. */
  readonly whole: bigint;
}

/** The same as if the market stopped trading now: nothing is counted for good. */
export function averagePricesNow(state: State, market: Market): AveragePrices {
  const { memory } = market;
  const slices = memory.slices.map((slice) => ({ ...slice }));
  const asOfNow = { ...memory, slices };
  if (market.pool !== null) countTime(state, market, shownPrices(market), asOfNow);
  return averagePrices(state, market, asOfNow);
}

/** AV1: the last trading time of the market, what is missing at its opening prices. */
export function averagePrices(
  state: State,
  market: Market,
  { slices }: PriceMemory = market.memory,
): AveragePrices {
  const { sliceMaxMs: sliceMs } = state.parameters.fairValue;
  const scale = BigInt(sliceMs);
  const windowMs = averagedMs(state, market);
  const opening = openingPrices(market);
  const whole = BigInt(windowMs) * scale * ONE;
  let leftMs = windowMs;
  const totals = opening.map(() => 0n);
  for (let index = slices.length - 1; index >= 0 && leftMs > 0; index -= 1) {
    const { ms, sums } = slices[index]!;
    const part = ms < leftMs ? ms : leftMs;
    for (let outcome = 0; outcome < totals.length; outcome += 1) {
      // exact: all of it counts, or the slice has its full length or prices that did not change
      totals[outcome]! += (sums[outcome]! * BigInt(part) * scale) / BigInt(ms);
    }
    leftMs -= part;
  }
  for (let outcome = 0; outcome < totals.length; outcome += 1) {
    totals[outcome]! += opening[outcome]! * BigInt(leftMs) * scale;
  }
  return { totals, whole };
}

/** A day, or the market's planned life if that is shorter. */
function averagedMs(state: State, market: Market): number {
  const { createdAtMs, opensAtMs, locksAtMs } = market;
  const lifeMs = locksAtMs - (opensAtMs > createdAtMs ? opensAtMs : createdAtMs);
  const { shortWindowMs: windowMs } = state.parameters.fairValue;
  return lifeMs < windowMs ? lifeMs : windowMs;
}

function countTime(
  state: State,
  market: Market,
  prices: readonly bigint[],
  memory: PriceMemory = market.memory,
): void {
  const nowMs = tradingMs(state);
  const stoodMs = nowMs - memory.countedMs;
  memory.countedMs = nowMs;
  if (stoodMs === 0 || !isTrading(market)) return;
  const { sliceMaxMs: sliceMs } = state.parameters.fairValue;
  for (let leftMs = stoodMs; leftMs > 0; ) {
    const partMs = partOf(memory.tradedMs % sliceMs, leftMs, sliceMs);
    addTime(memory, prices, partMs, memory.tradedMs % sliceMs === 0);
    leftMs -= partMs;
  }
  forgetSlices(memory, averagedMs(state, market));
}

/** Up to the end of the slice at hand; from its beginning, as many whole ones as there are. */
function partOf(intoMs: number, leftMs: number, sliceMs: number): number {
  if (intoMs === 0 && leftMs >= sliceMs) return leftMs - (leftMs % sliceMs);
  const roomMs = sliceMs - intoMs;
  return leftMs < roomMs ? leftMs : roomMs;
}

function addTime(
  memory: PriceMemory,
  prices: readonly bigint[],
  ms: number,
  begins: boolean,
): void {
  const sums = prices.map((price) => price * BigInt(ms));
  const last = memory.slices[memory.slices.length - 1];
  memory.tradedMs += ms;
  if (begins || last === undefined) {
    memory.slices.push({ ms, sums });
    return;
  }
  last.ms += ms;
  last.sums = last.sums.map((sum, index) => sum + sums[index]!);
}

/** Those that no average reaches any more. */
function forgetSlices(memory: PriceMemory, windowMs: number): void {
  const { slices } = memory;
  let coveredMs = 0;
  for (const { ms } of slices) coveredMs += ms;
  let stale = 0;
  while (coveredMs - slices[stale]!.ms >= windowMs) {
    coveredMs -= slices[stale]!.ms;
    stale += 1;
  }
  if (stale > 0) slices.splice(0, stale);
}

/** Prices left by steps before this one are those of PB2. */
function referenceStep(state: State): number {
  const { delayMs, stepMs } = state.parameters.band;
  return stepOf(state.nowMs, stepMs) - stepOf(delayMs, stepMs);
}

function stepOf(atMs: number, stepMs: number): number {
  return (atMs - (atMs % stepMs)) / stepMs; // exact: the remainder was taken off
}

/** The one in force at the start stays. */
function forgetBefore(memory: PriceMemory, step: number): void {
  const { recent } = memory;
  let stale = 0;
  while (stale + 1 < recent.length && recent[stale + 1]!.step < step) stale += 1;
  if (stale > 0) recent.splice(0, stale);
}
