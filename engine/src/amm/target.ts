// Quantities at which a condition on prices holds, rounded down, and the whole lots that stay inside them.
// exact-file: every division here is of non-negative bigints and rounds down, as the definition says

import {
  floorDiv,
  LOT_MICRO,
  type Lots,
  lots,
  MAX_LOTS,
  PIPS_ONE,
  type Pips,
  pips,
} from '@sibyl/money';
import type { Side } from '../kit/identity.ts';
import { weightRelativeTo } from './cost.ts';
import { estimateLog, logOfPips } from './estimate.ts';
import { lnRatio, logit, ONE } from './fixed-point.ts';
import type { Group } from './group.ts';
import type { PoolView } from './view.ts';

/** The quantity of the outcome at which its price is `price`, all others standing still. */
export function targetAtPrice(view: PoolView, outcome: number, price: Pips): bigint {
  if (view.outcomes === 2) return view.q(1 - outcome) + ((view.b * logit(price)) >> 96n);
  return targetOfGroup(view, view.rest(outcome), price, PIPS_ONE - price);
}

/** floor(b·(lnRatio(numerator, denominator) + ln Σ)), in pips, over the group and, if given, one outcome more at `extra`. */
export function targetOfGroup(
  view: PoolView,
  group: Group,
  numerator: number,
  denominator: number,
  extra?: bigint,
): bigint {
  const { reference, log } = group.estimatedLog(extra);
  const offset = logOfPips(numerator) - logOfPips(denominator);
  const decided = view.decideTarget(reference, log + offset);
  if (decided !== undefined) return decided;
  const defined = group.definedLog(extra);
  const whole = lnRatio(BigInt(numerator), BigInt(denominator)) + defined.log;
  return defined.reference + floorDiv(view.b * whole, ONE);
}

/** floor(b·ln X) for X = e^(level/b)·numerator/denominator less the group's weights; undefined if X is not positive. */
export function targetOfDifference(
  view: PoolView,
  level: bigint,
  numerator: bigint,
  denominator: bigint,
  group: Group,
): bigint | undefined {
  const scaled = (weight: bigint): bigint => (weight * numerator) / denominator;
  const own = view.weightAt(level);
  const near = decideDifference(view, view.reference, scaled(own) - group.sum, own + group.sum);
  if (near !== UNDECIDED) return near;
  // Weights too small or too large for the view's reference are estimated from the largest of them.
  const most = level > group.most ? level : group.most;
  const [one, sum] = [view.weightFrom(most, level), group.estimatedSum(most)];
  const decided = decideDifference(view, most, scaled(one) - sum, one + sum);
  if (decided !== UNDECIDED) return decided;
  const defined = scaled(weightRelativeTo(level, view.b, most)) - group.definedSum(most);
  return defined <= 0n ? undefined : most + floorDiv(view.b * lnRatio(defined, ONE), ONE);
}

/** Guards of 1 and 2 µ-shares keep a target that was rounded down from being overstepped on either side. */
export function lotsWithin(q: bigint, target: bigint, side: Side): Lots {
  return wholeLots(side === 'buy' ? target - 1n - q : q - target - 2n);
}

/** Whole lots in so many µ-shares, 0 if negative; no order is larger than MAX_LOTS. */
export function wholeLots(shares: bigint): Lots {
  if (shares < LOT_MICRO) return lots(0);
  const whole = shares / LOT_MICRO;
  // exact: at most MAX_LOTS
  return lots(whole > LOTS_CEILING ? MAX_LOTS : Number(whole));
}

/** The band of the pool: a buy may end at 9999 pips, a sell at 1. */
export function banded(price: Pips): Pips {
  if (price < 1) return pips(1);
  return price >= PIPS_ONE ? pips(PIPS_ONE - 1) : price;
}

const LOTS_CEILING = BigInt(MAX_LOTS);

const UNDECIDED = Symbol('undecided');

/**
 * reference + floor(b·ln difference), or undefined if that is negative, where the error leaves no doubt. By definition
 * the difference is off by at most 2^15 units of 2^-96 of the largest weight, here by less; `size` is what was compared.
 */
function decideDifference(
  view: PoolView,
  reference: bigint,
  difference: bigint,
  size: bigint,
): bigint | undefined | typeof UNDECIDED {
  const error = (size >> 80n) + (1n << 20n);
  if (difference < -error) return undefined;
  if (difference <= 2n * error) return UNDECIDED;
  const log = estimateLog(difference);
  if (log === undefined) return UNDECIDED;
  const relativeError = (error << 129n) / difference + 1n;
  return view.decideTarget(reference, log, relativeError) ?? UNDECIDED;
}
