// Average prices of a market, from how long each price stood in its trading time (AV1).
import { at } from './pool.ts';

/** Prices that stood from one moment of the market's trading time to another. */
export interface PriceRun {
  readonly fromMs: number;
  readonly toMs: number;
  readonly prices: readonly bigint[];
}

export interface Average {
  /** Σ price · ms · slice of each outcome, in µ. */
  readonly sums: readonly bigint[];
  /** What a sum has to be divided by to give a price in µ. */
  readonly divisor: bigint;
}

/** Over the last `windowMs` of trading time; what the market has not traded of it counts at its opening prices. */
export function averageOf(
  runs: readonly PriceRun[],
  tradedMs: number,
  windowMs: number,
  sliceMs: number,
  opening: readonly bigint[],
): Average {
  const startMs = tradedMs - windowMs;
  const missingMs = BigInt(Math.max(0, -startMs));
  const slice = BigInt(sliceMs);
  const sums = opening.map((price) => price * missingMs * slice);
  for (const run of runs) {
    for (let fromMs = run.fromMs; fromMs < run.toMs; ) {
      const sliceStartMs = fromMs - (fromMs % sliceMs);
      const toMs = Math.min(run.toMs, sliceStartMs + sliceMs);
      const weight = BigInt(weightOf(sliceStartMs, sliceMs, startMs)) * BigInt(toMs - fromMs);
      for (let index = 0; index < sums.length; index += 1)
        sums[index] = at(sums, index) + at(run.prices, index) * weight;
      fromMs = toMs;
    }
  }
  return { sums, divisor: BigInt(windowMs) * slice };
}

/** Of a slice, how many milliseconds lie in the window: of one that the window cuts a part, of earlier ones nothing. */
function weightOf(sliceStartMs: number, sliceMs: number, startMs: number): number {
  return Math.max(0, Math.min(sliceMs, sliceStartMs + sliceMs - startMs));
}

/** What shares are worth at average prices, in µ. */
export function worthOf(shares: readonly bigint[], average: Average): bigint {
  let sum = 0n;
  for (let index = 0; index < shares.length; index += 1)
    sum += at(shares, index) * at(average.sums, index);
  return sum / (1_000_000n * average.divisor);
}
