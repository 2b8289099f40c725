// The checks of an order's fields: those that need nothing but the command, then those of its market (OR1, OR2).
import {
  formatLots,
  formatMoney,
  formatPips,
  type Lots,
  MAX_LOTS,
  PIPS_ONE,
  type Pips,
  usdt,
} from '@sibyl/money';
import type { BuilderFee, GrantTerms, PlaceOrder, TierCaps } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import { invalid, type Rejection } from '../state/reject.ts';

export function checkFields(command: PlaceOrder, nowMs: number): Rejection | null {
  return (
    checkKinds(command) ??
    checkAmounts(command, nowMs) ??
    checkOptions(command) ??
    checkAttribution(command)
  );
}

export function checkSize(lots: unknown): Rejection | null {
  if (typeof lots === 'number' && Number.isSafeInteger(lots) && lots >= 1 && lots <= MAX_LOTS) {
    return null;
  }
  return invalid('size', 'a whole number of lots of 0.01, up to 10^9 shares');
}

export function checkPrice(price: unknown): Rejection | null {
  if (typeof price === 'number' && Number.isSafeInteger(price) && price >= 1 && price < PIPS_ONE) {
    return null;
  }
  return invalid('price', 'between 0 and 1');
}

/** Prices are whole ticks, from one tick to one tick below 1. */
export function checkTick(market: Market, price: Pips): Rejection | null {
  const tick = market.tickPips;
  const offset = price % tick;
  if (offset === 0 && price >= tick && price <= PIPS_ONE - tick) return null;
  const lower = offset * 2 <= tick ? price - offset : price - offset + tick;
  const nearest = lower < tick ? tick : lower > PIPS_ONE - tick ? PIPS_ONE - tick : lower;
  return invalid('price', `a multiple of ${formatPips(tick)}`, formatPips(nearest as Pips));
}

export function checkMinimum(market: Market, lots: Lots): Rejection | null {
  const least = market.template.definition.minLots;
  if (lots >= least) return null;
  const nearest = formatLots(least as Lots);
  return invalid('size', `at least ${nearest}`, nearest);
}

export function checkLeastBet(market: Market, notional: number): Rejection | null {
  if (notional >= market.betMin) return null;
  const { minBet } = market.template.definition;
  return invalid('size', `a notional of at least ${formatMoney(usdt(minBet), 'USDT')}`);
}

export function checkLargestBet(market: Market, notional: number): Rejection | null {
  if (notional <= market.betMax) return null;
  const { maxBet } = market.template.definition;
  return invalid('size', `a notional of at most ${formatMoney(usdt(maxBet), 'USDT')}`);
}

function checkKinds(command: PlaceOrder): Rejection | null {
  const { side, orderType, timeInForce, stpMode, execution } = command;
  if (side !== 'buy' && side !== 'sell') return invalid('side', 'buy or sell');
  if (orderType !== 'limit' && orderType !== 'market') {
    return invalid('order_type', 'limit or market');
  }
  if (!isTimeInForce(timeInForce)) return invalid('time_in_force', 'gtc, gtd, ioc or fok');
  if (orderType === 'market' && rests(timeInForce)) {
    return invalid('time_in_force', 'ioc or fok for a market order');
  }
  if (stpMode !== 'cancel_resting' && stpMode !== 'cancel_incoming') {
    return invalid('stp_mode', 'cancel_resting or cancel_incoming');
  }
  if (execution !== 'hybrid' && execution !== 'mid') return invalid('execution', 'hybrid or mid');
  return null;
}

function checkAmounts(command: PlaceOrder, nowMs: number): Rejection | null {
  const { orderType, price, lots, timeInForce, expiresAtMs } = command;
  const size = checkSize(lots);
  if (size !== null) return size;
  if (orderType === 'market') {
    if (price !== null) return invalid('price', 'none for a market order');
  } else {
    const fault = checkPrice(price);
    if (fault !== null) return fault;
  }
  if (timeInForce !== 'gtd') {
    return expiresAtMs === null ? null : invalid('expires_at_ms', 'none unless gtd');
  }
  if (isTime(expiresAtMs) && expiresAtMs > nowMs) return null;
  return invalid('expires_at_ms', 'a time after now');
}

function checkOptions(command: PlaceOrder): Rejection | null {
  const { side, timeInForce, postOnly, reduceOnly, maxCost, validUntilMs, acceptPrice } = command;
  if (typeof postOnly !== 'boolean') return invalid('post_only', 'true or false');
  if (postOnly && !rests(timeInForce)) return invalid('post_only', 'only for gtc and gtd');
  if (typeof reduceOnly !== 'boolean') return invalid('reduce_only', 'true or false');
  if (reduceOnly && rests(timeInForce)) return invalid('reduce_only', 'only for ioc and fok');
  if (maxCost !== null) {
    if (typeof maxCost !== 'bigint' || maxCost <= 0n) return invalid('max_cost', 'above zero');
    if (side !== 'buy' || rests(timeInForce)) {
      return invalid('max_cost', 'only for buys that are ioc or fok');
    }
  }
  if (validUntilMs !== null && !isTime(validUntilMs)) return invalid('valid_until_ms', 'a time');
  return typeof acceptPrice === 'boolean' ? null : invalid('accept_price', 'true or false');
}

function checkAttribution(command: PlaceOrder): Rejection | null {
  const { clientOrderId, builder } = command;
  if (clientOrderId !== null && !isName(clientOrderId)) {
    return invalid('client_order_id', '1 to 64 characters');
  }
  if (builder !== null && !isBuilder(builder)) return invalid('builder', 'an app and a fee');
  return checkTerms(command);
}

/** Those of the credential, and of the grant. */
export function checkTerms(command: {
  readonly caps: TierCaps | null;
  readonly grant: GrantTerms | null;
}): Rejection | null {
  const { caps, grant } = command;
  const fault = caps === null ? null : checkCaps(caps);
  if (fault !== null || grant === null) return fault;
  const { grantId, dayMax, expiresAtMs } = grant;
  if (isName(grantId) && isCap(dayMax) && isTime(expiresAtMs)) return null;
  return invalid('grant', 'an id, an amount or null, and a time');
}

function checkCaps(caps: TierCaps): Rejection | null {
  const { tier, keyId, orderMax, dayMax } = caps;
  if (typeof tier !== 'string' || typeof keyId !== 'string' || keyId.length === 0) {
    return invalid('caps', 'a tier and a key');
  }
  if (isCap(orderMax) && isCap(dayMax)) return null;
  return invalid('caps', 'amounts or null');
}

export function rests(timeInForce: string): boolean {
  return timeInForce === 'gtc' || timeInForce === 'gtd';
}

const NAME_LENGTH_MAX = 64;

function isTimeInForce(value: unknown): boolean {
  return value === 'gtc' || value === 'gtd' || value === 'ioc' || value === 'fok';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= NAME_LENGTH_MAX;
}

function isBuilder(builder: BuilderFee): boolean {
  const { appId, feeBps, capBps, isOwn = false } = builder;
  return isName(appId) && isTime(feeBps) && isTime(capBps) && typeof isOwn === 'boolean';
}

function isCap(value: unknown): boolean {
  return value === null || (typeof value === 'bigint' && value >= 0n);
}
