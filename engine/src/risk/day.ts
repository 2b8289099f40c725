// Taker notional per day, of an account and of a key: what day caps are measured against (RK1).
import type { Account } from '../account/account.ts';
import type { State } from '../state.ts';

const DAY_MS = 86_400_000;

/** UTC days since the epoch. */
export function dayOf(nowMs: number): number {
  // Not by the remainder: of a number as large as a time it takes a library call.
  return (nowMs / DAY_MS) | 0; // exact: quotients lie at least 10⁻⁸ below the next integer, or on it
}

/** Today's taker notional of a key. */
export function keyUsedToday(state: State, keyId: string): bigint {
  const known = state.keyNotional.get(keyId);
  return known === undefined || known.day !== dayOf(state.nowMs) ? 0n : known.used;
}

export function accountUsedToday(state: State, account: Account): bigint {
  return account.notionalOn(dayOf(state.nowMs));
}

/** An account always counts, a key when it has caps. */
export function countNotional(
  state: State,
  account: Account,
  keyId: string | null,
  amount: bigint,
): void {
  const day = dayOf(state.nowMs);
  account.addNotional(day, amount);
  if (keyId === null) return;
  const known = state.keyNotional.get(keyId);
  if (known?.day === day) known.used += amount;
  else state.keyNotional.set(keyId, { day, used: amount });
}
