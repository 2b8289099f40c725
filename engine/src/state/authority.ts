// Who may act on which account: checked behind the gateway as well, because a gateway can be wrong.

import type { AccountId } from '../kit/identity.ts';
import type { Account } from './account.ts';
import type { Actor } from './command.ts';
import { type Rejection, reject } from './reject.ts';
import type { State } from './state.ts';

/** Operators and the system may act on any account, an account on itself and on its subaccounts. */
export function mayAct(state: State, actor: Actor, accountId: AccountId): boolean {
  if (actor.kind !== 'account') return true;
  if (actor.accountId === accountId) return true;
  const account = state.accounts.get(accountId);
  return account !== undefined && account.parentId === actor.accountId;
}

export function isOperator(actor: Actor): boolean {
  return actor.kind !== 'account';
}

/** The account a command acts on, or why it may not: unknown and foreign look the same. */
export function actingAccount(
  state: State,
  actor: Actor,
  accountId: AccountId,
): Account | Rejection {
  const account = state.accounts.get(accountId);
  if (account === undefined || !mayAct(state, actor, accountId)) return unknownAccount(accountId);
  return account.closedAtMs === null ? account : unknownAccount(accountId);
}

export function unknownAccount(accountId: unknown): Rejection {
  return reject('NOT_FOUND', { account_id: String(accountId) });
}

/** What only an owner does with its family, and no subaccount with itself. */
export function isOwnersAct(actor: Actor, { family }: Account): boolean {
  return isOperator(actor) || (actor.kind === 'account' && actor.accountId === family.id);
}

export function isRejection(value: object): value is Rejection {
  return 'code' in value;
}
