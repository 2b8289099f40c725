// Fixed-point exp and ln of the reference, written term by term from the design and sharing nothing with the engine.

/** 1.0 at 2⁻⁹⁶. */
export const ONE = 1n << 96n;
const WIDE_ONE = 1n << 128n;
const LN2 = 235865763225513294137944142764154484399n;

/** The four steps by which a mantissa is brought close to one: numerator, denominator, ln of the ratio at 2⁻¹²⁸. */
const RATIOS: readonly (readonly [bigint, bigint, bigint])[] = [
  [3n, 2n, 137972626690900373465550041896316339718n],
  [9n, 8n, 40079490156287452793155941028478195037n],
  [33n, 32n, 10471052845206154668899740556495855534n],
  [129n, 128n, 2648125169333616391014156847561212626n],
];

const remembered = new Map<bigint, bigint>();

/** e^(−x) for x ≥ 0, both at 2⁻⁹⁶; remembered, because a market of 64 outcomes asks for the same ones again. */
export function expNeg(x: bigint): bigint {
  const known = remembered.get(x);
  if (known !== undefined) return known;
  if (remembered.size > 20_000) remembered.clear();
  const value = seriesExpNeg(x);
  remembered.set(x, value);
  return value;
}

function seriesExpNeg(x: bigint): bigint {
  const wide = x << 32n;
  const k = wide / LN2;
  if (k >= 97n) return 0n;
  const r = (wide % LN2) >> 8n;
  let term = WIDE_ONE;
  let sum = WIDE_ONE;
  for (let n = 1n; n <= 12n; n += 1n) {
    term = ((term * r) >> 128n) / n;
    sum = n % 2n === 1n ? sum - term : sum + term;
  }
  for (let squaring = 0; squaring < 8; squaring += 1) sum = (sum * sum) >> 128n;
  return (sum >> k) >> 32n;
}

/** ln(s) for s ≥ 1, both at 2⁻⁹⁶. */
export function ln(s: bigint): bigint {
  if (s < ONE) throw new Error(`ln of ${s}, which is below one`);
  const k = BigInt(s.toString(2).length) - 97n;
  let m = (s << 32n) >> k;
  let total = k * LN2;
  for (const [numerator, denominator, logarithm] of RATIOS) {
    while (m * denominator >= numerator * WIDE_ONE) {
      m = (m * denominator) / numerator;
      total += logarithm;
    }
  }
  const z = ((m - WIDE_ONE) << 128n) / (m + WIDE_ONE);
  let power = z;
  let series = 0n;
  for (let divisor = 1n; power > 0n; divisor += 2n) {
    series += power / divisor;
    power = (((power * z) >> 128n) * z) >> 128n;
  }
  return (total + 2n * series) >> 32n;
}

/** ln(numerator / denominator); a ratio below one is turned over. */
export function lnRatio(numerator: bigint, denominator: bigint): bigint {
  return numerator >= denominator
    ? ln((numerator << 96n) / denominator)
    : -ln((denominator << 96n) / numerator);
}

/** ln(t / (1 − t)) of a price in pips. */
export function logit(pips: bigint): bigint {
  return lnRatio(pips, 10000n - pips);
}

export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

export function ceilDiv(a: bigint, b: bigint): bigint {
  return -floorDiv(-a, b);
}
