// What a walk works on: an order's essentials, copies of the book and pool, and who faces whom.
import type { PlainSide } from './plain.ts';
import type { NaiveMarket, NaiveOrder, World } from './world.ts';

/** What is walked: enough of an order to plan it before it exists. */
export interface Walker {
  readonly accountId: string;
  readonly outcome: number;
  readonly side: PlainSide;
  readonly limit: number;
  readonly lots: number;
  readonly stpMode: 'cancel_resting' | 'cancel_incoming';
  readonly grantId: string | null;
  readonly maxCost: bigint | null;
  readonly builderBps: number;
  /** How far a market order without a pool may trade from its first price; null where nothing bounds it so. */
  readonly bandFromFirst: number | null;
  /** In pips, where the band of each other outcome ends on the way that it is moved; null where nothing ends. */
  readonly otherBounds: readonly (number | null)[];
  /** A fok order uses a quarter of the units. */
  readonly isWhole: boolean;
  /** An order being amended does not meet itself. */
  readonly exceptOrderId: number | null;
}

/** A resting order as the taker sees it. */
export interface Facing {
  readonly order: NaiveOrder;
  /** In the coordinate of the outcome asked about. */
  readonly price: number;
}

/** Copies that the walk may use up. */
export interface Sketch {
  readonly world: World;
  readonly market: NaiveMarket;
  readonly walker: Walker;
  orders: NaiveOrder[];
  q: bigint[];
}

/** Every resting order that faces a taker of this outcome and side, best first and earlier first among equals. */
export function facing(
  market: NaiveMarket,
  orders: readonly NaiveOrder[],
  outcome: number,
  side: PlainSide,
): Facing[] {
  const found: Facing[] = [];
  for (const order of orders) {
    if (order.outcome === outcome && order.side !== side) found.push({ order, price: order.price });
    else if (market.outcomes.length === 2 && order.outcome !== outcome && order.side === side) {
      found.push({ order, price: 10000 - order.price });
    }
  }
  const sign = side === 'buy' ? 1 : -1;
  return found.sort((x, y) => sign * (x.price - y.price) || x.order.priority - y.order.priority);
}

export function isWorse(side: PlainSide, price: number, limit: number): boolean {
  return side === 'buy' ? price > limit : price < limit;
}
