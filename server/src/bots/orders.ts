// The orders bots send, with everything they never vary filled in.

import type { AccountId, CommandBody, Market, PlaceOrder, Side, State } from '@sibyl/engine';
import { findHolding, freeShares } from '@sibyl/engine';
import { LOT_MICRO, type Lots, lots, PIPS_ONE, type Pips, pips } from '@sibyl/money';

export interface OrderWish {
  readonly accountId: AccountId;
  readonly market: Market;
  readonly outcome: number;
  readonly side: Side;
  readonly sizeLots: number;
  /** Null for a market order. */
  readonly price: Pips | null;
  readonly kind: 'take' | 'rest' | 'quote';
  /** When a resting order of a trader ends. */
  readonly expiresAtMs?: number;
}

export function orderOf(wish: OrderWish): PlaceOrder {
  const { market, outcome, price, kind, expiresAtMs } = wish;
  return {
    type: 'place_order',
    accountId: wish.accountId,
    marketId: market.id,
    outcomeId: market.outcomes[outcome]?.id ?? '',
    side: wish.side,
    orderType: price === null ? 'market' : 'limit',
    price,
    lots: lots(wish.sizeLots),
    timeInForce: kind === 'take' ? 'ioc' : expiresAtMs === undefined ? 'gtc' : 'gtd',
    expiresAtMs: expiresAtMs ?? null,
    postOnly: kind === 'quote',
    reduceOnly: false,
    stpMode: 'cancel_resting',
    maxCost: null,
    validUntilMs: null,
    clientOrderId: null,
    builder: null,
    caps: null,
    grant: null,
    execution: 'hybrid',
    acceptPrice: false,
  };
}

/** The price on the market's grid at or below the given one, inside what it accepts. */
export function onTick(market: Market, price: number): Pips {
  const tick: number = market.tickPips;
  const snapped = Math.floor(price / tick) * tick;
  return pips(Math.max(tick, Math.min(PIPS_ONE - tick, snapped)));
}

/** Whole lots of an outcome that the account could sell now. */
export function freeLots(
  state: State,
  accountId: AccountId,
  market: Market,
  outcome: number,
): Lots {
  const holding = findHolding(state, accountId, market.id);
  if (holding === undefined) return lots(0);
  return lots(Number(freeShares(state, holding, outcome) / LOT_MICRO));
}

export function isTrading(market: Market): boolean {
  return market.status === 'active' && !market.halted && market.closing === null;
}

/** What bots decide to do, in order. */
export type Decisions = readonly CommandBody[];
