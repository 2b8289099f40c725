// Cross legs of multi markets: how one outcome moves while resting orders hold the prices of others.

import { LOT_MICRO, type Lots, lots, MAX_LOTS, PIPS_ONE, type Pips } from '@sibyl/money';
import { assert } from '../assert.ts';
import type { Side } from '../identity.ts';
import { lnRatio } from './fixed-point.ts';
import { compareWeight } from './price.ts';
import {
  banded,
  type Group,
  lotsWithin,
  targetOfDifference,
  targetOfGroup,
  wholeLots,
} from './target.ts';
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
  const held = new Set<number>([outcome]);
  for (const pin of pins) {
    assert(!held.has(pin.outcome), 'pins name distinct other outcomes');
    held.add(pin.outcome);
    openPips -= pin.price;
    sum -= view.weight(pin.outcome);
  }
  assert(openPips > 0, 'pins leave the outcome a positive price');
  const outcomes: number[] = [];
  for (let other = 0; other < view.outcomes; other++) if (!held.has(other)) outcomes.push(other);
  const allPinned = outcomes.length === 0;
  return { outcome, pins, openPips, allPinned, unpinned: { outcomes, sum } };
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
  const target = targetOfGroup(view, pinning.unpinned, lnRatio(BigInt(t), BigInt(open)));
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
  const offset = lnRatio(BigInt(pin.price), BigInt(pinning.openPips));
  return targetOfGroup(view, pinning.unpinned, offset, outcomeQ);
}
