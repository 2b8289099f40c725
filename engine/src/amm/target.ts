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
import type { Side } from '../identity.ts';
import { largest, sumRelativeTo, targetOf, weightRelativeTo } from './cost.ts';
import { estimateLog } from './estimate.ts';
import { lnRatio, logit, ONE } from './fixed-point.ts';
import type { PoolView } from './view.ts';

/** The quantity of the outcome at which its price is `price`, all others standing still. */
export function targetAtPrice(view: PoolView, outcome: number, price: Pips): bigint {
  const offset = logit(price);
  if (view.outcomes === 2) return view.q(1 - outcome) + ((view.b * offset) >> 96n);
  const rest = view.restLog(outcome);
  const decided = view.decideTarget(rest === undefined ? undefined : rest + (offset << 32n));
  return decided ?? targetOf(othersOf(view, outcome), view.b, offset);
}

/** Some outcomes of a view, with the sum of their cached weights. */
export interface Group {
  readonly outcomes: readonly number[];
  readonly sum: bigint;
}

/** floor(b·(offset + ln Σ)) over the group and, if given, one outcome more at quantity `extra`. */
export function targetOfGroup(
  view: PoolView,
  group: Group,
  offset: bigint,
  extra?: bigint,
): bigint {
  const sum = extra === undefined ? group.sum : group.sum + view.weightAt(extra);
  const log = estimateLog(sum);
  const decided = view.decideTarget(log === undefined ? undefined : log + (offset << 32n));
  if (decided !== undefined) return decided;
  const q = group.outcomes.map((outcome) => view.q(outcome));
  return targetOf(extra === undefined ? q : [...q, extra], view.b, offset);
}

/** floor(b·ln X) for X = e^(level/b)·numerator/denominator less the group's weights; undefined if X is not positive. */
export function targetOfDifference(
  view: PoolView,
  level: bigint,
  numerator: bigint,
  denominator: bigint,
  group: Group,
): bigint | undefined {
  const own = view.weightAt(level);
  const difference = (own * numerator) / denominator - group.sum;
  const error = ((own + group.sum) >> 80n) + (1n << 20n);
  if (difference < -error) return undefined;
  if (difference > 2n * error) {
    const relativeError = (error << 129n) / difference + 1n;
    const decided = view.decideTarget(estimateLog(difference), relativeError);
    if (decided !== undefined) return decided;
  }
  return definedDifference(view, level, numerator, denominator, group.outcomes);
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

/** What targetOfDifference means, to the last bit; its error there is at most 2^15 units of 2^-96 of the largest weight. */
function definedDifference(
  view: PoolView,
  level: bigint,
  numerator: bigint,
  denominator: bigint,
  group: readonly number[],
): bigint | undefined {
  const q = group.map((outcome) => view.q(outcome));
  const most = largest([level, ...q]);
  const scaled = (weightRelativeTo(level, view.b, most) * numerator) / denominator;
  const difference = scaled - sumRelativeTo(q, view.b, most);
  if (difference <= 0n) return undefined;
  return most + floorDiv(view.b * lnRatio(difference, ONE), ONE);
}

function othersOf(view: PoolView, outcome: number): readonly bigint[] {
  return view.quantities().filter((_, index) => index !== outcome);
}
