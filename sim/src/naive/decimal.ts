// Exact decimals of scalar bounds, strikes and readings.

/** A decimal as numerator over a power of ten. */
export interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

/** Text of at most 40 characters, digits with up to 18 places, or a whole number; else null. */
export function decimalOf(value: unknown): Decimal | null {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { units: BigInt(value), places: 0 } : null;
  }
  if (typeof value !== 'string' || value.length > 40) return null;
  const match = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(value);
  if (match === null) return null;
  const fraction = match[3] ?? '';
  const units = BigInt(`${match[2]}${fraction}`);
  return { units: match[1] === '-' ? -units : units, places: fraction.length };
}

/** Both at the same number of places. */
export function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  const places = Math.max(a.places, b.places);
  return [a.units * 10n ** BigInt(places - a.places), b.units * 10n ** BigInt(places - b.places)];
}

export function isLess(a: Decimal, b: Decimal): boolean {
  const [x, y] = aligned(a, b);
  return x < y;
}

/** Long's pips: where the value lies between the bounds, floored and clamped. */
export function longPips(value: Decimal, lower: Decimal, upper: Decimal): number {
  const places = Math.max(value.places, lower.places, upper.places);
  const scale = (decimal: Decimal): bigint =>
    decimal.units * 10n ** BigInt(places - decimal.places);
  const above = scale(value) - scale(lower);
  const width = scale(upper) - scale(lower);
  if (above <= 0n) return 0;
  if (above >= width) return 10000;
  return Number((above * 10000n) / width);
}
