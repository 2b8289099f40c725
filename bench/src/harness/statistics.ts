// The few statistics that the reports use.
import type { Measurement } from '../suite.ts';

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('no samples to take a median of');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median =
    sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted[sorted.length - 1]! };
}

/** The smallest value that at least the given share of the sorted values does not exceed. */
export function percentile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) throw new Error('no samples to take a percentile of');
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
}

/** One sample of several that were taken in turn with those of others: the mean of each of its fields. */
export function meanOf(turns: readonly Measurement[]): Measurement {
  const [first] = turns;
  if (first === undefined) throw new Error('no turns to take a mean of');
  const means: Record<string, number> = {};
  for (const key of Object.keys(first)) {
    means[key] = turns.reduce((sum, turn) => sum + (turn[key] ?? Number.NaN), 0) / turns.length;
  }
  return means;
}
