// The checks of a placement that need no walk, in the order of the rules.

import { checkAccount, isLots, isWhole, type PlainActor } from './authority.ts';
import { checkExpiry, checkTermFields } from './caps.ts';
import { checkExcluded } from './own-limits.ts';
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
  checkTermFields(order, refusals);
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
  checkExpiry(world, order, refusals);
  if (order.side === 'buy') checkExcluded(world, order.accountId, refusals);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else checkTradable(market, refusals);
  const known =
    order.clientOrderId === null
      ? undefined
      : clientOrder(world, order.accountId, order.clientOrderId);
  if (known !== undefined) refusals.add('ALREADY_EXISTS', { order_id: known });
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
  const tick = market.tickPips;
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
  if (order.price === null || closing || order.reduceOnly) return;
  checkMinBet(market, notionalOf(order.lots, order.price), refusals);
}

export function checkMinBet(market: NaiveMarket, notional: bigint, refusals: Refusals): void {
  if (notional < market.template.minBet) refusals.field('size', 'at least the smallest bet');
}

export function checkMaxBet(market: NaiveMarket, notional: bigint, refusals: Refusals): void {
  if (notional > market.template.maxBet) refusals.field('size', 'at most the largest bet');
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

function clientOrder(world: World, accountId: string, clientOrderId: string): number | undefined {
  const known = world.clientOrders.get(`${accountId}|${clientOrderId}`);
  if (known === undefined || world.nowMs - known.atMs >= world.parameters.duplicateWindowMs)
    return undefined;
  return known.orderId;
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
  if (free + back >= required) return;
  const more = facts.side === 'buy' ? required - back : required;
  refusals.add('BALANCE_INSUFFICIENT', { required: more, free, reserved });
}
