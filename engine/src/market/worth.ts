// What a share is worth to caps: the higher of its price now and its average over the last hour (RK6).

import type { Market } from '../state/market.ts';
import type { PriceSide } from '../state/side.ts';
import type { State } from '../state/state.ts';
import { lastMid, openingPrices, shownPrices } from './mid.ts';
import { countTime } from './price-memory.ts';
import { copyOfLast, HOUR_MS, type PriceSlices, slicesOf } from './price-slices.ts';
import { wholePart } from './quality.ts';

/** The mid of the first outcome in µUSDT, found by a check in a market without a pool. */
export interface DeepMid {
  readonly atMs: number;
  readonly mid: number;
}

/** In µUSDT; null where a market without a pool has shown no price yet. */
export function knownWorth(state: State, market: Market, outcome: number): number | null {
  return quotedWorth(state, market, outcome) ?? lastWorth(market, outcome);
}

/** Accomplices set the last price with one share: without quotes a share is worth its opening price at least. */
export function worthOf(state: State, market: Market, outcome: number): number {
  const quoted = quotedWorth(state, market, outcome);
  if (quoted !== null) return quoted;
  const opening = Number(openingPrices(market)[outcome]!); // exact: at most a million
  return higher(lastWorth(market, outcome) ?? 0, opening);
}

/** By the pool, or by the mids of the last hour; null without either. */
function quotedWorth(state: State, market: Market, outcome: number): number | null {
  if (market.pool !== null) return poolWorth(state, market, outcome);
  const mids = deepMidsNow(state, market);
  const now = deepMid(market);
  if (now === null && mids.length === 0) return null;
  const average = averageOf(mids, outcome);
  return now === null ? average : higher(ofOutcome(now, outcome), average);
}

function lastWorth(market: Market, outcome: number): number | null {
  const last = lastMid(market);
  return last === null ? null : ofOutcome(Number(last), outcome); // exact: at most a million
}

/** Called at a check of the makers. */
export function noteDeepMid(state: State, market: Market): void {
  if (market.pool !== null) return;
  const mid = deepMid(market);
  const mids = deepMidsNow(state, market);
  market.deepMids = mid === null ? mids : [...mids, { atMs: state.nowMs, mid }];
}

function poolWorth(state: State, market: Market, outcome: number): number {
  const slices = copyOfLast(market.memory.slices, market.outcomes.length, HOUR_MS);
  countTime(state, market, slices);
  const average = averageOfLast(slices, market, outcome);
  return higher(Number(shownPrices(market)[outcome]!), average); // exact: at most a million
}

/** What the market has not traded of the hour counts at its opening price. */
function averageOfLast(slices: PriceSlices, market: Market, outcome: number): number {
  let leftMs = HOUR_MS;
  let total = 0;
  for (const { fromMs, toMs, prices } of slicesOf(slices, market.outcomes.length)) {
    const part = toMs - fromMs < leftMs ? toMs - fromMs : leftMs;
    total += part * prices[outcome]!;
    leftMs -= part;
    if (leftMs === 0) break;
  }
  total += leftMs * Number(openingPrices(market)[outcome]!); // exact: at most a million
  return wholePart(total, HOUR_MS);
}

function deepMidsNow({ nowMs }: State, market: Market): readonly DeepMid[] {
  const { deepMids } = market;
  const oldest = deepMids[0];
  if (oldest === undefined || oldest.atMs > nowMs - HOUR_MS) return deepMids;
  return deepMids.filter(({ atMs }) => atMs > nowMs - HOUR_MS);
}

function averageOf(mids: readonly DeepMid[], outcome: number): number {
  let sum = 0;
  for (const { mid } of mids) sum += ofOutcome(mid, outcome);
  return mids.length === 0 ? 0 : wholePart(sum, mids.length);
}

/** Between the prices at which bids and asks come to a hundred shares. */
function deepMid({ bids, asks }: Market): number | null {
  const bid = deepPrice(bids);
  const ask = bid === null ? null : deepPrice(asks);
  return bid === null || ask === null ? null : (bid + ask) * MICRO_PER_HALF_PIP;
}

function deepPrice(side: PriceSide): number | null {
  let lots = 0;
  for (let level = side.best; level !== null; level = side.after(level)) {
    lots += level.lots;
    if (lots >= DEEP_LOTS) return level.price;
  }
  return null;
}

function ofOutcome(first: number, outcome: number): number {
  return outcome === 0 ? first : MICRO_ONE - first;
}

function higher(one: number, other: number): number {
  return one > other ? one : other;
}

const DEEP_LOTS = 10_000;
const MICRO_ONE = 1_000_000;
const MICRO_PER_HALF_PIP = 50;
