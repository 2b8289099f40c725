// The checks of a placement that need no walk, in the order of the rules.
import { checkAccount, isLots, isWhole, type PlainActor } from './authority.ts';
import type { CommandOf } from './plain.ts';
import { LOT } from './pool.ts';
import type { Refusals } from './refusal.ts';
import {
  balance,
  findMarket,
  freeName,
  freeShares,
  type NaiveMarket,
  notionalOf,
  reservedName,
  type World,
} from './world.ts';

export type PlaceFields = Omit<CommandOf<'place_order'>, 'seq' | 'atMs' | 'actor' | 'key'>;
export type Caps = PlaceFields['caps'];

/** Field by field, whatever the market may be. */
export function checkFields(world: World, order: PlaceFields, refusals: Refusals): void {
  const neverRests =
    order.orderType === 'market' || order.timeInForce === 'ioc' || order.timeInForce === 'fok';
  const bad = (holds: boolean, field: string, expected: string): void => {
    if (!holds) refusals.field(field, expected);
  };
  bad(order.side === 'buy' || order.side === 'sell', 'side', 'buy or sell');
  bad(order.orderType === 'market' || order.orderType === 'limit', 'order_type', 'market or limit');
  bad(
    ['gtc', 'gtd', 'ioc', 'fok'].includes(order.timeInForce) &&
      (order.orderType !== 'market' || order.timeInForce === 'ioc' || order.timeInForce === 'fok'),
    'time_in_force',
    'gtc, gtd, ioc or fok; market orders ioc or fok',
  );
  bad(
    order.stpMode === 'cancel_resting' || order.stpMode === 'cancel_incoming',
    'stp_mode',
    'a known mode',
  );
  bad(order.execution === 'hybrid' || order.execution === 'mid', 'execution', 'hybrid or mid');
  bad(isLots(order.lots), 'size', 'whole lots');
  bad(
    order.orderType === 'market'
      ? order.price === null
      : isWhole(order.price) && order.price >= 1 && order.price <= 9999,
    'price',
    'a price of a limit order alone',
  );
  bad(
    order.timeInForce === 'gtd'
      ? isWhole(order.expiresAtMs) && order.expiresAtMs > world.nowMs
      : order.expiresAtMs === null,
    'expires_at_ms',
    'a later time, gtd only',
  );
  bad(!(order.postOnly && neverRests), 'post_only', 'resting orders only');
  bad(!(order.reduceOnly && !neverRests), 'reduce_only', 'orders that never rest');
  bad(
    order.maxCost === null || (order.side === 'buy' && neverRests && order.maxCost > 0n),
    'max_cost',
    'buys that never rest',
  );
  bad(
    order.validUntilMs === null || (isWhole(order.validUntilMs) && order.validUntilMs >= 0),
    'valid_until_ms',
    'a time',
  );
  const id = order.clientOrderId;
  bad(id === null || (id.length >= 1 && id.length <= 64), 'client_order_id', '1 to 64 characters');
  bad(
    order.builder === null ||
      (isWhole(order.builder.feeBps) &&
        order.builder.feeBps >= 0 &&
        isWhole(order.builder.capBps) &&
        order.builder.capBps >= 0),
    'builder',
    'whole basis points',
  );
}

export interface Gate {
  readonly market: NaiveMarket | undefined;
  readonly outcome: number;
}

/** Everything else that is known before the walk. */
export function checkGates(
  world: World,
  actor: PlainActor,
  order: PlaceFields,
  refusals: Refusals,
): Gate {
  const malformed = refusals.any;
  const market = findMarket(world, order.marketId);
  const outcome = market?.outcomes.findIndex((each) => each.id === order.outcomeId) ?? -1;
  if (market !== undefined) {
    if (outcome < 0) refusals.field('outcome_id', 'an outcome of the market');
    if (order.reduceOnly && order.side === 'buy' && market.outcomes.length > 2) {
      refusals.field('reduce_only', 'sells');
    }
    if (!malformed && outcome >= 0) checkMarketSize(world, market, outcome, order, refusals);
  }
  if (order.execution === 'mid' && world.lane === 'live') refusals.add('SANDBOX_ONLY');
  checkAccount(world, actor, order.accountId, refusals);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else checkTradable(market, refusals);
  const known =
    order.clientOrderId === null
      ? undefined
      : clientOrder(world, order.accountId, order.clientOrderId);
  if (known !== undefined) refusals.add('ALREADY_EXISTS', { order_id: known });
  if (order.orderType === 'limit' && order.price !== null && !malformed) {
    checkTier(world, order.accountId, order.caps, notionalOf(order.lots, order.price), refusals);
  }
  if (order.builder !== null) {
    const cap = Math.min(order.builder.capBps, world.parameters.fee.builderFeeBpsMax);
    if (order.builder.feeBps > cap) refusals.add('BUILDER_FEE_ABOVE_CAP');
  }
  return { market, outcome };
}

export function checkTradable(market: NaiveMarket, refusals: Refusals): void {
  if (!market.approved) refusals.add('MARKET_NOT_APPROVED');
  if (market.status !== 'active' || market.closing !== null) refusals.add('MARKET_CLOSED');
  else if (market.halted) refusals.add('MARKET_HALTED');
}

export function isOnTick(market: NaiveMarket, price: number): boolean {
  const tick = market.template.tickPips;
  return price % tick === 0 && price >= tick && price <= 10000 - tick;
}

