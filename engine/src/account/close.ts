// Closing an account of the sandbox that is no longer used: emptied as by a reset, then removed from the state.

import { disarmAll } from '../order/heartbeat.ts';
import { closeHolding } from '../position/holdings.ts';
import { type Account, type Family, isOwn } from '../state/account.ts';
import { isOperator } from '../state/authority.ts';
import type { Actor, CloseAccount } from '../state/command.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { checkClearing, clearAccount } from './reset.ts';

export function closeAccount(turn: Turn, actor: Actor, command: CloseAccount): Answer {
  const { state, events } = turn;
  const { accountId } = command;
  if (state.lane !== 'sandbox') return refuse(reject('SANDBOX_ONLY'));
  const account = state.accounts.get(accountId);
  if (account === undefined || account.closedAtMs !== null || !isOperator(actor)) {
    return refuse(reject('NOT_FOUND', { account_id: String(accountId) }));
  }
  if (isNeeded(account)) return refuse(reject('STATE_CONFLICT', { account_id: account.id }));
  const obstacle = checkClearing(state, [account]);
  if (obstacle !== null) return refuse(obstacle);
  events.push({ type: 'account_closed', accountId: account.id });
  clearAccount(turn, account);
  remove(state, account);
  return accept(DONE);
}

/** Whether it is one of the exchange's own, or something else in the lane refers to it. */
function isNeeded(account: Account): boolean {
  const { staked, family } = account;
  return isOwn(account) || staked > 0n || family.markets > 0 || isFamily(family);
}

/** Whether subaccounts belong to the account, or did. */
export function isFamily({ members, closed }: Family): boolean {
  return members.length + closed.length > 1;
}

/** Its row is not used again: orders that closed are still known by it. */
function remove(state: State, account: Account): void {
  disarmAll(state, account.id);
  state.timers.clear('own_limits', account.id);
  for (const holding of account.holdings.values()) closeHolding(state, holding);
  state.orderLists.forget(account);
  state.ledger.close(account.free);
  state.ledger.close(account.reserved);
  state.funds.forget(account.id);
  state.accounts.delete(account.id);
}
