// Whether the free balance covers an order: fills, fees and what will rest (OR9).
import { LOT_MICRO } from '@sibyl/money';
import { checkFree } from '../account/money.ts';
import { micro } from '../kit/micro.ts';
import { freeShares, reservedShares } from '../position/holdings.ts';
import type { Plan } from '../route/plan.ts';
import { type Order, reserveOf } from '../state/order.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';

/** `amended` is the order itself when it already rests: what it holds back is at its disposal. */
export function checkMoney(
  state: State,
  plan: Plan,
  resting: number,
  amended: Order | null,
): Rejection | null {
  const { account, side, limit, lots } = plan.intent;
  if (side === 'buy') {
    const total = plan.cost + plan.fees + resting * limit;
    const required = amended === null ? total : total - left(amended) * amended.price;
    if (state.ledger.balanceSafe(account.free) >= required) return null;
    return checkFree(state, account, micro(required));
  }
  const held = amended === null ? 0n : micro(reserveOf(amended));
  const required = micro(lots) * LOT_MICRO;
  return checkShares(state, plan, required, held);
}

function checkShares(state: State, plan: Plan, required: bigint, held: bigint): Rejection | null {
  const { holding, outcome } = plan.intent;
  const free = holding === undefined ? 0n : freeShares(state, holding, outcome);
  if (free + held >= required) return null;
  const reserved = holding === undefined ? 0n : reservedShares(state, holding, outcome);
  return reject('BALANCE_INSUFFICIENT', { required, free, reserved });
}

function left(order: Order): number {
  return order.lots - order.filledLots;
}
