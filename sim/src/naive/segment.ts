// One pool segment of a walk: how many lots the pool gives up to a price, and what the other outcomes' orders absorb.
import {
  at,
  costOf,
  isPinned,
  LOT,
  legTarget,
  lotsToPrice,
  lotsToPricePinned,
  type NaivePin,
  openPips,
  targetAtPin,
} from './pool.ts';
import { type Facing, facing, type Sketch } from './sketch.ts';
import { type NaiveOrder, notionalOf, sharesOf } from './world.ts';

export interface Leg {
  readonly orderId: number;
  readonly outcome: number;
  readonly price: number;
  readonly lots: number;
}

/** An outcome whose resting order holds the price, with that order. */
export interface PinnedOrder extends NaivePin {
  readonly order: NaiveOrder;
}

export interface Segment {
  readonly lots: number;
  /** What the taker pays or receives. */
  readonly cost: bigint;
  /** All money into the pool's escrow (buy) or out of it (sell): the taker's and the legs'. */
  readonly total: bigint;
  readonly q: readonly bigint[];
  readonly legs: readonly Leg[];
  readonly pins: readonly PinnedOrder[];
  readonly allPinned: boolean;
}

/** The segment up to the level, or to the limit without one; null when the pool has nothing to give. */
export function segmentOf(
  sketch: Sketch,
  level: Facing | null,
  remaining: number,
): Segment | 'band' | null {
  const price = level === null ? sketch.walker.limit : level.price;
  const candidates = pinCandidates(sketch);
  const tolerant = trySegment(sketch, candidates, false, price, level !== null, remaining);
  if (tolerant !== null || candidates.length === 0) return tolerant;
  return trySegment(sketch, candidates, true, price, level !== null, remaining);
}

/** The exact segment of a given number of lots with the given pins. */
export function fullSegment(sketch: Sketch, pins: readonly PinnedOrder[], lots: number): Segment {
  const { outcome, side } = sketch.walker;
  const b = poolB(sketch);
  const sign = side === 'buy' ? 1n : -1n;
  const overfull = openPips(pins) <= 0n;
  const allPinned = !overfull && pins.length > 0 && pins.length === sketch.q.length - 1;
  const after = [...sketch.q];
  after[outcome] = at(after, outcome) + sign * sharesOf(lots);
  const legs: Leg[] = [];
  for (const pin of pins) {
    const left = pin.order.lots - pin.order.filledLots;
    let legLots = lots;
    if (!allPinned && !overfull) {
      const target = legTarget(sketch.q, b, outcome, pins, at(after, outcome), pin);
      const distance = sign * (target - at(sketch.q, pin.outcome));
      const whole = distance <= 0n ? 0n : distance / LOT;
      legLots = whole > BigInt(left) ? left : Number(whole);
    }
    if (legLots === 0) continue;
    after[pin.outcome] = at(after, pin.outcome) + sign * sharesOf(legLots);
    legs.push({
      orderId: pin.order.id,
      outcome: pin.outcome,
      price: Number(pin.price),
      lots: legLots,
    });
  }
  const moved = sign * (costOf(after, b) - costOf(sketch.q, b));
  let legMoney = 0n;
  for (const leg of legs) legMoney += notionalOf(leg.lots, leg.price);
  let cost = moved - legMoney;
  // No free tickets: a share costs at least a pip, and just that where the pins pay for everything.
  if (side === 'buy' && (overfull || cost < BigInt(lots))) cost = BigInt(lots);
  return { lots, cost, total: cost + legMoney, q: after, legs, pins, allPinned };
}

function trySegment(
  sketch: Sketch,
  candidates: readonly PinnedOrder[],
  strict: boolean,
  price: number,
  bookAtPrice: boolean,
  remaining: number,
): Segment | 'band' | null {
  const { side } = sketch.walker;
  const pins = candidates.filter((pin) => isPinned(sketch.q, poolB(sketch), pin, side, strict));
  const lots = segmentLots(sketch, candidates, pins, price, bookAtPrice, remaining);
  if (lots === 'band') return 'band';
  if (lots === 0) return null;
  const segment = fullSegment(sketch, pins, lots);
  const limit = notionalOf(lots, price);
  if (side === 'buy' ? segment.cost > limit : segment.cost < limit) return null;
  return segment;
}

