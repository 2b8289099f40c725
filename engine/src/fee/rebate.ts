// What a maker is paid back of the taker's fee, by the quality of its quotes (FE3).
import { floorDiv } from '@sibyl/money';
import { assert } from '../kit/assert.ts';
import type { FeeParameters } from '../state/parameters.ts';
import { RATE_ONE, RATE_PER_BPS } from './taker.ts';

/** Largest quality score. */
const QUALITY_ONE = 10_000;

/** `base` is the taker's cost of the fill: the maker's own could earn more than the fee collected. */
export function rebateOf(
  base: bigint,
  quality: number,
  topBps: number,
  parameters: FeeParameters,
): bigint {
  if (!parameters.rebatesPaid) return 0n;
  return floorDiv(base * BigInt(rebateRate(quality, topBps, parameters)), BigInt(RATE_ONE));
}

/** The same for a base that is a safe integer. */
export function rebateOfSafe(
  base: number,
  quality: number,
  topBps: number,
  parameters: FeeParameters,
): number {
  if (!parameters.rebatesPaid) return 0;
  // exact: at most 8 bps of a safe integer
  if (base > BASE_SAFE) return Number(rebateOf(BigInt(base), quality, topBps, parameters));
  const product = base * rebateRate(quality, topBps, parameters);
  // exact: the product is a safe integer and the quotient below 2³¹, corrected if it was rounded
  const quotient = (product / RATE_ONE) | 0;
  return quotient * RATE_ONE > product ? quotient - 1 : quotient;
}

/** Up to here base × rate is a safe integer: rebates are at most 8 bps. */
const BASE_SAFE = 100_000_000_000;

function rebateRate(quality: number, topBps: number, parameters: FeeParameters): number {
  assert(quality >= 0 && quality <= QUALITY_ONE, 'quality within 0 and 10000');
  const floor = parameters.rebateFloorRate;
  const product = (topBps * RATE_PER_BPS - floor) * quality;
  // exact: a safe integer over 10⁴: quotients lie at least 10⁻⁴ below the next integer, or on it
  return floor + ((product / QUALITY_ONE) | 0);
}
