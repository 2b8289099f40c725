// The operator's limits on open orders, positions and open notional (RK2).
import { LOT_MICRO } from '@sibyl/money';
import { checkLoss } from '../compliance/own-limits.ts';
import { micro } from '../kit/micro.ts';
import { freeShares, reservedShares } from '../position/holdings.ts';
import { filledBy, type Plan } from '../route/plan.ts';
import type { Account } from '../state/account.ts';
import type { Holding } from '../state/holding.ts';
import type { Market } from '../state/market.ts';
import type { Order } from '../state/order.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';

/** `resting` is what the order leaves in the book; `amended` is the order itself when it is already there. */
export function checkLimits(
  state: State,
  plan: Plan,
  resting: number,
  amended: Order | null,
): Rejection | null {
  const { account, holding, market, outcome, side, limit } = plan.intent;
  if (resting > 0) {
    const crowded = amended === null ? checkOpenOrders(state, account, market, holding) : null;
    if (crowded !== null) return crowded;
  }
  if (side === 'sell') return null;
  const bought = filledBy(plan) + resting;
  if (isOverPosition(state, account, market, outcome, bought, amended)) return breach('position');
  if (!account.isPlain && account.family.limits !== null) {
    const more = plan.cost + plan.fees + resting * limit;
    const own = amended === null ? 0 : (amended.lots - amended.filledLots) * amended.price;
    const lost = checkLoss(state, account, micro(more - own));
    if (lost !== null) return lost;
  }
  if (resting === 0) return null;
  let reserved = reservedMoney(state, account) + resting * limit;
  if (amended !== null) reserved -= (amended.lots - amended.filledLots) * amended.price;
  return reserved > state.openNotionalMax ? breach('open_notional') : null;
}

/** Whether so many lots more of an outcome, bought or to rest, would be above the limit of the family. */
export function isOverPosition(
  state: State,
  account: Account,
  market: Market,
  outcome: number,
  more: number,
  amended: Order | null,
): boolean {
  const { positionLotsMax } = state.parameters.risk;
  // Nobody holds more than there is: far from the limit, what is held and what rests where need not be looked at.
  const supply = -state.ledger.balanceSafe(market.issue[outcome]!);
  const resting = restingInAll(state, account, market);
  if (supply + (more + resting) * LOT <= positionLotsMax * LOT) return false;
  let held = BigInt(more) * LOT_MICRO;
  let restingLots = amended === null ? 0 : amended.filledLots - amended.lots;
  for (const member of account.family.members) {
    const holding = state.holdings.find(member, market);
    if (holding === undefined) continue;
    held += freeShares(state, holding, outcome) + reservedShares(state, holding, outcome);
    if (holding.restingLots > 0) restingLots += restingBuys(state, holding, outcome);
  }
  return held + BigInt(restingLots) * LOT_MICRO > BigInt(positionLotsMax) * LOT_MICRO;
}

export function breach(limit: string): Rejection {
  return reject('RISK_LIMIT_BREACH', { limit });
}

function tooManyOpen(limit: string, open: number, max: number): Rejection {
  return reject('RISK_LIMIT_BREACH', { limit, open, max });
}

/** What the buys of the family still want in the market, of all outcomes. */
function restingInAll(state: State, account: Account, market: Market): number {
  // Its holding here was looked for a moment ago.
  if (account.isPlain) return state.holdings.find(account, market)?.restingLots ?? 0;
  let lots = 0;
  for (const member of account.family.members)
    lots += state.holdings.find(member, market)?.restingLots ?? 0;
  return lots;
}

function restingBuys(state: State, holding: Holding, outcome: number): number {
  let lots = 0;
  for (const order of state.orderLists.of(holding.account)) {
    if (order.holding !== holding || order.side !== 'buy' || order.outcome !== outcome) continue;
    lots += order.lots - order.filledLots;
  }
  return lots;
}

/** Of the whole family, in µUSDT. */
function reservedMoney(state: State, account: Account): number {
  if (account.isPlain) return state.ledger.balanceSafe(account.reserved);
  let reserved = 0;
  for (const member of account.family.members)
    reserved += state.ledger.balanceSafe(member.reserved);
  return reserved;
}

function checkOpenOrders(
  state: State,
  account: Account,
  market: Market,
  holding: Holding | undefined,
): Rejection | null {
  const { openOrdersPerMarket, openOrdersPerAccount } = state.parameters.risk;
  let here = 0;
  let open = 0;
  if (account.isPlain) {
    open = account.openOrders;
    // Nobody has more here than in all: most orders need not look at the holding, which is not at hand.
    if (open < openOrdersPerMarket && open < openOrdersPerAccount) return null;
    here = holding === undefined ? 0 : holding.openOrders;
  } else {
    for (const member of account.family.members) {
      here += state.holdings.find(member, market)?.openOrders ?? 0;
      open += member.openOrders;
    }
  }
  if (here >= openOrdersPerMarket) {
    return tooManyOpen('open_orders_market', here, openOrdersPerMarket);
  }
  if (open < openOrdersPerAccount) return null;
  return tooManyOpen('open_orders_account', open, openOrdersPerAccount);
}

/** Micro-shares of a lot. */
const LOT = 10_000;
