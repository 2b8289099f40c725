// A faster exponential and logarithm with proven error, used only where the error cannot change an integer answer.
// exact-file: every division here is of non-negative bigints and rounds down, as the definition says
//
// An answer of the pool is floor or ceil of b·L for a logarithm L that `cost.ts` and `fixed-point.ts` define to the
// last bit. Here L is found another way, in a tenth of the time, off by at most LOG_ERROR. When both ends of that
// interval round to the same integer, the definition rounds to it too; otherwise the caller asks the definition.
// So no result depends on which path was taken, nor on what was cached before.

import { PIPS_ONE } from '@sibyl/money';
import { assert, present } from '../kit/assert.ts';
import { LN2, lnRatio } from './fixed-point.ts';

/** 1 in this file's numbers, which carry 128 fractional bits. */
export const WIDE_ONE = 1n << 128n;

/**
 * 2^-84, above the sum of all errors: 2^-89 in the definition, 2^-91 here (see weight and estimateLog), and 2^-91 of a
 * ratio of prices by logOfPips.
 */
export const LOG_ERROR = 1n << 44n;

/** A sum of weights outside these bounds is no longer precise enough, or too large, to be estimated from. */
export const SUM_MIN = 1n << 100n;
export const SUM_MAX = 1n << 168n;

const WEIGHT_BEYOND = 1n << 200n;

/** What `weight` multiplies a difference of quantities by: 1/(b·ln 2) with 192 fractional bits. */
export function exponentFactor(b: bigint): bigint {
  return (1n << 320n) / (b * LN2);
}

/**
 * e^(difference/b), within 2^-100 of itself plus two units. Beyond 2^72 a placeholder above SUM_MAX stands for it,
 * which no estimate accepts: the true number could be longer than memory.
 */
export function weight(difference: bigint, factor: bigint): bigint {
  const exponent = (difference * factor) >> 64n;
  const doublings = exponent >> 128n;
  if (doublings < -129n) return 0n;
  if (doublings > 72n) return WEIGHT_BEYOND;
  const fraction = BigInt.asUintN(128, exponent);
  // exact: 24 bits
  const top = Number(fraction >> 104n);
  const u = (BigInt.asUintN(104, fraction) * LN2) >> 128n;
  const square = (u * u) >> 128n;
  const tail = WIDE_ONE + u + (square >> 1n) + ((square * u) >> 128n) / 6n;
  const power = (entry(POWERS_12, top >>> 12) * entry(POWERS_24, top & 4095)) >> 128n;
  const mantissa = (power * tail) >> 128n;
  return doublings >= 0n ? mantissa << doublings : mantissa >> -doublings;
}

/** ln(sum) within 2^-93 for an exact sum between SUM_MIN and SUM_MAX; the sum's own error comes on top. */
export function estimateLog(sum: bigint): bigint | undefined {
  if (sum < SUM_MIN || sum > SUM_MAX) return undefined;
  const doublings = floorLog2(sum);
  const mantissa = doublings >= 0 ? sum >> BigInt(doublings) : sum << BigInt(-doublings);
  // exact: nine bits
  const step = Number(mantissa >> 120n) - 256;
  const coarse = COARSE[step] ?? fillCoarse(step);
  const nearer = (mantissa * coarse.reciprocal) >> 16n;
  // exact: a table index
  const index = Number((nearer - FINE_START) >> 110n);
  const fine = FINE[index] ?? fillFine(index);
  const w = ((nearer * fine.reciprocal) >> 32n) - WIDE_ONE;
  const square = (w * w) >> 128n;
  const cube = (square * w) >> 128n;
  const series = w - (square >> 1n) + cube / 3n - ((square * square) >> 130n);
  return BigInt(doublings) * LN2 + coarse.log + fine.log + series;
}

/** ln of a whole number of pips up to one, computed once each: spares a logarithm for every pair of prices. */
export function logOfPips(value: number): bigint {
  const known = LOGS[value];
  if (known !== undefined) return known;
  assert(value >= 1 && value <= PIPS_ONE, 'logOfPips needs 1 to 10000 pips');
  const log = present(estimateLog(BigInt(value) << 128n), 'logarithm inside the bounds');
  LOGS[value] = log;
  return log;
}

/** 2^(i/2^12) and 2^(i/2^24) for the first and the second twelve bits of a binary exponent. */
const POWERS_12 = powersOf(rootOfTwo(12));
const POWERS_24 = powersOf(rootOfTwo(24));

interface Reduction {
  /** Multiplying by it brings the argument near 1. */
  readonly reciprocal: bigint;
  /** What the multiplication takes away from the logarithm. */
  readonly log: bigint;
}

const LOGS: (bigint | undefined)[] = [];
const COARSE: (Reduction | undefined)[] = [];
const FINE: (Reduction | undefined)[] = [];

/** After the coarse step the argument lies within 2^-8 of 1; the fine table starts there, in steps of 2^-18. */
const FINE_START = WIDE_ONE - (1n << 120n);

function entry(powers: readonly bigint[], index: number): bigint {
  return powers[index] ?? WIDE_ONE;
}

/** 2^(1/2^depth) with 192 fractional bits. */
function rootOfTwo(depth: number): bigint {
  let root = 2n << 192n;
  for (let i = 0; i < depth; i++) root = squareRoot(root << 192n);
  return root;
}

function powersOf(root: bigint): readonly bigint[] {
  const powers: bigint[] = [];
  for (let value = 1n << 192n; powers.length < 4096; value = (value * root) >> 192n) {
    powers.push(value >> 64n);
  }
  return powers;
}

function squareRoot(value: bigint): bigint {
  let guess = 1n << 200n;
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** floor(log2(sum/2^128)), counted in plain integers because sums are mostly between 1 and 64. */
function floorLog2(sum: bigint): number {
  const whole = sum >> 128n;
  // exact: at most 32 bits, and halving a double loses none
  let rest = Number(whole > 0n ? whole : sum >> 96n);
  let exponent = whole > 0n ? 0 : -32;
  while (rest >= 2) {
    rest /= 2;
    exponent++;
  }
  return exponent;
}

/** Reciprocal of the middle of [1 + i/256, 1 + (i+1)/256) in 16 fractional bits. */
function fillCoarse(index: number): Reduction {
  const reciprocal = (512n << 16n) / BigInt(513 + 2 * index);
  const filled = { reciprocal, log: lnRatio(1n << 16n, reciprocal) << 32n };
  COARSE[index] = filled;
  return filled;
}

/** Reciprocal of the middle of the index-th step of 2^-18 above 1 - 2^-8 in 32 fractional bits. */
function fillFine(index: number): Reduction {
  const middle = (1n << 19n) - (1n << 11n) + BigInt(2 * index + 1);
  const reciprocal = (1n << 51n) / middle;
  const filled = { reciprocal, log: lnRatio(1n << 32n, reciprocal) << 32n };
  FINE[index] = filled;
  return filled;
}
