// A demo account becomes the one of a registered user, with all that is in it.

import type { AccountId } from '../kit/identity.ts';
import type { Account } from '../state/account.ts';
import { isOperator, unknownAccount } from '../state/authority.ts';
import type { Actor, RegisterDemo } from '../state/command.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { isFamily } from './close.ts';

export function registerDemo(turn: Turn, actor: Actor, command: RegisterDemo): Answer {
  const { state, events } = turn;
  const { accountId, referrerId } = command;
  if (state.lane !== 'sandbox') return refuse(reject('SANDBOX_ONLY'));
  const account = openAccountOf(state, accountId);
  if (account === undefined || !isOperator(actor)) return refuse(unknownAccount(accountId));
  const isOwnReferrer = referrerId === accountId;
  if (referrerId !== null && (isOwnReferrer || openAccountOf(state, referrerId) === undefined)) {
    return refuse(unknownAccount(referrerId));
  }
  const { mode, family } = account;
  if (mode === 'sandbox' && account.parentId === null && account.referrerId === referrerId) {
    return accept(DONE);
  }
  if (mode !== 'demo' || isFamily(family)) {
    return refuse(reject('STATE_CONFLICT', { account_id: account.id }));
  }
  account.mode = 'sandbox';
  account.referrerId = referrerId;
  events.push({ type: 'demo_registered', accountId: account.id, referrerId });
  return accept(DONE);
}

function openAccountOf({ accounts }: State, accountId: AccountId): Account | undefined {
  const account = accounts.get(accountId);
  return account?.closedAtMs === null ? account : undefined;
}
