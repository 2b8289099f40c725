// What the bots believe an outcome is worth: a curve of its own for each market, read at any moment.

import type { Market } from '@sibyl/engine';
import { PIPS_ONE } from '@sibyl/money';
import { wander } from './noise.ts';
import { type ReferencePrices, SECOND_MOVE } from './reference-price.ts';

/** Where the price of a round is read. */
type Prices = Pick<ReferencePrices, 'cents'>;

/** Pips for each outcome, together 10000, none near the ends. */
export function fairPips(market: Market, atMs: number, prices: Prices): readonly number[] {
  const { roundConfig, outcomeSchema } = market.template.definition;
  if (roundConfig !== null) return pair(roundFair(market, atMs, prices));
  if (outcomeSchema !== 'multi') return pair(wanderingFair(market.id, atMs));
  return sharesOut(market.outcomes.map(({ id }) => 1 + 0.9 * wander(`${market.id}|${id}`, atMs)));
}

const LEAST_PIPS = 300;
const MOST_PIPS = PIPS_ONE - LEAST_PIPS;

function wanderingFair(marketId: string, atMs: number): number {
  const leaning = wander(`${marketId}|leaning`, 0) * 1500;
  return PIPS_ONE / 2 + leaning + 3_000 * wander(marketId, atMs);
}

/** How likely the walk is to end at or above the strike: the distance in steps of what it may still go decides. */
function roundFair(market: Market, atMs: number, prices: Prices): number {
  const { symbol, strike } = market.params;
  const strikeCents = Math.round(Number(strike) * 100);
  const distance = (prices.cents(String(symbol), atMs) - strikeCents) / strikeCents;
  const leftSec = Math.max(1, (market.closesAtMs - atMs) / 1000);
  const steps = distance / (SECOND_MOVE * Math.sqrt(leftSec));
  return PIPS_ONE / (1 + Math.exp(-BELL_SLOPE * steps));
}

/** With this slope the logistic curve is within a hundredth of the bell's. */
const BELL_SLOPE = 1.702;

function pair(first: number): readonly number[] {
  const pips = Math.round(Math.max(LEAST_PIPS, Math.min(MOST_PIPS, first)));
  return [pips, PIPS_ONE - pips];
}

function sharesOut(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const pips = weights.map((weight) => Math.floor((weight / total) * PIPS_ONE));
  const rest = PIPS_ONE - pips.reduce((sum, part) => sum + part, 0);
  return pips.map((part, index) => (index === 0 ? part + rest : part));
}
