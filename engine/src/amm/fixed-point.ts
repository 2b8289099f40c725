// Exponential and logarithm as integer recipes: the same bits on every machine, within one unit of 2^-96.
// exact-file: every division here is of non-negative bigints and rounds down, as the definition says

import { PIPS_ONE, type Pips } from '@sibyl/money';
import { assert } from '../kit/assert.ts';

/** 1 as a fixed-point number; arguments and results of this file carry 96 fractional bits. */
export const ONE = 1n << 96n;

/** e^-x. */
export function expNegative(x: bigint): bigint {
  assert(x >= 0n, 'expNegative needs a non-negative argument');
  const wide = x << 32n;
  const halvings = wide / LN2;
  if (halvings >= 97n) return 0n;
  const r = (wide - halvings * LN2) >> 8n;
  let term = WIDE_ONE;
  let sum = WIDE_ONE;
  for (let n = 1n; n <= 12n; n++) {
    term = ((term * r) >> 128n) / n;
    sum = n % 2n === 1n ? sum - term : sum + term;
  }
  for (let i = 0; i < 8; i++) sum = (sum * sum) >> 128n;
  return (sum >> halvings) >> 32n;
}

/** ln s, for s of at least 1. */
export function naturalLog(s: bigint): bigint {
  assert(s >= ONE, 'naturalLog needs an argument of at least 1');
  const doublings = bitLength(s) - 97n;
  let mantissa = (s << 32n) >> doublings;
  let log = doublings * LN2;
  for (const [bound, multiplier, divisor, logRatio] of REDUCTIONS) {
    while (mantissa >= bound) {
      mantissa = (mantissa * multiplier) / divisor;
      log += logRatio;
    }
  }
  const z = ((mantissa - WIDE_ONE) << 128n) / (mantissa + WIDE_ONE);
  const square = (z * z) >> 128n;
  let series = 0n;
  let power = z;
  for (let n = 1n; power !== 0n; n += 2n) {
    series += power / n;
    power = (power * square) >> 128n;
  }
  return (log + 2n * series) >> 32n;
}

/** ln(numerator/denominator), odd in the exchange of both. */
export function lnRatio(numerator: bigint, denominator: bigint): bigint {
  assert(numerator > 0n, 'lnRatio needs a positive numerator');
  assert(denominator > 0n, 'lnRatio needs a positive denominator');
  return numerator >= denominator
    ? naturalLog((numerator << 96n) / denominator)
    : -naturalLog((denominator << 96n) / numerator);
}

/** ln(t/(1-t)) of a price, computed once per price. */
export function logit(price: Pips): bigint {
  const known = LOGITS[price];
  if (known !== undefined) return known;
  assert(price >= 1 && price < PIPS_ONE, 'logit needs a price of 1 to 9999 pips');
  const value = lnRatio(BigInt(price), BigInt(PIPS_ONE - price));
  LOGITS[price] = value;
  return value;
}

/** Number of binary digits of a positive integer. */
export function bitLength(value: bigint): bigint {
  const hexDigits = value.toString(16);
  const lead = Number.parseInt(hexDigits[0] ?? '0', 16);
  const leadBits = lead >= 8 ? 4 : lead >= 4 ? 3 : lead >= 2 ? 2 : 1;
  return BigInt(4 * (hexDigits.length - 1) + leadBits);
}

/** ln 2 with 128 fractional bits, rounded down, as the four logarithms below. */
export const LN2 = 235865763225513294137944142764154484399n;

const WIDE_ONE = 1n << 128n;

/** [ratio with 128 fractional bits, and the multiplier and divisor that divide by it, its logarithm]. */
const REDUCTIONS: readonly (readonly [bigint, bigint, bigint, bigint])[] = [
  [(WIDE_ONE * 3n) / 2n, 2n, 3n, 137972626690900373465550041896316339718n],
  [(WIDE_ONE * 9n) / 8n, 8n, 9n, 40079490156287452793155941028478195037n],
  [(WIDE_ONE * 33n) / 32n, 32n, 33n, 10471052845206154668899740556495855534n],
  [(WIDE_ONE * 129n) / 128n, 128n, 129n, 2648125169333616391014156847561212626n],
];

const LOGITS: (bigint | undefined)[] = [];
