// Carries a plan out: every step with its events and its ledger entry, then what the market remembers of it.
import { divide } from '@sibyl/money';
import { present } from '../assert.ts';
import { micro } from '../micro.ts';
import { cancelOpenOrder } from '../order/close.ts';
import type { Order } from '../order/order.ts';
import { countNotional } from '../risk/day.ts';
import type { Turn } from '../turn.ts';
import { fillBook } from './fill-book.ts';
import { fillHouse } from './fill-house.ts';
import { fillPool } from './fill-pool.ts';
import type { Plan, Step } from './plan.ts';

/** `keyId` is the capped key that the notional counts against, else null. */
export function applyPlan(turn: Turn, taker: Order, plan: Plan, keyId: string | null): void {
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
    present(market.pool, 'pool of the plan').adopt(plan.view, micro(plan.received));
  }
  const volume = micro(plan.cost);
  const outcome = market.outcomes[taker.outcome]!;
  outcome.volume += volume;
  outcome.lastPrice = priceOf(last);
  market.totalVolume += volume;
  countNotional(turn.state, taker.holding.account, keyId, volume);
}

/** Cost by size to six places, half to even; lots and pips divide the scales by 10⁴ each. */
function priceOf(step: Step): bigint {
  if (step.kind === 'pool') {
    return divide(BigInt(step.cost) * MICRO_PER_PIP, BigInt(step.lots), 'half_even');
  }
  return micro((step.cost / step.lots) * 100); // exact: whole lots at a whole price
}

const MICRO_PER_PIP = 100n;
