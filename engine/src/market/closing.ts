// Closes a market chunk by chunk: its orders, then its holders, a bounded number of postings in one command (MK11).
import type { Usdt } from '@sibyl/money';
import { present } from '../kit/assert.ts';
import { returnBonds } from '../resolution/bonds.ts';
import {
  closeMarketAccounts,
  collectFees,
  settleHolders,
  settlePool,
  vestFees,
  voidPool,
} from '../resolution/settle.ts';
import { awaitTakeUp, awaitWindow, isWindowOver, stopWaiting } from '../resolution/window.ts';
import { firstResting } from '../state/book.ts';
import type {
  Cancellation,
  Closing,
  LockGoal,
  Market,
  MarketStatus,
  VoidClosing,
} from '../state/market.ts';
import { cancelOpenOrder } from '../state/orders/close.ts';
import type { State } from '../state/state.ts';
import { type Turn, takePostings } from '../state/turn.ts';
import type { TimerKind } from '../timer/timer-queue.ts';
import { clearHalt } from './halt.ts';
import { createMemory, stopTrading } from './price-memory.ts';

/** Cancels the open orders; then the market is locked, and what follows the lock happens. */
export function startLock(turn: Turn, market: Market, next: LockGoal | null): void {
  stopTrading(turn.state, market);
  market.closing = { kind: 'lock', next };
  advanceClosing(turn, market);
}

/** Cancels the market without a proposal: bonds return, orders are cancelled, then holders are paid. */
export function startVoid(
  turn: Turn,
  market: Market,
  payout: Payout,
  cancellation: Cancellation,
): void {
  stopTrading(turn.state, market);
  returnBonds(turn, market);
  stopWaiting(turn.state, market);
  if (market.proposal !== null) market.proposal.state = 'void';
  market.closing = { kind: 'lock', next: { kind: 'void', payout, cancellation } };
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
    case 'settle':
      if (!settleHolders(turn, market, closing.payout, false)) return false;
      if (!vestFees(turn, market)) return false;
      resolve(turn, market, closing.payout);
      return true;
    case 'void':
      if (!collectFees(turn, market, closing)) return false;
      if (!settleHolders(turn, market, closing.payout, true)) return false;
      cancel(turn, market, closing);
      return true;
  }
}

function conclude(turn: Turn, market: Market): void {
  const proposal = present(market.proposal, 'the proposal carried out');
  const { payout, cancellation } = proposal;
  // What an account says of a cancellation pays nothing: operators take it up, or it lapses (VD11).
  if (payout.length === 0) {
    awaitTakeUp(turn.state, market, proposal);
    return;
  }
  returnBonds(turn, market);
  stopWaiting(turn.state, market);
  proposal.state = cancellation === null ? 'final' : 'void';
  market.closing =
    cancellation === null ? { kind: 'settle', payout } : startPaying(payout, cancellation);
}

function startPaying(payout: Payout, cancellation: Cancellation): VoidClosing {
  return { kind: 'void', payout, cancellation, feesReturned: 0n };
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
    market.closing = startPaying(next.payout, next.cancellation);
    return;
  }
  if (market.status === 'active') changeStatus(turn, market, 'locked');
  market.closing = null;
  if (next === null) return;
  // Operators may take up an account's proposal to cancel it.
  if (market.status !== 'settling') changeStatus(turn, market, 'settling');
  const proposal = present(market.proposal, 'the proposal that locked the market');
  const isOver = isWindowOver(turn.state, proposal);
  if (isOver && proposal.cancellation === null) conclude(turn, market);
  else if (!isOver && proposal.windowEndsAtMs <= turn.state.nowMs) {
    awaitWindow(turn, market, proposal);
  }
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

function cancel(turn: Turn, market: Market, closing: VoidClosing): void {
  const { payout, cancellation, feesReturned } = closing;
  const { returned, dust } = voidPool(turn, market, payout, cancellation.cause);
  market.payout = payout;
  market.cancellation = cancellation;
  turn.events.push({
    type: 'market_cancelled',
    marketId: market.id,
    payout,
    ...cancellation,
    feesReturned: feesReturned as Usdt,
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
  market.deepMids = [];
  for (const kind of DECISION_TIMERS) state.timers.clear(kind, market.id);
  market.settledAtMs = state.nowMs;
  market.closing = null;
  market.creator.family.openMarkets -= 1;
  if (market.holdings.size > 0) state.leftovers.push(market);
  changeStatus(turn, market, status);
}
