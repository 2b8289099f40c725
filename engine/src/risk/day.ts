// Taker notional per day, of an account and of a key: what day caps are measured against (RK1).
import type { AccountId } from '../identity.ts';
import type { State } from '../state.ts';

const DAY_MS = 86_400_000;

/** UTC days since the epoch. */
export function dayOf(nowMs: number): number {
  return (nowMs - (nowMs % DAY_MS)) / DAY_MS; // exact: the remainder was taken off
}

export function keyScope(keyId: string): string {
  return `key:${keyId}`;
}

/** Today's taker notional in a scope: an account's id, or `key:` and a key's. */
export function usedToday(state: State, scope: string): bigint {
  const known = state.dayNotional.get(scope);
  return known === undefined || known.day !== dayOf(state.nowMs) ? 0n : known.used;
}

/** An account always counts, a key when it has caps. */
export function countNotional(
  state: State,
  accountId: AccountId,
  keyId: string | null,
  amount: bigint,
): void {
  count(state, accountId, amount);
  if (keyId !== null) count(state, keyScope(keyId), amount);
}

function count(state: State, scope: string, amount: bigint): void {
  const day = dayOf(state.nowMs);
  const known = state.dayNotional.get(scope);
  if (known === undefined) {
    state.dayNotional.set(scope, { day, used: amount });
  } else if (known.day === day) {
    known.used += amount;
  } else {
    known.day = day;
    known.used = amount;
  }
}
