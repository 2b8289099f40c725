// Marginal prices: compared exactly, rounded to micro-USDT or pips, and displayed so that they sum to one.
// exact-file: every division here is of non-negative bigints and rounds down, as the definition says

import { divide, PIPS_ONE, type Pips, pips } from '@sibyl/money';
import { present } from '../kit/assert.ts';
import type { PoolView } from './view.ts';

/** The sign of the outcome's marginal price less `price`. */
export function comparePrice(view: PoolView, outcome: number, price: Pips): -1 | 0 | 1 {
  return compareWeight(view, outcome, BigInt(PIPS_ONE), BigInt(price));
}

/** The sign of p·numerator - denominator, for positive integers of any size. */
export function compareWeight(
  view: PoolView,
  outcome: number,
  numerator: bigint,
  denominator: bigint,
): -1 | 0 | 1 {
  const difference = numerator * view.weight(outcome) - denominator * view.sum;
  const error = (numerator + denominator) * weightError(view.sum);
  if (difference > error) return 1;
  if (difference < -error) return -1;
  const { weights, sum } = view.definedWeights();
  const defined = numerator * at(weights, outcome) - denominator * sum;
  return defined > 0n ? 1 : defined < 0n ? -1 : 0;
}

/** The marginal price in micro-USDT, rounded down. */
export function marginalMicro(view: PoolView, outcome: number): bigint {
  const estimated = share(view.weight(outcome), view.sum);
  if (isCertain(estimated, view.sum)) return estimated.floor;
  const { weights, sum } = view.definedWeights();
  return share(at(weights, outcome), sum).floor;
}

/** The marginal price to the nearest pip, ties to even, inside 1 to 9999. */
export function marginalPips(view: PoolView, outcome: number): Pips {
  // exact: at most 10,000
  const nearest = Number(divide(marginalMicro(view, outcome), MICRO_PER_PIP, 'half_even'));
  return pips(nearest < 1 ? 1 : nearest >= PIPS_ONE ? PIPS_ONE - 1 : nearest);
}

/** All marginal prices in micro-USDT: rounded down, then topped up by largest remainder to sum to exactly 1000000. */
export function displayedPrices(view: PoolView): readonly bigint[] {
  return view.displayed(workOutPrices);
}

interface Share {
  readonly floor: bigint;
  readonly remainder: bigint;
}

const MICRO_ONE = 1_000_000n;
const MICRO_PER_PIP = 100n;

function workOutPrices(view: PoolView): readonly bigint[] {
  if (view.outcomes === 2) return displayedPair(view);
  const shares = view.quantities().map((_, outcome) => share(view.weight(outcome), view.sum));
  if (shares.every((one) => isCertain(one, view.sum))) {
    const certain = apportion(view, shares, 4n * MICRO_ONE * weightError(view.sum));
    if (certain !== undefined) return certain;
  }
  const { weights, sum } = view.definedWeights();
  const defined = weights.map((weight) => share(weight, sum));
  return present(apportion(view, defined, -1n), 'prices by definition');
}

/** With two outcomes the largest remainder is rounding to the nearest, and only near one half can there be doubt. */
function displayedPair(view: PoolView): readonly bigint[] {
  const doubled = 2n * MICRO_ONE * view.weight(0) + view.sum;
  const nearest = doubled / (2n * view.sum);
  const remainder = doubled - nearest * 2n * view.sum;
  const error = 4n * MICRO_ONE * weightError(view.sum);
  if (remainder > error && remainder < 2n * view.sum - error) {
    return [nearest, MICRO_ONE - nearest];
  }
  const { weights, sum } = view.definedWeights();
  const defined = (2n * MICRO_ONE * at(weights, 0) + sum) / (2n * sum);
  return [defined, MICRO_ONE - defined];
}

function share(weight: bigint, sum: bigint): Share {
  const scaled = weight * MICRO_ONE;
  const floor = scaled / sum;
  return { floor, remainder: scaled - floor * sum };
}

/** More than an estimated weight and the defined one, or 1/64 of their sums, can differ, at the estimate's scale. */
function weightError(sum: bigint): bigint {
  return ((sum >> 96n) + 4n) * 256n;
}

/** A remainder too near 0 or 1 could belong to the next integer; only zero has no integer below. */
function isCertain({ floor, remainder }: Share, sum: bigint): boolean {
  const error = 2n * MICRO_ONE * weightError(sum);
  return remainder < sum - error && (remainder > error || floor === 0n);
}

/**
 * Hands the missing micro-units to the largest remainders, ties to the lower outcome. Undefined if the last to
 * receive and the first not to are nearer than `error`; equal quantities are equal by definition and no such doubt.
 */
function apportion(
  view: PoolView,
  shares: readonly Share[],
  error: bigint,
): readonly bigint[] | undefined {
  const prices = shares.map((one) => one.floor);
  // exact: fewer than there are outcomes
  const missing = Number(MICRO_ONE - prices.reduce((sum, price) => sum + price, 0n));
  if (missing === 0) return prices;
  const order = shares.map((_, outcome) => outcome);
  order.sort((a, b) => compareRemainders(at(shares, a), at(shares, b)) || a - b);
  const last = at(order, missing - 1);
  const next = at(order, missing);
  if (!isSeparated(view, shares, last, next, error)) return undefined;
  for (const outcome of order.slice(0, missing)) prices[outcome] = at(prices, outcome) + 1n;
  return prices;
}

function compareRemainders(a: Share, b: Share): number {
  return a.remainder > b.remainder ? -1 : a.remainder < b.remainder ? 1 : 0;
}

function isSeparated(
  view: PoolView,
  shares: readonly Share[],
  last: number,
  next: number,
  error: bigint,
): boolean {
  const bound = at(shares, last).remainder;
  if (bound - at(shares, next).remainder > error) return true;
  if (view.q(last) !== view.q(next)) return false;
  return shares.every(({ remainder }, outcome) => {
    const distance = remainder > bound ? remainder - bound : bound - remainder;
    return distance > error || view.q(outcome) === view.q(last);
  });
}

function at<T>(values: readonly T[], index: number): T {
  return present(values[index], 'element');
}
