// The price of a book without a pool, as each quality check takes it (VD3).

import type { PlainSide } from './plain.ts';
import { at, LOT } from './pool.ts';
import { facing } from './sketch.ts';
import {
  balance,
  escrowName,
  type NaiveMarket,
  type NaiveOrder,
  ordersOf,
  sharesOf,
  type World,
} from './world.ts';

/** The last price that depth gave, and what traded against rested orders since. */
export interface BookMemory {
  set: bigint;
  cost: bigint;
  size: bigint;
  /** The price in force, in µ of outcome 0. */
  price: bigint;
  /** Whether depth on both sides gave it. */
  isDeep: boolean;
}

const MICRO_PER_PIP = 100n;

export function openBook(): BookMemory {
  return { set: 500_000n, cost: 0n, size: 0n, price: 500_000n, isDeep: false };
}

/** Takes the price anew; says how many orders it looked at. */
export function lookAtBook(world: World, market: NaiveMarket): number {
  const { book } = market;
  const { depthLots, depthPart, spreadPips } = world.parameters.fairValue;
  const setLots = balance(world, escrowName(market.id)) / LOT;
  const partLots = Number(setLots / BigInt(depthPart));
  const depth = sharesOf(Math.max(depthLots, partLots));
  const { price: bid, looked: bids } = reach(world, market, 'sell', depth);
  const { price: ask, looked: asks } = reach(world, market, 'buy', depth);
  book.isDeep = bid !== null && ask !== null && ask - bid <= spreadPips;
  if (bid !== null && ask !== null && book.isDeep) {
    book.price = (BigInt(bid + ask) * MICRO_PER_PIP) / 2n;
    book.set = book.price;
    book.cost = 0n;
    book.size = 0n;
    return bids + asks;
  }
  let price = (depth * book.set + book.cost) / (depth + book.size);
  if (bid !== null && BigInt(bid) * MICRO_PER_PIP > price) price = BigInt(bid) * MICRO_PER_PIP;
  if (ask !== null && BigInt(ask) * MICRO_PER_PIP < price) price = BigInt(ask) * MICRO_PER_PIP;
  book.price = price;
  return bids + asks;
}

/** The price at which rested orders facing such a taker come to so many shares together, best first. */
function reach(world: World, market: NaiveMarket, taker: PlainSide, depth: bigint) {
  const { ordersMax } = world.parameters.fairValue;
  const side = facing(market, ordersOf(world, market.id), 0, taker).slice(0, ordersMax);
  let found = 0n;
  let looked = 0;
  for (const { order, price } of side) {
    looked += 1;
    if (!hasRested(world, order)) continue;
    found += sharesOf(order.lots - order.filledLots);
    if (found >= depth) return { price, looked };
  }
  return { price: null, looked };
}

function hasRested(world: World, order: NaiveOrder): boolean {
  return world.nowMs - order.restingSinceMs >= world.parameters.fairValue.restedMs;
}

/** Notes a fill in the book: only what took from a rested order says something of the price. */
export function noteBookFill(
  world: World,
  market: NaiveMarket,
  maker: NaiveOrder,
  lots: number,
): void {
  if (market.pool !== null || !hasRested(world, maker)) return;
  const pips = maker.outcome === 0 ? maker.price : 10_000 - maker.price;
  const { book } = market;
  book.size += sharesOf(lots);
  book.cost += sharesOf(lots) * BigInt(pips) * MICRO_PER_PIP;
}

/** The prices in force; they sum to one. */
export function bookPricesInForce({ book }: NaiveMarket): readonly bigint[] {
  const known = remembered.get(book);
  if (known !== undefined && at(known, 0) === book.price) return known;
  const prices = [book.price, 1_000_000n - book.price];
  remembered.set(book, prices);
  return prices;
}

const remembered = new WeakMap<BookMemory, readonly bigint[]>();
