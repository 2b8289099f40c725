// What a market remembers of its displayed prices: those of a moment ago, of the last minute, and of slices of its trading time.

import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import { type BookPrice, createBookPrice } from './book-price.ts';
import { openingPrices, shownPrices } from './mid.ts';
import { countPrices, createSlices, type PriceSlices } from './price-slices.ts';

export interface PriceMemory {
  /** When the prices last changed, or the market last began to trade. */
  movedMs: number;
  /** Prices left by a step of the band's clock, oldest first; the first is where the market last began to trade. */
  recent: SeenPrices[];
  /** The prices at the last whole minute on which somebody needed them; null before the first. */
  mark: MarkPrices | null;
  /** What it showed by slices of its trading time. */
  readonly slices: PriceSlices;
  /** Without a pool, the price by which slices are summed. */
  readonly book: BookPrice;
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

export function createMemory(): PriceMemory {
  return {
    movedMs: 0,
    recent: [],
    mark: null,
    slices: createSlices(),
    book: createBookPrice(),
    hitWindow: 0,
    hits: 0,
    haltedAtMs: null,
  };
}

export function isTrading(market: Market): boolean {
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
  memory.slices.countedMs = nowMs;
  memory.hits = 0;
}

/** The market stops trading: called before its state says so. */
export function stopTrading(state: State, market: Market): void {
  countTime(state, market);
}

/** Called before the pool moves: what it shows has stood until now. Within a millisecond nothing stands for any time. */
export function notePrices(state: State, market: Market): void {
  const { memory } = market;
  const { nowMs } = state;
  if (market.pool === null || memory.movedMs === nowMs) return;
  const prices = shownPrices(market);
  countTime(state, market);
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

/** All that it traded so far is in its slices: nothing of it is still to be counted. */
export function countTime(state: State, market: Market, slices = market.memory.slices): void {
  if (!isTrading(market)) return;
  const { book } = market.memory;
  const prices =
    market.pool === null ? [book.price, ONE_MICRO - book.price] : shownPrices(market).map(Number); // exact: at most 10⁶
  countPrices(state, slices, prices, book.isDeep, sliceLengthMs(state, market));
}

/** The grid of its slices: its planned life in so many parts, within bounds. */
export function sliceLengthMs({ parameters }: State, market: Market): number {
  const { createdAtMs, opensAtMs, locksAtMs } = market;
  const { sliceMinMs, sliceMaxMs, slicesPerLife } = parameters.fairValue;
  const lifeMs = locksAtMs - (opensAtMs > createdAtMs ? opensAtMs : createdAtMs);
  const partMs = (lifeMs - (lifeMs % slicesPerLife)) / slicesPerLife; // exact: the remainder was taken off
  if (partMs < sliceMinMs) return sliceMinMs;
  return partMs > sliceMaxMs ? sliceMaxMs : partMs;
}

const ONE_MICRO = 1_000_000;

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
