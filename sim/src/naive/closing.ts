// How a market ends: orders go first, then the holders one by one, then pool and fees; large ones over several commands.
import { type Average, averageOf, worthOf } from './average.ts';
import { endWindow, returnBonds } from './bonds.ts';
import { openingPrices } from './mid.ts';
import { closeOrder } from './order-state.ts';
import { type Claim, claimOf, creatorPart, holderPart, ranksOf } from './ranks.ts';
import {
  payHolder,
  payPool,
  refundHolder,
  refundPool,
  returnFees,
  vestFees,
} from './settlement.ts';
import { facing } from './sketch.ts';
import { moveWindow } from './window.ts';
import {
  balance,
  escrowName,
  freeShares,
  type NaiveClosing,
  type NaiveHolder,
  type NaiveMarket,
  type NaiveOrder,
  needMarket,
  ordersOf,
  type World,
} from './world.ts';

type Closing<K extends NaiveClosing['kind']> = Extract<NaiveClosing, { kind: K }>;

/** Active → locked, and on to the proposal when there is one. */
export function beginLock(world: World, market: NaiveMarket, propose: boolean): void {
  begin(world, market, { kind: 'lock', propose });
}

export function beginSettlement(
  world: World,
  market: NaiveMarket,
  payout: readonly number[],
): void {
  begin(world, market, { kind: 'settle', payout });
}

export function beginVoid(world: World, market: NaiveMarket, reason: string): void {
  returnBonds(world, market);
  begin(world, market, { kind: 'void_orders', reason });
}

function begin(world: World, market: NaiveMarket, closing: NaiveClosing): void {
  market.closing = closing;
  advance(world, market);
}

export function chunkRings(world: World, marketId: string): void {
  advance(world, needMarket(world, marketId));
}

function later(world: World, market: NaiveMarket): void {
  const dueMs = world.commandMs + 1;
  market.chunkAtMs = dueMs;
  world.timers.push({ dueMs, kind: 'market_chunk', subject: market.id });
}

/** As much of the closing as the command's postings allow. */
function advance(world: World, market: NaiveMarket): void {
  const { closing } = market;
  if (closing === null) return;
  switch (closing.kind) {
    case 'lock':
      if (cancelOrders(world, market, 'market_locked')) finishLock(world, market, closing.propose);
      else later(world, market);
      break;
    case 'settle':
      if (settleHolders(world, market, closing)) finishSettlement(world, market, closing);
      else later(world, market);
      break;
    case 'void_orders':
      if (cancelOrders(world, market, 'market_cancelled')) startClaims(world, market, closing);
      else later(world, market);
      break;
    case 'void_claims':
      if (countClaims(world, market, closing)) startPaying(world, market, closing);
      else later(world, market);
      break;
    default:
      if (refundHolders(world, market, closing)) finishVoid(world, market, closing);
      else later(world, market);
  }
}

/** Takes postings if there are so many; what is more than a command may have is taken as its first. */
function spend(world: World, postings: number): boolean {
  const isFirst = world.postingsLeft === world.parameters.chunkMax;
  if (postings > world.postingsLeft && !isFirst) return false;
  world.postingsLeft = Math.max(0, world.postingsLeft - postings);
  world.timerUnits += postings;
  return true;
}

function cancelOrders(
  world: World,
  market: NaiveMarket,
  reason: 'market_locked' | 'market_cancelled',
): boolean {
  for (const order of inTradingOrder(world, market)) {
    if (!spend(world, 1)) return false;
    closeOrder(world, order, reason);
  }
  return true;
}

/** Book by book, bids before asks, as they would trade. */
function inTradingOrder(world: World, market: NaiveMarket): NaiveOrder[] {
  const orders = ordersOf(world, market.id);
  const books = market.outcomes.length === 2 ? 1 : market.outcomes.length;
  const found: NaiveOrder[] = [];
  for (let book = 0; book < books; book += 1) {
    for (const taker of ['sell', 'buy'] as const)
      found.push(...facing(market, orders, book, taker).map((each) => each.order));
  }
  return found;
}

/** One for each outcome that a holder has shares of, at least one. */
function postingsOf(world: World, market: NaiveMarket, holder: NaiveHolder): number {
  return Math.max(1, sharesOfHolder(world, market, holder).filter((shares) => shares > 0n).length);
}

function sharesOfHolder(world: World, market: NaiveMarket, holder: NaiveHolder): bigint[] {
  return market.outcomes.map((_, index) => freeShares(world, holder.accountId, market.id, index));
}

/** Nothing of a holder stays in the market once it is paid, its quality neither. */
function leave(market: NaiveMarket, holder: NaiveHolder): void {
  market.holders = market.holders.filter((each) => each !== holder);
  market.makers.delete(holder.accountId);
}

