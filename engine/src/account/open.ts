// Opening and freezing accounts.

import type { Actor, FreezeAccount, OpenAccount } from '../command.ts';
import type { LaneName } from '../identity.ts';
import { HOUSE_NAME } from '../ledger/chart.ts';
import { cancelOpenOrder } from '../order/close.ts';
import { type Answer, DONE } from '../outcome.ts';
import { invalid, reject } from '../reject.ts';
import { accept, refuse, type Turn } from '../turn.ts';
import { Account } from './account.ts';
import { isOperator } from './authority.ts';

const MODES = ['live', 'sandbox', 'demo', 'bot'] as const;
const ID_LENGTH_MAX = 64;

export function openAccount(turn: Turn, actor: Actor, command: OpenAccount): Answer {
  const { state, events } = turn;
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
  const opened = { id: accountId, mode, referrerId, openedAtMs: state.nowMs };
  const parent = parentId === null ? undefined : state.accounts.get(parentId);
  state.accounts.set(accountId, new Account(state.ledger, state.tallies, opened, parent));
  events.push({ type: 'account_opened', accountId, mode, parentId, referrerId });
  return accept({ kind: 'account', accountId });
}

export function freezeAccount(turn: Turn, actor: Actor, command: FreezeAccount): Answer {
  const { state, events } = turn;
  const account = state.accounts.get(command.accountId);
  if (account === undefined || !isOperator(actor)) {
    return refuse(reject('NOT_FOUND', { account_id: String(command.accountId) }));
  }
  if (account.frozen === command.frozen) return accept(DONE);
  account.frozen = command.frozen;
  events.push({ type: 'account_frozen', accountId: account.id, frozen: command.frozen });
  if (command.frozen) cancelAll(turn, account, 'account_frozen');
  return accept(DONE);
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

function isAccountName(accountId: unknown): boolean {
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
