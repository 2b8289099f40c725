// Sets the alarms of a restored state: they are not stored, because each follows from what it is for.
import { nextDayMs } from '../compliance/windows.ts';
import { isFinal, type Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import type { Timer, TimerKind } from '../timer/timer-queue.ts';

export function armTimers(state: State): void {
  for (const timer of timersOf(state)) state.timers.set(timer);
}

/** All that a state waits for: what its queue holds, and nothing else. */
export function timersOf(state: State): readonly Timer[] {
  const timers: Timer[] = [];
  // What is not ahead has rung already, or was set aside by what happened since.
  const add: Add = (kind, subject, dueMs) => {
    if (dueMs > state.nowMs) timers.push({ dueMs, kind, subject });
  };
  for (const market of state.markets.values()) addMarket(market, add);
  for (const order of state.orders.values()) {
    if (order.expiresAtMs !== null) add('order_expiry', order.id, order.expiresAtMs);
  }
  for (const [key, { expiresAtMs }] of state.heartbeats) add('heartbeat', key, expiresAtMs);
  for (const { id, family } of state.accounts.values()) {
    if (family.limits !== null && family.id === id) {
      add('own_limits', id, nextDayMs(state.nowMs));
    }
  }
  return timers;
}

type Add = (kind: TimerKind, subject: Timer['subject'], dueMs: number) => void;

function addMarket(market: Market, add: Add): void {
  const { id, status, proposal } = market;
  if (isFinal(market)) return;
  const mayTrade = market.closing === null || market.closing.kind === 'lock';
  if (mayTrade && status === 'active') add('sample', id, market.sampleDueMs);
  if (mayTrade && status === 'scheduled') add('market_open', id, market.opensAtMs);
  if (mayTrade && (status === 'scheduled' || status === 'active')) {
    add('market_lock', id, market.locksAtMs);
  }
  if (market.halted && market.haltedUntilMs !== null) {
    add('market_resume', id, market.haltedUntilMs);
  }
  if (market.closing !== null) add('market_chunk', id, market.chunkDueMs);
  if (proposal === null) add('proposal_deadline', id, market.deadlineMs);
  else {
    if (proposal.state === 'proposed') add('resolution_window', id, proposal.windowEndsAtMs);
    add('ruling_overdue', id, proposal.rulingDueMs);
  }
}