function segmentLots(
  sketch: Sketch,
  candidates: readonly PinnedOrder[],
  pins: readonly PinnedOrder[],
  price: number,
  bookAtPrice: boolean,
  remaining: number,
): number | 'band' {
  const { outcome, side } = sketch.walker;
  const b = poolB(sketch);
  if (openPips(pins) <= 0n) {
    if (side === 'sell' || !isBelow(sketch, price)) return 0;
    return smallest(pins, remaining);
  }
  if (pins.length > 0 && pins.length === sketch.q.length - 1) {
    return allPinnedLots(pins, price, side, bookAtPrice, remaining);
  }
  const sign = side === 'buy' ? 1n : -1n;
  let lots = BigInt(remaining);
  const cap = (most: bigint): void => {
    if (most < lots) lots = most;
  };
  if (pins.length === 0) cap(lotsToPrice(sketch.q, b, outcome, BigInt(price), side));
  else {
    const most = lotsToPricePinned(sketch.q, b, outcome, pins, BigInt(price), side);
    if (most !== null) cap(most);
    else if (side === 'sell') return 0;
  }
  for (const pin of candidates) {
    const pinned = pins.includes(pin);
    const left = sharesOf(pin.order.lots - pin.order.filledLots);
    const otherQ = at(sketch.q, pin.outcome) + (pinned ? sign * left : 0n);
    const target = targetAtPin(sketch.q, b, outcome, pins, otherQ, pin.price);
    if (target === null) continue;
    const distance = sign * (target - at(sketch.q, outcome));
    cap(distance <= LOT ? 1n : (distance + LOT - 1n) / LOT);
  }
  if (lots <= 0n) return 0;
  cap(lotsInBands(sketch, pins));
  return lots === 0n ? 'band' : Number(lots);
}

/** How far the trade may go before an outcome that nothing holds leaves its own band. */
function lotsInBands(sketch: Sketch, pins: readonly PinnedOrder[]): bigint {
  const { outcome, side, otherBounds } = sketch.walker;
  let least = 10n ** 12n;
  for (const [other, bound] of otherBounds.entries()) {
    if (bound === null || other === outcome || pins.some((pin) => pin.outcome === other)) continue;
    const from = at(sketch.q, other);
    const target = targetAtPin(sketch.q, poolB(sketch), outcome, pins, from, BigInt(bound));
    if (target === null && side === 'sell') continue;
    const own = at(sketch.q, outcome);
    const room = target === null ? 0n : side === 'buy' ? target - own - 1n : own - target - 2n;
    const lots = room < LOT ? 0n : room / LOT;
    if (lots < least) least = lots;
  }
  return least;
}

/** A pure mint or merge of complete sets: flat price, one size for all. */
function allPinnedLots(
  pins: readonly PinnedOrder[],
  price: number,
  side: 'buy' | 'sell',
  bookAtPrice: boolean,
  remaining: number,
): number {
  const flat = Number(openPips(pins));
  const better = side === 'buy' ? flat < price : flat > price;
  if (!better && (bookAtPrice || flat !== price)) return 0;
  return smallest(pins, remaining);
}

function smallest(pins: readonly PinnedOrder[], remaining: number): number {
  let lots = remaining;
  for (const pin of pins) lots = Math.min(lots, pin.order.lots - pin.order.filledLots);
  return lots;
}

/** Is the pool's price of the traded outcome under so many pips? */
function isBelow(sketch: Sketch, price: number): boolean {
  const pin = { outcome: sketch.walker.outcome, price: BigInt(price) };
  return !isPinned(sketch.q, poolB(sketch), pin, 'sell', true);
}

/** The front order of every other outcome's best level on the side that would absorb the move. */
function pinCandidates(sketch: Sketch): PinnedOrder[] {
  const { outcome, side } = sketch.walker;
  const count = sketch.market.outcomes.length;
  if (count === 2) return [];
  const pins: PinnedOrder[] = [];
  for (let other = 0; other < count; other += 1) {
    if (other === outcome) continue;
    // Bids of the others absorb a purchase, their asks a sale: what a seller, or a buyer, of them would meet.
    const front = facing(sketch.market, sketch.orders, other, side === 'buy' ? 'sell' : 'buy')[0];
    if (front !== undefined)
      pins.push({ outcome: other, price: BigInt(front.price), order: front.order });
  }
  return pins;
}

function poolB(sketch: Sketch): bigint {
  if (sketch.market.pool === null) throw new Error('a market without a pool has no segments');
  return sketch.market.pool.b;
}
