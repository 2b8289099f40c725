// Cross legs of multi markets: how one outcome moves while resting orders hold the prices of others.

import { LOT_MICRO, type Lots, lots, MAX_LOTS, PIPS_ONE, type Pips } from '@sibyl/money';
import { assert, present } from '../kit/assert.ts';
import type { Side } from '../kit/identity.ts';
import { SUM_MAX } from './estimate.ts';
import { Group } from './group.ts';
import { compareWeight } from './price.ts';
import { banded, lotsWithin, targetOfDifference, targetOfGroup, wholeLots } from './target.ts';
import type { PoolView } from './view.ts';

/** The best order of another outcome: a bid while the taker buys, an ask while the taker sells. */
export interface Pin {
  readonly outcome: number;
  readonly price: Pips;
}

/** The taker's outcome with the pins that hold others; made from a view and void once that view moves. */
export interface Pinning {
  readonly outcome: number;
  readonly pins: readonly Pin[];
  /** One less the prices of all pins; positive. */
  readonly openPips: number;
  /** No other outcome is left to the pool: the price is flat at openPips and sets are minted or merged. */
  readonly allPinned: boolean;
  readonly unpinned: Group;
}

/**
 * Whether the pool's price has met the order. Legs are rounded to lots, which leaves held prices up to a lot off their
 * pin; hysteresis of two lots keeps outcomes from flipping in and out of the pins at every step. The odds are compared,
 * not the prices: near 1 a price hardly moves, and what looks like two lots there would be many.
 */
export function isPinned(
  view: PoolView,
  pin: Pin,
  side: Side,
  tolerance: 'hysteresis' | 'strict',
): boolean {
  const slack = tolerance === 'strict' ? 0n : 2n * LOT_MICRO;
  const scale = side === 'buy' ? view.b - slack : view.b + slack;
  const limit = view.b * BigInt(pin.price);
  const order = compareWeight(
    view,
    pin.outcome,
    scale * BigInt(PIPS_ONE - pin.price) + limit,
    limit,
  );
  return side === 'buy' ? order <= 0 : order >= 0;
}

/** Pins must leave the outcome a positive price: bids of others that sum to 1 or more cannot all be met. */
export function createPinning(view: PoolView, outcome: number, pins: readonly Pin[]): Pinning {
  let openPips = PIPS_ONE;
  let sum = view.sum - view.weight(outcome);
  const isHeld = new Array<boolean>(view.outcomes).fill(false);
  isHeld[outcome] = true;
  for (const pin of pins) {
    assert(isHeld[pin.outcome] === false, 'pins name distinct other outcomes');
    isHeld[pin.outcome] = true;
    openPips -= pin.price;
    sum -= view.weight(pin.outcome);
  }
  assert(openPips > 0, 'pins leave the outcome a positive price');
  const outcomes: number[] = [];
  for (let other = 0; other < view.outcomes; other++) if (!isHeld[other]) outcomes.push(other);
  const allPinned = outcomes.length === 0;
  return { outcome, pins, openPips, allPinned, unpinned: new Group(view, outcomes, sum) };
}

/** Lots whose ending marginal price still lies inside `price` while the pins hold; MAX_LOTS if it is never reached. */
export function lotsToPricePinned(view: PoolView, pinning: Pinning, price: Pips, side: Side): Lots {
  const t = banded(price);
  const open = pinning.openPips - t;
  if (pinning.allPinned) {
    const isInside = side === 'buy' ? open <= 0 : open >= 0;
    return lots(isInside ? MAX_LOTS : 0);
  }
  if (open <= 0) return lots(side === 'buy' ? MAX_LOTS : 0);
  const target = targetOfGroup(view, pinning.unpinned, t, open);
  return lotsWithin(view.q(pinning.outcome), target, side);
}

/**
 * The quantity of the taker's outcome at which `other`, holding otherQ, has the price `price`: the next pin with
 * otherQ as it is, or the end of a pinned order with otherQ moved by what is left of it.
 * Undefined if no quantity does: buying, that is already past; selling, it is never reached.
 */
export function targetAtPin(
  view: PoolView,
  pinning: Pinning,
  other: number,
  otherQ: bigint,
  price: Pips,
): bigint | undefined {
  assert(other !== pinning.outcome, 'a pin is another outcome');
  const open = BigInt(pinning.openPips);
  return targetOfDifference(view, otherQ, open, BigInt(price), pinning.unpinned);
}

/** Another outcome that meets an order once it holds `q` at the order's price; the weight is that of q in the view. */
export interface Meeting extends Pin {
  readonly q: bigint;
  readonly weight: bigint;
}

