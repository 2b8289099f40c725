// How a market ends: orders go first, then the holders one by one, then pool and fees; large ones over several commands.
import { giveBack, returnBonds } from './bonds.ts';
import { openingPrices } from './mid.ts';
import { payoutBy } from './middle-half.ts';
import { closeOrder } from './order-state.ts';
import type { NaiveCancellation, NaiveClosing } from './proposal.ts';
import { payHolder, payPool, payVoidPool, returnFees, vestFees } from './settlement.ts';
import { facing } from './sketch.ts';
import { moveWindow } from './window.ts';
import {
  balance,
  escrowName,
  freeShares,
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

/** Of a market without a trade: opening prices return the deposit in full (VD16). */
export function beginUntraded(world: World, market: NaiveMarket, reason: string): void {
  const payout = payoutBy(openingPrices(market), []);
  if (payout === null) throw new Error('reference: a market without opening prices');
  beginVoid(world, market, payout, { cause: 'untraded', reason, window: null, excluded: [] });
}

/** What cancelling pays, and what is published of it. */
export function beginVoid(
  world: World,
  market: NaiveMarket,
  payout: readonly number[],
  cancellation: NaiveCancellation,
): void {
  returnBonds(world, market);
  begin(world, market, { kind: 'void_orders', payout, cancellation, feesReturned: 0n });
}

function begin(world: World, market: NaiveMarket, closing: NaiveClosing): void {
  // A decided proposal waits for nothing any more.
  if (closing.kind !== 'lock' && market.proposal !== null) market.proposal.overdueAtMs = null;
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
      if (cancelOrders(world, market, 'market_cancelled')) {
        market.closing = { ...closing, kind: 'void_fees' };
        advance(world, market);
      } else later(world, market);
      break;
    case 'void_fees':
      if (bringFeesBack(world, market, closing)) {
        market.closing = { ...closing, kind: 'void_pay' };
        advance(world, market);
      } else later(world, market);
      break;
    default:
      if (payHolders(world, market, closing)) finishVoid(world, market, closing);
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

function payHolders(
  world: World,
  market: NaiveMarket,
  closing: Closing<'settle'> | Closing<'void_pay'>,
): boolean {
  for (const holder of market.holders) {
    if (!spend(world, postingsOf(world, market, holder))) return false;
    payHolder(world, market, holder, closing.payout, closing.kind === 'void_pay');
    leave(market, holder);
  }
  return true;
}

function settleHolders(world: World, market: NaiveMarket, closing: Closing<'settle'>): boolean {
  return (
    payHolders(world, market, closing) &&
    vestFees(world, market, (postings) => spend(world, postings))
  );
}

function bringFeesBack(world: World, market: NaiveMarket, closing: Closing<'void_fees'>): boolean {
  const before = balance(world, escrowName(market.id));
  const isDone = returnFees(world, market, (postings) => spend(world, postings));
  closing.feesReturned += balance(world, escrowName(market.id)) - before;
  const kept = market.holders.reduce((sum, holder) => sum + holder.kept, 0n);
  if (isDone && kept !== closing.feesReturned)
    throw new Error(`reference: ${closing.feesReturned} of fees came back, ${kept} were kept`);
  return isDone;
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
  const { proposal } = market;
  if (proposal === null || proposal.cancellation !== null) return;
  const { payout } = proposal;
  if (payout === null) awaitOperators(world, market);
  else {
    giveBack(world, market, 'proposer');
    proposal.state = 'final';
    beginSettlement(world, market, payout);
  }
}

/** An account's proposal to cancel pays nothing: operators take it up, or it is dropped in the end (VD11). */
export function awaitOperators(world: World, market: NaiveMarket): void {
  const { proposal } = market;
  if (proposal === null) throw new Error('reference: nothing to take up');
  proposal.state = 'waiting';
  const dueMs = world.nowMs + world.parameters.resolution.rulingDeadlineMs;
  proposal.overdueAtMs = dueMs;
  world.timers.push({ dueMs, kind: 'ruling_overdue', subject: market.id });
}

/** Pool, fees and the last events once no holder is left. */
function finishSettlement(world: World, market: NaiveMarket, closing: Closing<'settle'>): void {
  const { payout } = closing;
  const { poolPayout, dust } = payPool(world, market, payout);
  world.events.push({ type: 'market_resolved', marketId: market.id, payout, poolPayout, dust });
  end(world, market, 'resolved');
}

function finishVoid(world: World, market: NaiveMarket, closing: Closing<'void_pay'>): void {
  const { payout, cancellation, feesReturned } = closing;
  // Units of the creator's get no more than was put in for them where the creator's own wording is the cause.
  const most = cancellation.cause === 'question' ? market.deposit : null;
  const { poolPaid, excess } = payVoidPool(world, market, most);
  world.events.push({
    type: 'market_cancelled',
    marketId: market.id,
    payout,
    ...cancellation,
    feesReturned,
    poolPaid,
    excess,
  });
  end(world, market, 'cancelled');
}

function end(world: World, market: NaiveMarket, status: 'locked' | 'resolved' | 'cancelled'): void {
  market.closing = null;
  market.halted = false;
  market.haltedUntilMs = null;
  if (status !== 'locked') market.runs = [];
  changeStatus(world, market, status);
}
