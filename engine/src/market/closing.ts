// Closes a market step by step: its orders, then its holders, a bounded number of them at a time.
import type { Usdt } from '@sibyl/money';
import { present } from '../assert.ts';
import { restingOrders } from '../book/book.ts';
import { cancelOpenOrder } from '../order/close.ts';
import { type Holding, netOf } from '../position/holding.ts';
import { freeShares, holdersOf } from '../position/holdings.ts';
import { returnBonds } from '../resolution/bonds.ts';
import { chooseRefund, refundCreator, refundHolder } from '../resolution/refund.ts';
import {
  closeMarketAccounts,
  collectFees,
  settleHolder,
  settlePool,
  vestFees,
} from '../resolution/settle.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import type { ClosingGoal, LockGoal, Market, MarketStatus } from './market.ts';
import { countMarks } from './price-average.ts';

/** Cancels the open orders; then the market is locked, and what follows the lock happens. */
export function startLock(turn: Turn, market: Market, next: LockGoal | null): void {
  market.closing = { kind: 'lock', next };
  advanceClosing(turn, market);
}

/** Ends the market without a result: bonds go back, orders are cancelled, then holders are refunded. */
export function startVoid(turn: Turn, market: Market, reason: string): void {
  giveUp(turn, market, reason);
  advanceClosing(turn, market);
}

/** The proposal stands: what it says is carried out, and bonds still posted go back. */
export function carryOut(turn: Turn, market: Market): void {
  conclude(turn, market);
  advanceClosing(turn, market);
}

/** One step: closes what the budget allows, and leaves the rest to a timer a millisecond later. */
export function advanceClosing(turn: Turn, market: Market): void {
  let budget = turn.state.parameters.chunkMax;
  while (market.closing !== null) {
    const { closing } = market;
    if (closing.kind === 'lock') {
      budget -= cancelOldest(turn, market, closing.next, budget);
      if (market.openOrders > 0) {
        continueLater(turn, market);
        return;
      }
      finishLock(turn, market, closing.next);
    } else {
      budget -= payFirst(turn, market, closing.goal, budget);
      if (market.holdings.size > 0) {
        continueLater(turn, market);
        return;
      }
      finishSettlement(turn, market, closing.goal);
    }
  }
}

export function changeStatus(turn: Turn, market: Market, to: MarketStatus): void {
  const from = market.status;
  market.status = to;
  turn.events.push({ type: 'market_status_changed', marketId: market.id, from, to });
}

export const VOID_REASON = 'void';

function giveUp(turn: Turn, market: Market, reason: string): void {
  returnBonds(turn, market);
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
  proposal.state = 'final';
  market.closing = { kind: 'settle', goal: { kind: 'payout', payout: proposal.payout } };
}

function continueLater(turn: Turn, market: Market): void {
  const { state } = turn;
  state.timers.add({ dueMs: state.nowMs + 1, kind: 'market_chunk', subject: market.id });
}

function cancelOldest(turn: Turn, market: Market, next: LockGoal | null, budget: number): number {
  if (market.openOrders === 0) return 0;
  const reason = next?.kind === 'void' ? 'market_cancelled' : 'market_locked';
  const oldest = restingOrders(market)
    .sort((a, b) => a.id - b.id)
    .slice(0, budget);
  for (const order of oldest) cancelOpenOrder(turn, order, reason);
  return oldest.length;
}

function finishLock(turn: Turn, market: Market, next: LockGoal | null): void {
  if (market.status === 'active') leaveActive(turn, market);
  if (next?.kind === 'void') {
    market.closing = { kind: 'settle', goal: chooseRefund(turn, market, next.reason) };
    return;
  }
  if (market.status === 'active') changeStatus(turn, market, 'locked');
  market.closing = null;
  if (next === null) return;
  changeStatus(turn, market, 'settling');
  const proposal = present(market.proposal, 'the proposal that locked the market');
  if (proposal.windowEndsAtMs <= turn.state.nowMs) conclude(turn, market);
}

/** The last marks are counted, and a halt has nothing left to stop. */
function leaveActive(turn: Turn, market: Market): void {
  countMarks(turn.state, market);
  market.halted = false;
  market.haltReason = null;
  market.haltedUntilMs = null;
  market.recentPrices.length = 0;
}

/** Holders to whom nothing is owed and who hold nothing cost nothing: they do not count. */
function payFirst(turn: Turn, market: Market, goal: ClosingGoal, budget: number): number {
  const { state } = turn;
  let paid = 0;
  for (const holding of holdersOf(market)) {
    const isFlat = !holdsShares(state, holding) && (goal.kind !== 'refund' || netOf(holding) <= 0n);
    if (!isFlat && paid === budget) return paid;
    if (goal.kind === 'refund') refundHolder(turn, holding);
    else settleHolder(turn, holding, goal.payout, goal.kind === 'payout' ? 'settlement' : 'refund');
    if (!isFlat) paid += 1;
  }
  return paid;
}

function holdsShares(state: State, holding: Holding): boolean {
  return holding.market.outcomes.some((_, outcome) => freeShares(state, holding, outcome) > 0n);
}

function finishSettlement(turn: Turn, market: Market, goal: ClosingGoal): void {
  if (goal.kind === 'payout') resolve(turn, market, goal.payout);
  else cancel(turn, market, goal);
}

type Payout = NonNullable<Market['payout']>;

function resolve(turn: Turn, market: Market, payout: Payout): void {
  const { returned, dust } = settlePool(turn, market, payout, 'settlement');
  vestFees(turn, market);
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

function cancel(turn: Turn, market: Market, goal: Exclude<ClosingGoal, { kind: 'payout' }>): void {
  const { state, events } = turn;
  const { reason } = goal;
  if (goal.kind === 'refund') {
    const returned = refundCreator(turn, market) as Usdt;
    const marketId = market.id;
    events.push({
      type: 'market_cancelled',
      marketId,
      reason,
      rule: 'refund',
      payout: null,
      returned,
    });
  } else {
    const { payout } = goal;
    const returned = settlePool(turn, market, payout, 'refund').returned as Usdt;
    collectFees(turn, market, state.insurance);
    market.payout = payout;
    const marketId = market.id;
    events.push({ type: 'market_cancelled', marketId, reason, rule: 'prices', payout, returned });
  }
  finish(turn, market, 'cancelled');
}

function finish(turn: Turn, market: Market, status: 'resolved' | 'cancelled'): void {
  closeMarketAccounts(turn.state, market);
  market.priceRuns.length = 0;
  market.rated = [];
  market.recentPrices.length = 0;
  market.settledAtMs = turn.state.nowMs;
  market.closing = null;
  changeStatus(turn, market, status);
}
