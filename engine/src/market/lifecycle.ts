// A market's lifecycle: opening, approval, halts, the lock, and cancellation.

import { frozen } from '../account/money.ts';
import { present } from '../kit/assert.ts';
import type { MarketId } from '../kit/identity.ts';
import { openingPayout } from '../resolution/fair-value.ts';
import { isOperator, mayAct } from '../state/authority.ts';
import type {
  Actor,
  ApproveMarket,
  CancelMarket,
  HaltMarket,
  ResumeMarket,
} from '../state/command.ts';
import { hasTraded, isFinal, type Market } from '../state/market.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, isReason, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { advanceClosing, changeStatus, startLock, startVoid } from './closing.ts';
import { halt, resume } from './halt.ts';
import { beginTrading } from './price-memory.ts';
import { startSampling } from './sample.ts';

export function approveMarket(turn: Turn, actor: Actor, command: ApproveMarket): Answer {
  const market = governed(turn.state, actor, command.marketId);
  if ('code' in market) return refuse(market);
  if (isFinal(market) || market.closing !== null || market.approved)
    return refuse(conflict(market));
  market.approved = true;
  turn.events.push({ type: 'market_approved', marketId: market.id });
  if (market.opensAtMs <= turn.state.nowMs) open(turn, market);
  return accept(DONE);
}

export function haltMarket(turn: Turn, actor: Actor, command: HaltMarket): Answer {
  const { state } = turn;
  const { untilMs, reason } = command;
  if (untilMs !== null && !(Number.isSafeInteger(untilMs) && untilMs > state.nowMs)) {
    return refuse(invalid('until_ms', 'a time after now, or null'));
  }
  if (!isReason(reason)) return refuse(invalid('reason', '1 to 256 characters'));
  const market = governed(state, actor, command.marketId);
  if ('code' in market) return refuse(market);
  if (market.status !== 'active' || market.closing !== null) return refuse(conflict(market));
  halt(turn, market, reason, untilMs);
  return accept(DONE);
}

export function resumeMarket(turn: Turn, actor: Actor, command: ResumeMarket): Answer {
  const market = governed(turn.state, actor, command.marketId);
  if ('code' in market) return refuse(market);
  if (market.status !== 'active' || market.closing !== null || !market.halted) {
    return refuse(conflict(market));
  }
  resume(turn, market);
  return accept(DONE);
}

export function cancelMarket(turn: Turn, actor: Actor, command: CancelMarket): Answer {
  const { state } = turn;
  const { marketId, reason } = command;
  if (!isReason(reason)) return refuse(invalid('reason', '1 to 256 characters'));
  const market = state.markets.get(marketId);
  if (market === undefined) return refuse(marketUnknown(marketId));
  if (!isOperator(actor)) {
    const isOwn = market.status === 'scheduled' && mayAct(state, actor, market.creator.id);
    if (!isOwn) return refuse(reject('NOT_FOUND', { market_id: marketId }));
    if (market.creator.frozen) return refuse(frozen(market.creator));
  }
  if (isFinal(market) || market.closing !== null) return refuse(conflict(market));
  if (hasTraded(market)) {
    const { status } = market;
    return refuse(reject('STATE_CONFLICT', { market_id: marketId, status, reason: 'traded' }));
  }
  cancelUntraded(turn, market, reason);
  return accept(DONE);
}

/** Until it is approved it stays as it is: the approval opens it. */
export function marketOpens(turn: Turn, marketId: MarketId): void {
  const market = present(turn.state.markets.get(marketId), 'market that opens');
  if (market.approved && market.closing === null) open(turn, market);
}

export function marketResumes(turn: Turn, marketId: MarketId): void {
  const market = present(turn.state.markets.get(marketId), 'market that resumes');
  if (market.closing === null) resume(turn, market);
}

/** A market nobody approved in time has nothing to lock: its deposit goes back. */
export function marketLocks(turn: Turn, marketId: MarketId): void {
  const market = present(turn.state.markets.get(marketId), 'market that locks');
  if (market.closing !== null) return;
  if (market.status === 'active') startLock(turn, market, null);
  else cancelUntraded(turn, market, 'not_approved');
}

/** Its deposit returns in full, whatever its prices (VD16). */
function cancelUntraded(turn: Turn, market: Market, reason: string): void {
  const cancellation = { cause: 'untraded', reason, window: null, excluded: [] } as const;
  startVoid(turn, market, openingPayout(market), cancellation);
}

export function marketChunk(turn: Turn, marketId: MarketId): void {
  advanceClosing(turn, present(turn.state.markets.get(marketId), 'market that closes'));
}

/** The market goes back to where its proposal found it: it trades until its lock, or waits for another proposal. */
export function reopen(turn: Turn, market: Market): void {
  const { state } = turn;
  const { timers, nowMs, parameters } = state;
  const { id: subject, locksAtMs, closesAtMs } = market;
  if (locksAtMs <= nowMs) {
    lockAgain(turn, market);
    return;
  }
  timers.set({ dueMs: locksAtMs, kind: 'market_lock', subject });
  enterActive(turn, market);
  market.deadlineMs = closesAtMs + parameters.resolution.proposalDeadlineMs;
  timers.set({ dueMs: market.deadlineMs, kind: 'proposal_deadline', subject });
}

/** The market waits for another proposal, even if its lock has not come (VD11). */
export function lockAgain(turn: Turn, market: Market): void {
  const { timers, nowMs, parameters } = turn.state;
  market.deadlineMs = nowMs + parameters.resolution.proposalDeadlineMs;
  changeStatus(turn, market, 'locked');
  timers.set({ dueMs: market.deadlineMs, kind: 'proposal_deadline', subject: market.id });
}

export function marketUnknown(marketId: MarketId): Rejection {
  return reject('MARKET_NOT_FOUND', { market_id: String(marketId) });
}

/** The market's state does not allow the command. */
export function conflict(market: Market): Rejection {
  return reject('STATE_CONFLICT', { market_id: market.id, status: market.status });
}

/** The market an operator's command is about; to accounts such commands do not exist. */
export function governed(state: State, actor: Actor, marketId: MarketId): Market | Rejection {
  if (!isOperator(actor)) return reject('NOT_FOUND', { market_id: String(marketId) });
  return state.markets.get(marketId) ?? marketUnknown(marketId);
}

function open(turn: Turn, market: Market): void {
  market.activeSinceMs = turn.state.nowMs;
  enterActive(turn, market);
}

function enterActive(turn: Turn, market: Market): void {
  beginTrading(turn.state, market);
  changeStatus(turn, market, 'active');
  startSampling(turn.state, market);
}
