// The operator's limits on open orders and positions (RK2).
import { LOT_MICRO } from '@sibyl/money';
import type { Account } from '../account/account.ts';
import { NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Order } from '../order/order.ts';
import type { Holding } from '../position/holding.ts';
import { freeShares, reservedShares } from '../position/holdings.ts';
import { type Rejection, reject } from '../reject.ts';
import { filledBy, type Plan } from '../route/plan.ts';
import type { State } from '../state.ts';

/** `resting` is what the order leaves in the book; `amended` is the order itself when it is already there. */
export function checkLimits(
  state: State,
  plan: Plan,
  resting: number,
  amended: Order | null,
): Rejection | null {
  const { account, holding, side, limit } = plan.intent;
  if (resting > 0) {
    const crowded = amended === null ? checkOpenOrders(state, account, holding) : null;
    if (crowded !== null) return crowded;
  }
  if (side === 'sell') return null;
  const bought = filledBy(plan) + resting;
  if (isOverPosition(state, plan, bought)) return breach('position');
  if (resting === 0) return null;
  let reserved = state.ledger.balanceSafe(account.reserved) + resting * limit;
  if (amended !== null) reserved -= (amended.lots - amended.filledLots) * amended.price;
  return reserved > state.openNotionalMax ? breach('open_notional') : null;
}

function checkOpenOrders(
  state: State,
  account: Account,
  holding: Holding | undefined,
): Rejection | null {
  const { openOrdersPerMarket, openOrdersPerAccount } = state.parameters.risk;
  if (holding !== undefined && holding.openOrders >= openOrdersPerMarket) {
    return breach('open_orders_market');
  }
  return account.openOrders >= openOrdersPerAccount ? breach('open_orders_account') : null;
}

function isOverPosition(state: State, plan: Plan, bought: number): boolean {
  const { holding, market, outcome } = plan.intent;
  const { positionLotsMax } = state.parameters.risk;
  if (holding === undefined || holding.shares === NO_ACCOUNT) return bought > positionLotsMax;
  // Nobody holds more than there is: far from the limit the holding need not be looked at.
  const supply = -state.ledger.balanceSafe(market.issue[outcome]!);
  if (supply + bought * LOT <= positionLotsMax * LOT) return false;
  const held = freeShares(state, holding, outcome) + reservedShares(state, holding, outcome);
  return held + BigInt(bought) * LOT_MICRO > BigInt(positionLotsMax) * LOT_MICRO;
}

/** Micro-shares of a lot; lots times it stay within the safe integers. */
const LOT = 10_000;

function breach(limit: string): Rejection {
  return reject('RISK_LIMIT_BREACH', { limit });
}
