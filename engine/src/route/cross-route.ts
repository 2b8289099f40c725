// The pool's part of a walk in a market of more than two outcomes: resting orders of others hold their prices (RT4).
import { LOT_MICRO, type Lots, type Pips } from '@sibyl/money';
import {
  createPinning,
  isPinned,
  legTarget,
  lotsInside,
  lotsToMeeting,
  lotsToPricePinned,
  lotsToTarget,
  type Meeting,
  type Pin,
  type Pinning,
} from '../amm/cross.ts';
import type { Pool } from '../amm/pool.ts';
import { comparePrice } from '../amm/price.ts';
import type { Move, PoolView } from '../amm/view.ts';
import { endsOf, isFarFromEnds, type OtherBands } from '../market/band.ts';
import { isSameFamily } from '../state/account.ts';
import { ownSide } from '../state/book.ts';
import { halvings, largestFitting } from './budget.ts';
import { Cursor } from './cursor.ts';
import {
  addTrade,
  builderFeeOf,
  isDearer,
  isWorse,
  type Leg,
  type Plan,
  preventSelfTrade,
  spend,
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

/** The orders that hold prices, by one of the two tests. */
interface Held {
  readonly pins: readonly Pin[];
  /** Null when the pins leave the outcome no price. */
  readonly pinning: Pinning | null;
}

/** The weight that an outcome has once the order that pins it is used up, and what it was worked out for. */
interface EndOfLeg {
  readonly q: bigint;
  readonly reference: bigint;
  readonly weight: bigint;
}

const PIPS_ONE = 10_000;
/** A price rises by at most this many µUSDT for each b of shares bought. */
const STEEPEST = 250_000n;

export class CrossRoute {
  readonly #plan: Plan;
  readonly #view: PoolView;
  /** By outcome, the queues that absorb: bids of others while buying, asks while selling; null for the own one. */
  readonly #cursors: (Cursor | null)[] = [];
  /** Kept until the pool or a cursor moves: a walk asks at every order of the book that it meets. */
  #loose: Held | null = null;
  #strict: Held | null = null;
  /** By outcome. The end of an order stays where it is while the order is used up, so it is met by many steps. */
  readonly #ends: (EndOfLeg | undefined)[] = [];
  #bandEnds: readonly Pips[] | null = null;

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
    this.#loose ??= this.#hold('hysteresis');
    const loose = this.#loose;
    const segment = this.#segment(loose, bound);
    if (segment !== null) return this.#take(segment, loose, bound);
    if (this.#plan.stopReason !== null) return true;
    this.#strict ??= this.#hold('strict');
    const strict = this.#strict;
    if (strict.pins.length === loose.pins.length) return false;
    const retried = this.#segment(strict, bound);
    if (retried === null) return this.#plan.stopReason !== null;
    return this.#take(retried, strict, bound);
  }

  #hold(tolerance: 'hysteresis' | 'strict'): Held {
    const pins: Pin[] = [];
    const { outcome, side } = this.#plan.intent;
    for (let other = 0; other < this.#cursors.length; other += 1) {
      const cursor = this.#cursors[other];
      if (cursor === null || cursor === undefined || cursor.order === null) continue;
      const pin = { outcome: other, price: cursor.price };
      if (isPinned(this.#view, pin, side, tolerance)) pins.push(pin);
    }
    const pinning = openPips(pins) > 0 ? createPinning(this.#view, outcome, pins) : null;
    return { pins, pinning };
  }

  /** The pool or a cursor has moved. */
  #forget(): void {
    this.#loose = null;
    this.#strict = null;
  }

  /** The longest step with these pins, or null if none is within the bound. */
  #segment({ pins, pinning }: Held, bound: Bound): Segment | null {
    const { outcome, side } = this.#plan.intent;
    if (pinning === null) {
      const isBeyond = side === 'sell' || comparePrice(this.#view, outcome, bound.price) >= 0;
      return isBeyond ? null : this.#paidByOthers(pins, this.#smallest(pins));
    }
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
    const { side } = this.#plan.intent;
    const within = lotsToPricePinned(this.#view, pinning, bound.price, side);
    const size: number = within < this.#plan.remaining ? within : this.#plan.remaining;
    if (size === 0) return 0;
    const first = lotsToMeeting(this.#view, pinning, this.#meetings(pinning), side);
    return this.#lotsInBands(pinning, first < size ? first : size);
  }

  /** As many as keep the other outcomes inside their bands; with none the walk ends. */
  #lotsInBands(pinning: Pinning, size: number): number {
    const { otherBands, side } = this.#plan.intent;
    if (otherBands === null || this.#isFarFromEnds(otherBands, pinning, size)) return size;
    this.#bandEnds ??= endsOf(otherBands, side);
    const inside = lotsInside(
      this.#view,
      pinning,
      this.#endsOfBands(pinning, this.#bandEnds),
      side,
    );
    if (inside >= size) return size;
    if (inside === 0) this.#plan.stopReason = 'band';
    return inside;
  }

  /** Saves the work without pins: no price moves by more than size / 4b. */
  #isFarFromEnds(bands: OtherBands, { pins }: Pinning, size: number): boolean {
    if (pins.length > 0) return false;
    // exact: only whether it is below a million counts
    const move = Number((BigInt(size) * LOT_MICRO * STEEPEST) / this.#view.b);
    return isFarFromEnds(bands, this.#view, this.#plan.intent.side, move);
  }

  /** Pinned outcomes keep their prices. */
  #endsOfBands({ pins, outcome }: Pinning, bounds: readonly Pips[]): readonly Meeting[] {
    const ends: Meeting[] = [];
    for (let other = 0; other < bounds.length; other += 1) {
      const price = bounds[other]!;
      if (price === 0 || other === outcome) continue;
      if (pins.some((pin) => pin.outcome === other)) continue;
      ends.push({
        outcome: other,
        price,
        q: this.#view.q(other),
        weight: this.#view.weight(other),
      });
    }
    return ends;
  }

  /** Where other outcomes come to be pinned, and where the front orders that pin some are used up. */
  #meetings({ pins }: Pinning): readonly Meeting[] {
    const meetings: Meeting[] = [];
    let next = 0;
    for (let other = 0; other < this.#cursors.length; other += 1) {
      const cursor = this.#cursors[other];
      if (cursor === null || cursor === undefined || cursor.order === null) continue;
      const { price } = cursor;
      if (pins[next]?.outcome === other) {
        next += 1;
        meetings.push({ outcome: other, price, ...this.#endOfLeg(other, cursor) });
      } else {
        const [q, weight] = [this.#view.q(other), this.#view.weight(other)];
        meetings.push({ outcome: other, price, q, weight });
      }
    }
    return meetings;
  }

  #endOfLeg(other: number, cursor: Cursor): EndOfLeg {
    const view = this.#view;
    const q = shifted(view.q(other), cursor.left, this.#plan.intent.side);
    const known = this.#ends[other];
    if (known?.q === q && known.reference === view.reference) return known;
    const end = { q, reference: view.reference, weight: view.weightAt(q) };
    this.#ends[other] = end;
    return end;
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
  #take(segment: Segment, held: Held, bound: Bound): boolean {
    const plan = this.#plan;
    const outcomes = this.#cursors.length;
    let taken: Segment | null = segment;
    if (plan.budget !== UNBOUNDED && this.#total(segment) > plan.budget) {
      if (!spend(plan, outcomes * halvings(segment.lots))) return true;
      plan.stopReason = 'budget';
      taken = this.#affordable(segment, held, bound);
      if (taken === null) return true;
    }
    for (const leg of taken.legs) {
      if (!isSameFamily(leg.order.holding.account, plan.intent.account)) continue;
      if (plan.stopReason === 'budget') plan.stopReason = null;
      if (preventSelfTrade(plan, leg.order, outcomes)) this.#cursors[leg.order.outcome]!.advance();
      this.#forget();
      return true;
    }
    if (spend(plan, outcomes)) this.#commit(taken);
    return true;
  }

  #affordable(segment: Segment, { pins, pinning }: Held, bound: Bound): Segment | null {
    const { budget } = this.#plan;
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
    this.#forget();
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

/** A quantity after the taker, or a leg with it, trades so many lots: buying raises it. */
function shifted(q: bigint, size: number, side: 'buy' | 'sell'): bigint {
  const shares = BigInt(size) * LOT_MICRO;
  return side === 'buy' ? q + shares : q - shares;
}
