// What a user has forbidden himself: to be here at all for a time, or to pay in or lose more than so much (OL1 to OL5).
import type { Account, Family } from '../state/account.ts';
import type { OwnLimitValues } from '../state/command.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { nextDayMs, PERIODS, periodEndMs, periodsOf } from './windows.ts';

/** By period: day, week, month. */
export type Amounts = [bigint, bigint, bigint];

/** One limit: what holds now, and what will hold from a later time on. Null is no limit. */
export interface Limit {
  readonly amount: bigint | null;
  readonly next: { readonly amount: bigint | null; readonly fromMs: number } | null;
}

/** The kinds, each with a limit for every period. */
export const LIMIT_KINDS = ['deposit', 'loss'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** The last moment that a time of the interface can be: for ever. */
export const FOR_EVER_MS = 253_402_300_799_999;

const NO_LIMIT: Limit = { amount: null, next: null };
const DAY_MS = 86_400_000;

/** Of a family; one that never set a limit has none, so that an order without limits reads one field. */
export class OwnLimits {
  readonly limits: Record<LimitKind, Limit[]> = {
    deposit: PERIODS.map(() => NO_LIMIT),
    loss: PERIODS.map(() => NO_LIMIT),
  };
  /** Excluded before this moment; 0 if never. */
  excludedUntilMs = 0;
  /** The day, week and month that are being counted. */
  periods: readonly number[] = [0, 0, 0];
  deposited: Amounts = [0n, 0n, 0n];
  /** What the family had to lose when the period began. */
  base: Amounts = [0n, 0n, 0n];

  /** Lower holds at once, higher after a day; what was to be higher is taken back by asking for less. */
  set(values: OwnLimitValues, nowMs: number): void {
    for (const kind of LIMIT_KINDS) {
      const wanted = values[kind];
      this.limits[kind] = PERIODS.map((period, at) =>
        changed(this.limits[kind][at]!, wanted[period], nowMs),
      );
    }
  }

  /** Counts anew whatever period is another than before. */
  roll(state: State, family: Family): void {
    const now = periodsOf(state.nowMs);
    const worth = worthOf(state, family);
    for (let at = 0; at < PERIODS.length; at += 1) {
      if (now[at] === this.periods[at]) continue;
      this.deposited[at] = 0n;
      this.base[at] = worth;
    }
    this.periods = now;
  }

  /** Counts all periods anew. */
  begin(state: State, family: Family): void {
    this.periods = [-1, -1, -1];
    this.roll(state, family);
  }
}

/** The limit in force at a moment. */
export function amountAt({ amount, next }: Limit, nowMs: number): bigint | null {
  return next !== null && next.fromMs <= nowMs ? next.amount : amount;
}

export function isExcluded({ limits }: Family, nowMs: number): boolean {
  return limits !== null && nowMs < limits.excludedUntilMs;
}

/** Why the family may not buy, mint or be paid in now, if it has excluded itself. */
export function checkExcluded(state: State, { family }: Account): Rejection | null {
  const { limits } = family;
  if (limits === null || !isExcluded(family, state.nowMs)) return null;
  return reject('COMPLIANCE_GATE_BLOCKED', {
    rule_id: 'self_exclusion',
    lifted_by: 'time',
    until_ms: limits.excludedUntilMs,
  });
}

/** Whether so much more at stake is within what the family may lose. */
export function checkLoss(state: State, { family }: Account, more: bigint): Rejection | null {
  const { limits } = family;
  if (limits === null) return null;
  const left = worthOf(state, family) - reservedOf(state, family);
  return firstAbove(state, 'loss', limits, (at) => limits.base[at]! - left, more);
}

export function checkDeposit(state: State, { family }: Account, more: bigint): Rejection | null {
  const { limits } = family;
  if (limits === null) return null;
  return firstAbove(state, 'deposit', limits, (at) => limits.deposited[at]!, more);
}

export function noteDeposit({ family }: Account, amount: bigint): void {
  const { limits } = family;
  if (limits === null) return;
  for (let at = 0; at < PERIODS.length; at += 1) limits.deposited[at]! += amount;
}

/** What was lost or put at stake in each period so far, what has come back taken off. */
export function lossesOf(state: State, family: Family): Amounts {
  const { limits } = family;
  if (limits === null) return [0n, 0n, 0n];
  const left = worthOf(state, family) - reservedOf(state, family);
  const [day, week, month] = limits.base;
  return [day - left, week - left, month - left];
}

/** Timers of families: when their day is over. */
export function armOwnLimits(state: State, family: Family): void {
  state.timers.set({ dueMs: nextDayMs(state.nowMs), kind: 'own_limits', subject: family.id });
}

function firstAbove(
  state: State,
  kind: LimitKind,
  { limits }: OwnLimits,
  usedIn: (at: number) => bigint,
  more: bigint,
): Rejection | null {
  for (const [at, period] of PERIODS.entries()) {
    const max = amountAt(limits[kind][at]!, state.nowMs);
    if (max === null) continue;
    const used = usedIn(at);
    if (used + more <= max) continue;
    const resetsAtMs = periodEndMs(period, state.nowMs);
    const limit = `own_${kind}_${period}`;
    return reject('RISK_LIMIT_BREACH', { limit, used, max, resets_at_ms: resetsAtMs });
  }
  return null;
}

/** Its money, free, reserved and on its way out, less what came from outside: it changes by trading alone. */
function worthOf(state: State, { members, closed }: Family): bigint {
  let worth = 0n;
  const { ledger } = state;
  for (const { free, reserved, withdrawing, netDeposits } of members) {
    const kept = ledger.balance(reserved) + ledger.balance(withdrawing);
    worth += ledger.balance(free) + kept - netDeposits;
  }
  // What a closed subaccount won or lost went to the others, or came from them, by transfers.
  for (const { netDeposits } of closed) worth -= netDeposits;
  return worth;
}

function reservedOf(state: State, { members }: Family): bigint {
  let reserved = 0n;
  for (const member of members) reserved += state.ledger.balance(member.reserved);
  return reserved;
}

function changed(limit: Limit, wanted: bigint | null, nowMs: number): Limit {
  const amount = amountAt(limit, nowMs);
  if (!isHigher(wanted, amount)) return { amount: wanted, next: null };
  // Asked for again, it comes no later.
  const { next } = limit;
  if (next !== null && next.fromMs > nowMs && next.amount === wanted) return limit;
  return { amount, next: { amount: wanted, fromMs: nowMs + DAY_MS } };
}

function isHigher(wanted: bigint | null, than: bigint | null): boolean {
  if (than === null) return false;
  return wanted === null || wanted > than;
}
