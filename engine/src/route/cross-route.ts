// The pool's part of a walk in a market of more than two outcomes: resting orders of others hold their prices (RT4).
import { LOT_MICRO, type Lots, type Pips } from '@sibyl/money';
import { isSameFamily } from '../account/account.ts';
import {
  createPinning,
  isPinned,
  legTarget,
  lotsPastTarget,
  lotsToPricePinned,
  lotsToTarget,
  type Pin,
  type Pinning,
  targetAtPin,
} from '../amm/cross.ts';
import type { Pool } from '../amm/pool.ts';
import { comparePrice } from '../amm/price.ts';
import { lotsToPrice } from '../amm/quote.ts';
import type { Move, PoolView } from '../amm/view.ts';
import { ownSide } from '../book/book.ts';
import { largestFitting } from './budget.ts';
import { Cursor } from './cursor.ts';
import {
  addTrade,
  builderFeeOf,
  isDearer,
  isWorse,
  type Leg,
  type Plan,
  preventSelfTrade,
  UNBOUNDED,
} from './plan.ts';
import { poolFee, toSafe } from './pool-route.ts';

/** A size with its legs and its price, not yet taken. */
interface Segment {
  readonly lots: number;
  readonly legs: readonly Leg[];
  readonly cost: number;
  readonly legCost: number;
  /** Null for sets minted or merged with every other outcome pinned: all quantities shift alike. */
  readonly moves: readonly Move[] | null;
}

interface Bound {
  readonly price: Pips;
  /** True when it is a level's price: at the same price the book goes first. */
  readonly isLevel: boolean;
}

const PIPS_ONE = 10_000;

export class CrossRoute {
  readonly #plan: Plan;
  readonly #view: PoolView;
  /** By outcome, the queues that absorb: bids of others while buying, asks while selling; null for the own one. */
  readonly #cursors: (Cursor | null)[] = [];

  constructor(plan: Plan, pool: Pool) {
    this.#plan = plan;
    this.#view = pool.view.copy();
    const { market, outcome, side } = plan.intent;
    for (let other = 0; other < market.outcomes.length; other += 1) {
      const queue = other === outcome ? null : new Cursor(ownSide(market, other, side));
      this.#cursors.push(queue);
    }
  }

  /** Trades with the pool and its legs up to a price; false when there is nothing to trade there. */
  advance(price: Pips, isLevel: boolean): boolean {
    const bound = { price, isLevel };
    const pins = this.#pins('hysteresis');
    const segment = this.#segment(pins, bound);
    if (segment !== null) return this.#take(segment, pins, bound);
    const strict = this.#pins('strict');
    if (strict.length === pins.length) return false;
    const retried = this.#segment(strict, bound);
    return retried === null ? false : this.#take(retried, strict, bound);
  }

