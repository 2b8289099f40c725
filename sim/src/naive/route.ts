// Where an order goes and how far: to the house or over book and pool, to its limit or its band, whichever is tighter.
import { bandOf, boundOf, otherBoundsOf } from './band.ts';
import { planHouse } from './house.ts';
import type { CancelReason } from './plain.ts';
import { isWorse, type Walker } from './sketch.ts';
import { type Plan, planWalk } from './walk.ts';
import type { NaiveMarket, World } from './world.ts';

/** An order to be planned, or one to be planned anew. */
export type Route = Omit<Walker, 'limit'> &
  Bands & {
    /** Null for a market order. */
    readonly price: number | null;
    readonly postOnly: boolean;
    readonly execution: 'hybrid' | 'mid';
  };

interface Bands {
  /** The last price that the band lets it trade at; null without one. */
  readonly bound: number | null;
  readonly bandFromFirst: number | null;
  readonly otherBounds: readonly (number | null)[];
}

/** Fills of execution `mid` have no band; without a pool market orders alone have one. */
export function bandsOf(
  world: World,
  market: NaiveMarket,
  outcome: number,
  order: Pick<Route, 'side' | 'price' | 'execution'>,
): Bands {
  if (order.execution === 'mid') return { bound: null, bandFromFirst: null, otherBounds: [] };
  const bounded = market.pool === null && order.price === null;
  return {
    bound: boundOf(world, market, outcome, order.side),
    bandFromFirst: bounded ? bandOf(world, market) : null,
    otherBounds: otherBoundsOf(world, market, order.side),
  };
}

export function planRoute(world: World, market: NaiveMarket, route: Route): Plan {
  const { bound, postOnly } = route;
  // A post_only order is asked at its own limit whether it would take.
  const limit = bound !== null && isBeyond(route) && !postOnly ? bound : limitOf(route);
  const otherBounds = postOnly ? [] : route.otherBounds;
  const walker = { ...route, limit, otherBounds };
  return route.execution === 'mid'
    ? planHouse(world, market, walker)
    : planWalk(world, market, walker);
}

const limitOf = (route: Route): number => route.price ?? (route.side === 'buy' ? 9999 : 1);

/** Would its limit let it go further than its band does? */
function isBeyond(route: Route): boolean {
  return route.bound !== null && isWorse(route.side, limitOf(route), route.bound);
}

/** Why what is left may not rest, whatever its time in force; null where it may. */
export function cutReason(plan: Plan, route: Route): CancelReason | null {
  if (plan.remainingLots === 0 || plan.stopReason === 'budget') return null;
  if (plan.stopReason === 'own_family') return 'self_trade_prevented';
  if (plan.stopReason === 'units') return 'too_many_steps';
  return plan.stopReason === 'band' || isBeyond(route) ? 'price_band' : null;
}
