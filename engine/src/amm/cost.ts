// The pool's cost function as defined, and the liquidity a deposit buys: slow, pure, the truth for every shortcut.
// exact-file: every division here is of non-negative bigints and rounds down, as the definition says

import { ceilDiv, floorDiv } from '@sibyl/money';
import { assert, present } from '../kit/assert.ts';
import { expNegative, lnRatio, naturalLog, ONE } from './fixed-point.ts';

export const OUTCOMES_MAX = 64;

/** Bounds of the liquidity b: 1 USDT to about 1.1 billion USDT; the error proof of the cost needs both. */
export const LIQUIDITY_MIN = 1_000_000n;
export const LIQUIDITY_MAX = 1n << 50n;

/** What a pool is made of at birth: liquidity b and the starting quantities. */
export interface PoolParameters {
  readonly b: bigint;
  readonly initial: readonly bigint[];
}

/**
 * Micro-USDT the pool has collected at q: m + ceil((b·L + 2^64)/2^96), an upper bound of b·ln Σe^(q/b)
 * that exceeds it by less than 1 + 2^-31. Trades cost differences of it, so no sequence of them gains by rounding.
 */
export function costOf(q: readonly bigint[], b: bigint): bigint {
  const { reference, log } = logOf(q, b);
  return reference + ceilDiv(b * log + COST_GUARD, ONE);
}

/** A logarithm of a sum of weights e^((q - reference)/b). */
export interface RelativeLog {
  readonly reference: bigint;
  readonly log: bigint;
}

/** ln Σe^(q/b), relative to the largest. */
export function logOf(q: readonly bigint[], b: bigint): RelativeLog {
  const reference = largest(q);
  return { reference, log: naturalLog(sumRelativeTo(q, b, reference)) };
}

/** e^((q - most)/b), for any q up to `most`. */
export function weightRelativeTo(q: bigint, b: bigint, most: bigint): bigint {
  return expNegative(((most - q) << 96n) / b);
}

export function sumRelativeTo(q: readonly bigint[], b: bigint, most: bigint): bigint {
  let sum = 0n;
  for (const value of q) sum += weightRelativeTo(value, b, most);
  return sum;
}

/** Equal prices at birth. */
export function uniformParameters(deposit: bigint, outcomes: number): PoolParameters {
  assert(outcomes >= 2 && outcomes <= OUTCOMES_MAX, 'a market has 2 to 64 outcomes');
  const b = floorDiv((deposit - 1n) * ONE, naturalLog(BigInt(outcomes) * ONE) + 4n);
  return { b, initial: new Array<bigint>(outcomes).fill(0n) };
}

/** Prices at birth in proportion to positive integer weights. */
export function priorParameters(deposit: bigint, weights: readonly bigint[]): PoolParameters {
  assert(weights.length >= 2 && weights.length <= OUTCOMES_MAX, 'a market has 2 to 64 outcomes');
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const least = smallest(weights);
  assert(least > 0n, 'prior weights are positive');
  const b = floorDiv((deposit - 2n) * ONE, lnRatio(total, least) + 4n);
  return { b, initial: weights.map((weight) => floorDiv(b * lnRatio(weight, total), ONE)) };
}

/** The deposit covers the largest possible loss, so no inventory can ever become negative. */
export function isFunded(deposit: bigint, parameters: PoolParameters): boolean {
  return deposit >= costOf(parameters.initial, parameters.b) - smallest(parameters.initial);
}

export function largest(values: readonly bigint[]): bigint {
  let most = present(values[0], 'first value');
  for (const value of values) if (value > most) most = value;
  return most;
}

function smallest(values: readonly bigint[]): bigint {
  let least = present(values[0], 'first value');
  for (const value of values) if (value < least) least = value;
  return least;
}

/** 2^-32 µ in the numerator's unit: far above the error of the logarithm, so the cost stays an upper bound. */
const COST_GUARD = 1n << 64n;
