// The operator's limits on open orders, positions and money of a family (RK2).
import { checkLoss } from './own-limits.ts';
import { LOT } from './pool.ts';
import type { Refusals } from './refusal.ts';
import {
  balance,
  familyAccounts,
  heldShares,
  type NaiveMarket,
  notionalOf,
  reservedName,
  type World,
} from './world.ts';

export interface RiskFacts {
  readonly accountId: string;
  readonly market: NaiveMarket;
  readonly outcome: number;
  readonly side: 'buy' | 'sell';
  readonly boughtLots: number;
  readonly restLots: number;
  readonly price: number;
  /** An order being amended is open already, and counts with nothing that it rests or reserves. */
  readonly exceptOrderId: number | null;
  /** What it would cost and hold back beyond what it holds back now. */
  readonly atStake: bigint;
}

export function checkRisk(world: World, facts: RiskFacts, refusals: Refusals): void {
  const { risk } = world.parameters;
  const breach = (limit: string, counts: object = {}): void =>
    refusals.add('RISK_LIMIT_BREACH', { limit, ...counts });
  if (facts.restLots > 0 && facts.exceptOrderId === null) {
    const family = familyAccounts(world, facts.accountId).map(({ id }) => id);
    const open = world.orders.filter((order) => family.includes(order.accountId));
    const here = open.filter((order) => order.marketId === facts.market.id);
    const { openOrdersPerMarket: marketMax, openOrdersPerAccount: accountMax } = risk;
    if (here.length >= marketMax)
      breach('open_orders_market', { open: here.length, max: marketMax });
    if (open.length >= accountMax)
      breach('open_orders_account', { open: open.length, max: accountMax });
  }
  if (facts.side === 'sell') return;
  if (exceedsPosition(world, facts, facts.boughtLots + facts.restLots)) breach('position');
  checkLoss(world, facts.accountId, facts.atStake, refusals);
  const reserved = reservedMoney(world, facts) + notionalOf(facts.restLots, facts.price);
  if (reserved > risk.openNotionalMax) breach('open_notional');
}

/** Would so many lots more be above what a family may hold and bid for? */
export function exceedsPosition(
  world: World,
  facts: Pick<RiskFacts, 'accountId' | 'market' | 'outcome' | 'exceptOrderId'>,
  lots: number,
): boolean {
  const { accountId, market, outcome, exceptOrderId } = facts;
  let shares = BigInt(lots) * LOT;
  for (const member of familyAccounts(world, accountId)) {
    shares += heldShares(world, member.id, market.id, outcome);
    for (const order of world.orders) {
      const counts =
        order.accountId === member.id &&
        order.marketId === market.id &&
        order.outcome === outcome &&
        order.side === 'buy' &&
        order.id !== exceptOrderId;
      if (counts) shares += BigInt(order.lots - order.filledLots) * LOT;
    }
  }
  return shares > BigInt(world.parameters.risk.positionLotsMax) * LOT;
}

function reservedMoney(world: World, facts: RiskFacts): bigint {
  let sum = 0n;
  for (const member of familyAccounts(world, facts.accountId))
    sum += balance(world, reservedName(member.id));
  const own = world.orders.find((order) => order.id === facts.exceptOrderId);
  return own === undefined ? sum : sum - notionalOf(own.lots - own.filledLots, own.price);
}
