// Subaccounts: an owner opens, names, freezes and closes them, and they multiply nothing that it may do (AC9 to AC12).

import { NO_ROW } from '../kit/tallies.ts';
import { disarmAll } from '../order/heartbeat.ts';
import { closeHolding, holdingOf, holdsShares } from '../position/holdings.ts';
import { type Account, endSubaccount, isHeldByOperator } from '../state/account.ts';
import { actingAccount, isOwnersAct, isRejection, unknownAccount } from '../state/authority.ts';
import type { Actor, ChangeSubaccount, OpenSubaccount } from '../state/command.ts';
import { addKept, keptOf } from '../state/holding.ts';
import { isFinal } from '../state/market.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { checkFamily, isTaken, SUBACCOUNTS_MAX } from './family-limits.ts';
import { frozen } from './money.ts';
import { enterAccount, isAccountName, refreeze } from './open.ts';
import { checkClearing } from './reset.ts';

const LABEL_LENGTH_MAX = 64;
const STATUSES: readonly unknown[] = ['active', 'frozen', 'closed'];

export function openSubaccount(turn: Turn, actor: Actor, command: OpenSubaccount): Answer {
  const { state } = turn;
  const { subaccountId, label } = command;
  if (!isAccountName(subaccountId) || !subaccountId.startsWith('sub_')) {
    return refuse(invalid('subaccount_id', 'sub_ and a name'));
  }
  const fault = checkLabel(label);
  if (fault !== null) return refuse(fault);
  const owner = actingAccount(state, actor, command.accountId);
  if (isRejection(owner)) return refuse(owner);
  if (owner.parentId !== null) return refuse(unknownAccount(owner.id));
  if (owner.frozen) return refuse(frozen(owner));
  if (state.accounts.has(subaccountId)) {
    return refuse(reject('CONFLICT', { account_id: subaccountId }));
  }
  const crowded = checkFamily(owner, label, owner.mode === 'demo' ? 0 : SUBACCOUNTS_MAX);
  if (crowded !== null) return refuse(crowded);
  const { mode, referrerId } = owner;
  enterAccount(turn, { id: subaccountId, mode, referrerId, openedAtMs: state.nowMs, label }, owner);
  return accept({ kind: 'account', accountId: subaccountId });
}

export function changeSubaccount(turn: Turn, actor: Actor, command: ChangeSubaccount): Answer {
  const { state, events } = turn;
  const { label, status } = command;
  const fault = checkChange(command);
  if (fault !== null) return refuse(fault);
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (account.parentId === null || !isOwnersAct(actor, account)) {
    return refuse(unknownAccount(account.id));
  }
  // What an operator holds its owner neither renames nor lets go nor closes.
  if (isHeldByOperator(account)) return refuse(frozen(account));
  if (label !== null && isTaken(account, label, account)) {
    return refuse(reject('SUBACCOUNT_LABEL_TAKEN', { label }));
  }
  const obstacle = status === 'closed' ? checkEmpty(state, account) : null;
  if (obstacle !== null) return refuse(obstacle);
  if (label !== null && label !== account.label) {
    account.label = label;
    events.push({ type: 'subaccount_renamed', accountId: account.id, label });
  }
  if (status === 'closed') {
    close(turn, account);
  } else if (status !== null) {
    account.frozenByOwner = status === 'frozen';
    refreeze(turn, account, 'owner', null);
  }
  return accept(DONE);
}

function checkChange({ label, status }: ChangeSubaccount): Rejection | null {
  if (status !== null && !STATUSES.includes(status)) {
    return invalid('status', 'active, frozen or closed');
  }
  if (label === null) return status === null ? invalid('label', 'a label or a status') : null;
  return status === 'closed' ? invalid('label', 'none for one that is closed') : checkLabel(label);
}

function checkLabel(label: unknown): Rejection | null {
  const isLabel =
    typeof label === 'string' &&
    label.length >= 1 &&
    label.length <= LABEL_LENGTH_MAX &&
    label === label.trim() &&
    label.isWellFormed() &&
    !/\p{Cc}/u.test(label);
  if (isLabel) return null;
  return invalid('label', `1 to ${LABEL_LENGTH_MAX} characters, none of them a control character`);
}

/** What is still in the way of closing: orders, shares, money, then what may still bring some. */
function checkEmpty(state: State, account: Account): Rejection | null {
  const { id, openOrders, staked } = account;
  if (openOrders > 0) {
    return reject('SUBACCOUNT_HAS_OPEN_ORDERS', { account_id: id, open: openOrders });
  }
  let markets = 0;
  for (const holding of account.holdings.values()) if (holdsShares(state, holding)) markets += 1;
  if (markets > 0) return reject('SUBACCOUNT_HAS_POSITIONS', { account_id: id, markets });
  const free = state.ledger.balance(account.free);
  if (free > 0n || hasMoneyUnderWay(state, account)) {
    return reject('SUBACCOUNT_HAS_BALANCE', { account_id: id, free });
  }
  const isOwed = staked > 0n || hasOpenMarket(state, account);
  if (isOwed) return reject('STATE_CONFLICT', { account_id: id, reason: 'stakes_out' });
  return checkClearing(state, [account]);
}

/** On its way out, or in. */
function hasMoneyUnderWay(state: State, { id, withdrawing }: Account): boolean {
  if (state.ledger.balance(withdrawing) > 0n) return true;
  return state.funds.depositsOf(id).some((deposit) => deposit.state === 'pending');
}

function hasOpenMarket(state: State, account: Account): boolean {
  if (account.family.openMarkets === 0) return false;
  for (const market of state.markets.values()) {
    if (market.creator === account && !isFinal(market)) return true;
  }
  return false;
}

/** Fees that the markets it has traded in may still return are its owner's from now on (VD14). */
function close(turn: Turn, account: Account): void {
  const { state, events } = turn;
  for (const holding of account.holdings.values()) {
    if (holding.row !== NO_ROW) {
      addKept(holdingOf(state, account.family.owner, holding.market), keptOf(holding));
    }
    closeHolding(state, holding);
  }
  disarmAll(state, account.id);
  endSubaccount(account, state.nowMs);
  events.push({ type: 'subaccount_closed', accountId: account.id });
}
