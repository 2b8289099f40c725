// Challenge windows: they run in window time, which stands still while nobody could challenge (RS1, RS9).
import { present } from '../kit/assert.ts';
import type { Market, Proposal } from '../state/market.ts';
import type { State } from '../state/state.ts';
import { graceEndMs, windowTime } from '../state/time.ts';
import type { Turn } from '../state/turn.ts';

export function isWindowOver(state: State, proposal: Proposal): boolean {
  return windowTime(state) >= proposal.windowEnd;
}

/** The window has not run its time: it is waited for until it can have. */
export function awaitWindow(turn: Turn, market: Market, proposal: Proposal): void {
  const { state } = turn;
  const leftMs = proposal.windowEnd - windowTime(state);
  const windowEndsAtMs = state.readOnly
    ? state.nowMs + later(leftMs, PATIENCE_MS)
    : later(state.nowMs, graceEndMs(state)) + leftMs;
  proposal.windowEndsAtMs = windowEndsAtMs;
  state.timers.set({ dueMs: windowEndsAtMs, kind: 'resolution_window', subject: market.id });
  turn.events.push({ type: 'resolution_window_moved', marketId: market.id, windowEndsAtMs });
}

/** The proposal to cancel waits for operators, and lapses without them (VD11). */
export function awaitTakeUp(state: State, market: Market, proposal: Proposal): void {
  proposal.state = 'void';
  state.timers.clear('resolution_window', market.id);
  awaitRuling(state, market, state.nowMs + state.parameters.resolution.rulingDeadlineMs);
}

/** When the lane next asks whether operators have decided. */
export function awaitRuling(state: State, market: Market, dueMs: number): void {
  present(market.proposal, 'proposal to decide').rulingDueMs = dueMs;
  state.timers.set({ dueMs, kind: 'ruling_overdue', subject: market.id });
}

/** The proposal is decided, or its window is over for another reason. */
export function stopWaiting(state: State, market: Market): void {
  state.timers.clear('resolution_window', market.id);
  state.timers.clear('ruling_overdue', market.id);
  if (market.proposal !== null) market.proposal.rulingDueMs = 0;
}

/** In read-only mode nobody knows when it ends: there is no use in looking often. */
const PATIENCE_MS = 3_600_000;

function later(oneMs: number, otherMs: number): number {
  return oneMs > otherMs ? oneMs : otherMs;
}
