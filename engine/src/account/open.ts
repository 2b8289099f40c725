// Opening accounts, and freezing them by the operator.

import type { LaneName } from '../kit/identity.ts';
import { HOUSE_NAME } from '../ledger/chart.ts';
import { Account, type AccountIdentity, holdIfFrozen } from '../state/account.ts';
import { isOperator, unknownAccount } from '../state/authority.ts';
import type { Actor, FreezeAccount, OpenAccount } from '../state/command.ts';
import { cancelOpenOrder } from '../state/orders/close.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, isReason, reject } from '../state/reject.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { checkFamily } from './family-limits.ts';

const MODES = ['live', 'sandbox', 'demo', 'bot'] as const;
const ID_LENGTH_MAX = 64;

export function openAccount(turn: Turn, actor: Actor, command: OpenAccount): Answer {
  const { state } = turn;
  const { accountId, mode, parentId, referrerId } = command;
  if (!isAccountName(accountId)) return refuse(invalid('account_id', 'acc_ or sub_ and a name'));
  if (!MODES.includes(mode) || !belongs(mode, state.lane)) {
    return refuse(invalid('mode', `a mode of the ${state.lane} lane`));
  }
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND', { account_id: String(accountId) }));
  for (const relative of [parentId, referrerId]) {
    if (relative === null) continue;
    const known = state.accounts.get(relative);
    if (known === undefined) return refuse(reject('NOT_FOUND', { account_id: String(relative) }));
    if (relative === parentId && known.parentId !== null) {
      return refuse(invalid('parent_id', 'an account that is no subaccount'));
    }
  }
  const existing = state.accounts.get(accountId);
  if (existing !== undefined) {
    return isSame(existing, command)
      ? accept({ kind: 'account', accountId })
      : refuse(reject('CONFLICT', { account_id: accountId }));
  }
  const parent = parentId === null ? undefined : state.accounts.get(parentId);
  // Until its owner gives it another name it has its id.
  const label = parent === undefined ? null : accountId;
  const crowded = parent === undefined || label === null ? null : checkFamily(parent, label);
  if (crowded !== null) return refuse(crowded);
  const opened = { id: accountId, mode, referrerId, openedAtMs: state.nowMs, label };
  enterAccount(turn, opened, parent);
  return accept({ kind: 'account', accountId });
}

export function enterAccount(
  { state, events }: Turn,
  identity: Required<AccountIdentity>,
  parent?: Account,
): void {
  const { id: accountId, mode, referrerId, label } = identity;
  const account = new Account(state.ledger, state.tallies, identity, parent);
  state.accounts.set(accountId, account);
  holdIfFrozen(account);
  const { parentId } = account;
  events.push({ type: 'account_opened', accountId, mode, parentId, referrerId, label });
}

export function freezeAccount(turn: Turn, actor: Actor, command: FreezeAccount): Answer {
  const { state } = turn;
  const { frozen, reason = null } = command;
  if (reason !== null && !isReason(reason)) return refuse(invalid('reason', '1 to 256 characters'));
  const account = state.accounts.get(command.accountId);
  if (account === undefined || account.closedAtMs !== null || !isOperator(actor)) {
    return refuse(unknownAccount(command.accountId));
  }
  if (account.frozenByOperator === frozen) return accept(DONE);
  account.frozenByOperator = frozen;
  account.frozenReason = frozen ? reason : null;
  const held = account.parentId === null ? account.family.sorted() : [account];
  for (const member of held) refreeze(turn, member, 'operator', reason);
  return accept(DONE);
}

/** Tells whether the account is held after somebody froze it or let it go, and takes back its orders. */
export function refreeze(
  turn: Turn,
  account: Account,
  by: 'owner' | 'operator',
  reason: string | null,
): void {
  if (!holdIfFrozen(account)) return;
  const { frozen } = account;
  turn.events.push({ type: 'account_frozen', accountId: account.id, frozen, by, reason });
  if (frozen) cancelAll(turn, account, 'account_frozen');
}

export function cancelAll(turn: Turn, account: Account, reason: 'account_frozen' | 'reset'): void {
  for (const order of turn.state.orderLists.of(account)) {
    // A market that is being closed chunk by chunk releases this order itself.
    if (order.holding.market.closing === null) cancelOpenOrder(turn, order, reason);
  }
}

function belongs(mode: OpenAccount['mode'], lane: LaneName): boolean {
  return (mode === 'live') === (lane === 'live');
}

export function isAccountName(accountId: unknown): boolean {
  if (typeof accountId !== 'string' || accountId.length > ID_LENGTH_MAX) return false;
  return accountId !== HOUSE_NAME && /^(acc|sub)_[A-Za-z0-9_-]+$/.test(accountId);
}

function isSame(account: Account, command: OpenAccount): boolean {
  return (
    account.mode === command.mode &&
    account.parentId === command.parentId &&
    account.referrerId === command.referrerId
  );
}
