// The maker quality score: what a maker's orders are worth at one mark, and over the window of marks.
import { floorDiv, type Lots, sharesOf } from '@sibyl/money';
import { OUTCOMES_MAX } from '../amm/cost.ts';
import type { QualityRun } from '../state/holding.ts';
import type { QualityParameters } from '../state/parameters.ts';

const QUALITY_MAX = 10_000;

/** Points of one order in micro-shares: its size, falling quadratically to nothing at the greatest distance. */
export function orderPoints(
  size: Lots,
  distancePips: number,
  parameters: QualityParameters,
): number {
  const reach = parameters.distanceMaxPips;
  if (distancePips >= reach) return 0;
  const nearness = reach - distancePips;
  const weighted = size * MICRO_PER_LOT * nearness * nearness;
  const whole = reach * reach;
  if (Number.isSafeInteger(weighted)) return wholePart(weighted, whole);
  // exact: no more than the size itself, which is a safe integer
  return Number(floorDiv(sharesOf(size) * BigInt(nearness * nearness), BigInt(whole)));
}

/**
 * One side's points beyond which none matters: a third of them, divided among as many outcomes as a market can have,
 * still reaches the target. Sums that stop here are small numbers.
 */
export function enoughPoints(parameters: QualityParameters): number {
  return 3 * OUTCOMES_MAX * parameters.targetLots * MICRO_PER_LOT;
}

/** Both sides count: the weaker one, or in the middle of the price range a third of the stronger. */
export function twoSided(bid: number, ask: number, midPips: number): number {
  const weaker = bid < ask ? bid : ask;
  if (midPips < MIDDLE_MIN || midPips > MIDDLE_MAX) return weaker;
  const third = wholePart(bid < ask ? ask : bid, 3);
  return weaker > third ? weaker : third;
}

/** The score of one mark, 0 to 10000: points averaged over the outcomes, against the target size. */
export function markScore(points: number, outcomes: number, parameters: QualityParameters): number {
  const average = outcomes > 2 ? wholePart(points, outcomes) : points;
  const target = parameters.targetLots * MICRO_PER_LOT;
  return average >= target ? QUALITY_MAX : wholePart(average * QUALITY_MAX, target);
}

/** Of a safe integer divided by another, neither below zero. The remainder of large numbers takes a library call: seldom needed. */
export function wholePart(dividend: number, divisor: number): number {
  const quotient = dividend / divisor; // exact: what it is rounded to is put right below, or not used
  if (quotient >= WORD) return (dividend - (dividend % divisor)) / divisor; // exact: the remainder was taken off
  const whole = quotient | 0;
  return whole * divisor > dividend ? whole - 1 : whole;
}

/** Below it a number is cut to an integer by `| 0`. */
const WORD = 2_147_483_648;

/** Notes the score of a mark; marks without one are left out and count as zero. */
export function noteScore(runs: QualityRun[], mark: number, score: number): void {
  if (score === 0) return;
  const last = runs.at(-1);
  if (last !== undefined && last.score === score && last.from + last.count === mark) {
    last.count += 1;
  } else {
    runs.push({ from: mark, count: 1, score });
  }
}

/** The average score of the window ending at the mark; runs that have left it are dropped. */
export function windowQuality(
  runs: QualityRun[],
  mark: number,
  parameters: QualityParameters,
): number {
  const { windowSamples, windowSamplesMin } = parameters;
  const first = mark - windowSamples + 1;
  while (runs.length > 0 && runs[0]!.from + runs[0]!.count <= first) runs.shift();
  let sum = 0;
  for (const run of runs) {
    const skipped = run.from < first ? first - run.from : 0;
    sum += run.score * (run.count - skipped);
  }
  const lived = mark < windowSamplesMin ? windowSamplesMin : mark;
  const marks = lived < windowSamples ? lived : windowSamples;
  return wholePart(sum, marks);
}

const MICRO_PER_LOT = 10_000;
const MIDDLE_MIN = 1000;
const MIDDLE_MAX = 9000;
