// Integer division that always names its rounding, for operands of any sign.

import { assert } from './assert.ts';

export type Rounding = 'floor' | 'ceil' | 'half_even';

export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (rounding === 'floor') return floorDiv(numerator, denominator);
  if (rounding === 'ceil') return ceilDiv(numerator, denominator);
  return halfEvenDiv(numerator, denominator);
}

/** a·b/d. The product is formed before the division, so that nothing is lost twice. */
export function mulDiv(a: bigint, b: bigint, denominator: bigint, rounding: Rounding): bigint {
  return divide(a * b, denominator, rounding);
}

/** Toward minus infinity. Plain bigint `/` truncates toward zero and would favour the wrong side. */
export function floorDiv(numerator: bigint, denominator: bigint): bigint {
  assert(denominator !== 0n, 'division by zero');
  // exact: truncates towards zero; the remainder decides the rest
  const quotient = numerator / denominator;
  if (quotient * denominator === numerator) return quotient;
  return numerator < 0n === denominator < 0n ? quotient : quotient - 1n;
}

/** Toward plus infinity. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return -floorDiv(-numerator, denominator);
}

function halfEvenDiv(numerator: bigint, denominator: bigint): bigint {
  const floor = floorDiv(numerator, denominator);
  const twice = 2n * (numerator - floor * denominator);
  const order = denominator < 0n ? denominator - twice : twice - denominator;
  if (order > 0n) return floor + 1n;
  if (order < 0n) return floor;
  return floor % 2n === 0n ? floor : floor + 1n;
}
