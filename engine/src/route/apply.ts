// Carries a plan out: every step with its events and its ledger entry, then what the market remembers of it.
import { divide } from '@sibyl/money';
import { present } from '../kit/assert.ts';
import { micro } from '../kit/micro.ts';
import { notePrices } from '../market/price-memory.ts';
import { publicVolume } from '../market/public-volume.ts';
import { countUse } from '../state/cap-use.ts';
import type { Order } from '../state/order.ts';
import { cancelOpenOrder } from '../state/orders/close.ts';
import type { Turn } from '../state/turn.ts';
import { fillBook } from './fill-book.ts';
import { fillHouse } from './fill-house.ts';
import { fillPool } from './fill-pool.ts';
import { countedCost, type Plan, type Step } from './plan.ts';

export function applyPlan(turn: Turn, taker: Order, plan: Plan): void {
  let last: Step | null = null;
  for (let step = plan.first; step !== null; step = step.next) {
    if (step.kind === 'cancel') {
      cancelOpenOrder(turn, present(step.order, 'order to cancel'), 'self_trade_prevented');
      continue;
    }
    if (step.kind === 'book') fillBook(turn, taker, step);
    else if (step.kind === 'pool') fillPool(turn, taker, step);
    else fillHouse(turn, taker, step);
    last = step;
  }
  if (last === null) return;
  const { market } = taker.holding;
  if (plan.view !== null) {
    notePrices(turn.state, market);
    present(market.pool, 'pool of the plan').adopt(plan.view, micro(plan.received));
  }
  const volume = micro(volumeOf(plan));
  const outcome = market.outcomes[taker.outcome]!;
  outcome.volume += volume;
  outcome.lastPrice = priceOf(last);
  market.totalVolume += volume;
  countUse(turn.state, taker.credential, countedCost(plan));
}

function volumeOf(plan: Plan): number {
  let volume = 0;
  for (let step = plan.first; step !== null; step = step.next) {
    if (step.kind !== 'cancel') volume += publicVolume(step.cost, step.lots);
  }
  return volume;
}

/** Cost by size to six places, half to even; lots and pips divide the scales by 10⁴ each. */
function priceOf(step: Step): bigint {
  if (step.kind === 'pool') {
    return divide(BigInt(step.cost) * MICRO_PER_PIP, BigInt(step.lots), 'half_even');
  }
  return micro((step.cost / step.lots) * 100); // exact: whole lots at a whole price
}

const MICRO_PER_PIP = 100n;
