// What a cancelled market pays for a share: the middle half of its prices over a window, as whole pips that sum to one.
import { at, shareOut } from './pool.ts';

/** Prices that count for so many milliseconds of a window. */
export interface Weighed {
  readonly ms: number;
  readonly prices: readonly bigint[];
}

/** The last `windowMs` of the given slices; the oldest one is cut by weight (VD4). */
export function lastOf<S extends Weighed>(slices: readonly S[], windowMs: number): S[] {
  const found: S[] = [];
  let leftMs = windowMs;
  for (const slice of [...slices].reverse()) {
    if (leftMs === 0) break;
    const ms = Math.min(slice.ms, leftMs);
    found.unshift({ ...slice, ms });
    leftMs -= ms;
  }
  return found;
}

/**
 * For each outcome, price times weight over the milliseconds in the middle half of all, when they are ordered by price
 * (VD5). Every millisecond is four quarters here, so that half of an odd number of them is whole.
 */
export function middleHalves(slices: readonly Weighed[], outcomes: number): bigint[] {
  const total = BigInt(slices.reduce((sum, { ms }) => sum + ms, 0));
  return Array.from({ length: outcomes }, (_, outcome) => {
    const ordered = slices
      .map(({ ms, prices }) => ({ quarters: 4n * BigInt(ms), price: at(prices, outcome) }))
      .sort((x, y) => (x.price < y.price ? -1 : x.price > y.price ? 1 : 0));
    let passed = 0n;
    let sum = 0n;
    for (const { quarters, price } of ordered) {
      const from = passed > total ? passed : total;
      passed += quarters;
      const to = passed < 3n * total ? passed : 3n * total;
      if (to > from) sum += price * (to - from);
    }
    return sum;
  });
}

/** Shares ten thousand pips out by weight; null when all that is not excluded weighs nothing (VD6). */
export function payoutBy(
  weights: readonly bigint[],
  excluded: readonly number[],
): readonly number[] | null {
  const kept = weights.map((weight, outcome) => (excluded.includes(outcome) ? 0n : weight));
  const total = kept.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return null;
  const scaled = kept.map((weight) => 10_000n * weight);
  const pips = shareOut(
    scaled.map((each) => each / total),
    scaled.map((each) => each % total),
    10_000n,
  );
  return pips.map(Number);
}
