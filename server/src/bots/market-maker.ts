// The market maker: keeps two-sided quotes around what it believes, and moves them when it changes its mind.

import {
  type AccountId,
  type BatchItem,
  findHolding,
  type Market,
  type State,
} from '@sibyl/engine';
import { lots, type Pips } from '@sibyl/money';
import { type Decisions, freeLots, isTrading, onTick, orderOf } from './orders.ts';

/** The commands that bring the maker's quotes in a market up to date; none if they are good enough. */
export function requote(
  state: State,
  accountId: AccountId,
  market: Market,
  fair: readonly number[],
): Decisions {
  if (!isTrading(market)) return [];
  const wanted = quotesOf(state, accountId, market, fair);
  if (isGoodEnough(state, accountId, market, wanted)) return [];
  const clear = {
    type: 'cancel_orders',
    accountId,
    marketId: market.id,
    outcomeId: null,
    side: null,
    orderIds: null,
  } as const;
  return [
    clear,
    ...setsFor(state, accountId, market),
    { type: 'batch', accountId, items: wanted, allOrNone: false },
  ];
}

/** Distances from the fair price in ticks, with the shares quoted there. */
const LADDER: readonly (readonly [ticks: number, shares: number])[] = [
  [2, 40],
  [5, 90],
  [9, 160],
];
const ITEMS_MAX = 20;
const LOTS_PER_SHARE = 100;
/** Complete sets a maker of a market with many outcomes holds, to have something to sell. */
const INVENTORY_SETS = 2_000;

/** Two outcomes share one book, so that buying both is quoting both sides; more outcomes need shares to sell. */
function quotesOf(
  state: State,
  accountId: AccountId,
  market: Market,
  fair: readonly number[],
): readonly BatchItem[] {
  const isPair = market.outcomes.length === 2;
  const rungs = isPair ? LADDER : LADDER.slice(0, market.outcomes.length > 4 ? 1 : 2);
  const quotes: BatchItem[] = [];
  for (const [ticks, shares] of rungs) {
    for (const [outcome, price] of fair.entries()) {
      const away = ticks * market.tickPips;
      const common = { accountId, market, outcome, kind: 'quote' } as const;
      const sizeLots = shares * LOTS_PER_SHARE;
      quotes.push(
        orderOf({ ...common, side: 'buy', sizeLots, price: onTick(market, price - away) }),
      );
      if (isPair || freeLots(state, accountId, market, outcome) === 0) continue;
      quotes.push(
        orderOf({ ...common, side: 'sell', sizeLots, price: onTick(market, price + away) }),
      );
    }
  }
  return quotes.slice(0, ITEMS_MAX);
}

/** Nothing is missing, and the best quotes are at most a tick from where they should be. */
function isGoodEnough(
  state: State,
  accountId: AccountId,
  market: Market,
  wanted: readonly BatchItem[],
): boolean {
  const account = state.accounts.get(accountId);
  const [first] = wanted;
  if (account === undefined || first?.type !== 'place_order' || first.price === null) return true;
  const target: Pips = first.price;
  const tick: number = market.tickPips;
  let open = 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (const order of state.orderLists.of(account)) {
    if (order.holding.market !== market) continue;
    open += 1;
    if (order.outcome === 0 && order.side === 'buy') {
      nearest = Math.min(nearest, Math.abs(order.price - target));
    }
  }
  return open >= wanted.length - 1 && nearest <= tick;
}

function setsFor(state: State, accountId: AccountId, market: Market): Decisions {
  const held = market.outcomes.map((_, outcome) => freeLots(state, accountId, market, outcome));
  const least = lots(Math.min(...held));
  if (market.outcomes.length === 2) {
    if (least < INVENTORY_SETS * LOTS_PER_SHARE) return [];
    return [{ type: 'merge_sets', accountId, marketId: market.id, lots: least }];
  }
  if (held.some((size) => size > 0) || findHolding(state, accountId, market.id) !== undefined)
    return [];
  const size = lots(INVENTORY_SETS * LOTS_PER_SHARE);
  return [
    { type: 'mint_sets', accountId, marketId: market.id, lots: size, caps: null, grant: null },
  ];
}
