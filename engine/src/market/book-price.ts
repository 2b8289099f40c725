// The price of a book without a pool: from depth that has rested, else from trades (VD3).

import type { Lots } from '@sibyl/money';
import { LOT_MICRO } from '@sibyl/money';
import type { Market } from '../state/market.ts';
import { type Order, remainingLots, restingSinceMs } from '../state/order.ts';
import type { PriceSide } from '../state/side.ts';
import type { State } from '../state/state.ts';

/** All prices are of the first outcome, in µ. */
export interface BookPrice {
  /** In force until the next look. */
  price: number;
  /** Whether both sides had the depth, near each other. */
  isDeep: boolean;
  /** The last price from depth. */
  middle: number;
  /** Lots and lots · price of the fills since then that count. */
  tradedLots: bigint;
  tradedCost: bigint;
  /** Journal time of the first look that found depth or a trade; null before it. */
  pricedAtMs: number | null;
}

export function createBookPrice(): BookPrice {
  return {
    price: HALF,
    isDeep: false,
    middle: HALF,
    tradedLots: 0n,
    tradedCost: 0n,
    pricedAtMs: null,
  };
}

/** Called before the fill: trades count whose maker has rested. */
export function noteBookFill(state: State, market: Market, maker: Order, size: Lots): void {
  if (!hasRested(state, maker)) return;
  const { book } = market.memory;
  const pips = maker.outcome === 0 ? maker.price : PIPS - maker.price;
  book.tradedLots += BigInt(size);
  book.tradedCost += BigInt(size) * BigInt(pips * MICRO_PER_PIP);
}

/** Takes the price of now; gives how many orders it read. */
export function lookAtBook(state: State, market: Market): number {
  const { fairValue } = state.parameters;
  const { book } = market.memory;
  const depthLots = depthOf(state, market);
  const bid = reach(state, market.bids, depthLots);
  const ask = reach(state, market.asks, depthLots);
  const isNear =
    bid.price !== null && ask.price !== null && ask.price - bid.price <= fairValue.spreadPips;
  book.isDeep = isNear;
  if (bid.price !== null && ask.price !== null && isNear) {
    book.middle = ((bid.price + ask.price) * MICRO_PER_PIP) / 2; // exact: a pip has 100 µ
    book.tradedLots = 0n;
    book.tradedCost = 0n;
    book.price = book.middle;
  } else {
    const weight = BigInt(depthLots);
    const total = weight * BigInt(book.middle) + book.tradedCost;
    // exact: both are above 0, and a price fits any number
    const traded = Number(total / (weight + book.tradedLots));
    const atLeast = bid.price === null ? 0 : bid.price * MICRO_PER_PIP;
    const atMost = ask.price === null ? ONE : ask.price * MICRO_PER_PIP;
    const raised = traded < atLeast ? atLeast : traded;
    book.price = raised > atMost ? atMost : raised;
  }
  const isPriced = book.isDeep || book.tradedLots > 0n || bid.price !== null || ask.price !== null;
  if (isPriced) book.pricedAtMs ??= state.nowMs;
  return bid.read + ask.read;
}

/** The depth in lots that a side must have: it grows with the sets outstanding. */
function depthOf(state: State, market: Market): number {
  const { depthLots, depthPart } = state.parameters.fairValue;
  const supply = -state.ledger.balance(market.issue[0]!);
  // exact: holdings are below 2^53 lots
  const part = Number(supply / (LOT_MICRO * BigInt(depthPart)));
  return part > depthLots ? part : depthLots;
}

interface Reached {
  /** In pips; null where the orders read do not reach the depth. */
  readonly price: number | null;
  readonly read: number;
}

function reach(state: State, side: PriceSide, depthLots: number): Reached {
  const { ordersMax } = state.parameters.fairValue;
  let read = 0;
  let rested = 0;
  for (let level = side.best; level !== null; level = side.after(level)) {
    for (let order = level.first; order !== null; order = order.next) {
      if (read === ordersMax) return { price: null, read };
      read += 1;
      if (hasRested(state, order)) rested += remainingLots(order);
      if (rested >= depthLots) return { price: level.price, read };
    }
  }
  return { price: null, read };
}

function hasRested(state: State, order: Order): boolean {
  return state.nowMs - restingSinceMs(order) >= state.parameters.fairValue.restedMs;
}

const HALF = 500_000;
const ONE = 1_000_000;
const PIPS = 10_000;
const MICRO_PER_PIP = 100;