/**
 * Lots until the first of these meetings, at least 1; MAX_LOTS if there is none. The target of a meeting rises with
 * its weight per price, so only those are worked out that could be the first by it.
 */
export function lotsToMeeting(
  view: PoolView,
  pinning: Pinning,
  meetings: readonly Meeting[],
  side: Side,
  lotsOf = lotsOfMeeting,
): Lots {
  const scaled = scaledWeights(pinning, meetings);
  const limit = limitOf(scaled, pinning.unpinned.sum, side);
  let least = lots(MAX_LOTS);
  let known: Meeting | undefined;
  for (let i = 0; i < meetings.length; i++) {
    const meeting = present(meetings[i], 'meeting');
    if (isBeyond(present(scaled[i], 'weight'), limit, side)) continue;
    // Outcomes alike meet alike, and there may be many of them.
    if (known?.q === meeting.q && known.price === meeting.price) continue;
    known = meeting;
    const size = lotsOf(view, pinning, meeting, side);
    if (size < least) least = size;
  }
  return least;
}

/** Lots until the first of these outcomes would pass its price, none of which is passed; MAX_LOTS if none ever does. */
export function lotsInside(
  view: PoolView,
  pinning: Pinning,
  ends: readonly Meeting[],
  side: Side,
): Lots {
  return ends.length === 0 ? lots(MAX_LOTS) : lotsToMeeting(view, pinning, ends, side, lotsOfEnd);
}

/** Whole lots from the outcome's quantity to the target in the direction of the trade, 0 if it lies behind. */
export function lotsToTarget(view: PoolView, outcome: number, target: bigint, side: Side): Lots {
  const q = view.q(outcome);
  return wholeLots(side === 'buy' ? target - q : q - target);
}

/** Whole lots that reach the target or pass it by less than one; at least one, so that a walk always advances. */
export function lotsPastTarget(view: PoolView, outcome: number, target: bigint, side: Side): Lots {
  const q = view.q(outcome);
  const distance = side === 'buy' ? target - q : q - target;
  return distance <= LOT_MICRO ? lots(1) : wholeLots(distance + LOT_MICRO - 1n);
}

/** The quantity that holds the pinned outcome at its price once the taker's outcome is at outcomeQ. */
export function legTarget(view: PoolView, pinning: Pinning, outcomeQ: bigint, pin: Pin): bigint {
  return targetOfGroup(view, pinning.unpinned, pin.price, pinning.openPips, outcomeQ);
}

/** By meeting, its weight times the open price over its own; of a weight too large to be exact, less than that. */
function scaledWeights(pinning: Pinning, meetings: readonly Meeting[]): readonly bigint[] {
  const open = BigInt(pinning.openPips);
  return meetings.map(({ weight, price }) => {
    if (weight > SUM_MAX) return FAR;
    // exact: rounds down by less than a unit
    return (weight * open) / BigInt(price);
  });
}

/**
 * Meetings beyond it certainly come after the first, which has the least scaled weight while buying and the greatest
 * while selling. By estimate and by definition a scaled weight is off by less than 2^-76 of itself, 2^-82 of the rest and
 * 2^15 units; what the logarithm adds is less still. Undefined if a weight too large to be exact could be the first.
 */
function limitOf(scaled: readonly bigint[], rest: bigint, side: Side): bigint | undefined {
  let first = scaled[0];
  for (const one of scaled) {
    if (first === undefined || (side === 'buy' ? one < first : one > first)) first = one;
  }
  if (first === undefined || first >= FAR) return undefined;
  const margin = ((2n * first + rest) >> 71n) + (1n << 29n);
  return side === 'buy' ? first + margin : first - margin;
}

function isBeyond(scaled: bigint, limit: bigint | undefined, side: Side): boolean {
  if (limit === undefined) return false;
  return side === 'buy' ? scaled > limit : scaled < limit;
}

function lotsOfMeeting(view: PoolView, pinning: Pinning, meeting: Meeting, side: Side): Lots {
  const target = targetAtPin(view, pinning, meeting.outcome, meeting.q, meeting.price);
  if (target === undefined) return lots(side === 'buy' ? 1 : MAX_LOTS);
  return lotsPastTarget(view, pinning.outcome, target, side);
}

/** The guards are those of AM11. */
function lotsOfEnd(view: PoolView, pinning: Pinning, end: Meeting, side: Side): Lots {
  const { outcome } = pinning;
  const target = targetAtPin(view, pinning, end.outcome, end.q, end.price);
  if (target === undefined) return lots(side === 'buy' ? 0 : MAX_LOTS);
  return lotsToTarget(view, outcome, side === 'buy' ? target - 1n : target + 2n, side);
}

/** Below SUM_MAX times the least ratio of prices. */
const FAR = SUM_MAX >> 14n;