/** Lots that a reduce_only order may close: of the outcome sold, or of the other one bought against. */
export function closableLots(
  world: World,
  market: NaiveMarket,
  outcome: number,
  order: { readonly accountId: string; readonly side: 'buy' | 'sell' },
): number {
  const held = order.side === 'sell' ? outcome : 1 - outcome;
  return Number(freeShares(world, order.accountId, market.id, held) / LOT);
}

function checkMarketSize(
  world: World,
  market: NaiveMarket,
  outcome: number,
  order: PlaceFields,
  refusals: Refusals,
): void {
  if (order.price !== null && !isOnTick(market, order.price))
    refusals.field('price', 'a whole tick');
  const closing = closesAll(world, market, outcome, order);
  if (order.lots < market.template.minLots && !closing) refusals.field('size', 'the minimum');
  if (order.price === null) return;
  const notional = notionalOf(order.lots, order.price);
  checkNotional(market, notional, closing || order.reduceOnly, refusals);
}

export function checkNotional(
  market: NaiveMarket,
  notional: bigint,
  noMinimum: boolean,
  refusals: Refusals,
): void {
  if (notional > market.template.maxBet) refusals.field('size', 'at most the largest bet');
  if (notional < market.template.minBet && !noMinimum)
    refusals.field('size', 'at least the smallest bet');
}

/** Does it close a whole free position? */
export function closesAll(
  world: World,
  market: NaiveMarket,
  outcome: number,
  order: PlaceFields,
): boolean {
  if (order.reduceOnly) {
    if (order.side === 'buy' && market.outcomes.length > 2) return false;
    const most = closableLots(world, market, outcome, order);
    return most > 0 && order.lots >= most;
  }
  return (
    order.side === 'sell' &&
    BigInt(order.lots) * LOT === freeShares(world, order.accountId, market.id, outcome)
  );
}

export function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000);
}

export function checkTier(
  world: World,
  accountId: string,
  caps: Caps,
  notional: bigint,
  refusals: Refusals,
): void {
  if (caps === null) return;
  const { tier, orderMax, dayMax } = caps;
  if (orderMax !== null && notional > orderMax) {
    refusals.add('TIER_LIMIT_EXCEEDED', { tier, cap: orderMax });
    return;
  }
  if (dayMax === null) return;
  const day = dayOf(world.nowMs);
  const used = [`${day}|${accountId}`, `${day}|key:${caps.keyId}`].map(
    (scope) => world.daily.get(scope) ?? 0n,
  );
  if (used.some((each) => each + notional > dayMax))
    refusals.add('TIER_LIMIT_EXCEEDED', { tier, cap: dayMax });
}

function clientOrder(world: World, accountId: string, clientOrderId: string): number | undefined {
  const known = world.clientOrders.get(`${accountId}|${clientOrderId}`);
  if (known === undefined || world.nowMs - known.atMs >= world.parameters.duplicateWindowMs)
    return undefined;
  return known.orderId;
}

export interface RiskFacts {
  readonly accountId: string;
  readonly market: NaiveMarket;
  readonly outcome: number;
  readonly side: 'buy' | 'sell';
  readonly boughtLots: number;
  readonly restLots: number;
  readonly price: number;
  /** An order being amended counts neither as open nor with its reserve. */
  readonly exceptOrderId: number | null;
  readonly exceptReserve: bigint;
}

export function checkRisk(world: World, facts: RiskFacts, refusals: Refusals): void {
  const limits = world.parameters.risk;
  const breach = (limit: string): void => refusals.add('RISK_LIMIT_BREACH', { limit });
  const open = world.orders.filter(
    (order) => order.accountId === facts.accountId && order.id !== facts.exceptOrderId,
  );
  if (facts.restLots > 0) {
    const here = open.filter((order) => order.marketId === facts.market.id);
    if (here.length >= limits.openOrdersPerMarket) breach('open_orders_market');
    if (open.length >= limits.openOrdersPerAccount) breach('open_orders_account');
  }
  if (facts.side !== 'buy') return;
  const held =
    freeShares(world, facts.accountId, facts.market.id, facts.outcome) +
    balance(world, `${reservedName(facts.accountId)}:${facts.market.id}.${facts.outcome}`);
  const after = held + BigInt(facts.boughtLots + facts.restLots) * LOT;
  if (after > BigInt(limits.positionLotsMax) * LOT) breach('position');
  const reserved =
    balance(world, reservedName(facts.accountId)) -
    facts.exceptReserve +
    notionalOf(facts.restLots, facts.price);
  if (facts.restLots > 0 && reserved > limits.openNotionalMax) breach('open_notional');
}

/** The money or the shares that an order needs before anything of it happens. */
export function checkFunds(
  world: World,
  facts: { accountId: string; marketId: string; outcome: number; side: 'buy' | 'sell' },
  required: bigint,
  back: bigint,
  refusals: Refusals,
): void {
  const suffix = facts.side === 'buy' ? '' : `:${facts.marketId}.${facts.outcome}`;
  const free = balance(world, `${freeName(facts.accountId)}${suffix}`);
  const reserved = balance(world, `${reservedName(facts.accountId)}${suffix}`);
  if (free + back < required) refusals.add('BALANCE_INSUFFICIENT', { required, free, reserved });
}
