// A user sets limits of his own, or excludes himself.

import type { AccountId } from '../kit/identity.ts';
import { BALANCE_MAX } from '../ledger/ledger.ts';
import type { Account } from '../state/account.ts';
import { actingAccount, isRejection } from '../state/authority.ts';
import type { Actor, ExcludeSelf, SetOwnLimits } from '../state/command.ts';
import { cancelOpenOrder } from '../state/orders/close.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { armOwnLimits, FOR_EVER_MS, LIMIT_KINDS, OwnLimits } from './own-limits.ts';
import { PERIODS } from './windows.ts';

export function setOwnLimits(turn: Turn, actor: Actor, command: SetOwnLimits): Answer {
  const { state, events } = turn;
  const { accountId, limits: values } = command;
  const fault = checkValues(values);
  if (fault !== null) return refuse(fault);
  const account = actingAccount(state, actor, accountId);
  if (isRejection(account)) return refuse(account);
  limitsOf(state, account).set(values, state.nowMs);
  events.push({ type: 'own_limits_set', accountId: account.family.id, limits: values });
  return accept(DONE);
}

export function excludeSelf(turn: Turn, actor: Actor, command: ExcludeSelf): Answer {
  const { state, events } = turn;
  const { accountId, untilMs } = command;
  const isTime = Number.isSafeInteger(untilMs) && untilMs <= FOR_EVER_MS;
  if (!isTime || untilMs <= state.nowMs) return refuse(invalid('until_ms', 'a later time'));
  const account = actingAccount(state, actor, accountId);
  if (isRejection(account)) return refuse(account);
  const { family } = account;
  const known = family.limits === null ? 0 : family.limits.excludedUntilMs;
  // Not even an operator shortens it: that is what it is for.
  if (untilMs < known && known > state.nowMs) {
    return refuse(reject('STATE_CONFLICT', { until_ms: known }));
  }
  limitsOf(state, account).excludedUntilMs = untilMs;
  events.push({ type: 'self_excluded', accountId: family.id, untilMs });
  for (const member of byId(family.members)) withdrawBuys(turn, member);
  return accept(DONE);
}

/** The day of a family that has limits is over. */
export function ownLimitsRoll({ state }: Turn, ownerId: AccountId): void {
  const family = state.accounts.get(ownerId)?.family;
  if (family === undefined || family.limits === null) return;
  family.limits.roll(state, family);
  armOwnLimits(state, family);
}

/** Those that there are, or new ones, which count from now on. */
function limitsOf(state: State, { family }: Account): OwnLimits {
  if (family.limits !== null) return family.limits;
  const limits = new OwnLimits();
  family.limits = limits;
  limits.begin(state, family);
  armOwnLimits(state, family);
  return limits;
}

/** Sells stay: they are a way out. */
function withdrawBuys(turn: Turn, account: Account): void {
  for (const order of turn.state.orderLists.of(account)) {
    if (order.side !== 'buy' || order.holding.market.closing !== null) continue;
    cancelOpenOrder(turn, order, 'user');
  }
}

function byId(members: readonly Account[]): readonly Account[] {
  return [...members].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function checkValues(values: SetOwnLimits['limits']): Rejection | null {
  for (const kind of LIMIT_KINDS) {
    for (const period of PERIODS) {
      const amount = values[kind][period];
      if (amount === null || (amount >= 0n && amount < BALANCE_MAX)) continue;
      return invalid(`${kind}_${period}`, 'an amount, or null for no limit');
    }
  }
  return null;
}
