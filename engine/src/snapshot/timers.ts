// Sets the alarms of a restored state: they are not stored, because each follows from what it is for.
import type { Market } from '../market/market.ts';
import type { State } from '../state.ts';
import type { TimerKind } from '../timer/timer-queue.ts';

export function armTimers(state: State): void {
  for (const market of state.markets.values()) armMarket(state, market);
  for (const order of state.orders.values()) {
    if (order.expiresAtMs !== null) arm(state, 'order_expiry', order.id, order.expiresAtMs);
  }
  for (const [key, { expiresAtMs }] of state.heartbeats) arm(state, 'heartbeat', key, expiresAtMs);
  if (state.nextSampleMs > 0) arm(state, 'sample', '', state.nextSampleMs);
}

function armMarket(state: State, market: Market): void {
  const { status, proposal } = market;
  if (status === 'active') state.looks.add(market);
  if (status === 'scheduled') arm(state, 'market_open', market.id, market.opensAtMs);
  if (status === 'scheduled' || status === 'active') {
    arm(state, 'market_lock', market.id, market.locksAtMs);
  }
  if (market.halted && market.haltedUntilMs !== null) {
    arm(state, 'market_resume', market.id, market.haltedUntilMs);
  }
  if (proposal !== null && proposal.state === 'proposed') {
    arm(state, 'resolution_window', market.id, proposal.windowEndsAtMs);
  }
  // Whatever waits for its next step waits for the very next millisecond.
  if (market.closing !== null) arm(state, 'market_chunk', market.id, state.nowMs + 1);
  if (status === 'scheduled' || status === 'active' || status === 'locked') {
    const { proposalDeadlineMs, recoveryGraceMs } = state.parameters.resolution;
    const deadlineMs = market.closesAtMs + proposalDeadlineMs;
    const graceMs = state.recoveredAtMs + recoveryGraceMs;
    arm(state, 'proposal_deadline', market.id, deadlineMs > state.nowMs ? deadlineMs : graceMs);
  }
}

/** What is not ahead has rung already, or was set aside by what happened since. */
function arm(state: State, kind: TimerKind, subject: string | number, dueMs: number): void {
  if (dueMs > state.nowMs) state.timers.add({ dueMs, kind, subject: subject as string });
}