  #pins(tolerance: 'hysteresis' | 'strict'): Pin[] {
    const pins: Pin[] = [];
    const { side } = this.#plan.intent;
    for (let other = 0; other < this.#cursors.length; other += 1) {
      const cursor = this.#cursors[other];
      if (cursor === null || cursor === undefined || cursor.order === null) continue;
      const pin = { outcome: other, price: cursor.price };
      if (isPinned(this.#view, pin, side, tolerance)) pins.push(pin);
    }
    return pins;
  }

  /** The longest step with these pins, or null if none is within the bound. */
  #segment(pins: readonly Pin[], bound: Bound): Segment | null {
    const { outcome, side } = this.#plan.intent;
    if (openPips(pins) <= 0) {
      const isBeyond = side === 'sell' || comparePrice(this.#view, outcome, bound.price) >= 0;
      return isBeyond ? null : this.#paidByOthers(pins, this.#smallest(pins));
    }
    const pinning = createPinning(this.#view, outcome, pins);
    const size = pinning.allPinned
      ? this.#setsWithin(pinning, bound)
      : this.#lotsWithin(pinning, bound);
    return size === 0 ? null : this.#priced(pinning, size, bound);
  }

  /**
   * Bids of others that sum to one or more, at prices the pool has met: they pay for whole sets, and the taker pays
   * the least there is. All trade one size, so that none of them is left crossing the pool.
   */
  #paidByOthers(pins: readonly Pin[], size: number): Segment {
    const { outcome, side } = this.#plan.intent;
    const moves: Move[] = [{ outcome, q: shifted(this.#view.q(outcome), size, side) }];
    const legs: Leg[] = [];
    let legCost = 0;
    for (const pin of pins) {
      moves.push({ outcome: pin.outcome, q: shifted(this.#view.q(pin.outcome), size, side) });
      legs.push({ order: this.#cursors[pin.outcome]!.order!, lots: size });
      legCost += size * pin.price;
    }
    return { lots: size, legs, cost: size, legCost, moves };
  }

  /** What remains, or less where a pinning order has less. */
  #smallest(pins: readonly Pin[]): number {
    let size = this.#plan.remaining;
    for (const pin of pins) {
      const { left } = this.#cursors[pin.outcome]!;
      if (left < size) size = left;
    }
    return size;
  }

  /** Every other outcome is pinned: the price is flat, and the smallest leg ends the step. */
  #setsWithin(pinning: Pinning, bound: Bound): number {
    const { side } = this.#plan.intent;
    const { openPips } = pinning;
    const inside = bound.isLevel
      ? isWorse(bound.price, openPips, side)
      : !isWorse(openPips, bound.price, side);
    return inside ? this.#smallest(pinning.pins) : 0;
  }

  #lotsWithin(pinning: Pinning, bound: Bound): number {
    const { outcome, side } = this.#plan.intent;
    const view = this.#view;
    const within =
      pinning.pins.length === 0
        ? lotsToPrice(view, outcome, bound.price, side)
        : lotsToPricePinned(view, pinning, bound.price, side);
    let size: number = within < this.#plan.remaining ? within : this.#plan.remaining;
    if (size === 0) return 0;
    for (let other = 0; other < this.#cursors.length; other += 1) {
      const cursor = this.#cursors[other];
      if (cursor === null || cursor === undefined || cursor.order === null) continue;
      const until = this.#lotsUntil(pinning, other, cursor);
      if (until < size) size = until;
    }
    return size;
  }

  /** Lots until another outcome is pinned, or until the front order that pins it is used up. */
  #lotsUntil(pinning: Pinning, other: number, cursor: Cursor): number {
    const { outcome, side } = this.#plan.intent;
    const view = this.#view;
    let level = view.q(other);
    if (isAmong(pinning.pins, other)) {
      const depth = BigInt(cursor.left) * LOT_MICRO;
      level = side === 'buy' ? level + depth : level - depth;
    }
    const target = targetAtPin(view, pinning, other, level, cursor.price);
    if (target === undefined) return side === 'buy' ? 1 : UNBOUNDED;
    return lotsPastTarget(view, outcome, target, side);
  }

  /** The step of this size, or null if its price is beyond the bound. */
  #priced(pinning: Pinning, size: number, bound: Bound): Segment | null {
    const { side } = this.#plan.intent;
    const segment = pinning.allPinned ? this.#sets(pinning, size) : this.#moved(pinning, size);
    return isDearer(segment.cost, size, bound.price, side) ? null : segment;
  }

  #sets(pinning: Pinning, size: number): Segment {
    const legs: Leg[] = [];
    for (const pin of pinning.pins) {
      legs.push({ order: this.#cursors[pin.outcome]!.order!, lots: size });
    }
    const cost = size * pinning.openPips;
    return { lots: size, legs, cost, legCost: size * PIPS_ONE - cost, moves: null };
  }

  #moved(pinning: Pinning, size: number): Segment {
    const { outcome, side } = this.#plan.intent;
    const view = this.#view;
    const outcomeQ = shifted(view.q(outcome), size, side);
    const moves: Move[] = [{ outcome, q: outcomeQ }];
    const legs: Leg[] = [];
    let legCost = 0;
    for (const pin of pinning.pins) {
      const cursor = this.#cursors[pin.outcome]!;
      const wanted = lotsToTarget(view, pin.outcome, legTarget(view, pinning, outcomeQ, pin), side);
      const lots = wanted < cursor.left ? wanted : cursor.left;
      if (lots === 0) continue;
      moves.push({ outcome: pin.outcome, q: shifted(view.q(pin.outcome), lots, side) });
      legs.push({ order: cursor.order!, lots });
      legCost += lots * pin.price;
    }
    const delta = toSafe(view.costAfter(moves) - view.cost());
    const exact = (side === 'buy' ? delta : -delta) - legCost;
    // At least one pip a share: bids of others may pay for all of it. What is above is the pool's surplus.
    const cost = side === 'buy' && exact < size ? size : exact;
    return { lots: size, legs, cost, legCost, moves };
  }

  /** Takes the step, or first deals with a leg of the taker's own family. Always goes on with the walk. */
  #take(segment: Segment, pins: readonly Pin[], bound: Bound): boolean {
    const plan = this.#plan;
    let taken: Segment | null = segment;
    if (plan.budget !== UNBOUNDED && this.#total(segment) > plan.budget) {
      plan.ending = 'budget';
      taken = this.#affordable(segment, pins, bound);
      if (taken === null) return true;
    }
    for (const leg of taken.legs) {
      if (!isSameFamily(leg.order.holding.account, plan.intent.account)) continue;
      if (plan.ending === 'budget') plan.ending = null;
      if (preventSelfTrade(plan, leg.order)) this.#cursors[leg.order.outcome]!.advance();
      return true;
    }
    this.#commit(taken);
    return true;
  }

  #affordable(segment: Segment, pins: readonly Pin[], bound: Bound): Segment | null {
    const { budget } = this.#plan;
    const { outcome } = this.#plan.intent;
    const pinning = openPips(pins) > 0 ? createPinning(this.#view, outcome, pins) : null;
    const at = (size: number): Segment | null =>
      pinning === null ? this.#paidByOthers(pins, size) : this.#priced(pinning, size, bound);
    const size = largestFitting(segment.lots, (smaller) => {
      const priced = at(smaller);
      return priced !== null && this.#total(priced) <= budget;
    });
    return size === 0 ? null : at(size);
  }

  #commit(segment: Segment): void {
    const plan = this.#plan;
    const { side } = plan.intent;
    if (segment.moves === null) this.#view.shift(shifted(0n, segment.lots, side));
    else this.#view.moveAll(segment.moves);
    for (const leg of segment.legs) this.#cursors[leg.order.outcome]!.take(leg.lots);
    const { cost, legCost, legs } = segment;
    const lots = segment.lots as Lots;
    addTrade(plan, {
      kind: 'pool',
      order: null,
      lots,
      cost,
      fee: toSafe(poolFee(plan, BigInt(cost), lots)),
      builderFee: builderFeeOf(plan, cost),
      legs,
      sets: cost + legCost,
      next: null,
    });
    plan.view = this.#view;
    plan.received += side === 'buy' ? cost + legCost : -(cost + legCost);
    if (segment.moves === null) plan.usesBook = true;
    else if (legs.length > 0) plan.usesBoth = true;
    else plan.usesPool = true;
  }

  #total(segment: Segment): number {
    const fee = toSafe(poolFee(this.#plan, BigInt(segment.cost), segment.lots as Lots));
    return segment.cost + fee + builderFeeOf(this.#plan, segment.cost);
  }
}

/** What the pins leave of one. */
function openPips(pins: readonly Pin[]): number {
  let open = PIPS_ONE;
  for (const pin of pins) open -= pin.price;
  return open;
}

function isAmong(pins: readonly Pin[], outcome: number): boolean {
  for (const pin of pins) if (pin.outcome === outcome) return true;
  return false;
}

/** A quantity after the taker, or a leg with it, trades so many lots: buying raises it. */
function shifted(q: bigint, size: number, side: 'buy' | 'sell'): bigint {
  const shares = BigInt(size) * LOT_MICRO;
  return side === 'buy' ? q + shares : q - shares;
}
