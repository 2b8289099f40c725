// What a taker pays: the fee curve of FE1 and the builder's fee on top of it.
import { ceilDiv, floorDiv, type Lots, PIPS_ONE, type Pips } from '@sibyl/money';
import type { FeeParameters } from '../state/parameters.ts';

/** Rates are counted in 10⁻⁸; a basis point is 10⁴ of them. */
export const RATE_ONE = 100_000_000;
export const RATE_PER_BPS = 10_000;

/** For a fill of so many µ-shares at a cost, by the exact average price of the fill. */
export function takerFee(
  cost: bigint,
  shares: bigint,
  peakBps: number,
  parameters: FeeParameters,
): bigint {
  const floor = BigInt(parameters.takerFloorRate);
  const rise = BigInt(peakBps * RATE_PER_BPS) - floor;
  const rate = floor + floorDiv(rise * 4n * cost * (shares - cost), shares * shares);
  return ceilDiv(cost * rate, BigInt(RATE_ONE));
}

/** The same for a fill at a whole price, as a safe integer of µUSDT. */
export function takerFeeAtPrice(
  size: Lots,
  price: Pips,
  peakBps: number,
  parameters: FeeParameters,
): number {
  const cost = size * price;
  if (cost > COST_SAFE) return generalFee(size, price, peakBps, parameters);
  const product = cost * rateAtPrice(price, peakBps, parameters);
  // exact: the product is a safe integer and the quotient below 2³¹, corrected if it was rounded
  const quotient = (product / RATE_ONE) | 0;
  return quotient * RATE_ONE < product ? quotient + 1 : quotient;
}

/** The curve at a whole price. */
export function rateAtPrice(price: Pips, peakBps: number, parameters: FeeParameters): number {
  const floor = parameters.takerFloorRate;
  const product = 4 * (peakBps * RATE_PER_BPS - floor) * price * (PIPS_ONE - price);
  // exact: a safe integer below 2⁵³ over 10⁸: quotients lie at least 10⁻⁸ below the next integer, or on it
  return floor + ((product / RATE_ONE) | 0);
}

export function builderFee(cost: bigint, feeBps: number): bigint {
  return feeBps === 0 ? 0n : floorDiv(cost * BigInt(feeBps), BPS_ONE);
}

/** The same for a cost that is a safe integer. */
export function builderFeeSafe(cost: number, feeBps: number): number {
  if (feeBps === 0) return 0;
  return Number(builderFee(BigInt(cost), feeBps)); // exact: at most a hundredth of a safe integer
}

const BPS_ONE = 10_000n;

/** Up to here cost × rate is a safe integer: rates are at most 20 bps. */
const COST_SAFE = 40_000_000_000;

function generalFee(size: Lots, price: Pips, peakBps: number, parameters: FeeParameters): number {
  const fee = takerFee(BigInt(size * price), BigInt(size * PIPS_ONE), peakBps, parameters);
  return Number(fee); // exact: at most 20 bps of 10¹⁵
}
