// Halting and resuming: while a market is halted, nothing trades and its prices stand for no time.

import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import { beginTrading, stopTrading } from './price-memory.ts';

export function halt(turn: Turn, market: Market, reason: string, untilMs: number | null): void {
  stopTrading(turn.state, market);
  market.halted = true;
  market.haltReason = reason;
  market.haltedUntilMs = untilMs;
  market.memory.hits = 0;
  turn.events.push({ type: 'market_halted', marketId: market.id, reason, untilMs });
  const { timers } = turn.state;
  if (untilMs === null) timers.clear('market_resume', market.id);
  else timers.set({ dueMs: untilMs, kind: 'market_resume', subject: market.id });
}

export function resume(turn: Turn, market: Market): void {
  beginTrading(turn.state, market);
  clearHalt(turn.state, market);
  turn.events.push({ type: 'market_resumed', marketId: market.id });
}

export function clearHalt(state: State, market: Market): void {
  state.timers.clear('market_resume', market.id);
  market.halted = false;
  market.haltReason = null;
  market.haltedUntilMs = null;
}
