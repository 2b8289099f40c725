// Closes a market chunk by chunk: its orders, then its holders, a bounded number of postings in one command (MK11).
import type { Usdt } from '@sibyl/money';
import { present } from '../assert.ts';
import { firstResting } from '../book/book.ts';
import { cancelOpenOrder } from '../order/close.ts';
import { returnBonds } from '../resolution/bonds.ts';
import { countHolders, refundHolders, refundPool, startCount } from '../resolution/refund.ts';
import { closeMarketAccounts, settleHolders, settlePool, vestFees } from '../resolution/settle.ts';
import { awaitWindow, isWindowOver, stopWaiting } from '../resolution/window.ts';
import type { State } from '../state.ts';
import type { TimerKind } from '../timer/timer-queue.ts';
import { type Turn, takePostings } from '../turn.ts';
import { clearHalt } from './halt.ts';
import type { Closing, LockGoal, Market, MarketStatus, RefundRanks } from './market.ts';
import { createMemory, stopTrading } from './price-memory.ts';

/** Cancels the open orders; then the market is locked, and what follows the lock happens. */
export function startLock(turn: Turn, market: Market, next: LockGoal | null): void {
  stopTrading(turn.state, market);
  market.closing = { kind: 'lock', next };
  advanceClosing(turn, market);
}

/** Ends the market without a result: bonds go back, orders are cancelled, then holders are refunded. */
export function startVoid(turn: Turn, market: Market, reason: string): void {
  stopTrading(turn.state, market);
  giveUp(turn, market, reason);
  advanceClosing(turn, market);
}

/** The proposal stands: what it says is carried out, and bonds still posted go back. */
export function carryOut(turn: Turn, market: Market): void {
  conclude(turn, market);
  advanceClosing(turn, market);
}

/** As much as the command's postings allow; the rest waits for a timer right after the command's time. */
export function advanceClosing(turn: Turn, market: Market): void {
  market.chunkDueMs = 0;
  while (market.closing !== null) {
    if (!advance(turn, market, market.closing)) {
      continueLater(turn, market);
      return;
    }
  }
}

export function changeStatus(turn: Turn, market: Market, to: MarketStatus): void {
  const from = market.status;
  market.status = to;
  turn.events.push({ type: 'market_status_changed', marketId: market.id, from, to });
}

export const VOID_REASON = 'void';

const TRADING_TIMERS: readonly TimerKind[] = ['sample', 'market_open', 'market_lock'];
/** What a market may wait for until it ends. */
const DECISION_TIMERS: readonly TimerKind[] = [
  'resolution_window',
  'proposal_deadline',
  'ruling_overdue',
];

/** One stage of a closing; false when postings ran out before its end. */
function advance(turn: Turn, market: Market, closing: Closing): boolean {
  switch (closing.kind) {
    case 'lock':
      if (!cancelOrders(turn, market, closing.next)) return false;
      finishLock(turn, market, closing.next);
      return true;
    case 'count':
      return countHolders(turn, market, closing);
    case 'settle':
      if (!settleHolders(turn, market, closing.payout) || !vestFees(turn, market)) return false;
      resolve(turn, market, closing.payout);
      return true;
    case 'refund':
      if (!refundHolders(turn, market, closing.ranks)) return false;
      cancel(turn, market, closing.reason, closing.ranks);
      return true;
  }
}

function giveUp(turn: Turn, market: Market, reason: string): void {
  returnBonds(turn, market);
  stopWaiting(turn.state, market);
  if (market.proposal !== null) market.proposal.state = 'void';
  market.closing = { kind: 'lock', next: { kind: 'void', reason } };
}

function conclude(turn: Turn, market: Market): void {
  const proposal = present(market.proposal, 'the proposal carried out');
  if (proposal.payout.length === 0) {
    giveUp(turn, market, VOID_REASON);
    return;
  }
  returnBonds(turn, market);
  stopWaiting(turn.state, market);
  proposal.state = 'final';
  market.closing = { kind: 'settle', payout: proposal.payout };
}

function continueLater(turn: Turn, market: Market): void {
  const dueMs = turn.state.commandMs + 1;
  market.chunkDueMs = dueMs;
  turn.state.timers.set({ dueMs, kind: 'market_chunk', subject: market.id });
}

/** In the order in which they would trade: nothing is searched for or sorted. */
function cancelOrders(turn: Turn, market: Market, next: LockGoal | null): boolean {
  const reason = next?.kind === 'void' ? 'market_cancelled' : 'market_locked';
  for (;;) {
    if (market.openOrders === 0) return true;
    if (!takePostings(turn, 1)) return false;
    cancelOpenOrder(turn, present(firstResting(market), 'an open order'), reason);
  }
}

function finishLock(turn: Turn, market: Market, next: LockGoal | null): void {
  stopWaitingToTrade(turn.state, market);
  if (next?.kind === 'void') {
    startCount(market, next.reason);
    return;
  }
  if (market.status === 'active') changeStatus(turn, market, 'locked');
  market.closing = null;
  if (next === null) return;
  changeStatus(turn, market, 'settling');
  const proposal = present(market.proposal, 'the proposal that locked the market');
  if (isWindowOver(turn.state, proposal)) conclude(turn, market);
  else if (proposal.windowEndsAtMs <= turn.state.nowMs) awaitWindow(turn, market, proposal);
}

/** What a market waits for only while it trades or may come to. */
function stopWaitingToTrade(state: State, market: Market): void {
  clearHalt(state, market);
  market.sampleDueMs = 0;
  for (const kind of TRADING_TIMERS) state.timers.clear(kind, market.id);
}

type Payout = NonNullable<Market['payout']>;

function resolve(turn: Turn, market: Market, payout: Payout): void {
  const { returned, dust } = settlePool(turn, market, payout);
  market.payout = payout;
  turn.events.push({
    type: 'market_resolved',
    marketId: market.id,
    payout,
    poolPayout: returned as Usdt,
    dust: dust as Usdt,
  });
  finish(turn, market, 'resolved');
}

function cancel(turn: Turn, market: Market, reason: string, ranks: RefundRanks): void {
  const { returned, dust } = refundPool(turn, market, ranks);
  turn.events.push({
    type: 'market_cancelled',
    marketId: market.id,
    payout: [],
    cause: 'other',
    reason,
    window: null,
    excluded: [],
    feesReturned: 0n as Usdt,
    poolPaid: returned as Usdt,
    excess: dust as Usdt,
  });
  finish(turn, market, 'cancelled');
}

function finish(turn: Turn, market: Market, status: 'resolved' | 'cancelled'): void {
  const { state } = turn;
  closeMarketAccounts(state, market);
  market.holders.length = 0;
  market.nextHolder = 0;
  market.rated = [];
  Object.assign(market.memory, createMemory());
  for (const kind of DECISION_TIMERS) state.timers.clear(kind, market.id);
  market.settledAtMs = state.nowMs;
  market.closing = null;
  market.creator.family.openMarkets -= 1;
  if (market.holdings.size > 0) state.leftovers.push(market);
  changeStatus(turn, market, status);
}
