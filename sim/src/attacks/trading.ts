// How attackers trade: orders with everything unsaid left at its default, and orders repeated until they are through.
import type { MarketId, OrderId, OrderView, Outcome, PlaceOrder, TierCaps } from '@sibyl/engine';
import { lots as asLots, pips as asPips } from '@sibyl/money';
import { type Arena, accountId, MINUTE, orderOf, SECOND } from './arena.ts';

export type Side = 'buy' | 'sell';

export interface Wish extends Partial<Omit<PlaceOrder, 'type' | 'accountId' | 'price' | 'lots'>> {
  readonly marketId: MarketId;
  readonly outcome: number;
  readonly side: Side;
  readonly lots: number;
  /** In pips; without one it is a market order. */
  readonly price?: number;
}

/** Sends an order; an outcome is named by its index. */
export function send(arena: Arena, name: string, wish: Wish): Outcome {
  const { outcome, lots, price, ...changes } = wish;
  const { id: outcomeId } = arena.get(wish.marketId).outcomes[outcome]!;
  const isMarket = price === undefined;
  return arena.send(name, {
    type: 'place_order',
    accountId: accountId(name),
    outcomeId,
    orderType: isMarket ? 'market' : 'limit',
    price: isMarket ? null : asPips(price),
    lots: asLots(lots),
    timeInForce: isMarket ? 'ioc' : 'gtc',
    expiresAtMs: null,
    postOnly: false,
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
    ...changes,
  });
}

/** The same, for those who only want to know what became of the order: null when it was refused. */
export function place(arena: Arena, name: string, wish: Wish): OrderView | null {
  return wish.lots <= 0 ? null : orderOf(send(arena, name, wish));
}

export function amend(
  arena: Arena,
  name: string,
  orderId: OrderId,
  change: { readonly price: number; readonly lots: number; readonly caps: TierCaps | null },
): OrderView | null {
  const { price, lots, caps } = change;
  return orderOf(
    arena.send(name, {
      type: 'amend_order',
      accountId: accountId(name),
      orderId,
      price: asPips(price),
      lots: asLots(lots),
      caps,
      grant: null,
    }),
  );
}

export function cancelAll(arena: Arena, name: string, marketId: MarketId): void {
  arena.send(name, {
    type: 'cancel_orders',
    accountId: accountId(name),
    marketId,
    outcomeId: null,
    side: null,
    orderIds: null,
  });
}

/** Makes complete sets; says whether it was allowed. The caps are those of the credential that asks. */
export function mint(
  arena: Arena,
  name: string,
  marketId: MarketId,
  lots: number,
  caps: TierCaps | null = null,
): boolean {
  if (lots <= 0) return false;
  const sets = { accountId: accountId(name), marketId, lots: asLots(lots), caps, grant: null };
  return arena.send(name, { type: 'mint_sets', ...sets }).answer.ok;
}

export function merge(arena: Arena, name: string, marketId: MarketId, lots: number): boolean {
  if (lots <= 0) return false;
  const sets = { accountId: accountId(name), marketId, lots: asLots(lots) };
  return arena.send(name, { type: 'merge_sets', ...sets }).answer.ok;
}

export interface Filled {
  readonly lots: number;
  /** Before fees, in µUSDT. */
  readonly cost: bigint;
  readonly fees: bigint;
  readonly fills: number;
}

/** Longer than the time in which a price may only run so far. */
const PATIENCE_MS = 11 * SECOND;
const ATTEMPTS_MAX = 40;

/** Trades a size at any price, coming back for what was left while the market holds back or rests. */
export function work(arena: Arena, name: string, wish: Wish): Filled {
  let lots = 0;
  let cost = 0n;
  let fees = 0n;
  let fills = 0;
  for (let attempt = 0; attempt < ATTEMPTS_MAX && lots < wish.lots; attempt += 1) {
    if (attempt > 0) arena.advance(isHalted(arena, wish.marketId) ? MINUTE : PATIENCE_MS);
    const outcome = send(arena, name, { ...wish, lots: wish.lots - lots, timeInForce: 'ioc' });
    const order = orderOf(outcome);
    if (order === null || order.filledLots === 0) {
      if (isHalted(arena, wish.marketId)) continue;
      break;
    }
    lots += order.filledLots;
    cost += order.filledCost;
    fees += order.feesPaid;
    fills += outcome.events.filter(({ type }) => type === 'trade_executed').length;
  }
  return { lots, cost, fees, fills };
}

/** Buys or sells until the displayed price of the outcome is about there; the account must be able to. */
export function push(
  arena: Arena,
  name: string,
  marketId: MarketId,
  outcome: number,
  toPips: number,
): Filled {
  const side = arena.price(marketId, outcome) < toPips ? 'buy' : 'sell';
  const price = onTick(toPips);
  const held = arena.lots(name, marketId, outcome);
  const lots = side === 'buy' ? ENOUGH_LOTS : held;
  if (lots === 0) return { lots: 0, cost: 0n, fees: 0n, fills: 0 };
  return workTo(arena, name, { marketId, outcome, side, lots, price });
}

/** A limit order in parts: it is through when the price stands at its limit. */
function workTo(arena: Arena, name: string, wish: Wish & { readonly price: number }): Filled {
  const { marketId, outcome, side, price } = wish;
  let filled: Filled = { lots: 0, cost: 0n, fees: 0n, fills: 0 };
  for (let attempt = 0; attempt < ATTEMPTS_MAX && filled.lots < wish.lots; attempt += 1) {
    const away =
      side === 'buy'
        ? price - arena.price(marketId, outcome)
        : arena.price(marketId, outcome) - price;
    if (away <= 1) break;
    if (attempt > 0) arena.advance(isHalted(arena, marketId) ? MINUTE : PATIENCE_MS);
    const order = place(arena, name, {
      ...wish,
      lots: wish.lots - filled.lots,
      timeInForce: 'ioc',
    });
    if (order === null || order.filledLots === 0) {
      if (isHalted(arena, marketId)) continue;
      break;
    }
    filled = {
      lots: filled.lots + order.filledLots,
      cost: filled.cost + order.filledCost,
      fees: filled.fees + order.feesPaid,
      fills: filled.fills + 1,
    };
  }
  return filled;
}

export function onTick(pips: number): number {
  return Math.min(9990, Math.max(10, Math.round(pips / 10) * 10));
}

function isHalted(arena: Arena, marketId: MarketId): boolean {
  return arena.get(marketId).halted;
}

/** More than any pool here can sell below the highest price. */
const ENOUGH_LOTS = 10_000_000_000;