function settleHolders(world: World, market: NaiveMarket, closing: Closing<'settle'>): boolean {
  for (const holder of market.holders) {
    if (!spend(world, postingsOf(world, market, holder))) return false;
    payHolder(world, market, holder, closing.payout);
    leave(market, holder);
  }
  return vestFees(world, market, (postings) => spend(world, postings));
}

function startClaims(world: World, market: NaiveMarket, closing: Closing<'void_orders'>): void {
  const { reason } = closing;
  market.closing = { kind: 'void_claims', reason, met: 0, valued: 0n, rest: 0n };
  advance(world, market);
}

function countClaims(world: World, market: NaiveMarket, closing: Closing<'void_claims'>): boolean {
  if (!returnFees(world, market, (postings) => spend(world, postings))) return false;
  const average = averageOfMarket(world, market);
  for (const holder of market.holders.slice(closing.met)) {
    if (!spend(world, postingsOf(world, market, holder))) return false;
    const claim = claimOfHolder(world, market, holder, average);
    closing.met += 1;
    closing.valued += claim.valued;
    closing.rest += claim.rest;
  }
  return true;
}

function averageOfMarket(world: World, market: NaiveMarket): Average {
  const { shortWindowMs: windowMs, sliceMaxMs: sliceMs } = world.parameters.fairValue;
  const plannedMs = market.locksAtMs - Math.max(market.opensAtMs, market.createdAtMs);
  const { runs, tradedMs } = market;
  return averageOf(runs, tradedMs, Math.min(windowMs, plannedMs), sliceMs, openingPrices(market));
}

function claimOfHolder(
  world: World,
  market: NaiveMarket,
  holder: NaiveHolder,
  average: Average,
): Claim {
  return claimOf(holder.net, worthOf(sharesOfHolder(world, market, holder), average));
}

function startPaying(world: World, market: NaiveMarket, closing: Closing<'void_claims'>): void {
  const ranks = ranksOf(balance(world, escrowName(market.id)), market.deposit, closing);
  market.closing = { kind: 'void_pay', reason: closing.reason, ranks };
  advance(world, market);
}

function refundHolders(world: World, market: NaiveMarket, closing: Closing<'void_pay'>): boolean {
  const average = averageOfMarket(world, market);
  for (const holder of market.holders) {
    if (!spend(world, postingsOf(world, market, holder))) return false;
    const claim = claimOfHolder(world, market, holder, average);
    refundHolder(world, market, holder, holderPart(claim, closing.ranks));
    leave(market, holder);
  }
  return true;
}

export function changeStatus(world: World, market: NaiveMarket, to: NaiveMarket['status']): void {
  world.events.push({
    type: 'market_status_changed',
    marketId: market.id,
    from: market.status,
    to,
  });
  market.status = to;
}

function finishLock(world: World, market: NaiveMarket, propose: boolean): void {
  end(world, market, 'locked');
  if (propose) settleAfterProposal(world, market);
}

/** Locked → settling; a window that is over already ends at once. */
export function settleAfterProposal(world: World, market: NaiveMarket): void {
  changeStatus(world, market, 'settling');
  const { proposal } = market;
  if (proposal?.state === 'proposed' && proposal.windowEndsAtMs <= world.nowMs)
    endOrMoveWindow(world, market);
}

/** The window's time has come by the calendar: it ends if window time says so too. */
export function endOrMoveWindow(world: World, market: NaiveMarket): void {
  if (moveWindow(world, market)) return;
  const payout = endWindow(world, market);
  if (payout === null) beginVoid(world, market, 'void');
  else beginSettlement(world, market, payout);
}

/** Pool, fees and the last events once no holder is left. */
function finishSettlement(world: World, market: NaiveMarket, closing: Closing<'settle'>): void {
  const { payout } = closing;
  const { poolPayout, dust } = payPool(world, market, payout);
  world.events.push({ type: 'market_resolved', marketId: market.id, payout, poolPayout, dust });
  end(world, market, 'resolved');
}

function finishVoid(world: World, market: NaiveMarket, closing: Closing<'void_pay'>): void {
  const { reason, ranks } = closing;
  const returned = creatorPart(ranks);
  const dust = refundPool(world, market, returned);
  world.events.push({
    type: 'market_cancelled',
    marketId: market.id,
    payout: [],
    cause: 'other',
    reason,
    window: null,
    excluded: [],
    feesReturned: 0n,
    poolPaid: returned,
    excess: dust,
  });
  end(world, market, 'cancelled');
}

function end(world: World, market: NaiveMarket, status: 'locked' | 'resolved' | 'cancelled'): void {
  market.closing = null;
  market.halted = false;
  market.haltedUntilMs = null;
  changeStatus(world, market, status);
}
