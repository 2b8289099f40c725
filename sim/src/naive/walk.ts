// The planned walk of an order over copies of book and pool; it changes nothing and says what would happen.
import { builderFee, takerFee } from './fees.ts';
import { fullSegment, type Segment, segmentOf } from './segment.ts';
import { type Facing, facing, isWorse, type Sketch, type Walker } from './sketch.ts';
import {
  familyOf,
  type NaiveMarket,
  type NaiveOrder,
  notionalOf,
  ordersOf,
  sharesOf,
  type World,
} from './world.ts';

export type Step =
  | { readonly kind: 'self_trade'; readonly orderId: number }
  | {
      readonly kind: 'book';
      readonly orderId: number;
      readonly lots: number;
      /** In the taker's coordinate. */
      readonly price: number;
      readonly cost: bigint;
    }
  | ({ readonly kind: 'pool' } & Segment)
  | {
      readonly kind: 'house';
      readonly lots: number;
      readonly price: number;
      readonly cost: bigint;
    };

export type TradeStep = Exclude<Step, { kind: 'self_trade' }>;

export interface Plan {
  readonly steps: readonly Step[];
  readonly filledLots: number;
  readonly remainingLots: number;
  readonly cost: bigint;
  readonly fees: bigint;
  readonly builderFees: bigint;
  readonly stopReason: StopReason;
}

/** Why the walk ended with something left, if not for want of anything within its limit. */
export type StopReason = 'budget' | 'own_family' | 'units' | 'band' | null;

export function planWalk(world: World, market: NaiveMarket, walker: Walker): Plan {
  const sketch: Sketch = {
    world,
    market,
    walker,
    orders: ordersOf(world, market.id)
      .filter((order) => order.id !== walker.exceptOrderId)
      .map((order) => ({ ...order })),
    q: market.pool === null ? [] : [...market.pool.q],
  };
  const steps: Step[] = [];
  let remaining = walker.lots;
  let budget = walker.maxCost;
  let stopReason: StopReason = null;
  while (remaining > 0 && stopReason === null) {
    const level = nextLevel(sketch);
    if (level !== null && isBeyondFirst(walker, steps, level)) {
      stopReason = 'band';
      break;
    }
    const segment = market.pool === null ? null : segmentOf(sketch, level, remaining);
    if (segment === 'band') {
      stopReason = 'band';
      break;
    }
    const step =
      segment === null ? bookStep(level, remaining) : { kind: 'pool' as const, ...segment };
    if (step === null) break;
    if (!paysForSearch(sketch, step, budget)) {
      stopReason = 'units';
      break;
    }
    const affordable = withinBudget(sketch, step, budget);
    if (affordable === null) {
      stopReason = 'budget';
      break;
    }
    const own = affordable.kind === 'pool' ? ownLeg(sketch, affordable) : ownOrder(sketch, level);
    if (own !== null) {
      stopReason = dealWithOwn(
        sketch,
        own,
        steps,
        affordable.kind === 'pool' ? market.outcomes.length : 1,
      );
      continue;
    }
    if (!spendUnits(sketch, affordable.kind === 'pool' ? market.outcomes.length : 1)) {
      stopReason = 'units';
      break;
    }
    takeStep(sketch, affordable);
    steps.push(affordable);
    remaining -= affordable.lots;
    if (budget !== null) budget -= totalOf(sketch, affordable.cost, affordable.lots);
    if (affordable.lots < step.lots) stopReason = 'budget';
  }
  return summarise(sketch, steps, remaining, stopReason);
}

/** Without a pool a market order stays within its band of the price it first traded at. */
function isBeyondFirst(walker: Walker, steps: readonly Step[], level: Facing): boolean {
  const first = steps.find((step) => step.kind === 'book');
  if (first === undefined || walker.bandFromFirst === null) return false;
  const way = walker.side === 'buy' ? 1 : -1;
  return way * (level.price - first.price) > walker.bandFromFirst;
}

function spendUnits({ world, walker }: Sketch, units: number): boolean {
  const used = walker.isWhole ? units / 4 : units;
  if (used > world.walkUnitsLeft) return false;
  world.walkUnitsLeft -= used;
  return true;
}

