// The dead man's switch: orders are withdrawn when their owner falls silent (OR14).

import { frozen } from '../account/money.ts';
import { present } from '../kit/assert.ts';
import type { AccountId, MarketId } from '../kit/identity.ts';
import { actingAccount, isRejection } from '../state/authority.ts';
import type { Actor, Heartbeat } from '../state/command.ts';
import { cancelOpenOrder } from '../state/orders/close.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';

const TIMEOUT_MIN_MS = 5_000;
const TIMEOUT_MAX_MS = 300_000;

export function heartbeat(turn: Turn, actor: Actor, command: Heartbeat): Answer {
  const { state, events } = turn;
  const { timeoutMs, marketId } = command;
  if (!isTimeout(timeoutMs)) return refuse(invalid('timeout_ms', '0, or 5000 to 300000'));
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (account.frozen) return refuse(frozen(account));
  if (marketId !== null && !state.markets.has(marketId)) {
    return refuse(reject('MARKET_NOT_FOUND', { market_id: marketId }));
  }
  const accountId = account.id;
  const key = heartbeatKey(accountId, marketId);
  if (timeoutMs === 0) {
    state.heartbeats.delete(key);
    state.timers.clear('heartbeat', key);
    events.push({ type: 'heartbeat_armed', accountId, marketId, expiresAtMs: null });
    return accept(DONE);
  }
  const expiresAtMs = state.nowMs + timeoutMs;
  state.heartbeats.set(key, { accountId, marketId, expiresAtMs });
  state.timers.set({ dueMs: expiresAtMs, kind: 'heartbeat', subject: key });
  events.push({ type: 'heartbeat_armed', accountId, marketId, expiresAtMs });
  return accept(DONE);
}

export function heartbeatExpired(turn: Turn, key: string): void {
  const { state } = turn;
  const { accountId, marketId } = present(state.heartbeats.get(key), 'an armed heartbeat');
  state.heartbeats.delete(key);
  const account = present(state.accounts.get(accountId), 'account of a heartbeat');
  let cancelledCount = 0;
  for (const order of state.orderLists.of(account)) {
    if (marketId !== null && order.holding.market.id !== marketId) continue;
    if (order.holding.market.closing !== null) continue;
    cancelOpenOrder(turn, order, 'dead_man');
    turn.timerUnits += 1;
    cancelledCount += 1;
  }
  turn.events.push({ type: 'dead_man_triggered', accountId, marketId, cancelledCount });
}

/** Disarms every switch of the account: it has no orders any more. */
export function disarmAll(state: State, accountId: AccountId): void {
  for (const [key, armed] of state.heartbeats) {
    if (armed.accountId !== accountId) continue;
    state.heartbeats.delete(key);
    state.timers.clear('heartbeat', key);
  }
}

function heartbeatKey(accountId: AccountId, marketId: MarketId | null): string {
  return `${accountId}|${marketId ?? '*'}`;
}

function isTimeout(timeoutMs: unknown): boolean {
  if (typeof timeoutMs !== 'number' || !Number.isSafeInteger(timeoutMs)) return false;
  return timeoutMs === 0 || (timeoutMs >= TIMEOUT_MIN_MS && timeoutMs <= TIMEOUT_MAX_MS);
}
