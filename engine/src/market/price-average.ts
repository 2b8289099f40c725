// The prices a market showed at minute marks, kept as runs, and their average over a day.
import { floorDiv, PIPS_ONE, type Pips } from '@sibyl/money';
import type { State } from '../state.ts';
import type { Market } from './market.ts';
import { shownPrices } from './mid.ts';

/** How many minute marks the market has been active for: those after it opened, up to and with the given time. */
function marksUntil(state: State, market: Market, atMs: number): number {
  if (market.activeSinceMs === null) return 0;
  const { sampleMs } = state.parameters.quality;
  return markOf(atMs, sampleMs) - markOf(market.activeSinceMs, sampleMs);
}

/** The number of the last whole sampling period that has passed. */
export function markOf(atMs: number, sampleMs: number): number {
  return (atMs - (atMs % sampleMs)) / sampleMs; // exact: the remainder was taken off
}

/**
 * Counts the marks up to now at the prices shown now. A pool's prices change by commands only, and every command
 * comes after the marks before it, so that marks may be counted late; a book's prices are counted at each mark.
 */
export function countMarks(state: State, market: Market): void {
  const marks = marksUntil(state, market, state.nowMs);
  const missing = marks - market.samplesTaken;
  if (missing <= 0) return;
  const { priceRuns } = market;
  const prices = shownPrices(market);
  const last = priceRuns.at(-1);
  if (last !== undefined && isSame(last.prices, prices)) last.count += missing;
  else priceRuns.push({ from: market.samplesTaken + 1, count: missing, prices });
  market.samplesTaken = marks;
  const first = marks - state.parameters.quality.windowSamples + 1;
  while (priceRuns[0]!.from + priceRuns[0]!.count <= first) priceRuns.shift();
}

/** The average of the last day's marks in pips, or the prices shown now where there was no mark. */
export function averagePrices(state: State, market: Market): readonly Pips[] {
  const sums = shownPrices(market).map(() => 0n);
  const first = market.samplesTaken - state.parameters.quality.windowSamples + 1;
  let count = 0;
  for (const run of market.priceRuns) {
    const skipped = run.from < first ? first - run.from : 0;
    const weight = run.count - skipped;
    if (weight <= 0) continue;
    count += weight;
    for (const [index, price] of run.prices.entries()) sums[index]! += price * BigInt(weight);
  }
  return count === 0 ? roundToPips(shownPrices(market), 1) : roundToPips(sums, count);
}

/** Sums of `count` prices in micro-USDT as pips that sum to 10000: largest remainder, ties to the lower index. */
export function roundToPips(sums: readonly bigint[], count: number): readonly Pips[] {
  const unit = MICRO_PER_PIP * BigInt(count);
  const floors = sums.map((sum) => floorDiv(sum, unit));
  const rests = sums.map((sum, index) => sum - floors[index]! * unit);
  const order = sums.map((_, index) => index);
  order.sort((a, b) => (rests[a]! > rests[b]! ? -1 : rests[a]! < rests[b]! ? 1 : a - b));
  // exact: prices in pips are at most 10000
  const prices = floors.map(Number);
  let missing = PIPS_ONE - prices.reduce((sum, price) => sum + price, 0);
  for (const index of order) {
    if (missing === 0) break;
    prices[index]! += 1;
    missing -= 1;
  }
  return prices as Pips[];
}

const MICRO_PER_PIP = 100n;

function isSame(a: readonly bigint[], b: readonly bigint[]): boolean {
  return a.every((price, index) => price === b[index]);
}
