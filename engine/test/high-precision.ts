// Real exponentials and logarithms to 320 bits by other methods than the engine's: the oracle of its error bounds.

/** Fractional bits of every number in this file. */
export const BITS = 320n;
const UNIT = 1n << BITS;

export function real(numerator: bigint, denominator: bigint): bigint {
  return (numerator << BITS) / denominator;
}

/** e^x for |x| below 200: integer part by powers of e, the rest by its plain Taylor series. */
export function realExp(x: bigint): bigint {
  const whole = x >> BITS;
  return multiply(powerOfE(whole), taylor(x - (whole << BITS)));
}

/** ln s for s > 0, by Halley's iteration on realExp from a guess of the right binary order. */
export function realLog(s: bigint): bigint {
  const order = BigInt(s.toString(2).length - 1) - BITS;
  let y = (order * UNIT * 693147n) / 1_000_000n;
  for (let i = 0; i < 12; i++) {
    const e = realExp(y);
    const step = (2n * (s - e) * UNIT) / (s + e);
    y += step;
    if (step > -16n && step < 16n) break;
  }
  return y;
}

/** b·ln Σe^(q/b) in µ with BITS fractional bits. */
export function realCost(q: readonly bigint[], b: bigint): bigint {
  const most = q.toSorted((a, c) => (a < c ? 1 : -1))[0] ?? 0n;
  const sum = q.reduce((total, value) => total + realWeight(value - most, b), 0n);
  return (most << BITS) + b * realLog(sum);
}

/** e^(difference/b), 0 when it is far below the last bit. */
export function realWeight(difference: bigint, b: bigint): bigint {
  return difference < -200n * b ? 0n : realExp(real(difference, b));
}

const E = taylor(UNIT);

function taylor(x: bigint): bigint {
  let term = UNIT;
  let sum = UNIT;
  for (let n = 1n; term !== 0n && n < 400n; n++) {
    term = (term * x) / (n * UNIT);
    sum += term;
  }
  return sum;
}

function powerOfE(exponent: bigint): bigint {
  const size = exponent < 0n ? -exponent : exponent;
  let result = UNIT;
  for (let i = 0n; i < size; i++) result = multiply(result, E);
  return exponent < 0n ? (UNIT * UNIT) / result : result;
}

function multiply(a: bigint, b: bigint): bigint {
  return (a * b) >> BITS;
}