/** An order of the same family goes, if a unit is left for it, or the taker ends before it; a grant takes back its own alone. */
function dealWithOwn(sketch: Sketch, own: NaiveOrder, steps: Step[], units: number): StopReason {
  const { stpMode, grantId } = sketch.walker;
  if (stpMode === 'cancel_incoming') return 'own_family';
  if (grantId !== null && own.grantId !== grantId) return 'own_family';
  if (!spendUnits(sketch, units)) return 'units';
  sketch.orders = sketch.orders.filter((order) => order.id !== own.id);
  steps.push({ kind: 'self_trade', orderId: own.id });
  return null;
}

/** Taker's outlay of a fill: cost, fee and builder fee. */
function totalOf(sketch: Sketch, cost: bigint, lots: number): bigint {
  return (
    cost +
    takerFee(cost, sharesOf(lots), sketch.market, sketch.world.parameters) +
    builderFee(cost, sketch.walker.builderBps)
  );
}

function nextLevel(sketch: Sketch): Facing | null {
  const { outcome, side, limit } = sketch.walker;
  const best = facing(sketch.market, sketch.orders, outcome, side)[0];
  return best === undefined || isWorse(side, best.price, limit) ? null : best;
}

function bookStep(level: Facing | null, remaining: number): TradeStep | null {
  if (level === null) return null;
  const lots = Math.min(remaining, level.order.lots - level.order.filledLots);
  return {
    kind: 'book',
    orderId: level.order.id,
    lots,
    price: level.price,
    cost: notionalOf(lots, level.price),
  };
}

function isFamily(sketch: Sketch, order: NaiveOrder): boolean {
  return (
    familyOf(sketch.world, order.accountId) === familyOf(sketch.world, sketch.walker.accountId)
  );
}

function ownOrder(sketch: Sketch, level: Facing | null): NaiveOrder | null {
  return level !== null && isFamily(sketch, level.order) ? level.order : null;
}

function ownLeg(sketch: Sketch, segment: Segment): NaiveOrder | null {
  for (const leg of segment.legs) {
    const order = sketch.orders.find((each) => each.id === leg.orderId);
    if (order !== undefined && isFamily(sketch, order)) return order;
  }
  return null;
}

/** Cutting a pool step of many outcomes costs units for every halving, as many as it may need. */
function paysForSearch(sketch: Sketch, step: TradeStep, budget: bigint | null): boolean {
  const { market } = sketch;
  if (budget === null || step.kind !== 'pool' || market.outcomes.length <= 2) return true;
  if (totalOf(sketch, step.cost, step.lots) <= budget) return true;
  const halvings = step.lots <= 1 ? 0 : (step.lots - 1).toString(2).length;
  return spendUnits(sketch, market.outcomes.length * halvings);
}

/** The step, or as many of its lots as the budget allows; null when not one. */
function withinBudget(sketch: Sketch, step: TradeStep, budget: bigint | null): TradeStep | null {
  if (budget === null || totalOf(sketch, step.cost, step.lots) <= budget) return step;
  let low = 0;
  let high = step.lots;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const tried = resize(sketch, step, middle);
    if (totalOf(sketch, tried.cost, middle) <= budget) low = middle;
    else high = middle;
  }
  return low === 0 ? null : resize(sketch, step, low);
}

function resize(sketch: Sketch, step: TradeStep, lots: number): TradeStep {
  if (step.kind === 'pool') return { kind: 'pool', ...fullSegment(sketch, step.pins, lots) };
  return { ...step, lots, cost: notionalOf(lots, step.price) };
}

function takeStep(sketch: Sketch, step: Step): void {
  if (step.kind === 'book') useUp(sketch, step.orderId, step.lots);
  if (step.kind === 'pool') {
    sketch.q = [...step.q];
    for (const leg of step.legs) useUp(sketch, leg.orderId, leg.lots);
  }
}

function useUp(sketch: Sketch, orderId: number, lots: number): void {
  for (const order of sketch.orders) if (order.id === orderId) order.filledLots += lots;
  sketch.orders = sketch.orders.filter((order) => order.filledLots < order.lots);
}

function summarise(
  sketch: Sketch,
  steps: readonly Step[],
  remaining: number,
  stopReason: StopReason,
): Plan {
  let cost = 0n;
  let fees = 0n;
  let builderFees = 0n;
  for (const step of steps) {
    if (step.kind === 'self_trade') continue;
    cost += step.cost;
    fees += takerFee(step.cost, sharesOf(step.lots), sketch.market, sketch.world.parameters);
    builderFees += builderFee(step.cost, sketch.walker.builderBps);
  }
  return {
    steps,
    filledLots: sketch.walker.lots - remaining,
    remainingLots: remaining,
    cost,
    fees,
    builderFees,
    stopReason,
  };
}
